from puzzlemc.mc.words cimport ALL, Flag, Index, Word, Bytes, Numbers, Numbers2, Words, Words2, Words3
from puzzlemc.mc.words cimport bit, count_bits, left, lowest_bit

cpdef enum:
    FOUND = 1
    EXHAUSTED = 0
    GOING_ON = -1


cdef class Board:
    cdef Words3 fitting
    cdef Words sides
    cdef Numbers2 edges
    cdef Numbers2 cells
    cdef Numbers far
    cdef Index most
    cdef Flag all


cdef class Domains:
    cdef Words2 tiles
    cdef Numbers sizes
    cdef Words colours
    cdef Bytes settled
    cdef Numbers open
    cdef Index opened
    cdef Words waiting


cdef class Path:
    cdef Words3 tiles
    cdef Numbers2 sizes
    cdef Words2 colours
    cdef Numbers2 open
    cdef Numbers opened
    cdef Numbers2 decisions
    cdef Index depth
    cdef Flag failed


cpdef Index search(Board board, Domains domains, Path path, Index nodes)
cdef Index _next_waiting(Domains domains, Index cell) noexcept nogil
cdef Index _neighbour(Board board, Index cell, Index edge) noexcept nogil
cdef Index _fit_tiles(Board board, Domains domains, Index cell) noexcept nogil
cdef Flag _fit_colours(Board board, Domains domains, Index cell) noexcept nogil
cdef void _settle(Board board, Domains domains, Index cell) noexcept nogil
cdef Flag _place_lone(Board board, Domains domains) noexcept nogil
cdef Flag _fail_of(Board board, Domains domains) noexcept nogil
cdef Index _open_cell(Board board, Domains domains) noexcept nogil
cdef void _save(Domains domains, Path path) noexcept nogil
cdef void _restore(Domains domains, Path path) noexcept nogil
cdef void _wake_only(Domains domains, Index cell) noexcept nogil
cdef Index _continue(Board board, Domains domains, Path path, Index nodes) noexcept nogil
