from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Word, Words, bit, count_bits, left, lowest_bit


cdef class Bitboard:
    cdef readonly Ints places
    cdef readonly Ints cells
    cdef readonly Words free
    cdef readonly Index width
    cdef readonly Index margin


cdef class Region:
    cdef readonly Words bits
    cdef readonly Index size
    cdef readonly Index least


cpdef Flag is_free(Bitboard board, Index cell) noexcept nogil
cpdef Flag is_in(Bitboard board, Region region, Index cell) noexcept nogil
cpdef void toggle(Bitboard board, Index cell) noexcept nogil
cpdef Index fill(Bitboard board, Index start, Region region) noexcept nogil
cdef void _spread(Bitboard board, Region region, Index start) noexcept nogil
