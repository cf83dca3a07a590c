from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH
from puzzlemc.mc.words cimport Bytes, Index, Ints, Shorts, Shorts2

cpdef enum:
    NEVER = 32767


cdef class LoneBox:
    cdef readonly Shorts2 near
    cdef readonly Index kind
    cdef readonly Bytes walls
    cdef readonly Ints steps
    cdef readonly Shorts waiting
    cdef readonly Index cells


cpdef void spread(LoneBox lone, Index tail) noexcept nogil
cpdef void spread_from(LoneBox lone, Index target) noexcept nogil
cpdef void measure(LoneBox lone, Ints targets) noexcept nogil
