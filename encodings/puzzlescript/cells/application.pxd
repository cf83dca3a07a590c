from puzzlemc.encodings.puzzlescript.cells.board cimport Board, set_movements, set_objects
from puzzlemc.encodings.puzzlescript.cells.matching cimport find_matches, is_possible, still_matches
from puzzlemc.encodings.puzzlescript.cells.rules cimport CANCEL, RESTART, Rules
from puzzlemc.mc.words cimport ALL, Flag, Index, Word

cpdef enum:
    EARLY = 0
    LATE = 1
    REPETITIONS = 200


cdef void apply_phase(Rules rules, Board board, Index phase) noexcept nogil
cdef Flag _apply_group(Rules rules, Board board, Index group) noexcept nogil
cdef Flag _apply_rule(Rules rules, Board board, Index rule, Index rigid) noexcept nogil
cdef Flag _replace_all(Rules rules, Board board, Index rule, Index rigid) noexcept nogil
cdef Flag _next_combination(Rules rules, Board board, Index rule) noexcept nogil
cdef Flag _is_valid(Rules rules, Board board, Index rule) noexcept nogil
cdef Flag _replace(Rules rules, Board board, Index rule, Index rigid) noexcept nogil
cdef Flag _change(Rules rules, Board board, Index done, Index cell) noexcept nogil
cdef Flag _mark(Rules rules, Board board, Index done, Index cell, Index rigid) noexcept nogil
cdef void _enqueue(Board board, Index commands) noexcept nogil
