"""What is asked in worker processes while somebody plays: how a level goes on from a position, and the map of it.

The *map* is the whole state graph with the distance of each state to the goal, so that it answers for any position
at once. Until it is there, and where it is too large, an engine solves the level that starts at the position.
Both are exact: a position is lost only where it is proved that nothing leads to the goal.
"""

from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.errors import LIMITS, Refuted, reason_of
from puzzlemc.mc.graph import kernel
from puzzlemc.mc.graph.kernel import FAR
from puzzlemc.mc.graph.state_graph import Indices, StateGraph, explore
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY, cost_of
from puzzlemc.mc.packed.layout import Numbers
from puzzlemc.mc.rules.plain import Constraint
from puzzlemc.mc.verdict import Reachable, Unknown
from puzzlemc.reports.play.background import Wanted
from puzzlemc.reports.solve.reasons import explain


@dataclass(frozen=True)
class Advice:
    """What is known of a position.

    solvable  None where it is not known
    cost      of the solution that is known, in the puzzle's own metric
    optimal   whether it is proved that none costs less
    moves     how that solution goes on: at least up to the next move that costs something
    reason    why it is not known
    """

    solvable: bool | None
    cost: int = 0
    optimal: bool = False
    moves: tuple[str, ...] = ()
    reason: str = ""


LOST = Advice(False)


def built(entry: Entry) -> None:
    """Build the level of an entry, to see that this can be done within the limits. Raises LevelError."""
    if entry.error is not None:
        raise entry.error


def solution(
    entry: Entry, position: Hashable, played: int, metric: str, limits: Limits, path: str, number: int
) -> list[tuple[Hashable, Advice]]:
    """What the solution of a level from a position tells of the positions on its way, that position first.

    So many moves have led there. With the metric `ANY` some solution, else a shortest one. The plain rules have
    confirmed it. Ends early where the file at the path no longer holds the number. Raises Refuted.
    """
    puzzle = entry.puzzle
    level = _from(puzzle, entry.level, position)
    budget = Budget(limits, None, 0, Wanted(path, number))
    try:
        encoded = puzzle.encodings[next(iter(puzzle.encodings))](level)
        verdict = auto(encoded.model, metric, budget).verdict
    except LIMITS as limit:
        return [(position, Advice(None, reason=reason_of(limit)))]
    if isinstance(verdict, Unknown):
        return [(position, Advice(None, reason=verdict.reason))]
    if not isinstance(verdict, Reachable):
        return [(position, LOST)]
    moves = encoded.moves(verdict.trace)
    costs = puzzle.replay(level, moves).costs
    if metric != ANY and costs[metric] != verdict.cost:
        raise Refuted(f"the trace costs {costs[metric]} {metric}, not {verdict.cost}")
    if isinstance(puzzle.question(level), Constraint):  # its solution begins with what is there already
        moves = moves[played:]
    return _told(puzzle, level, position, moves, optimal=metric != ANY)


def reason_of_loss(entry: Entry, position: Hashable, limits: Limits, path: str, number: int) -> str:
    """Why a position that is lost has no solution, in words; empty where that is not found.

    Ends early where the file at the path no longer holds the number. Raises Refuted.
    """
    puzzle = entry.puzzle
    level = _from(puzzle, entry.level, position)
    if words := puzzle.explanation.obvious(level):
        return words
    budget = Budget(limits, None, 0, Wanted(path, number))
    try:
        if puzzle.explanation.parts is not None:
            why = explain(puzzle, level, budget)
            return "" if why is None else why.words
        return puzzle.explanation.words(level, budget) if puzzle.explanation.words is not None else ""
    except LIMITS:
        return ""


def _told(
    puzzle: Puzzle, level: Any, position: Hashable, moves: Sequence[str], *, optimal: bool
) -> list[tuple[Hashable, Advice]]:
    """What moves that lead to the goal tell of the positions on their way."""
    metric = puzzle.metrics[0]
    positions, prices = [position], []
    for move in moves:
        step = next(step for step in puzzle.rules.steps(level, positions[-1]) if step.name == move)
        positions.append(step.position)
        prices.append(step.costs[metric])
    left, way = 0, deque[str]()
    told = [(positions[-1], Advice(True, 0, optimal))]
    for at in range(len(moves) - 1, -1, -1):
        left += prices[at]
        if prices[at]:
            way.clear()
        way.appendleft(moves[at])
        told.append((positions[at], Advice(True, left, optimal, tuple(way))))
    return told[::-1]


