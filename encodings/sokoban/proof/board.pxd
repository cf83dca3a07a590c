from puzzlemc.encodings.sokoban.proof.positions cimport Positions
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Ints2, Ints3

cpdef enum:
    INFINITE = 0x10000000


cdef class Distances:
    cdef readonly Ints3 far
    cdef Ints targets
    cdef Ints players
    cdef Flag forward


cdef class Board:
    cdef readonly Index cells
    cdef readonly Ints2 near
    cdef readonly Bytes is_goal
    cdef readonly Index goals
    cdef readonly Positions start
    cdef readonly Index push
    cdef readonly Index walk
    cdef readonly Distances to_goal
    cdef readonly Distances from_start
    cdef Bytes can_hold


cpdef Flag are_distances(Ints2 near, Distances distances) noexcept nogil
cdef void _find_distances(Ints2 near, Distances distances, Ints3 queue) noexcept nogil
