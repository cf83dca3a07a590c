from puzzlemc.encodings.sokoban.fess.domain.counters cimport Counters
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks, flood, new_stamp
from puzzlemc.encodings.sokoban.fess.domain.reach cimport Reach, fill_reach
from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Shorts2, Word, Words, Words2, Words3, bit

cpdef enum:
    FAR = 64


cdef class Lanes:
    cdef readonly Ints order
    cdef readonly Words2 sets
    cdef readonly Words3 comes
    cdef readonly Shorts2 parts
    cdef readonly Shorts2 reach
    cdef public Index number
    cdef Counters _counters
    cdef Reach _reach
    cdef Marks _marks


cpdef Index lane_of(Lanes lanes, Words packed) noexcept nogil
cdef void _fill(Lanes lanes, Index lane, Words packed) noexcept nogil
cdef void _divide(Lanes lanes, Index lane) noexcept nogil
