"""The quick judge of changed levels: what it says is so, and it leaves large levels to an engine."""

import random

import pytest
from plain_repairs import is_solvable, small_level
from small_rooms import crowd

from examples import examples
from puzzlemc.encodings.puzzle.design.changes import Allowed
from puzzlemc.encodings.sokoban.changes.decide import decider
from puzzlemc.encodings.sokoban.changes.edits import KINDS, single_edits
from puzzlemc.mc.limits import Budget


@pytest.mark.parametrize("seed", range(examples(10, 100)))
def test_small_levels_are_judged_as_by_plain_rules(seed: int) -> None:
    level = small_level(random.Random(seed), 2, 3)
    decide = decider(level)
    for change in single_edits(level, Allowed(frozenset(KINDS) - {"add"})):
        assert decide(change.level, Budget()) == is_solvable(change.level), change.level.rows


def test_large_levels_are_left_to_an_engine() -> None:
    assert decider(crowd())(crowd(), Budget()) is None
