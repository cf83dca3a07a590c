from puzzlemc.mc.words cimport Bytes, Index, Shorts, Shorts2, Words, Words2

cpdef enum:
    PUSH = 0
    PULL = 1


cdef class Game:
    cdef readonly Shorts2 near
    cdef readonly Words2 codes
    cdef readonly Bytes dead_squares
    cdef readonly Bytes is_target
    cdef readonly Index kind
    cdef readonly Index cells


cdef class Floor:
    cdef readonly Shorts2 near
    cdef readonly Bytes on
    cdef readonly Index cells


cdef class Boxes:
    cdef readonly Shorts cells
    cdef readonly Words row
    cdef readonly Bytes stuck
    cdef public Index count


cpdef void put_down(Floor floor, Boxes boxes) noexcept nogil
cpdef void lift(Floor floor, Boxes boxes) noexcept nogil
