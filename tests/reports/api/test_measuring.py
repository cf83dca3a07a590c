"""`puzzlemc.measure`."""

import pytest
from command import hard

import puzzlemc

LEVEL = puzzlemc.Level("########\n#@     #\n# $  . #\n# $  . #\n#      #\n########", "sokoban")


def test_a_level_is_measured() -> None:
    found = puzzlemc.measure(LEVEL)
    assert found["boxes_pushed"] == 2
    assert 0 < found["lost_share"] < 1
    assert puzzlemc.measure(LEVEL, names=["box_changes"]) == {"box_changes": 1}


def test_limits_leave_numbers_out() -> None:
    assert puzzlemc.measure(puzzlemc.Level(hard(40), "sokoban"), timeout=0.5) == {}


def test_wrong_names_are_errors() -> None:
    with pytest.raises(puzzlemc.ModelError, match="found 'hardness', expected some of boxes_pushed"):
        puzzlemc.measure(LEVEL, names=["hardness"])
    with pytest.raises(puzzlemc.ModelError, match="expected several of them"):
        puzzlemc.measure(LEVEL, names="box_changes")
