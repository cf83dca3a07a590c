"""The script that compares shared pages with the engine: it finds no difference, and each forged value."""

import command
from needs import NODE
from places import ROOT

SCRIPT = ROOT / "benchmarks" / "shared_pages.py"
LEVELS = (
    ROOT / "screens/levels/sokoban/first_steps.xsb#6",
    ROOT / "screens/levels/sokoban/unsolvable.xsb#5",
    ROOT / "screens/levels/puzzlescript/thaw.txt#1",
    ROOT / "examples/hanoi.py#1",
)


@NODE
def test_a_wrong_value_is_a_difference() -> None:
    done = command.script(SCRIPT, *LEVELS)
    assert done.returncode == 0, done.stderr
    assert "4 levels, 6174 positions, 0 levels wrong" in done.stdout
    done = command.script(SCRIPT, *LEVELS[:2], "--forge")
    assert done.returncode == 0, done.stderr
    differ = [int(line.split()[-2]) for line in done.stdout.splitlines()[1:-1]]
    assert len(differ) == 2
    assert all(differ)
