from puzzlemc.mc.packed.tables cimport Walks
from puzzlemc.mc.words cimport ALL, Flag, Index, Numbers, Word, Words, Words2, bit, lowest_bit

cpdef enum:
    REACH = 0
    HELD = 1
    TOUCHED = 2
    FREE = 3
    BARRIERS = 4
    AREA = 5
    CLOSED = 6
    AROUND = 7
    MORE = 8
    SETS = 9


cdef class StubbornSets:
    cdef readonly Numbers first
    cdef Numbers source
    cdef Numbers to
    cdef Words2 block
    cdef Numbers at
    cdef Words targets
    cdef Words2 sets


cdef void stubborn_set(StubbornSets stubborn, Walks walks, Words2 row, Words allowed) noexcept nogil
cdef Flag _has(StubbornSets stubborn, Index which, Index code) noexcept nogil
cdef void _add(StubbornSets stubborn, Index which, Index code) noexcept nogil
cdef void _flood(StubbornSets stubborn, Walks walks, Index which, Index start) noexcept nogil
cdef Flag _touches(StubbornSets stubborn, Walks walks, Index which, Index code) noexcept nogil
cdef Flag _grow_barrier(StubbornSets stubborn, Walks walks, Index code) noexcept nogil
cdef Index _blocking(StubbornSets stubborn, Walks walks, Words2 row, Index a) noexcept nogil
cdef Index _close_barrier(StubbornSets stubborn, Walks walks, Words2 row, Index here) noexcept nogil
cdef Flag _must_be_moved(StubbornSets stubborn, Walks walks, Words2 row) noexcept nogil
cdef Flag _is_enabled_within(StubbornSets stubborn, Words2 row, Index object_bit) noexcept nogil
cdef void _mark_objects(StubbornSets stubborn, Walks walks, Words2 row, Index here) noexcept nogil
