from puzzlemc.encodings.puzzlescript.cells.board cimport ACTION, DOWN, LAYERS_OF_A_WORD, LEFT, RIGHT, UP, WAYS, Board, set_objects
from puzzlemc.mc.words cimport ALL, Flag, Index, Word, bit, lowest_bit


cdef void move(Board board) noexcept nogil
cdef Flag ban(Board board) noexcept nogil
cdef Flag _move_cell(Board board, Index row, Index column) noexcept nogil
cdef Flag _step_ahead(Board board, Index row, Index column, Index layer, Index way) noexcept nogil
