from puzzlemc.encodings.puzzlescript.planes.tables cimport Board
from puzzlemc.mc.words cimport ALL, Bytes, Flag, Index, Ints, Word, Words2

cpdef enum:
    EVERY = 0
    ANY = 1
    NONE = 2


cdef class Goal:
    cdef Bytes quantifiers
    cdef Bytes whole
    cdef Ints sides
    cdef Ints planes
    cdef Words2 constant


cdef Flag won(Goal goal, Board board) noexcept nogil
cdef Flag _holds(Goal goal, Board board, Index condition) noexcept nogil
cdef Word _side(Goal goal, Board board, Index side, Index w) noexcept nogil
