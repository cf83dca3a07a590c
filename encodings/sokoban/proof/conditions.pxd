from puzzlemc.encodings.sokoban.proof.assignment cimport Assignment, is_at_least
from puzzlemc.encodings.sokoban.proof.board cimport Board, Distances
from puzzlemc.encodings.sokoban.proof.edges cimport Edges, is_solved, is_vertex, pulls, pushes
from puzzlemc.encodings.sokoban.proof.positions cimport Positions, Table, cost_of, insert
from puzzlemc.mc.words cimport Flag, Index

cpdef enum:
    VALID = 0
    SOLVED = 1
    NOT_CLOSED = 2
    TOO_CHEAP = 3


cdef class Claim:
    cdef readonly Index below
    cdef readonly Index ahead
    cdef readonly Index behind


cdef class Check:
    cdef readonly Board board
    cdef readonly Claim claim
    cdef readonly Table near_goal
    cdef public Table departing
    cdef public Table near_start
    cdef readonly Index at
    cdef readonly Edges edges
    cdef Assignment prices


cpdef Flag has_solved(Check check) noexcept nogil
cpdef Index check_backward(Check check, Index first, Index last) noexcept nogil
cpdef Index check_forward(Check check, Index first, Index last) noexcept nogil
cpdef Index check_arrival(Check check, Positions positions, Index i, Index cost) noexcept nogil
cdef Flag _is_far(Check check, Distances distances, Positions positions, Index i, Index need) noexcept nogil
