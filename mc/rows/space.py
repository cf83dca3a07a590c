"""The beginning of a compiled search: its arrays, and the rows that stand for regions."""

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.rows import kernel
from puzzlemc.mc.rows.kernel import Space, Tables, Words

STEPS = 50_000  # rows that a search closes between two looks at the clock


def start_space(rows: Words) -> Space:
    """A search about to begin from the rows: all ready at cost 0, whatever their bound."""
    count = len(rows)
    room = max(1 << 12, 2 * count)
    slots = np.full(4 * (1 << (room - 1).bit_length()), -1, np.int32)
    space = Space(
        rows=np.zeros((room, rows.shape[1]), np.uint64),
        facts=np.zeros((room, 4), np.int32),
        slots=slots,
        entry=np.zeros((room, 2), np.int32),
        ready=np.full(1 << 10, -1, np.int32),
        later=np.full(1 << 10, -1, np.int32),
        scalars=np.array([count, count, 0, count, 0, kernel.HOPELESS, -1], np.int64),
    )
    space.rows[:count] = rows
    space.facts[:count, : kernel.COST] = -1
    space.entry[:count, 0] = np.arange(count)
    space.entry[:count, 1] = np.arange(-1, count - 1)
    space.ready[0] = count - 1
    for number, row in enumerate(rows):
        slots[kernel.find(space.rows, slots, row)] = number
    return space


def roomier(space: Space, tables: Tables) -> Space:
    """The same search with larger arrays where they are full."""
    used = int(space.scalars[kernel.ROWS])
    most_new = tables.most
    rows, facts, slots, entry = space.rows, space.facts, space.slots, space.entry
    if used + most_new >= len(rows):
        rows, facts = _larger(rows, most_new), _larger(facts, most_new)
    if 2 * (used + most_new) >= len(slots):
        slots = np.full(2 * max(len(slots), 1 << most_new.bit_length()), -1, np.int32)
        kernel.rehash(rows, used, slots)
    if space.scalars[kernel.ENTRIES] + most_new >= len(entry):
        entry = _larger(entry, most_new)
    ready, later = space.ready, space.later
    number = ready[space.scalars[kernel.LOW]]
    if number >= 0 and facts[entry[number, 0], kernel.COST] + tables.reach >= len(ready):
        more = np.full(len(ready) + tables.reach, -1, np.int32)
        ready, later = np.concatenate([ready, more]), np.concatenate([later, more])
    return Space(rows, facts, slots, entry, ready, later, space.scalars)


def _larger(array: npt.NDArray[Any], most_new: int) -> npt.NDArray[Any]:
    larger = np.empty((2 * len(array) + most_new, array.shape[1]), array.dtype)
    larger[: len(array)] = array
    return larger


def bytes_per_state(words: int) -> int:
    """Of memory, for rows of so many words: twice the arrays, which are copied when they grow, and the table."""
    return 2 * (8 * words + 4 * 4 + 2 * 4) + 4 * 4


def settled(tables: Tables, rows: Words) -> Words:
    """Each row's region, once."""
    if not len(tables.walk_to) or tables.pace:
        return rows
    rows = rows.copy()
    codes, far = np.empty(len(tables.first) - 1, np.int64), np.empty(len(tables.first) - 1, np.int64)
    seen = np.zeros_like(codes)
    for stamp, row in enumerate(rows, start=1):
        kernel.settle(tables, row, codes, far, seen, stamp)
    return np.unique(rows, axis=0)


def entered(tables: Tables, rows: Words) -> Words:
    """The rows that a backward search with walks that cost begins from."""
    if not len(tables.start):
        return rows
    return rows[[bool(kernel.is_entered(tables, row)) for row in rows]]
