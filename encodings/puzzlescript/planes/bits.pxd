# The operations of bits.py, in C.

from puzzlemc.mc.words cimport Flag, Index, Word, Words2, left


cdef inline Flag has(Words2 rows, Index row, Index cell) noexcept nogil:
    return rows[row, cell >> 6] >> (cell & 63) & 1 != 0


cdef inline Word shifted(Words2 rows, Index row, Index shift, Index w) noexcept nogil:
    cdef Index last = rows.shape[1] - 1
    cdef Index i = w + (shift >> 6)
    cdef Index bits = shift & 63
    cdef Word low = 0
    if i >= 0 and i <= last:
        low = rows[row, i] >> bits
    if bits != 0 and i >= -1 and i < last:
        low |= left(rows[row, i + 1], 64 - bits)
    return low
