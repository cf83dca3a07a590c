from puzzlemc.mc.packed.costs cimport INFINITE
from puzzlemc.mc.words cimport Index, Ints, Numbers


cdef class Estimate:
    cdef Index enter(self, Numbers values) noexcept nogil
    cdef void expand(self, Numbers values) noexcept nogil
    cdef Index successor(self, Numbers before, Numbers after, Numbers changed, Index count) noexcept nogil


cdef class Sums(Estimate):
    cdef readonly Numbers first
    cdef readonly Numbers variables
    cdef readonly Numbers factors
    cdef readonly Numbers by_variable
    cdef readonly Numbers patterns
    cdef readonly Numbers pattern_factors
    cdef readonly Ints tables
    cdef readonly Numbers offsets
    cdef readonly Numbers columns
    cdef readonly Numbers orders
    cdef Numbers index
    cdef Numbers sums
    cdef Numbers new_index
    cdef Numbers new_sums
    cdef Numbers stamps
    cdef Numbers touched
    cdef Index stamp
    cdef Index scale


cdef Index _greatest(Numbers sums, Index scale) noexcept nogil
