from puzzlemc.mc.packed.costs cimport INFINITE
from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Ints2, Ints3, Numbers, Numbers2, Word, Words, Words2, Words3
from puzzlemc.mc.words cimport lowest_bit


cdef class Walks:
    cdef readonly Word key
    cdef Words outside
    cdef readonly Numbers first
    cdef readonly Numbers2 steps
    cdef readonly Words3 masks
    cdef readonly Words2 near
    cdef readonly Words2 union
    cdef readonly Ints blocked
    cdef readonly Index cost


cdef class Tables:
    cdef readonly Walks walks
    cdef readonly Word key
    cdef Words outside
    cdef readonly Numbers first
    cdef readonly Words3 masks
    cdef readonly Words3 triples
    cdef readonly Ints2 action_info
    cdef readonly Words start
    cdef readonly Ints3 distance
    cdef public Ints weights
    cdef public Index most
    cdef public Index largest_increase


cdef Index _largest_bound(Ints3 distance) noexcept nogil
cdef Flag fits(Tables tables, Words2 rows, Index i, Index a) noexcept nogil
cdef Index held(Tables tables, Words2 rows, Index i, Numbers bits) noexcept nogil
