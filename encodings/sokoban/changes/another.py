"""A solution that is as good as a given one, and differs from it in more than the order of its pushes.

All shortest solutions are the ways through an acyclic graph of positions, from the start to its ends. If two
different collections of pushes lead to a position, two solutions differ, whatever follows. So if there is no such
position, and the pushes of the given solution lead to each end, all shortest solutions have those pushes.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from puzzlemc.encodings.sokoban.board.floor import shortest_walk
from puzzlemc.encodings.sokoban.board.numbered import LETTERS, numbered
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead, start, step
from puzzlemc.encodings.sokoban.generate.shortest import ShortestSolutions
from puzzlemc.encodings.sokoban.measures.push_graph import push_graph
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Cell, Level, State

Push: TypeAlias = tuple[Cell, int]  # the cell of the box before it, and the number of the direction


def another(level: Level, moves: Sequence[str], budget: Budget) -> list[str] | None:
    """A shortest solution whose pushes are others than those of the given solution; None if there is none.

    The order of pushes and walks do not count. Raises LimitReached if the shortest solutions are not known.
    """
    graph = push_graph(level, budget)
    if graph is None:
        return None
    if graph.solutions is None:
        raise LimitReached("memory")
    found = _other_pushes(graph.solutions, level.floor, Counter(_pushes(level, moves)))
    return None if found is None else _with_walks(level, found)


def _pushes(level: Level, moves: Sequence[str]) -> list[Push]:
    """The pushes of a solution."""
    found, position, letters = [], start(level), list(DIRECTIONS)
    for move in moves:
        taken = step(level, position, move)
        assert taken is not None
        assert isinstance(taken.position, State)
        position = taken.position
        if taken.costs["pushes"]:
            found.append((position.player, letters.index(move.lower())))
    return found


def _other_pushes(solutions: ShortestSolutions, cells: Sequence[Cell], given: Counter[Push]) -> list[Push] | None:
    """The pushes of a shortest solution that are not the given ones, in their order; None if there is none.

    A collection of pushes is a number whose digits say how often each push occurs: its base is larger than that.
    """
    count = solutions.count
    first = np.asarray(solutions.first)[: count + 1].tolist()
    targets, _, _, boxes, directions = np.asarray(solutions.pushes)[: solutions.push_count].T.tolist()
    pushes = [(cells[box], direction) for box, direction in zip(boxes, directions, strict=True)]
    base = max(solutions.left, given.total()) + 1
    weights: dict[Push, int] = {push: base**place for place, push in enumerate(given)}
    wanted = sum(times * weights[push] for push, times in given.items())
    sums = [0] + [-1] * (count - 1)  # of the pushes on the way that first led to each position
    came: list[tuple[int, int]] = [(0, 0)] * count  # the position before, and the number of the push

    def way(at: int) -> list[Push]:
        found = []
        while at:
            at, number = came[at]
            found.append(pushes[number])
        return found[::-1]

    def rest(at: int) -> list[Push]:
        found = []
        while first[at] < first[at + 1]:
            found.append(pushes[first[at]])
            at = targets[first[at]]
        return found

    for at in range(count):
        if first[at] == first[at + 1] and sums[at] != wanted:
            return way(at)
        for number in range(first[at], first[at + 1]):
            push, to = pushes[number], targets[number]
            after = sums[at] + weights.setdefault(push, base ** len(weights))
            if sums[to] < 0:
                sums[to], came[to] = after, (at, number)
            elif sums[to] != after:
                ways = [*way(at), push], way(to)
                return next([*one, *rest(to)] for one in ways if Counter([*one, *rest(to)]) != given)
    return None


def _with_walks(level: Level, pushes: Sequence[Push]) -> list[str]:
    """The moves of a solution with these pushes, and with a shortest walk before each."""
    room = numbered(level)
    number = {cell: place for place, cell in enumerate(level.floor)}
    ways = list(DIRECTIONS.values())
    moves, boxes, player = list[str](), level.start.boxes, level.start.player
    for box, direction in pushes:
        behind = number[ahead(box, ways[direction ^ 2])]
        walk = shortest_walk(room.near, [number[cell] for cell in boxes], number[player], behind)[::-1]
        steps = [room.near[one].tolist().index(other) for one, other in pairwise(walk)]
        moves += [LETTERS[step] for step in (*steps, direction + len(ways))]
        boxes, player = boxes - {box} | {ahead(box, ways[direction])}, box
    return moves
