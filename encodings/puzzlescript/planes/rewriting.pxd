from puzzlemc.encodings.puzzlescript.planes.bits cimport has, shifted
from puzzlemc.encodings.puzzlescript.planes.matching cimport find, still_matches
from puzzlemc.encodings.puzzlescript.planes.tables cimport CANCEL, RESTART, Board, Program, Rules
from puzzlemc.mc.words cimport ALL, Flag, Index, Word, Words2, bit, left, lowest_bit

cpdef enum:
    REPETITIONS = 200
    MANY = 16


cdef void apply_phase(Rules rules, Program program, Board board, Index phase) noexcept nogil
cdef Flag _apply_group(Rules rules, Program program, Board board, Index group) noexcept nogil
cdef void _leave_out(Rules rules, Board board, Index low, Index high) noexcept nogil
cdef void _reconsider(Rules rules, Program program, Board board, Index group, Index low, Index high) noexcept nogil
cdef Flag _apply_rule(Rules rules, Board board, Index rule) noexcept nogil
cdef void _queue(Board board, Index commands) noexcept nogil
cdef Flag _is_single(Board board, Index slots) noexcept nogil
cdef Flag _at_once(Rules rules, Board board, Index rule) noexcept nogil
cdef Flag _one_by_one(Rules rules, Board board, Index rule) noexcept nogil
cdef Flag _change(Rules rules, Board board, Index part, Index cell) noexcept nogil
cdef Flag _mark(Rules rules, Board board, Index part, Index cell, Index number) noexcept nogil
cdef void _first(Rules rules, Board board, Index row, Index slot) noexcept nogil
cdef Flag _next(Rules rules, Board board, Index row, Index slot) noexcept nogil
cdef Index _next_start(Board board, Index slot, Flag by_column, Index after) noexcept nogil
cdef Index _next_bit(Words2 rows, Index row, Index after) noexcept nogil
cdef Index _next_ahead(Board board, Index slot, Index way, Index cell) noexcept nogil
cdef void _note(Board board, Index plane, Flag any) noexcept nogil
