"""The positions of a search: bits of the squares with boxes, and the least cell that the player reaches.

A hash table finds them and compares them in full; part of the hash stands in the table itself, so that most
mismatches cost no memory access. The open positions are in pairing heaps (Fredman, Sedgewick, Sleator and Tarjan
1986), one for each cell of the feature space.
"""

import numpy as np

from puzzlemc.mc.jit import kernel


@kernel(inline="always")
def entry(hashed, number):  # type: ignore[no-untyped-def]
    """The content of a slot: 31 bits of the hash of a position, and its number."""
    return np.int64(hashed >> np.uint64(33)) << 32 | number


@kernel()
def find(hashes, bits, players, slots, hashed, row, player):  # type: ignore[no-untyped-def]
    """The slot of a position, or the empty slot where it would be inserted."""
    mask = len(slots) - 1
    slot = np.int64(hashed & np.uint64(mask))
    tag = entry(hashed, 0) >> 32
    while slots[slot] >= 0:
        if slots[slot] >> 32 == tag:
            number = slots[slot] & 0xFFFFFFFF
            if hashes[number] == hashed and players[number] == player:
                same = True
                for word in range(len(row)):
                    if bits[number, word] != row[word]:
                        same = False
                        break
                if same:
                    return slot
        slot = (slot + 1) & mask
    return slot


@kernel()
def rehash(hashes, slots, first, last):  # type: ignore[no-untyped-def]
    """Insert the positions with these numbers into a hash table with enough room."""
    mask = len(slots) - 1
    for number in range(first, last):
        slot = np.int64(hashes[number] & np.uint64(mask))
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = entry(hashes[number], number)


@kernel()
def merge(keys, down, right, one, other):  # type: ignore[no-untyped-def]
    """Merge two heaps (-1 is an empty heap); return the first position of the result.

    Of positions with equal keys the later one goes first.
    """
    if one < 0:
        return other
    if other < 0:
        return one
    if keys[other] < keys[one] or (keys[other] == keys[one] and other > one):
        one, other = other, one
    right[other] = down[one]
    down[one] = other
    return one


@kernel()
def without_first(keys, down, right, first):  # type: ignore[no-untyped-def]
    """Remove the first position of a heap; return the new first one, or -1."""
    pairs = -1
    at = down[first]
    while at >= 0:
        one, other = at, right[at]
        at = -1
        if other >= 0:
            at = right[other]
            right[other] = -1
        right[one] = -1
        pair = merge(keys, down, right, one, other)
        right[pair] = pairs
        pairs = pair
    heap = -1
    while pairs >= 0:
        following = right[pairs]
        right[pairs] = -1
        heap = merge(keys, down, right, heap, pairs)
        pairs = following
    return heap
