"""Subgoals: some boxes move to their targets while others are walls, and all legs together are one plan."""

from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.fess.domain.boards import Board, board_of
from puzzlemc.encodings.sokoban.fess.portfolio import subgoals
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import (
    LEG,
    Pair,
    Segment,
    find_plan,
    moves_through,
    shared_on,
)
from puzzlemc.encodings.sokoban.fess.portfolio.subgoals import WORK_OF_LEG, Subgoals, with_walls
from puzzlemc.encodings.sokoban.fess.search.entering import ENDED, MET, PAUSED
from puzzlemc.encodings.sokoban.fess.search.past import Place
from puzzlemc.mc.limits import GIB, Budget
from puzzlemc.screens.sokoban import Level, parse

RULES = puzzle("sokoban")
# Two distant rooms, each with boxes and goals of its own.
APART = """\
######         ######
#  . ###########    #
# $$.           $ $.#
#@$. ########### .  #
#    #         #    #
######         ######
"""
# The goals are in the door: the player must come back through it before both are filled.
DOOR = """\
#########
#   #   #
# $ . $ #
#@  . # #
#   #   #
#########
"""


def _board(text: str) -> tuple[Level, Board]:
    (level,) = parse(text, "test")
    assert isinstance(level, Level)
    board = board_of(level)
    assert board is not None
    return level, board


