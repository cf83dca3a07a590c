from puzzlemc.encodings.sokoban.improve.plans cimport Board
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Ints2, Numbers, Shorts2

cpdef enum:
    UNREACHABLE = 4096
    INFINITE = 0x40000000


cdef class Bound:
    cdef Shorts2 distance
    cdef Bytes known
    cdef Ints queue
    cdef Bytes is_target
    cdef Ints target
    cdef Index targets
    cdef Numbers boxes
    cdef Numbers empty
    cdef Numbers match
    cdef Numbers of_box
    cdef Numbers of_target
    cdef Numbers way
    cdef Numbers least
    cdef Bytes used


cdef void set_targets(Bound bound, Board board, Ints2 vertices, Index end, Flag to_goals) noexcept nogil
cdef void clear_targets(Bound bound) noexcept nogil
cdef void add_target(Bound bound, Board board, Index cell) noexcept nogil
cdef Index covered(Bound bound, Ints2 vertices, Index i) noexcept nogil
cdef Index pushes_from(Bound bound, Ints2 vertices, Index i) noexcept nogil
cdef void _find_distances(Bound bound, Board board, Index target) noexcept nogil
cdef Index _assignment(Bound bound, Index free, Index empty) noexcept nogil
