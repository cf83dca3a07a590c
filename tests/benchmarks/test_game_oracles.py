"""The script that compares oracles with the plain rules: it finds no difference, and each forged value."""

import command
import pytest
from needs import NODE
from places import ROOT

SCRIPT = ROOT / "benchmarks" / "game_oracles.py"
LEVELS = (
    ROOT / "screens/levels/sokoban/first_steps.xsb#2",
    ROOT / "screens/levels/puzzlescript/thaw.txt#2",
    ROOT / "examples/hanoi.py#1",
)


@NODE
@pytest.mark.slow
def test_a_wrong_distance_is_a_difference() -> None:
    done = command.script(SCRIPT, *LEVELS)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("3 levels, 496 positions")
    assert done.stdout.endswith(" 0 levels wrong\n")
    done = command.script(SCRIPT, LEVELS[0], "--forge")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(" 0 levels wrong\n")