def _from(puzzle: Puzzle, level: Any, position: Hashable) -> Any:
    if position == puzzle.rules.start(level):
        return level
    assert puzzle.starting_at is not None
    return puzzle.starting_at(level, position)


class Map:
    """The state graph of a level, and of each state the least cost from it to the goal."""

    def __init__(self, encoded: Encoded, metric: str, graph: StateGraph) -> None:
        self._encoded = encoded
        self._graph = graph
        model = encoded.model
        self._price: Numbers = np.array([cost_of(action, metric) for action in model.actions], np.int64)
        self.left: Indices = np.full(len(graph), FAR, np.int32)  # the cost that is left
        goals = np.flatnonzero(graph.holds(model.goal)).astype(np.int32)
        room = np.empty((2, len(graph)), np.int32)
        back = graph.back
        kernel.distances(back.first, back.other, back.action, self._price, goals, self.left, room[0], room[1])
        self._next: dict[tuple[int, str], int] = {}

    def number(self, moves: Sequence[str]) -> int:
        """The state that moves lead to from the start. Raises Refuted where they are none of the graph."""
        at = 0
        for move in moves:
            if (at, move) not in self._next:
                self._next.update(((at, name), target) for name, target, _ in self._steps(at))
            if (at, move) not in self._next:
                raise Refuted(f"the state graph has no move {move}")
            at = self._next[at, move]
        return at

    def advice(self, moves: Sequence[str], position: Hashable) -> Advice:
        """What is known of the position that the moves lead to. Raises Refuted where the graph says otherwise."""
        at = self.number(moves)
        if self._encoded.decode(self._graph.state(at)) != position:
            raise Refuted("the moves lead to another position in the state graph")
        if self.left[at] == FAR:
            return LOST
        return Advice(True, int(self.left[at]), True, tuple(self._way(at)))

    def _steps(self, at: int) -> list[tuple[str, int, int]]:
        """Moves from a state: the name, the state after it, the price."""
        forth = self._graph.forth
        found = []
        for edge in range(int(forth.first[at]), int(forth.first[at + 1])):
            target, action = int(forth.other[edge]), int(forth.action[edge])
            (name,) = self._encoded.moves(self._graph.trace([at, target], [action]))
            found.append((name, target, int(self._price[action])))
        return found

    def _way(self, at: int) -> list[str]:
        """The fewest moves on a cheapest way to the goal: up to the next that costs something, or to the goal."""
        came: dict[int, tuple[int, str]] = {}
        waiting = deque([at])
        goal = self._encoded.model.goal
        last = None
        while waiting and last is None:
            state = waiting.popleft()
            if self.left[state] == 0 and self._graph.layout.holds(goal, self._graph.rows[state : state + 1])[0]:
                last = state
                break
            for name, target, price in self._steps(state):
                if target != at and target not in came and int(self.left[target]) + price == self.left[state]:
                    came[target] = state, name
                    waiting.append(target)
                    if price:
                        last = target
                        break
        way: list[str] = []
        while last is not None and last != at:
            last, name = came[last]
            way.append(name)
        return way[::-1]


_map: Map | None = None  # of this process


def survey(entry: Entry, limits: Limits) -> int:
    """Make the map of a level, and return how many states it has; 0 where a limit came first."""
    global _map
    puzzle = entry.puzzle
    encoded = puzzle.encode_faithfully(entry.level)
    graph = explore(encoded.model, Budget(limits))
    if graph.reason is not None or graph.initial != 1:
        return 0
    _map = Map(encoded, puzzle.metrics[0], graph)
    return len(graph)


def look_up(moves: Sequence[str], position: Hashable) -> Advice:
    """What the map says of the position that the moves lead to. Raises Refuted."""
    assert _map is not None
    return _map.advice(moves, position)
