from puzzlemc.mc.packed.state_table cimport StateTable
from puzzlemc.mc.words cimport Flag, Index, Ints, Words, count_bits


cdef class CountBounds:
    cdef Ints least
    cdef Ints most
    cdef Ints entries
    cdef Ints word
    cdef Words mask


cdef Flag broken(CountBounds bounds, StateTable table, Index number) noexcept nogil
