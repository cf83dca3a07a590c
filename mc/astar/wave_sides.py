"""The sides of a search by waves: their arrays, which grow from outside, and the actions of the plan found."""

from dataclasses import dataclass

import numpy as np

from puzzlemc.mc.astar import waves
from puzzlemc.mc.astar.problem import Problem
from puzzlemc.mc.astar.space import MOST_COST, larger
from puzzlemc.mc.astar.waves import Waves
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.packed import buckets
from puzzlemc.mc.packed.layout import Numbers, PackedStates
from puzzlemc.mc.packed.successors import regions
from puzzlemc.mc.packed.tables import INFINITE, NEVER, Tables, find

WAVES = 6  # an estimate of the number of waves of a row, for the memory limit


def no_meeting() -> Numbers:
    """The initial `best` of `waves.meet`, without a plan: (cost, row ahead, row behind, location code)."""
    return np.array([NEVER, -1, -1, -1], np.int64)


def can_use_waves(problem: Problem) -> bool:
    """Are there two sides, and walks that cost something and that only objects block?"""
    tables = problem.forward.tables
    return (
        problem.backward is not None and tables.walk_cost > 0 and len(tables.near) > 0 and not len(tables.triples)
    )


@dataclass
class WaveSide:
    """One side of a search by waves.

    numbers  the numbers of the actions in the model, sorted
    origin   for each of them, the location code that it leads from, in the direction of this side
    """

    tables: Tables
    waves: Waves
    numbers: Numbers
    origin: Numbers

    @classmethod
    def start(cls, tables: Tables, rows: PackedStates, numbers: Numbers, origin: Numbers) -> "WaveSide":
        """A new side that starts from the rows."""
        capacity, parts = max(1 << 12, 2 * len(rows)), tables.near.shape[1]
        space = Waves(
            rows=np.empty((capacity, rows.shape[1]), np.uint64),
            sets=np.empty((capacity, 2, parts), np.uint64),
            node_info=np.empty((capacity, 3), np.int32),
            slots=np.full(4 * (1 << (capacity - 1).bit_length()), -1, np.int32),
            waves=np.empty((2 * capacity, 7), np.int32),
            fronts=np.empty((2 * capacity, parts), np.uint64),
            open_buckets=np.full(1 << 10, -1, np.int32),
            next_buckets=np.full(1 << 10, -1, np.int32),
            counters=np.array([0, 0, 0, 0, 0, INFINITE, -1, -1], np.int64),
        )
        waves.begin(tables, space, rows)
        return cls(tables, space, numbers, origin)

    @property
    def bytes_per_row(self) -> int:
        """An estimate of the memory for a row: twice its arrays, which are copied to grow, and the hash table."""
        words, parts = int(self.waves.rows.shape[1]), int(self.waves.fronts.shape[1])
        return 2 * (8 * words + 16 * parts + 3 * 4 + WAVES * (7 * 4 + 8 * parts)) + 4 * 4

    def number_of(self, row: PackedStates) -> int:
        """The number of a row in the search, -1 if the search does not have it."""
        return int(self.waves.slots[find(self.waves.rows, self.waves.slots, row)])

    @property
    def size(self) -> int:
        """The number of rows in the search."""
        return int(self.waves.counters[buckets.ROWS])

    def grow(self) -> None:
        """Enlarge the arrays that are full. Raises LimitReached past the largest cost."""
        now, most_new = self.waves, self.tables.most
        rows, sets, node_info, slots = now.rows, now.sets, now.node_info, now.slots
        if self.size + most_new >= len(rows):
            rows, sets, node_info = (larger(array, most_new) for array in (rows, sets, node_info))
        if 2 * (self.size + most_new) >= len(slots):
            slots = np.full(2 * max(len(slots), 1 << most_new.bit_length()), -1, np.int32)
            buckets.rehash(rows, self.size, slots)
        entries, fronts = now.waves, now.fronts
        if now.counters[buckets.ENTRIES] + most_new >= len(entries):
            entries, fronts = larger(entries, most_new), larger(fronts, most_new)
        open_buckets, next_buckets = now.open_buckets, now.next_buckets
        if int(now.counters[buckets.LEAST_OPEN]) + self.tables.largest_increase >= len(open_buckets):
            if len(open_buckets) + self.tables.largest_increase > MOST_COST:
                raise LimitReached("memory")
            more = np.full(len(open_buckets) + self.tables.largest_increase, -1, np.int32)
            open_buckets, next_buckets = np.concatenate([open_buckets, more]), np.concatenate([next_buckets, more])
        self.waves = Waves(rows, sets, node_info, slots, entries, fronts, open_buckets, next_buckets, now.counters)

    def actions_to(self, row: int, code: int) -> list[int]:
        """The numbers of the actions on a cheapest path to a location of a row, from there back to the start."""
        around, steps = regions(self.tables), np.empty(len(self.tables.first) - 1, np.int64)
        actions: list[int] = []
        while True:
            _, number = waves.least_cost(self.tables, self.waves, row, code, around, steps)
            row, action = (int(self.waves.waves[number, what]) for what in (waves.BEFORE, waves.ACTION))
            if row < 0:
                return actions
            actions.append(action)
            code = int(self.origin[np.searchsorted(self.numbers, action)])


def wave_sides(problem: Problem) -> tuple[WaveSide, WaveSide]:
    """The forward and the backward side of a problem for which `can_use_waves` is true."""
    assert problem.backward is not None
    assert problem.goal_states is not None
    moving = problem.moving
    ahead = WaveSide.start(problem.forward.tables, problem.start[None, :], moving.number, moving.source)
    return ahead, WaveSide.start(problem.backward.tables, problem.goal_states, moving.number, moving.target)
