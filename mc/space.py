"""The beginning of a compiled search: its arrays, and the rows that stand for regions."""

import numpy as np

from puzzlemc.mc import kernel
from puzzlemc.mc.kernel import Space, Tables, Words

STEPS = 200_000  # rows that a search closes between two looks at the clock


def start_space(rows: Words, widest: int) -> Space:
    """A search about to begin from the rows, for costs up to `widest` an action."""
    room = max(1 << 12, 2 * len(rows))
    slots = np.full(4 * (1 << (room - 1).bit_length()), -1, np.int64)
    space = Space(
        rows=np.zeros((room, rows.shape[1]), np.uint64),
        parent=np.full(room, -1, np.int64),
        action=np.full(room, -1, np.int64),
        cost=np.zeros(room, np.int64),
        closed=np.zeros(room, np.uint8),
        slots=slots,
        queues=np.zeros((widest + 1, room), np.int64),
        sizes=np.zeros(widest + 1, np.int64),
        scalars=np.array([len(rows), 0, 0], np.int64),
    )
    space.rows[: len(rows)] = rows
    space.queues[0, : len(rows)] = np.arange(len(rows))
    space.sizes[0] = len(rows)
    for number, row in enumerate(rows):
        slots[kernel.find(space.rows, slots, row)] = number
    return space


def bytes_per_state(words: int) -> int:
    """Of memory, for rows of so many words: twice the arrays, which are copied when they grow, and the table."""
    return 2 * (8 * words + 3 * 8 + 1) + 4 * 8 + 16


def settled(tables: Tables, rows: Words) -> Words:
    """Each row's region, once."""
    if not len(tables.free_to):
        return rows
    rows = rows.copy()
    codes = np.empty(len(tables.first) - 1, np.int64)
    seen = np.zeros_like(codes)
    for stamp, row in enumerate(rows, start=1):
        kernel.settle(tables, row, codes, seen, stamp)
    return np.unique(rows, axis=0)
