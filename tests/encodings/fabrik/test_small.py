"""Small Fabrik boards solved completely, against the attractor over the plain rules, and by strategies."""

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import fabrik_levels

from examples import examples
from puzzlemc.encodings.fabrik import rules as plain
from puzzlemc.encodings.fabrik import small
from puzzlemc.encodings.fabrik.decide import Forcing, decide
from puzzlemc.encodings.fabrik.forced import Search
from puzzlemc.encodings.fabrik.rules import GAME
from puzzlemc.encodings.fabrik.small import SmallSearch, Solution
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.games.explicit import arena_of_rules
from puzzlemc.mc.games.model import Value
from puzzlemc.mc.games.strategies import defence, strategies_for
from puzzlemc.mc.games.strategy import check, prove
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.rules.plain import FIRST, SECOND, SIDES
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
@settings(max_examples=examples(20, 40))
def test_values_agree_with_the_attractor_over_the_plain_rules(level: Level) -> None:
    arena = arena_of_rules(GAME, level, Budget())
    solved = solution(level.size, level.row)
    assert {position: solved.value(position) for position in arena.positions} == {
        position: arena.value(position) for position in arena.positions
    }


@given(fabrik_levels(most=5, turn=True))
@settings(max_examples=examples(15, 60), deadline=None)
def test_forced_wins_agree_with_the_search_for_large_boards(level: Level) -> None:
    assume(not plain.winner(level, level.start))
    solved = solution(level.size, level.row)
    for side in SIDES:
        large, small = Search(level, side, Budget()), SmallSearch(solved, side)
        for within in (1, 2, 3):
            wins = large.place(level.start).wins(within)
            assert small.place(level.start).wins(within) == wins
            if wins:
                break


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
    assert prove(GAME, level, strategies)[:3] == (FIRST, turns, True)


@pytest.mark.parametrize(("size", "row"), [(2, 2), (3, 2)])
def test_a_defence_shows_the_fewest_own_turns_from_the_empty_board(size: int, row: int) -> None:
    """Black decides who begins and may take the next turn as well, so sides do not alternate."""
    level = empty_board(size, row)
    outcome = decide(level, None, Budget())
    assert outcome.strategy is not None
    assert outcome.turns is not None
    forcing = Forcing(level, FIRST, SmallSearch(solution(size, row), FIRST), Budget())
    held = defence(GAME, level, SECOND, outcome.turns - 1, forcing.wins, 10_000)
    proved = prove(GAME, level, [outcome.strategy, held])
    assert (proved.own_turns, proved.own_bound) == (outcome.turns, outcome.turns)
    assert not prove(GAME, level, [outcome.strategy]).fewest_own_turns


def test_symmetric_positions_have_one_value() -> None:
    """The stones of all eight images have one key in the table, and their cells are images of each other."""
    chance = random.Random(5)
    level = empty_board(4, 3)
    for _ in range(20):
        solved = Solution(level, Budget())
        square = np.arange(16).reshape(4, 4)
        black, white, free = np.split(np.array(chance.sample(range(16), 16)), [2, 4])
        images = [np.rot90(square, k) for k in range(4)]
        images += [image.T for image in images]
        sizes = set()
        answers = []
        for image in images:
            place = image.ravel()
            cells = [frozenset(divmod(int(place[cell]), 4) for cell in some) for some in (black, white)]
            won = set()
            for cell in free:
                there = divmod(int(place[cell]), 4)
                for partner in free[free != cell]:
                    workers = frozenset([there, divmod(int(place[partner]), 4)])
                    if solved.wins(Position(cells[0], cells[1], workers, "black"), 2):
                        won.add((int(cell), int(partner)))
            answers.append(won)
            sizes.add(solved.states)
        assert all(won == answers[0] for won in answers)
        assert len(sizes) == 1


def test_searches_that_pause_have_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small, "VISITS", 60)
    monkeypatch.setattr(small, "LEAST_SLOTS", 64)
    paused = Solution(empty_board(3, 3), Budget())
    assert paused.value(EMPTY) == Value(FIRST, 8)
    assert paused.states > 64
    chance = random.Random(2)
    for _ in range(200):
        cells = [divmod(cell, 3) for cell in chance.sample(range(9), 6)]
        here = Position(frozenset(cells[:2]), frozenset(cells[2:4]), frozenset(cells[4:]), "black")
        assert paused.value(here) == solution(3, 3).value(here)


def test_strategies_of_small_boards_are_checked_and_short() -> None:
    for size, row, turns, most in ((3, 2, 6, 60), (3, 3, 8, 200), (4, 3, 10, 1000)):
        level = empty_board(size, row)
        outcome = decide(level, None, Budget())
        assert outcome.strategy is not None
        assert prove(GAME, level, [outcome.strategy])[:3] == (FIRST, turns, False)
        assert len(outcome.strategy.nodes) <= most
        assert outcome.strategy.own_turns == outcome.turns


@pytest.mark.slow
def test_the_board_of_five_rows_is_settled() -> None:
    level = empty_board(5, 3)
    outcome = decide(level, None, Budget())
    assert (outcome.winner, outcome.turns, outcome.refuted) == (FIRST, 7, 6)
    assert outcome.strategy is not None
    assert prove(GAME, level, [outcome.strategy])[:3] == (FIRST, 12, False)
    assert len(outcome.strategy.nodes) < 4000


def test_limits_end_the_solution() -> None:
    with pytest.raises(LimitReached, match="memory"):
        Solution(empty_board(4, 4), Budget(Limits(memory=10**6))).value(EMPTY)
    budget = Budget()
    budget.cancel()
    with pytest.raises(LimitReached, match="cancelled"):
        Solution(empty_board(3, 3), budget).value(EMPTY)
    with pytest.raises(ModelError, match="too large"):
        Solution(empty_board(6, 3), Budget())


def test_a_game_starts_at_the_position_of_its_level() -> None:
    level = Level("", "", 3, 3, Position(frozenset([(0, 0)]), frozenset(), frozenset([(0, 1), (2, 2)]), "white"))
    value = solution(3, 3).value(level.start)
    assert prove(GAME, level, strategies_for(GAME, level, solution(3, 3).value))[:3] == (*value, True)
