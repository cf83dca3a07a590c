"""The positions of a search: bits of the squares with boxes, and the least cell that the player reaches.

A hash table finds them and compares them in full; part of the hash stands in the table itself, so that most
mismatches cost no memory access. The open positions are in pairing heaps (Fredman, Sedgewick, Sleator and Tarjan
1986), one for each cell of the feature space. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes
    from puzzlemc.mc.words import Flag, Index, Ints, Numbers, Word, Words, Words2, lowest_bit


class Positions:
    """Positions by number.

    bits     (positions, words): the squares with boxes, as bits
    hashes, players  the hash of a position, and the least cell that its player reaches
    parents  the position before, -1 for a start
    slots    a hash table of the positions; -1 where a slot is empty
    count    the number of positions
    """

    bits: Words2  # readonly
    hashes: Words  # readonly
    players: Ints  # readonly
    parents: Ints  # readonly
    slots: Numbers  # public
    count: Index  # public

    def __init__(self, most: int, cells: int, slots: int) -> None:
        """No positions, with room for `most`; `slots` is a power of two. Memory is allocated as it is used."""
        self.bits = view(np.empty((most, cells // 64 + 1), np.uint64))
        self.hashes = view(np.empty(most, np.uint64))
        self.players, self.parents = view(np.empty(most, np.int32)), view(np.empty(most, np.int32))
        self.slots, self.count = view(np.full(slots, -1, np.int64)), 0


class Heaps:
    """Pairing heaps of positions.

    keys         by position: the least key goes first
    down, right  by position: its first child, and its next sibling, or -1
    heads        by heap: the first position, or -1
    """

    keys: Numbers  # readonly
    down: Ints  # readonly
    right: Ints  # readonly
    heads: Ints  # readonly

    def __init__(self, most: int, heaps: int) -> None:
        """Empty heaps, with room for `most` positions. Memory is allocated as it is used."""
        self.keys = view(np.empty(most, np.int64))
        self.down, self.right = view(np.empty(most, np.int32)), view(np.empty(most, np.int32))
        self.heads = view(np.full(heaps, -1, np.int32))


def entry(hashed: Word, number: Index) -> Index:
    """The content of a slot: 31 bits of the hash of a position, and its number."""
    tag: Index = hashed >> 33
    return tag << 32 | number


def find(positions: Positions, boxes: Boxes, hashed: Word, player: Index) -> Index:  # public
    """The slot of a position, or the empty slot where it would be inserted.

    If `player` is -1, positions with equal hashes are equal.
    """
    mask: Index = positions.slots.shape[0] - 1
    slot: Index = hashed & mask
    tag: Index = hashed >> 33
    found: Index = positions.slots[slot]
    number: Index
    word: Index
    while found >= 0:
        number = found & 0x7FFFFFFF
        if found >> 32 == tag and positions.hashes[number] == hashed:
            if player < 0:
                return slot
            same: Flag = positions.players[number] == player
            for word in range(boxes.row.shape[0]):
                if positions.bits[number, word] != boxes.row[word]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + 1) & mask
        found = positions.slots[slot]
    return slot


def add(
    positions: Positions, boxes: Boxes, hashed: Word, player: Index, parent: Index, slot: Index
) -> Index:  # public
    """Store a position, with the slot that `find` returned; return its number."""
    number: Index = positions.count
    word: Index
    positions.count += 1
    for word in range(boxes.row.shape[0]):
        positions.bits[number, word] = boxes.row[word]
    positions.hashes[number] = hashed
    positions.players[number] = player
    positions.parents[number] = parent
    positions.slots[slot] = entry(hashed, number)
    return number


def load(positions: Positions, number: Index, boxes: Boxes) -> None:  # public
    """Set the boxes to those of a position, in the order of their cells."""
    count: Index = 0
    word: Index
    for word in range(boxes.row.shape[0]):
        left: Word = positions.bits[number, word]
        boxes.row[word] = left
        while left:
            boxes.cells[count] = 64 * word + lowest_bit(left)
            count += 1
            left &= left - 1
    boxes.count = count


def rehash(positions: Positions, first: Index, last: Index) -> None:  # public
    """Insert the positions with these numbers into the hash table, which has enough room."""
    mask: Index = positions.slots.shape[0] - 1
    number: Index
    for number in range(first, last):
        slot: Index = positions.hashes[number] & mask
        while positions.slots[slot] >= 0:
            slot = (slot + 1) & mask
        positions.slots[slot] = entry(positions.hashes[number], number)


def merge(heaps: Heaps, one: Index, other: Index) -> Index:  # public
    """Merge two heaps (-1 is an empty heap); return the first position of the result.

    Of positions with equal keys the later one goes first.
    """
    if one < 0:
        return other
    if other < 0:
        return one
    first: Index = one
    second: Index = other
    if heaps.keys[other] < heaps.keys[one] or (heaps.keys[other] == heaps.keys[one] and other > one):
        first = other
        second = one
    heaps.right[second] = heaps.down[first]
    heaps.down[first] = second
    return first


def without_first(heaps: Heaps, first: Index) -> Index:  # public
    """Remove the first position of a heap; return the new first one, or -1."""
    pairs: Index = -1
    at: Index = heaps.down[first]
    while at >= 0:
        one: Index = at
        other: Index = heaps.right[at]
        at = -1
        if other >= 0:
            at = heaps.right[other]
            heaps.right[other] = -1
        heaps.right[one] = -1
        pair: Index = merge(heaps, one, other)
        heaps.right[pair] = pairs
        pairs = pair
    heap: Index = -1
    while pairs >= 0:
        following: Index = heaps.right[pairs]
        heaps.right[pairs] = -1
        heap = merge(heaps, heap, pairs)
        pairs = following
    return heap
