from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes
from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Ints2, Word, Words, Words3, bit, lowest_bit


cdef class Pairing:
    cdef readonly Ints owner
    cdef readonly Words taken
    cdef readonly Words gains
    cdef readonly Words tried
    cdef readonly Ints2 path
    cdef public Index work


cdef void clear(Pairing pairing) noexcept nogil
cdef Flag augment(Pairing pairing, Words3 ways, Index lane, Boxes boxes, Index first) noexcept nogil
cdef void find_gains(Pairing pairing, Words3 ways, Index lane, Boxes boxes) noexcept nogil
