from puzzlemc.encodings.sokoban.proof.board cimport Board
from puzzlemc.encodings.sokoban.proof.positions cimport Positions
from puzzlemc.mc.words cimport Flag, Index, Ints, Numbers

cpdef enum:
    FREE = 0
    BOX = 1
    WALL = 2
    REACHED = 3


cdef class Flood:
    cdef Ints cells
    cdef Ints steps


cdef class Edges:
    cdef readonly Positions ends
    cdef readonly Numbers prices
    cdef readonly Index count
    cdef Ints on
    cdef Flood outer
    cdef Flood inner


cpdef void make_canonical(Board board, Edges edges, Positions positions, Index i) noexcept nogil
cpdef Flag is_vertex(Board board, Edges edges, Positions positions, Index i) noexcept nogil
cpdef Flag is_solved(Board board, Positions positions, Index i) noexcept nogil
cpdef void pushes(Board board, Edges edges, Positions positions, Index i) noexcept nogil
cpdef void pulls(Board board, Edges edges, Positions positions, Index i) noexcept nogil
cdef void _put(Edges edges, Positions positions, Index i, Index what) noexcept nogil
cdef Index _flood(Board board, Edges edges, Flood flood, Index player) noexcept nogil
cdef Index _least_cell(Board board, Edges edges, Index player) noexcept nogil
cdef void _move_box(Edges edges, Positions positions, Index i, Index box, Index to) noexcept nogil
cdef Flag _is_after_push(Board board, Edges edges, Positions positions, Index i) noexcept nogil
cdef void _add_walks(Board board, Edges edges, Index player) noexcept nogil
