from puzzlemc.encodings.puzzlescript.planes.bits cimport has, shifted
from puzzlemc.encodings.puzzlescript.planes.tables cimport Board, Rules
from puzzlemc.mc.words cimport ALL, Flag, Index, Word


cdef Flag find(Rules rules, Board board, Index rule) noexcept nogil
cdef Flag still_matches(Rules rules, Board board, Index rule) noexcept nogil
cdef Flag _find_part(Rules rules, Board board, Index part, Index slot) noexcept nogil
cdef Flag _in_line(Rules rules, Board board, Index row, Index slot) noexcept nogil
cdef void _ahead(Board board, Index way) noexcept nogil
cdef Flag _holds(Rules rules, Board board, Index term, Index cell) noexcept nogil
