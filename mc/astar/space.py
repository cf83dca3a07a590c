"""The arrays of a compiled search, which grow from outside."""

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.packed.layout import PackedStates, keys
from puzzlemc.mc.packed.successors import are_entered, move_to_canonical
from puzzlemc.mc.packed.tables import Tables
from puzzlemc.mc.search import buckets
from puzzlemc.mc.search.buckets import Space
from puzzlemc.mc.search.growing import CAPACITY
from puzzlemc.mc.search.state_table import FULL, PAUSED
from puzzlemc.mc.system.memory import trim_heap
from puzzlemc.mc.words import view

STEPS = 50_000  # expansions between two checks of the number of states, unless the arrays grow before
MANY = 1 << 20  # rows of an array, which is tens of megabytes
MOST_COST = 1 << 24  # largest g + h: buckets are an array indexed by it


def is_going_on(status: int) -> bool:
    """Is the search unfinished?"""
    return status in (PAUSED, FULL)


def start_space(rows: PackedStates) -> Space:
    """A new search from distinct rows: all are open at cost 0, whatever their bound."""
    space = Space(max(CAPACITY, 2 * len(rows)), rows.shape[1])
    buckets.open_rows(space, rows)
    return space


def enlarge(space: Space, tables: Tables) -> None:
    """Enlarge the arrays that are full. Raises LimitReached past the largest cost."""
    most_new = tables.most
    if space.used + most_new >= space.rows.shape[0]:
        if space.used >= MANY:
            return_freed_memory()
        space.lengthen(2 * space.rows.shape[0] + most_new, *space.columns())
    if 2 * (space.used + most_new) >= space.slots.shape[0]:
        space.resize(2 * max(space.slots.shape[0], 1 << most_new.bit_length()))
    if space.entry_count + most_new >= space.entries.shape[0]:
        space.lengthen(2 * space.entries.shape[0] + most_new, "entries")
    number = space.open_buckets[space.least_open]
    if number >= 0:
        cost = space.node_info[space.entries[number, 0], buckets.COST]
        make_room(space, cost + tables.largest_increase, tables.largest_increase)


def make_room(space: Space, cost: int, more: int) -> None:
    """Add `more` buckets unless there is one for this cost. Raises LimitReached past the largest cost."""
    count = space.open_buckets.shape[0]
    if cost < count:
        return
    if count + more > MOST_COST:
        raise LimitReached("memory")
    none = np.full(count + more, -1, np.int32)
    space.open_buckets = view(np.concatenate([np.asarray(space.open_buckets), none]))
    space.next_buckets = view(np.concatenate([np.asarray(space.next_buckets), none]))


def return_freed_memory() -> None:
    """Return memory to the system that the C library keeps after its objects are freed.

    The making of bounds and the plan finder leave a tenth of the memory of a search there.
    """
    trim_heap()


def bytes_in_use(space: Space) -> int:
    """Bytes of memory of the states and entries so far; the hash table has at most four slots for a state."""
    return space.used * (space.bytes_of(*space.columns()) + 4 * 4) + space.entry_count * space.bytes_of("entries")


def canonical_states(tables: Tables, rows: PackedStates) -> PackedStates:
    """The rows with canonical locations, each once; the rows themselves if there are no free walks."""
    if not tables.walks.steps.shape[0] or tables.walks.cost:
        return rows
    rows = rows.copy()
    move_to_canonical(tables.walks, rows)
    if len(rows) == 1:
        return rows
    _, first = np.unique(keys(rows), return_index=True)
    return rows[first]


def start_rows(tables: Tables, rows: PackedStates) -> PackedStates:
    """The packed states from which a backward search starts: if walks cost something, those that a step enters."""
    return rows[are_entered(tables, rows)] if tables.start.shape[0] else rows
