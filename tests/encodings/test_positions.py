"""Every encoding can start from any position of a level."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import least_cost_by_rules
from strategies import boards, levels, squares

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.screens.tetravex import PUT, SWAP

LEVELS = {"sokoban": levels(), "folding": boards(), "tetravex": squares(rules=PUT) | squares(rules=SWAP)}


@pytest.mark.parametrize("name", LEVELS)
@settings(max_examples=25)
@given(draw=st.data(), seed=st.integers(0, 2**32))
def test_remaining_costs_agree_with_the_rules(name: str, draw: st.DataObject, seed: int) -> None:
    each, level = puzzle(name), draw.draw(LEVELS[name])
    choice, position = random.Random(seed), each.rules.start(level)
    for _ in range(choice.randrange(6)):
        steps = list(each.rules.steps(level, position))
        position = choice.choice(steps).position if steps else position
    assert each.starting_at is not None
    there: Any = each.starting_at(level, position)
    assert each.rules.start(there) == position
    expected = least_cost_by_rules(each, there, each.metrics[0])
    for encode in each.encodings.values():
        encoded = encode(there)
        verdict = engine("forward")(encoded.model, each.metrics[0], Budget())
        assert isinstance(verdict, Unreachable if expected is None else Reachable)
        if isinstance(verdict, Reachable):
            assert verdict.cost == expected
            assert each.replay(there, encoded.moves(verdict.trace)).positions[0] == position
