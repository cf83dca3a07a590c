"""Explicit search over the functions of an author: breadth-first search, or uniform cost (Dijkstra 1959).

Breadth-first search decides levels whose moves all cost 1. Its inner loop only unpacks pairs: a move with a cost
does not fit into it, and begins uniform-cost search. A position is stored once, with the position before it on
a cheapest way; the moves between them are computed again for the solution. What the functions return is checked
fully for the first positions, and along the solution.

Two metrics in order are one number: the first cost times SCALE, plus the second.
"""

import gc
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, TypeAlias

from puzzlemc.mc.errors import LIMITS, LimitReached, ModelError, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.alone import (
    MOST_COST,
    Rules,
    checked_steps,
    checked_truth,
    costs_of,
    place_of,
    shown,
)
from puzzlemc.mc.rules.plain import Step
from puzzlemc.mc.system.memory import own_resident

Moves: TypeAlias = Callable[[Any, Any], Iterable[Sequence[Any]]]  # of a level and a position

CHECKED = 2000  # positions whose moves are checked
SCALE = MOST_COST << 32  # of the first of two costs: no way of fewer than 2**32 moves has so large a second one
LOOK_SECONDS = 0.02  # about the time between two looks at the limits
MOST_AT_ONCE = 1 << 11  # positions between two looks


@dataclass(frozen=True)
class Found:
    """The result of a search.

    moves      the names of the moves of a cheapest solution, None without one
    cost       its cost under the metric, or under the first of two
    positions  the number of positions that were met
    layers     the number of costs, or depths, of positions whose moves were computed
    reason     the limit that ended the search; no moves and no limit mean that there is no solution
    parents    for each position that was met, the one before it on the cheapest way so far; the start is before
               itself. Empty after a limit
    """

    moves: tuple[str, ...] | None
    cost: int
    positions: int
    layers: int
    reason: str | None = None
    parents: Mapping[Hashable, Hashable] = field(default_factory=dict)


def search(
    rules: Rules, level: Any, start: Hashable, metrics: Sequence[str], asked: Sequence[str], budget: Budget
) -> Found:
    """A cheapest solution of a level, from a start, under one of the metrics, or under two in order.

    Records the lower bound on the cost of a solution as it grows. With nothing `asked`, the solution has the
    fewest moves, and no bound is recorded. Raises ModelError for a mistake in the rules.
    """
    was_enabled = gc.isenabled()
    gc.disable()  # a full collection looks at all positions
    try:
        one = _Search(rules, level, start, metrics, asked, budget)
        try:
            return one.breadth_first()
        except _Priced:
            pass  # at the end of this clause, the positions of the search are freed
        return one.uniform_cost()
    finally:
        if was_enabled:
            gc.enable()


class _Priced(Exception):
    """A move has a cost, so breadth-first search does not find a cheapest solution."""


