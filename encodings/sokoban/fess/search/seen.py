"""A hash table of the positions seen from one end. Compiled: see `mc/words.py`.

Positions are identified by 64 bits of their hash.
"""

import cython
import numpy as np

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Index, Numbers, Word, Words


class Seen:
    """The table.

    hashes  0 where a slot is empty
    refs    the search and the number of a position
    total   how many there are
    """

    hashes: Words  # readonly
    refs: Numbers  # readonly
    total: Index  # readonly

    def __init__(self, slots: int) -> None:
        """An empty table; the number of slots is a power of two, and one slot always stays empty."""
        self.hashes, self.refs = view(np.zeros(slots, np.uint64)), view(np.zeros(slots, np.int64))
        self.total = 0


def insert(seen: Seen, hashed: Word, ref: Index) -> None:  # public
    """Insert a position, unless it is in the table."""
    slot: Index = _slot_of(seen, hashed)
    if seen.hashes[slot] == 0:
        seen.hashes[slot] = hashed
        seen.refs[slot] = ref
        seen.total += 1


def look_up(seen: Seen, hashed: Word) -> Index:  # public
    """The search and the number of a position, -1 if it is not known."""
    slot: Index = _slot_of(seen, hashed)
    return seen.refs[slot] if seen.hashes[slot] else -1


def insert_all(seen: Seen, other: Seen) -> None:  # public
    """Insert all positions of another table."""
    slot: Index
    for slot in range(other.hashes.shape[0]):
        if other.hashes[slot]:
            insert(seen, other.hashes[slot], other.refs[slot])


def insert_side(seen: Seen, hashes: Words, count: Index, name: Index) -> None:  # public
    """Insert the first `count` positions of a side of the search with that number."""
    number: Index
    for number in range(count):
        insert(seen, hashes[number], name << 32 | number)


def _slot_of(seen: Seen, hashed: Word) -> Index:
    """The slot of a position, or the empty slot where it would be inserted."""
    mask: Index = seen.hashes.shape[0] - 1
    slot: Index = hashed & mask
    while seen.hashes[slot] and seen.hashes[slot] != hashed:
        slot = (slot + 1) & mask
    return slot
