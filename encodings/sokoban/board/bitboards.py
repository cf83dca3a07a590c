"""Floods of the floor with a bit for each cell: many cells are filled at once.

The bits are those of the rectangle around the board, row by row, with a wall after each row. So a shift moves all
cells of a word by a step. An addition fills rows: its carry runs along the free cells after a filled one.
Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Word, Words, bit, count_bits, left, lowest_bit


class Bitboard:
    """The free cells of a board as bits.

    places  by cell: the number of its bit; for the wall that of a bit that is never set
    cells   by bit: its cell, or the wall
    free    the free cells
    width   the number of bits of a row
    margin  the number of words before and after those of the board; they are 0
    """

    places: Ints  # readonly
    cells: Ints  # readonly
    free: Words  # readonly
    width: Index  # readonly
    margin: Index  # readonly

    def __init__(self, near: npt.NDArray[np.int16]) -> None:
        """A board without boxes; `near` is as in `NumberedLevel`, with the cells of each component row by row."""
        rows, columns = _coordinates(near)
        wall = len(near) - 1
        width = int(columns.max()) + 2
        # With a multiple of 64, the cell below would not be in two words, but a shift by 64 has no result.
        self.width = width + (width % 64 == 0)
        self.margin = self.width // 64 + 1
        words = (int(rows.max()) * self.width + int(columns.max())) // 64 + 1 + 2 * self.margin
        places = np.zeros(wall + 1, np.int32)
        places[:wall] = 64 * self.margin + rows * self.width + columns
        cells, free = np.full(64 * words, wall, np.int32), np.zeros(64 * words, np.uint8)
        cells[places[:wall]] = np.arange(wall)
        free[places[:wall]] = 1
        self.places, self.cells = view(places), view(cells)
        self.free = view(np.packbits(free, bitorder="little").view(np.uint64))


class Region:
    """A component of the free cells.

    bits   its cells; those of a `Bitboard`
    size   the number of its cells
    least  the least of them
    """

    bits: Words  # readonly
    size: Index  # readonly
    least: Index  # readonly

    def __init__(self, board: Bitboard) -> None:
        """No cells of a board."""
        self.bits = view(np.zeros(board.free.shape[0], np.uint64))
        self.size, self.least = 0, -1


def _coordinates(near: npt.NDArray[np.int16]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The row and the column of each cell; components are below each other, with an empty row between them."""
    wall, first_row = len(near) - 1, 0
    rows, columns = np.full(wall, -1, np.int32), np.zeros(wall, np.int32)
    for root in range(wall):
        if rows[root] >= 0:
            continue
        found, waiting = {root: (0, 0)}, [root]
        for cell in waiting:
            row, column = found[cell]
            for other, (down, right) in zip(near[cell].tolist(), DIRECTIONS.values(), strict=True):
                if other != wall and other not in found:
                    found[other] = row + down, column + right
                    waiting.append(other)
        at = np.array([found[cell] for cell in waiting], np.int32)
        at -= at.min(axis=0)
        rows[waiting], columns[waiting] = first_row + at[:, 0], at[:, 1]
        first_row = int(rows[waiting].max()) + 2
    return rows, columns


def is_free(board: Bitboard, cell: Index) -> Flag:  # public
    """Is the cell free?"""
    place: Index = board.places[cell]
    return board.free[place >> 6] & bit(place & 63) != 0


def is_in(board: Bitboard, region: Region, cell: Index) -> Flag:  # public
    """Is the cell in the region?"""
    place: Index = board.places[cell]
    return region.bits[place >> 6] & bit(place & 63) != 0


def toggle(board: Bitboard, cell: Index) -> None:  # public
    """Put a box on a cell, or take it off."""
    place: Index = board.places[cell]
    board.free[place >> 6] ^= bit(place & 63)


def fill(board: Bitboard, start: Index, region: Region) -> Index:  # public
    """Fill in the component of a free cell; return its size."""
    word: Index
    size: Index = 0
    _spread(board, region, board.places[start])
    for word in range(region.bits.shape[0]):
        size += count_bits(region.bits[word])
    region.size = size
    word = 0
    while region.bits[word] == 0:
        word += 1
    region.least = board.cells[64 * word + lowest_bit(region.bits[word])]
    return size


def _spread(board: Bitboard, region: Region, start: Index) -> None:
    """Set the bits of all free cells connected to the one with that bit, and no others."""
    bits = region.bits
    margin: Index = board.margin
    final: Index = bits.shape[0] - margin - 1
    whole: Index = board.width >> 6
    part: Index = board.width & 63
    word: Index
    for word in range(bits.shape[0]):
        bits[word] = 0
    word = start >> 6
    bits[word] = bit(start & 63)
    # Cells of a word are connected to those of `margin` words before and after it.
    last: Index = min(word + margin, final)
    word = max(word - margin, margin)
    while word <= last:
        free: Word = board.free[word]
        old: Word = bits[word]
        around: Word = bits[word - 1] >> 63 | left(bits[word + 1], 63)
        around |= bits[word - whole - 1] >> (64 - part) | left(bits[word + whole + 1], 64 - part)
        if whole:
            around |= left(bits[word - whole], part) | bits[word + whole] >> part
        now: Word = old | around & free
        before: Word = 0
        while now != before:
            before = now
            with cython.overflowcheck(False):  # the carry out of a word is lost
                now |= (free + now & ALL ^ free) & free
            now |= now >> 1 & free
            if whole == 0:
                now |= (left(now, part) | now >> part) & free
        if now == old:
            word += 1
        else:
            bits[word] = now
            last = min(max(last, word + margin), final)
            word = max(word - margin, margin)
