from puzzlemc.encodings.puzzlescript.cells.board cimport DOWN, LEFT, UP, Board
from puzzlemc.encodings.puzzlescript.cells.rules cimport Rules
from puzzlemc.mc.words cimport Flag, Index, Word


cdef Flag is_possible(Rules rules, Board board, Index rule) noexcept nogil
cdef void find_matches(Rules rules, Board board, Index row) noexcept nogil
cdef Flag still_matches(Rules rules, Board board, Index row, Index match) noexcept nogil
cdef Flag _is_in_row(Rules rules, Index row, Board board, Index y) noexcept nogil
cdef Flag _is_in_column(Rules rules, Index row, Board board, Index x) noexcept nogil
cdef void _extend(Rules rules, Board board, Index row, Index part, Index cell, Index left) noexcept nogil
cdef Flag _part_fits(Rules rules, Board board, Index part, Index cell, Index next) noexcept nogil
cdef Flag _fits(Rules rules, Board board, Index wanted, Index cell) noexcept nogil
