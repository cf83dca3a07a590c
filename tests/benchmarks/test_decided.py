"""The script that switches off the reductions of PuzzleScript searches: the answers stay the same."""

import command
import pytest
from places import ROOT

LEVELS = ROOT / "screens" / "levels" / "puzzlescript"
REDUCTIONS = ("none", "constants", "idle", "cone", "all")


@pytest.mark.parametrize(("game", "levels"), [("shaft.txt", 8), ("thaw.txt", 15)])
def test_no_reduction_changes_an_answer(game: str, levels: int) -> None:
    options = [word for name in REDUCTIONS for word in ("--with", name)]
    done = command.script(ROOT / "benchmarks" / "decided.py", LEVELS / game, *options)
    assert done.returncode == 0, done.stdout
    for name in REDUCTIONS:
        assert f"{name}: {levels} of {levels} levels decided" in done.stdout


def test_a_limit_leaves_levels_undecided() -> None:
    done = command.script(
        ROOT / "benchmarks" / "decided.py", LEVELS / "shaft.txt", "--seconds", "0", "--sample", "3"
    )
    assert "plans: 0 of 3 levels decided" in done.stdout
