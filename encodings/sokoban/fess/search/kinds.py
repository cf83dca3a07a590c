"""Kinds of positions: a coordinate of the feature space that tells positions apart while packing stands still.

In a hard level, the first boxes can be packed only after many others have been moved away. Until then all
positions fall into a few cells of the feature space, and the search has no direction. With kinds, each of these
cells is divided.

Compiled: see `mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.sokoban.fess.domain.counters import CELLS, KINDS
    from puzzlemc.encodings.sokoban.fess.search.sides import Room, Side
    from puzzlemc.mc.words import ALL, Index, Word


def kind_of(side: Side, room: Room, number: Index, cell: Index) -> Index:  # public
    """The kind of a position with that cell: how many boxes have moved since the last progress, 7 for more.

    Progress is that more targets are filled than ever before on the path. Boxes that have come back do not count.
    """
    parent: Index = side.positions.parents[number]
    base: Index = number if parent < 0 else side.bases[parent]
    if base != number and cell // CELLS > side.cells[base] // (CELLS * KINDS):
        base = number
    side.bases[number] = base
    count: Index = 0
    word: Index
    for word in range(room.boxes.row.shape[0]):
        left: Word = room.boxes.row[word] & (ALL ^ side.positions.bits[base, word])
        while left:
            count += 1
            left &= left - 1
    return min(count, KINDS - 1)
