from puzzlemc.mc.packed.tables cimport Walks
from puzzlemc.mc.words cimport ALL, Flag, Index, Numbers, Word, Words, Words2, bit, lowest_bit


cdef class StubbornSets:
    cdef readonly Numbers first
    cdef Numbers source
    cdef Numbers to
    cdef Words2 block
    cdef Numbers at
    cdef Words targets
    cdef Words2 sets


cdef void stubborn_set(StubbornSets stubborn, Walks walks, Words2 row, Words allowed) noexcept nogil
