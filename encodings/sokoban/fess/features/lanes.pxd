from puzzlemc.encodings.sokoban.fess.domain.counters cimport Counters
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks, flood, new_stamp
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, Floor
from puzzlemc.mc.words cimport ALL, Bytes, Flag, Index, Ints, Shorts, Shorts2, Word, Words, Words2, Words3, bit

cpdef enum:
    DONE = -1
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
    cdef Floor _floor
    cdef Marks _marks
    cdef Shorts _numbers
    cdef Shorts _lows
    cdef Shorts _open
    cdef Shorts _path
    cdef Bytes _ways
    cdef Index _visited


cpdef Index lane_of(Lanes lanes, Words packed) noexcept nogil
cdef void _fill(Lanes lanes, Index lane, Words packed) noexcept nogil
cdef void _begin(Lanes lanes, Index lane, Words packed) noexcept nogil
cdef void _search(Lanes lanes, Index lane, Index root) noexcept nogil
cdef Index _complete(Lanes lanes, Index lane, Index root, Index tail) noexcept nogil
cdef void _divide(Lanes lanes, Index lane) noexcept nogil
