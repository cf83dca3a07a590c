"""Dives: greedy searches for a run that costs no more than so much, beside a search for the cheapest.

A dive takes of the rows that wait the one of the least bound, the latest first, and leaves out all whose cost and
bound are too much. Where it finds a run within a limit below which there is none, that run is a cheapest one and
the last layer, often the largest, need not be searched. A run that costs more bounds what is worth keeping. A dive
claims nothing of what it does not find.
"""

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.rows.bounds import bound, matching
from puzzlemc.mc.rows.buckets import CLOSED, COST, ENTRIES, READY, ROWS, enter, lowest, put
from puzzlemc.mc.rows.frozen import bound_beside, costs_beside, frozen_objects
from puzzlemc.mc.rows.layout import Rows
from puzzlemc.mc.rows.problem import Side
from puzzlemc.mc.rows.search import ENDED, FOUND, FULL, PAUSED, meets
from puzzlemc.mc.rows.space import Chunks, grown, start_space
from puzzlemc.mc.rows.successors import regions, successors
from puzzlemc.mc.rows.tables import HOPELESS, NEVER

LEAP = 2_000  # rows that a dive closes before it is asked how many it has seen


@cached()
def dive(tables, frozen, goal_mask, goal_value, space, most, eighths, most_steps):  # type: ignore[no-untyped-def]
    """Close rows by bound, and `eighths` of their cost: (status, goal row or -1). None costs more than `most`."""
    words, most_new = space.rows.shape[1], tables.most
    row, after = np.empty(words, np.uint64), np.empty((most_new, words), np.uint64)
    by, price = np.empty(most_new, np.int64), np.empty(most_new, np.int64)
    around, work, kept = regions(tables), matching(tables), np.empty(words, np.uint64)
    key, distance, weights = tables.key, tables.distance, tables.weights
    first, block, costs = frozen.first, frozen.block, frozen.costs
    scalars, rows, facts, slots, entry = space.scalars, space.rows, space.facts, space.slots, space.entry
    ready, later = space.ready, space.later
    most_rows, most_entries = min(len(rows), len(slots) // 2) - most_new, len(entry) - most_new
    while scalars[READY]:
        if most_steps == 0:
            return PAUSED, np.int64(-1)
        now = lowest(space)
        number = ready[now]
        at = np.int64(entry[number, 0])
        paid = np.int64(facts[at, COST])
        if scalars[ROWS] > most_rows or scalars[ENTRIES] > most_entries or paid + tables.reach >= len(ready):
            return FULL, np.int64(-1)
        ready[now] = entry[number, 1]
        scalars[READY] -= 1
        if facts[at, CLOSED]:
            continue
        facts[at, CLOSED] = 1
        most_steps -= 1
        row[:] = rows[at]
        if meets(row, goal_mask, goal_value) and paid <= most:
            return FOUND, at
        for i in range(successors(tables, row, around, after, by, price)):
            cost = paid + price[i]
            new = enter(rows, slots, facts, scalars, after[i], cost, at, tables.facts[by[i], 1], False)
            if new < 0:
                continue
            beside = np.int64(-1)
            if len(first) > 1 and frozen_objects(first, block, key, after, i, kept):
                beside = costs_beside(frozen, kept, scalars[ROWS])
            if beside >= 0:
                estimate = np.int64(bound_beside(key, distance, costs[beside], after, i, work))
            else:
                estimate = np.int64(bound(key, distance, weights, after, i, work))
            if estimate >= HOPELESS or cost + estimate > most:
                continue
            number = scalars[ENTRIES]
            scalars[ENTRIES] += 1
            entry[number, 0] = new
            put(entry, ready, later, scalars, number, estimate + eighths * cost // 8, np.int64(0), np.int64(NEVER))
    return ENDED, np.int64(-1)


class Dive:
    """A dive of a side, which goes on when it is given more rows."""

    def __init__(self, side: Side, goal_mask: Rows, goal_value: Rows, eighths: int, watch: Watch) -> None:
        self._side = side
        self._goal = goal_mask, goal_value
        self._eighths = eighths
        self._watch = watch
        self._most = -1
        self._begin()

    def _begin(self) -> None:
        self._space = start_space(self._side.space.rows[:1].copy())
        self._is_over = False

    def run(self, most: int, rows: int) -> tuple[int, list[int]] | None:
        """The cost and the actions, from its end, of a run that costs no more than `most`.

        None where the dive has seen so many rows before it finds one. It begins anew where `most` is more than the
        last time, or another and it was at its end.

        Raises LimitReached.
        """
        if most > self._most or (self._is_over and most != self._most):
            self._begin()
        self._most = most
        side, hit = self._side, -1

        def close(most_steps: int) -> int:
            nonlocal hit
            status, hit = dive(side.tables, side.frozen, *self._goal, self._space, most, self._eighths, most_steps)
            return int(status)

        chunks = Chunks(self._watch)
        while not self._is_over and self._space.scalars[ROWS] < rows:
            self._space = grown(self._space, side.tables)
            status = chunks.run(close, LEAP)
            if status == FOUND:
                found = Side(side.tables, side.frozen, side.movers, self._space)
                return int(self._space.facts[hit, COST]), found.actions_to(hit)
            self._is_over = status == ENDED
        return None