class _Pace:
    """How many positions a loop takes between two looks at the limits. `due` counts down to the next look."""

    def __init__(self) -> None:
        self.at_once = self.due = 1
        self._looked = time.perf_counter()

    def look(self) -> None:
        """Adapt the number to the time since the last look."""
        now = time.perf_counter()
        if now - self._looked < LOOK_SECONDS / 2:
            self.at_once = min(2 * self.at_once, MOST_AT_ONCE)
        elif now - self._looked > 2 * LOOK_SECONDS:
            self.at_once = max(1, self.at_once // 2)
        self.due, self._looked = self.at_once, now


class _Search:
    """A search of one level. `parents` are those of `Found`."""

    def __init__(
        self,
        rules: Rules,
        level: Any,
        start: Hashable,
        metrics: Sequence[str],
        asked: Sequence[str],
        budget: Budget,
    ) -> None:
        self.rules, self.level, self.start, self.budget = rules, level, start, budget
        self.metrics, self.asked = metrics, asked
        self.unit = self._price(1)
        self.parents: dict[Hashable, Hashable] = {self.start: self.start}
        self.layers = 0
        self._base = own_resident()
        self._expanded = 0
        self._met = 1

    def breadth_first(self) -> Found:
        """Search by depth. Raises _Priced if a move has a cost other than 1.

        A depth is looked through for solved positions when all moves to it are known: one of them might cost less.
        """
        level, parents, solved = self.level, self.parents, self.rules.solved
        testing, moving = _Pace(), _Pace()
        layer = [self.start]
        try:
            while layer:
                self._record(self.layers * self.unit)
                for some in self._portions(layer, testing):
                    for position in some:
                        if solved(level, position):
                            return self._solution(position, self.layers * self.unit)
                self.layers += 1
                following: list[Hashable] = []
                for some in self._portions(layer, moving):
                    moves = self._moves_of(some, self._unit_steps)
                    try:
                        for position in some:
                            for _, after in moves(level, position):
                                if after not in parents:
                                    parents[after] = position
                                    following.append(after)
                    except ModelError:
                        raise
                    except (TypeError, ValueError):
                        self._unit_steps(level, position)  # raises an error that says what is wrong
                        raise _Priced from None
                layer = following
        except LIMITS as limit:
            return self._stopped(reason_of(limit))
        return Found(None, 0, len(parents), self.layers, parents=parents)

    def uniform_cost(self) -> Found:
        """Search by cost."""
        level, parents, unit = self.level, {self.start: self.start}, self.unit
        solved, price, pace = self.rules.solved, self._price, _Pace()
        self.parents, self.layers, self._expanded = parents, 0, 0
        costs: dict[Hashable, int] = {self.start: 0}
        buckets: dict[int, list[Hashable]] = {0: [self.start]}
        queue = [0]
        try:
            while queue:
                cost = heappop(queue)
                bucket = buckets[cost]  # grows meanwhile if moves cost nothing
                self.layers += 1
                self._record(cost)
                for some in self._portions(bucket, pace, costs):
                    moves = self._moves_of(some, self._checked_moves)
                    try:
                        for position in some:
                            if costs[position] < cost:
                                continue
                            if solved(level, position):
                                return self._solution(position, cost)
                            for move in moves(level, position):
                                total = cost + (unit if len(move) == 2 else price(move[2]))
                                after = move[1]
                                known = costs.get(after)
                                if known is None or total < known:
                                    costs[after], parents[after] = total, position
                                    if total not in buckets:
                                        buckets[total] = []
                                        heappush(queue, total)
                                    buckets[total].append(after)
                    except ModelError:
                        raise
                    except (LookupError, TypeError, ValueError):
                        self._checked_moves(level, position)  # raises an error that says what is wrong
                        raise
                del buckets[cost]
        except LIMITS as limit:
            return self._stopped(reason_of(limit))
        return Found(None, 0, len(parents), self.layers, parents=parents)

    def _moves_of(self, positions: Sized, checked: Moves) -> Moves:
        """The function for the moves of some positions: `checked` for the first CHECKED of the search."""
        moves = checked if self._expanded < CHECKED else self.rules.moves
        self._expanded += len(positions)
        return moves

    def _unit_steps(self, level: Any, position: Hashable) -> list[tuple[str, Hashable]]:
        """The moves from a position, checked. Raises ModelError, and _Priced if one does not cost 1."""
        steps = self._checked_moves(level, position)
        if any(self._price(costs) != self.unit for _, _, costs in steps):
            raise _Priced
        return [(name, after) for name, after, _ in steps]

    def _checked_moves(self, level: Any, position: Hashable) -> list[tuple[str, Hashable, Mapping[str, int]]]:
        """The moves from a position with their costs. Raises ModelError."""
        checked_truth(self.rules.solved, level, position)
        return [(*step,) for step in checked_steps(self.rules, self.metrics, level, position)]

    def _price(self, given: Any) -> int:
        """The cost of a move as one number. Raises LookupError, TypeError or ValueError if it is not one."""
        asked = self.asked
        if not asked:
            return 1
        if type(given) is int and 0 <= given <= MOST_COST:
            return given if len(asked) == 1 else given * (SCALE + 1)
        costs = given if type(given) is dict else costs_of(given, self.metrics)
        if costs is None:
            raise ValueError("not a cost")
        found = 0
        for metric in asked:
            cost = costs[metric]
            if not (type(cost) is int and 0 <= cost <= MOST_COST):
                raise ValueError("not a cost")
            found = found * SCALE + cost
        return found

    def _portions(
        self, positions: list[Hashable], pace: _Pace, costs: Mapping[Hashable, int] | None = None
    ) -> Iterator[list[Hashable]]:
        """Yield the positions of a list, which may grow, in parts; look at the limits between them.

        `costs` is a table beside `parents`. Raises LimitReached.
        """
        done = 0
        while done < len(positions):
            some = positions[done : done + pace.at_once]
            yield some
            done += len(some)
            pace.due -= len(some)
            if pace.due <= 0:
                self.budget.check()
                self._check_memory(costs)
                pace.look()

    def _check_memory(self, costs: Mapping[Hashable, int] | None) -> None:
        """Raise LimitReached if the memory is used up, or will be when a table grows next."""
        used, met = own_resident() - self._base, len(self.parents)
        slots = 1 << (3 * met // 2).bit_length()  # a table has at least half as many slots again as entries
        if met + 2 * (met - self._met) > 2 * slots // 3:  # it grows soon: then a larger one is beside it
            used += 2 * (sys.getsizeof(self.parents) + (0 if costs is None else sys.getsizeof(costs)))
        if used > self.budget.limits.memory:
            raise LimitReached("memory")
        self._met = met

    def _record(self, cost: int) -> None:
        """Record that no solution costs less."""
        if self.asked:
            self.budget.record_bound(cost if len(self.asked) == 1 else cost // SCALE)

    def _stopped(self, reason: str) -> Found:
        return Found(None, 0, len(self.parents), self.layers, reason)

    def _solution(self, end: Hashable, cost: int) -> Found:
        """The solution that leads to a position. Raises ModelError if the moves are others than before."""
        path = [end]
        while path[-1] != self.start:
            path.append(self.parents[path[-1]])
        path.reverse()
        lost = self.rules.lost
        if lost is not None and (wrong := [each for each in path if checked_truth(lost, self.level, each)]):
            raise ModelError(f"{place_of(lost)}: found True in position {shown(wrong[0])}, which can be solved")
        steps = [self._step(before, after) for before, after in pairwise(path)]
        if sum(self._price(step.costs) for step in steps) != cost:
            raise ModelError(f"{place_of(self.rules.moves)}: other costs when they are asked for again")
        one = self.asked[0] if self.asked else self.metrics[0]
        return Found(
            tuple(step.name for step in steps),
            sum(step.costs[one] for step in steps),
            len(self.parents),
            self.layers,
            parents=self.parents,
        )

    def _step(self, before: Hashable, after: Hashable) -> Step:
        """The cheapest step between two positions."""
        steps = checked_steps(self.rules, self.metrics, self.level, before)
        found = [step for step in steps if step.position == after]
        if not found:
            where = f"in position {shown(before)}"
            raise ModelError(f"{place_of(self.rules.moves)}: other moves when they are asked for again {where}")
        return min(found, key=lambda step: self._price(step.costs))
