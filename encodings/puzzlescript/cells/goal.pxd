from puzzlemc.encodings.puzzlescript.cells.board cimport Board
from puzzlemc.mc.words cimport Bytes, Flag, Index, Word, Words2

cpdef enum:
    ALL_ARE_ON = 0
    SOME_IS_ON = 1
    NONE_IS_ON = 2


cdef class Goal:
    cdef Bytes kind
    cdef Words2 subject
    cdef Bytes subject_all
    cdef Words2 on
    cdef Bytes on_all


cdef Flag holds(Goal goal, Board board) noexcept nogil
cdef Flag _condition(Goal goal, Index win, Board board) noexcept nogil
cdef Flag _may_have(Goal goal, Index win, Board board, Index row) noexcept nogil
cdef Flag _has_subject(Goal goal, Index win, Board board, Index cell) noexcept nogil
cdef Flag _is_on(Goal goal, Index win, Board board, Index cell) noexcept nogil
