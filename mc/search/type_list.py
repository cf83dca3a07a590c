"""An open list by types: a random type comes next, and of it a random item (Xie, Müller, Holte and Imai 2014).

A type is a pair of numbers, such as the estimate and the depth of a state. Where an estimate misleads a search,
most states have the types of one local minimum; here, each type comes next as often as another one.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.search.growing import Growing
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Index, Ints, Ints2, Numbers, Word, left

    FIRSTS = 512  # larger first numbers of a type count as the largest
    SECONDS = 1024
    BLOCK_BYTES = 16  # of a row of `blocks`
    TYPE_BYTES = 24  # of a type, in the other arrays


class TypeList(Growing):
    """Items by type. The array `blocks` has a fixed capacity: the owner enlarges it.

    The items of a type are in one block, whose length is a power of two. When it is full, one of twice the length
    replaces it: so all blocks together are at most four times as long as the number of insertions.

    blocks      (capacity, 4): the blocks, row by row
    first       (types,): where the block of each type starts
    size        (types,): the number of its items
    room        (types,): the length of its block, 0 before there is one
    place       (types,): where the type stands in `types`, if it has items
    types       the types that have items; `type_count` of them
    end         where the last block ends
    insertions  the number of insertions so far
    draws       the number of draws so far
    drawn_type  the type of the item that was drawn last
    drawn_at    its place in `blocks`
    random      the state of a generator of random numbers
    """

    blocks: Ints2  # public
    first: Numbers
    size: Ints
    room: Ints
    place: Ints
    types: Ints
    type_count: Index  # readonly
    end: Index
    insertions: Index  # readonly
    draws: Index  # readonly
    drawn_type: Index
    drawn_at: Index
    random: Word

    def __init__(self, capacity: int) -> None:
        """An empty list with room for `capacity` insertions."""
        super().__init__()
        self.blocks = view(np.zeros((capacity, 4), np.int32))
        kinds = FIRSTS * SECONDS
        self.first = view(np.zeros(kinds, np.int64))
        self.size, self.room, self.place, self.types = (view(np.zeros(kinds, np.int32)) for _ in range(4))
        self.type_count = self.end = self.insertions = self.draws = self.drawn_type = self.drawn_at = 0
        self.random = 0x9E3779B97F4A7C15

    @property
    def bytes(self) -> int:
        """The size of the arrays."""
        return BLOCK_BYTES * self.blocks.shape[0] + TYPE_BYTES * self.first.shape[0]


def insert_item(types: TypeList, first: Index, second: Index, item: Index) -> None:  # public
    """Insert an item with a type. There must be room."""
    kind: Index = min(first, FIRSTS - 1) * SECONDS + min(second, SECONDS - 1)
    size: Index = types.size[kind]
    if size == 0:
        types.place[kind] = types.type_count
        types.types[types.type_count] = kind
        types.type_count += 1
    if size == types.room[kind]:
        _lengthen(types, kind)
    at: Index = types.first[kind] + size
    types.blocks[at >> 2, at & 3] = item
    types.size[kind] = size + 1
    types.insertions += 1


def draw_item(types: TypeList) -> Index:  # public
    """An item of a random type, which stays in the list. There must be an item."""
    types.draws += 1
    types.drawn_type = types.types[_random_below(types, types.type_count)]
    types.drawn_at = types.first[types.drawn_type] + _random_below(types, types.size[types.drawn_type])
    return types.blocks[types.drawn_at >> 2, types.drawn_at & 3]


def remove_drawn(types: TypeList) -> None:  # public
    """Remove the item that was drawn last. There must have been no change since."""
    kind: Index = types.drawn_type
    types.size[kind] -= 1
    last: Index = types.first[kind] + types.size[kind]
    types.blocks[types.drawn_at >> 2, types.drawn_at & 3] = types.blocks[last >> 2, last & 3]
    if types.size[kind] == 0:
        types.type_count -= 1
        other: Index = types.types[types.type_count]
        types.types[types.place[kind]] = other
        types.place[other] = types.place[kind]


def _lengthen(types: TypeList, kind: Index) -> None:
    """Move the items of a type to a block of twice the length."""
    i: Index
    old: Index = types.first[kind]
    new: Index = types.end
    for i in range(types.size[kind]):
        types.blocks[(new + i) >> 2, (new + i) & 3] = types.blocks[(old + i) >> 2, (old + i) & 3]
    types.first[kind] = new
    types.room[kind] = max(1, 2 * types.room[kind])
    types.end += types.room[kind]


def _random_below(types: TypeList, most: Index) -> Index:
    """A random number from 0 to below `most` (xorshift; Marsaglia 2003)."""
    types.random ^= left(types.random, 13)
    types.random ^= types.random >> 7
    types.random ^= left(types.random, 17)
    high: Index = types.random >> 33
    return high % most
