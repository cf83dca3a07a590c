from puzzlemc.encodings.puzzlescript.planes.bits cimport has, shifted
from puzzlemc.encodings.puzzlescript.planes.tables cimport Board
from puzzlemc.mc.words cimport ALL, Flag, Index, Word, bit

cpdef enum:
    WAYS = 5


cdef void move(Board board) noexcept nogil
cdef Flag ban(Board board) noexcept nogil
cdef void clear_movements(Board board) noexcept nogil
cdef void _move_layer(Board board, Index layer) noexcept nogil
cdef Flag _is_regular(Board board, Index layer) noexcept nogil
cdef void _move_at_once(Board board, Index layer) noexcept nogil
cdef void _move_one_by_one(Board board, Index layer) noexcept nogil
cdef Flag _is_filled(Board board, Index plane) noexcept nogil
cdef void _empty(Board board, Index plane) noexcept nogil
