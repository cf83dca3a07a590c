"""Small Fabrik boards solved completely, against the attractor over the plain rules, and by strategies."""

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlemc.encodings.fabrik import rules as plain
from puzzlemc.encodings.fabrik.layers import Layer, canonical
from puzzlemc.encodings.fabrik.rules import GAME
from puzzlemc.encodings.fabrik.small import Solution, board_of
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.games.explicit import arena_of_rules
from puzzlemc.mc.games.model import DRAW, Value
from puzzlemc.mc.games.strategies import strategies_for
from puzzlemc.mc.games.strategy import Proved, check, prove
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.rules.plain import FIRST
from puzzlemc.screens.fabrik import EMPTY, Level, Position


def empty_board(size: int, row: int) -> Level:
    return Level("", "", size, row, EMPTY)


@cache
def solution(size: int, row: int) -> Solution:
    return Solution(empty_board(size, row), Budget())


@st.composite
def middle_games(draw: st.DrawFn) -> Level:
    """A board of 2 or 3 rows after its beginning and some random turns; the game may be over."""
    size = draw(st.sampled_from([2, 3, 3, 3]))
    level = empty_board(size, draw(st.integers(2, size)))
    chance = random.Random(draw(st.integers(0, 2**32)))
    position = level.start
    for _ in range(3 + draw(st.integers(2, 6))):
        moves = list(plain.moves(level, position))
        if moves:
            position = chance.choice(moves)[1]
    return replace(level, start=position)


@given(middle_games())
@settings(max_examples=40)
def test_values_agree_with_the_attractor_over_the_plain_rules(level: Level) -> None:
    """Other positions have no value: each follows a turn that was not taken because another turn wins."""
    arena = arena_of_rules(GAME, level, Budget())
    solved = solution(level.size, level.row)
    known = {position: solved.value(position) for position in arena.positions}
    assert {p: value for p, value in known.items() if value != DRAW} == {
        p: arena.value(p) for p, value in known.items() if value != DRAW
    }
    on_the_way = [level.start]
    for position in on_the_way:
        value = arena.value(position)
        if known[position] != DRAW and value.turns != 1:
            on_the_way += [step.position for step in GAME.replies(level, position)]
            assert all(known[step.position] != DRAW for step in GAME.replies(level, position))


@pytest.mark.parametrize(("size", "row", "turns"), [(2, 2, 5), (3, 2, 6), (3, 3, 8)])
def test_black_wins_from_the_empty_board(size: int, row: int, turns: int) -> None:
    """Two workers, a decision and the turns after it: the plain rules follow both strategies to their ends.

    Black must win: no game is a draw, and Black decides who begins.
    """
    level = empty_board(size, row)
    assert solution(size, row).value(EMPTY) == Value(FIRST, turns)
    strategies = strategies_for(GAME, level, solution(size, row).value)
    for strategy in strategies:
        check(GAME, level, strategy)
    assert prove(GAME, level, strategies) == Proved(FIRST, turns, True)


def test_symmetric_positions_have_one_key() -> None:
    """All eight images of a position have one key; there are 8 placements of two workers on 3 × 3 cells."""
    board = board_of(3, 3)
    chance = random.Random(5)
    for _ in range(50):
        own, other, one, two = np.split(np.array(chance.sample(range(9), 6)), [2, 4, 5])
        keys = set()
        square = np.arange(9).reshape(3, 3)
        for image in [f(np.rot90(square, k)) for k in range(4) for f in (np.array, np.transpose)]:
            place = image.ravel()
            sets = [sum(1 << int(place[cell]) for cell in cells) for cells in (own, other)]
            keys.add(canonical(board, *sets, int(place[one[0]]), int(place[two[0]])))
        assert len(keys) == 1
    assert solution(3, 3).layers[0].used == 8


def worths_of(layer: Layer) -> dict[int, int]:
    worths = np.asarray(layer.worths).view(np.int8)
    found = dict(zip(np.asarray(layer.keys).tolist(), worths.tolist(), strict=True))
    found.pop(0)
    return found


def test_values_under_a_bound_on_stones_are_right() -> None:
    whole = solution(3, 3)
    known = 0
    for stones in range(6):
        part = Solution(empty_board(3, 3), Budget(), most_stones=stones)
        assert len(part.layers) == stones + 1
        for here, there in zip(part.layers, whole.layers, strict=False):
            worths = worths_of(there)
            for key, worth in worths_of(here).items():
                assert worth in (0, worths[key])
                known += bool(worth)
    assert known > 1000
    assert Solution(empty_board(3, 3), Budget(), most_stones=3).value(EMPTY) == DRAW


def test_limits_end_the_solution() -> None:
    with pytest.raises(LimitReached, match="memory"):
        Solution(empty_board(4, 4), Budget(Limits(memory=10**6)))
    budget = Budget()
    budget.cancel()
    with pytest.raises(LimitReached, match="cancelled"):
        Solution(empty_board(3, 3), budget)
    with pytest.raises(ModelError, match="too large"):
        Solution(empty_board(6, 3), Budget())


def test_a_game_starts_at_the_position_of_its_level() -> None:
    level = Level("", "", 3, 3, Position(frozenset([(0, 0)]), frozenset(), frozenset([(0, 1), (2, 2)]), "white"))
    value = solution(3, 3).value(level.start)
    assert prove(GAME, level, strategies_for(GAME, level, solution(3, 3).value)) == Proved(*value, True)
