"""The arrays of a compiled search, which grow from outside, and its pauses.

Compiled code does not look at the clock. It expands states in chunks that take a few hundredths of a second; the
budget is checked between two chunks.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.astar.search import FULL, PAUSED
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed import buckets
from puzzlemc.mc.packed.buckets import Space
from puzzlemc.mc.packed.layout import Numbers, PackedStates, keys
from puzzlemc.mc.packed.successors import is_entered, move_to_canonical
from puzzlemc.mc.packed.tables import INFINITE, NEVER, Tables, find

STEPS = 50_000  # expansions between two checks of the number of states
MOST_COST = 1 << 24  # largest g + h: buckets are an array indexed by it
CHUNK_SECONDS = 0.03  # time between two checks of the budget


def no_run() -> Numbers:
    """The initial `best` of `search`, without a plan: (cost, row ahead, row behind)."""
    return np.array([NEVER, -1, -1], np.int64)


class Chunks:
    """Runs a search in chunks. The clock determines their size, which does not change the order of expansions."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._size = 1 << 8

    def run(self, close: Callable[[int], int], steps: int | None = None) -> int:
        """Run `close` until `steps` expansions (default STEPS) or a final status; return the status.

        `close` expands the given number of states. Raises LimitReached.
        """
        left = STEPS if steps is None else steps
        while True:
            self._budget.check()
            size = min(self._size, left)
            started = time.perf_counter()
            status = close(size)
            seconds = time.perf_counter() - started
            left -= size
            if status != PAUSED or not left:
                return status
            if seconds < CHUNK_SECONDS / 2:
                self._size *= 2
            elif seconds > CHUNK_SECONDS:
                self._size = max(1, self._size // 2)


def is_going_on(status: int) -> bool:
    """Is the search unfinished?"""
    return status in (PAUSED, FULL)


def start_space(rows: PackedStates) -> Space:
    """A new search from distinct rows: all are open at cost 0, whatever their bound."""
    count = len(rows)
    capacity = max(1 << 12, 2 * count)
    slots = np.full(4 * (1 << (capacity - 1).bit_length()), -1, np.int32)
    space = Space(
        rows=np.zeros((capacity, rows.shape[1]), np.uint64),
        node_info=np.zeros((capacity, 4), np.int32),
        slots=slots,
        entries=np.zeros((capacity, 2), np.int32),
        open_buckets=np.full(1 << 10, -1, np.int32),
        next_buckets=np.full(1 << 10, -1, np.int32),
        counters=np.array([count, count, 0, count, 0, INFINITE, -1], np.int64),
    )
    space.rows[:count] = rows
    space.node_info[:count, : buckets.COST] = -1
    space.entries[:count, 0] = np.arange(count)
    space.entries[:count, 1] = np.arange(-1, count - 1)
    space.open_buckets[0] = count - 1
    buckets.rehash(space.rows, count, slots)
    return space


def grown(space: Space, tables: Tables) -> Space:
    """The same search with the full arrays enlarged. Raises LimitReached past the largest cost."""
    used = int(space.counters[buckets.ROWS])
    most_new = tables.most
    rows, node_info, slots, entries = space.rows, space.node_info, space.slots, space.entries
    if used + most_new >= len(rows):
        rows, node_info = larger(rows, most_new), larger(node_info, most_new)
    if 2 * (used + most_new) >= len(slots):
        slots = np.full(2 * max(len(slots), 1 << most_new.bit_length()), -1, np.int32)
        buckets.rehash(rows, used, slots)
    if space.counters[buckets.ENTRIES] + most_new >= len(entries):
        entries = larger(entries, most_new)
    open_buckets, next_buckets = space.open_buckets, space.next_buckets
    number = open_buckets[space.counters[buckets.LEAST_OPEN]]
    if number >= 0 and node_info[entries[number, 0], buckets.COST] + tables.largest_increase >= len(open_buckets):
        if len(open_buckets) + tables.largest_increase > MOST_COST:
            raise LimitReached("memory")
        more = np.full(len(open_buckets) + tables.largest_increase, -1, np.int32)
        open_buckets, next_buckets = np.concatenate([open_buckets, more]), np.concatenate([next_buckets, more])
    return Space(rows, node_info, slots, entries, open_buckets, next_buckets, space.counters)


def larger(array: npt.NDArray[Any], most_new: int) -> npt.NDArray[Any]:
    """A copy of the array in an array of more than twice its length."""
    new = np.empty((2 * len(array) + most_new, *array.shape[1:]), array.dtype)
    new[: len(array)] = array
    return new


def bytes_per_state(words: int) -> int:
    """Bytes of memory for a state of `words` words: twice the arrays, which are copied to grow, and the table."""
    return 2 * (8 * words + 4 * 4 + 2 * 4) + 4 * 4


def canonical_states(tables: Tables, rows: PackedStates) -> PackedStates:
    """The rows with canonical locations, each once; the rows themselves if there are no free walks."""
    if not len(tables.walk_to) or tables.walk_cost:
        return rows
    rows = rows.copy()
    move_to_canonical(tables, rows)
    if len(rows) == 1:
        return rows
    _, first = np.unique(keys(rows), return_index=True)
    return rows[first]


def entered(tables: Tables, rows: PackedStates) -> PackedStates:
    """The rows that a backward search starts from: if walks cost something, those that `is_entered` accepts."""
    if not len(tables.start):
        return rows
    return rows[[bool(is_entered(tables, row)) for row in rows]]


def number_of(space: Space, row: PackedStates) -> int:
    """The number of a row in the search, -1 if the search does not have it."""

    return int(space.slots[find(space.rows, space.slots, row)])
