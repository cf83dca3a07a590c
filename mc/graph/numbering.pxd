from puzzlemc.mc.packed.state_table cimport StateTable, find
from puzzlemc.mc.words cimport ALL, Bytes, Flag, Index, Ints, Ints2, Numbers, Numbers2, Word, Words2, Words3


cdef class Actions:
    cdef Words3 mask
    cdef Words3 value
    cdef Words3 clear
    cdef Words3 set
    cdef Numbers2 number


cdef class Successors:
    cdef Words2 after
    cdef Numbers source
    cdef Numbers action


cdef class NumberedStates:
    cdef Word key
    cdef public Words2 rows
    cdef public Index used
    cdef readonly StateTable rests
    cdef public Ints2 number
    cdef Words2 rest


cpdef Index expand(Actions actions, Words2 rows, Numbers groups, Successors found) noexcept nogil
cpdef void insert(NumberedStates states, Words2 fresh, Ints numbers) noexcept nogil
cdef void _count_cubes(Words2 rows, Bytes chosen, Words2 mask, Words2 value, Numbers2 counts) noexcept nogil
