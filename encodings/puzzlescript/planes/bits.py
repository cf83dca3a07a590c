"""Operations on rows of bits. Compiled modules use those of bits.pxd, which are part of their code."""

from puzzlemc.mc.words import Flag, Index, Word, Words2, left


def has(rows: Words2, row: Index, cell: Index) -> Flag:
    """Has a plane the cell?"""
    return rows[row, cell >> 6] >> (cell & 63) & 1 != 0


def shifted(rows: Words2, row: Index, shift: Index, w: Index) -> Word:
    """A word of a row that is shifted: bit i of it is bit i + shift of the row, 0 if there is no such bit."""
    last: Index = rows.shape[1] - 1
    i: Index = w + (shift >> 6)
    bits: Index = shift & 63
    low: Word = 0
    if i >= 0 and i <= last:
        low = rows[row, i] >> bits
    if bits != 0 and i >= -1 and i < last:
        low |= left(rows[row, i + 1], 64 - bits)
    return low
