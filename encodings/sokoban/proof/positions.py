"""Positions, and sets of positions with costs, for the checker of proofs only. Compiled: see `mc/words.py`.

Cells of the floor are numbered in reading order, and the number after the last cell is the wall. A position is an
array of numbers: the cell of the player, then the cells of the boxes in increasing order.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Numbers, Places2, Word


class Positions:
    """Positions as the rows of an array of shape (positions, 1 + boxes)."""

    rows: Places2  # readonly

    def __init__(self, rows: npt.NDArray[np.uint16]) -> None:
        """These positions. The array is not copied."""
        self.rows = view(rows)


class Table:
    """A set of positions with costs, as a hash table with open addressing.

    positions  the position in each slot
    costs      (slots,): the cost of each position; -1 for an empty slot
    count      the number of positions
    """

    positions: Positions  # readonly
    costs: Ints  # readonly
    count: Index  # readonly

    def __init__(self, room: int, width: int) -> None:
        """The empty set, with at least twice as many slots as `room`. A position has `width` numbers."""
        slots = 1 << max(4, (2 * room - 1).bit_length())
        self.positions = Positions(np.zeros((slots, width), np.uint16))
        self.costs = view(np.full(slots, -1, np.int32))
        self.count = 0


def load(table: Table, fresh: Positions, costs: Numbers, cells: Index, most: Index) -> Index:  # public
    """Insert positions with their costs; return the number of an invalid one, or -1.

    Invalid is a cost of `most` or more, a row that is not a position on this number of cells, and a position that
    is in the set before.
    """
    number: Index
    k: Index
    for number in range(fresh.rows.shape[0]):
        player: Index = fresh.rows[number, 0]
        before: Index = -1
        if costs[number] >= most or player >= cells:
            return number
        for k in range(1, fresh.rows.shape[1]):
            box: Index = fresh.rows[number, k]
            if box >= cells or box == player or box <= before:
                return number
            before = box
        if insert(table, fresh, number, costs[number]):
            return number
    return -1


def insert_all(table: Table, other: Table) -> None:  # public
    """Insert all positions of another set."""
    at: Index
    for at in range(other.costs.shape[0]):
        if other.costs[at] >= 0:
            insert(table, other.positions, at, other.costs[at])


def cost_of(table: Table, positions: Positions, i: Index) -> Index:  # public
    """The cost of position `i` in the set, -1 if it is not there."""
    return table.costs[_slot(table, positions, i)]


def insert(table: Table, positions: Positions, i: Index, cost: Index) -> Flag:
    """Insert position `i`, or lower its cost; return whether it was in the set before."""
    at: Index = _slot(table, positions, i)
    k: Index
    if table.costs[at] >= 0:
        table.costs[at] = min(cost, table.costs[at])
        return True
    for k in range(positions.rows.shape[1]):
        table.positions.rows[at, k] = positions.rows[i, k]
    table.costs[at] = cost
    table.count += 1
    return False


def _slot(table: Table, positions: Positions, i: Index) -> Index:
    """The slot of position `i`, or the empty slot where it would be inserted.

    The result is right whatever the values of the hash function are, as long as equal positions have equal values.
    """
    width: Index = positions.rows.shape[1]
    last: Index = table.costs.shape[0] - 1
    hash: Word = 0xCBF29CE484222325  # FNV-1a (Fowler, Noll and Vo 1991), by numbers of 16 bits
    prime: Word = 0x100000001B3
    odd: Word = 0x9E3779B97F4A7C15
    k: Index
    with cython.overflowcheck(False):  # the products wrap around
        for k in range(width):
            hash = (hash ^ positions.rows[i, k]) * prime & ALL
        hash = (hash ^ hash >> 32) * odd & ALL
    hash ^= hash >> 29
    at: Index = hash & last
    while table.costs[at] >= 0:
        k = 0
        while k < width and table.positions.rows[at, k] == positions.rows[i, k]:
            k += 1
        if k == width:
            break
        at = (at + 1) & last
    return at
