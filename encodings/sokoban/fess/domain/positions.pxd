from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes
from puzzlemc.mc.words cimport Flag, Index, Ints, Numbers, Word, Words, Words2, lowest_bit


cdef class Positions:
    cdef readonly Words2 bits
    cdef readonly Words hashes
    cdef readonly Ints players
    cdef readonly Ints parents
    cdef public Numbers slots
    cdef public Index count


cdef class Heaps:
    cdef readonly Numbers keys
    cdef readonly Ints down
    cdef readonly Ints right
    cdef readonly Ints heads


cdef Index entry(Word hashed, Index number) noexcept nogil
cpdef Index find(Positions positions, Boxes boxes, Word hashed, Index player) noexcept nogil
cpdef Index add(Positions positions, Boxes boxes, Word hashed, Index player, Index parent, Index slot) noexcept nogil
cpdef void load(Positions positions, Index number, Boxes boxes) noexcept nogil
cpdef void rehash(Positions positions, Index first, Index last) noexcept nogil
cpdef Index merge(Heaps heaps, Index one, Index other) noexcept nogil
cpdef Index without_first(Heaps heaps, Index first) noexcept nogil
