from puzzlemc.encodings.sokoban.fess.domain.counters cimport Counters
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks, flood, new_stamp
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, Floor
from puzzlemc.mc.words cimport ALL, Bytes, Flag, Index, Ints, Shorts, Shorts2, Word, Words, Words2, Words3, bit

cpdef enum:
    FAR = 64


cdef class Lanes:
    cdef readonly Ints order
    cdef readonly Words2 sets
    cdef readonly Words3 comes
    cdef readonly Shorts2 parts
    cdef readonly Shorts2 reach
    cdef public Index number
    cdef Index _kind
    cdef Counters _counters
    cdef Words _row
    cdef Floor _floor
    cdef Marks _marks
    cdef Bytes _waits
    cdef Shorts _waiting


cpdef Index lane_of(Lanes lanes, Bytes packed) noexcept nogil
cpdef Flag is_reachable(Lanes lanes, Index lane, Index box, Index target) noexcept nogil
cdef void _fill(Lanes lanes, Index lane, Bytes packed) noexcept nogil
cdef Index _begin(Lanes lanes, Index lane, Bytes packed) noexcept nogil
cdef void _spread(Lanes lanes, Index lane, Index left) noexcept nogil
cdef void _divide(Lanes lanes, Index lane) noexcept nogil
