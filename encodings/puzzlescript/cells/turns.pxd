from puzzlemc.encodings.puzzlescript.cells.application cimport EARLY, LATE, apply_phase
from puzzlemc.encodings.puzzlescript.cells.board cimport LAYERS_OF_A_WORD, WAYS, Board, clear_movements, differs, load, set_movements
from puzzlemc.encodings.puzzlescript.cells.goal cimport Goal, holds
from puzzlemc.encodings.puzzlescript.cells.movement cimport ban, move
from puzzlemc.encodings.puzzlescript.cells.rules cimport AGAIN, CANCEL, CHECKPOINT, MESSAGE, RESTART, WIN, Rules
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Word, Words, Words2, bit

cpdef enum:
    ROUNDS = 500
    TRIES = 50
    TICK = 5
    SETTLED = 0
    VICTORY = 1
    RESTARTED = 2
    UNFINISHED = 3
    CROWDED = 4


cdef class Turns:
    cdef readonly Board board
    cdef Rules rules
    cdef Goal goal
    cdef Words2 players
    cdef Ints player_layers
    cdef Words all_players
    cdef Flag players_all
    cdef Flag needs_movement
    cdef public Flag restart_wins
    cdef Words2 base
    cdef Words2 before
    cdef Words2 checkpoint
    cdef readonly Flag has_checkpoint
    cdef Bytes set_out


cdef Index take(Turns turns, Index movement, Flag begins) noexcept nogil
cdef Index _play(Turns turns, Index movement, Flag begins, Flag is_first, Words2 origin) noexcept nogil
cdef Flag _round(Turns turns, Board board, Index movement, Words2 origin) noexcept nogil
cdef void _set_out(Turns turns, Board board, Index movement) noexcept nogil
cdef void _set_in_motion(Turns turns, Board board, Index cell, Index player, Index movement) noexcept nogil
cdef Flag _is_player(Turns turns, Board board, Index cell, Flag all_of_them) noexcept nogil
cdef Flag _stands_still(Turns turns, Board board) noexcept nogil
cdef void _save(Board board, Words2 objects) noexcept nogil