class _Watched:
    """Subgoals that record their legs: the boards, and the cells on which the player may be at the end."""

    def __init__(self, board: Board, seed: int = 1) -> None:
        self.boards: list[tuple[Board, list[int] | None]] = []
        self.subgoals = Subgoals(board, self._leg, Budget())
        self.subgoals._random = Random(seed)

    def _leg(self, part: Board, players: list[int] | None) -> Pair:
        self.boards.append((part, players))
        return Pair(part, shared_on(part, GIB // 64), LEG, GIB // 64, Budget(), Segment(players))

    def run(self, turns: int) -> int:
        """Search for at most this number of turns."""
        for _ in range(turns):
            if self.subgoals.go_on(100_000) == MET:
                return MET
        return PAUSED


@pytest.mark.parametrize("text", [APART, DOOR])
@pytest.mark.parametrize("sizes", [(1,), subgoals.SIZES])
@pytest.mark.parametrize("seed", range(6))
def test_all_legs_together_are_one_plan(
    text: str, sizes: tuple[int, ...], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subgoals, "SIZES", sizes)
    level, board = _board(text)
    watched = _Watched(board, seed)
    assert watched.run(400) == MET
    for gap in watched.subgoals._gaps:
        assert (gap.players is None) == (gap.goal == frozenset(board.goals.tolist()))
    places = watched.subgoals.positions()
    assert places[0][0] == frozenset(board.boxes.tolist())
    assert places[-1][0] == frozenset(board.goals.tolist())
    # No position is repeated where two legs are joined, and each step moves one box.
    assert all(here != there and len(here[0] - there[0]) <= 1 for here, there in pairwise(places))
    RULES.replay(level, moves_through(board, places, Budget()))


def test_random_levels_are_solved_with_valid_plans(deadlocks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unusual levels, in which the player often cannot reach the start of the next leg."""
    monkeypatch.setattr(subgoals, "SIZES", (1,))
    choice, solved, joined = Random(5), 0, 0
    while solved < 25:
        level = deadlocks.random_level(choice)
        if not 3 <= len(level.goals) == len(level.start.boxes) or find_plan(level, Budget()) is None:
            continue
        board = board_of(level)
        assert board is not None
        watched = _Watched(board, solved)
        if set(board.boxes.tolist()) != set(board.goals.tolist()):
            assert watched.run(500) == MET, level
            RULES.replay(level, moves_through(board, watched.subgoals.positions(), Budget()))
            solved += 1
            joined += len(watched.boards) > 1
    assert joined > 1


def test_fixed_boxes_are_walls_and_the_others_go_to_near_targets() -> None:
    _, board = _board(APART)
    watched = _Watched(board)
    watched.run(400)
    sizes = set()
    for part, _ in watched.boards:
        fixed = set(np.flatnonzero((part.near[:-1] == len(part.near) - 1).all(axis=1)).tolist())
        assert not fixed & {*part.boxes.tolist(), *part.goals.tolist()}
        assert len(part.boxes) == len(part.goals) == len(board.boxes) - len(fixed)
        assert all(cell not in part.near for cell in fixed)
        sizes.add(len(part.boxes))
    assert len(sizes) > 1


def test_walls_remove_their_boxes_and_goals() -> None:
    _, board = _board(DOOR)
    box = int(board.boxes[0])
    made = with_walls(board._replace(goals=np.array([box, board.goals[1]], np.int32)), frozenset([box]))
    wall = len(board.near) - 1
    assert made.boxes.tolist() == [board.boxes[1]]
    assert made.goals.tolist() == [board.goals[1]]
    for cell in range(wall):
        for d in range(4):
            beside = int(board.near[cell, d])
            assert made.near[cell, d] == (wall if box in (cell, beside) else beside)


def test_a_cluster_has_neighbouring_boxes() -> None:
    """With two separate rooms, a cluster contains all boxes of one before any of the other."""
    _, board = _board(APART)
    made = _Watched(board).subgoals
    column = {cell: place[1] for cell, place in enumerate(board.cells)}
    boxes, goals = sorted(board.boxes.tolist()), sorted(board.goals.tolist())
    whole = 0
    for _ in range(200):
        gone, come, others = made._cluster(boxes, goals)
        assert len(gone) == len(come) > 0
        assert sorted([*gone, *come, *others]) == sorted(boxes + goals)
        left, right = (sum((column[box] < 8) == is_left for box in gone) for is_left in (True, False))
        assert (left, right) in {(1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (0, 1), (0, 2), (1, 2), (2, 2)}
        whole += (left, right) in {(3, 0), (0, 2)}
    assert whole > 45  # the sizes alone would give about thirty


def test_a_cluster_grows_by_the_nearest_box_to_any_of_its_boxes() -> None:
    choice = Random(4)
    cells = choice.sample([(row, column) for row in range(8) for column in range(20)], 21)
    rows = [[" "] * 20 for _ in range(8)]
    for at, (row, column) in enumerate(cells):
        rows[row][column] = "@" if at == 20 else "$."[at % 2]
    _, board = _board("\n".join(["#" * 22, *("#" + "".join(row) + "#" for row in rows), "#" * 22]))
    made = _Watched(board).subgoals
    boxes, goals = sorted(board.boxes.tolist()), sorted(board.goals.tolist())
    pairs = subgoals.paired(made._pushes, boxes, goals).tolist()
    assert sorted(box for box, _ in pairs) == boxes
    assert sorted(goal for _, goal in pairs) == goals

    def apart(one: int, other: int) -> int:
        return min(int(made._steps[here, there]) for here in pairs[one] for there in pairs[other])

    def grown(cluster: set[int]) -> bool:
        """Is there an order in which each box is nearest to those before it?"""
        ways = {frozenset([seed]) for seed in cluster}
        for _ in range(len(cluster) - 1):
            longer = set()
            for inside in ways:
                far = {new: min(apart(old, new) for old in inside) for new in set(range(len(pairs))) - inside}
                nearest = [new for new, steps in far.items() if steps == min(far.values())]
                longer |= {inside | {new} for new in nearest if new in cluster}
            ways = longer
        return bool(ways)

    sizes = set()
    for _ in range(60):
        gone, come, _ = made._cluster(boxes, goals)
        cluster = {at for at, (box, _) in enumerate(pairs) if box in gone}
        assert come == {goal for _, goal in (pairs[at] for at in cluster)}
        assert grown(cluster)
        sizes.add(len(cluster))
    assert len(sizes) > 4


class _Dead:
    """A search that finds nothing."""

    work = 0

    def __init__(self) -> None:
        self.forgotten = False

    def go_on(self, _: int) -> int:
        return ENDED

    def positions(self) -> list[Place]:
        raise AssertionError

    def forget(self) -> None:
        self.forgotten = True


def test_the_player_is_fixed_at_the_ends_of_a_gap_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first leg begins with the player at the start; the last leg ends with the player at its final cell."""
    _, board = _board(APART)
    last, legs = len(board.near) - 2, []
    wholes: list[Board] = []

    def walled(part: Board, fixed: frozenset[int]) -> Board:
        wholes.append(part)
        return with_walls(part, fixed)

    def leg(_: Board, players: list[int] | None) -> _Dead:
        legs.append((wholes[-1], players))
        return _Dead()

    monkeypatch.setattr(subgoals, "with_walls", walled)

    made = Subgoals(board, leg, Budget())
    gap = made._gaps.pop()
    made._add(gap.start, gap.goal, [last], [gap.start], [])
    for _ in range(300):
        made.go_on(1000)
    elsewhere = set()
    for part, players in legs:
        source, target = set(part.boxes.tolist()), set(part.goals.tolist())
        assert players == ([last] if target == gap.goal else None)
        assert part.player not in source
        if source == gap.start[0]:
            assert part.player == board.player
        else:
            assert target == gap.goal
            elsewhere.add(part.player)
    assert len(elsewhere) > 5


def test_impossible_legs_are_not_repeated_and_searches_are_released() -> None:
    _, board = _board(DOOR)
    tried, searches = [], []

    def leg(part: Board, players: list[int] | None) -> _Dead:
        tried.append((*part.boxes, -1, *part.goals, -1, part.player, *part.near.ravel(), *(players or [])))
        searches.append(_Dead())
        return searches[-1]

    made = Subgoals(board, leg, Budget())
    for _ in range(300):
        assert made.go_on(1000) == PAUSED
    assert len(tried) == len(set(tried)) > 5
    assert all(search.forgotten for search in searches)
    assert made.work > 0


class _Long(_Dead):
    """A search that never ends."""

    def go_on(self, work: int) -> int:
        self.work += work
        return PAUSED


def test_legs_get_more_work_after_failures_and_are_repeated_only_with_much_more() -> None:
    _, board = _board(DOOR)
    searches: list[_Long] = []
    known: dict[tuple[int, ...], list[_Long]] = {}

    def leg(part: Board, players: list[int] | None) -> _Long:
        searches.append(_Long())
        key = (*part.boxes, -1, *part.goals, -1, part.player, *part.near.ravel(), *(players or []))
        known.setdefault(key, []).append(searches[-1])
        return searches[-1]

    made = Subgoals(board, leg, Budget())
    while not searches or searches[-1].work < 4 * WORK_OF_LEG:
        assert made.go_on(1 << 40) == PAUSED
    work = [search.work for search in searches]
    assert work[0] == WORK_OF_LEG
    assert work == sorted(set(work))
    assert all(some % WORK_OF_LEG == 0 for some in work)
    again = [pair for same in known.values() for pair in pairwise(same)]
    assert again
    assert all(second.work >= 2 * first.work for first, second in again)


def test_the_narrowest_of_many_gaps_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subgoals, "GAPS", 8)
    _, board = _board(APART)
    made = _Watched(board).subgoals
    (first,) = made._gaps
    for failed in range(30, 0, -1):
        made._add(first.start, first.goal, None, [first.start], [], failed)
        assert len(made._gaps) <= 8
        assert made._gaps[0] == min(made._gaps)
    assert made._gaps[0] == first
    assert {gap.failed for gap in made._gaps} >= {0, 1, 2, 3}
