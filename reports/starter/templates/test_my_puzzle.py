"""Tests of my_puzzle: pytest test_my_puzzle.py."""

from pathlib import Path

import puzzlemc
import pytest

FILE = str(Path(__file__).with_name("my_puzzle.py"))
LEVELS = puzzlemc.load(puzzle=FILE)
COSTS = {"TITLE": 0}  # None: there is no solution


def test_each_level_has_its_least_cost():
    assert {level.title: puzzlemc.solve(level).cost for level in LEVELS} == COSTS


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.title)
def test_all_positions_together_say_the_same(level):
    assert puzzlemc.query(level, "EF solved").holds == (COSTS[level.title] is not None)


def test_an_error_names_its_place():
    with pytest.raises(puzzlemc.LevelError, match="MESSAGE"):
        puzzlemc.Level("WRONG", FILE)
