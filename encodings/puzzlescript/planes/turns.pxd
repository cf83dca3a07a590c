from puzzlemc.encodings.puzzlescript.planes.goal cimport Goal, won
from puzzlemc.encodings.puzzlescript.planes.movement cimport WAYS, ban, clear_movements, move
from puzzlemc.encodings.puzzlescript.planes.rewriting cimport apply_phase
from puzzlemc.encodings.puzzlescript.planes.tables cimport AGAIN, CANCEL, CHECKPOINT, MESSAGE, RESTART, WIN, Board, Program, Rules
from puzzlemc.mc.packed.state_table cimport StateTable
from puzzlemc.mc.steps.steps cimport CHANGED, NOTHING, UNSETTLED, WON, Steps
from puzzlemc.mc.words cimport ALL, Bytes, Flag, Index, Ints, Word, Words, Words2, Words3, bit, left

cpdef enum:
    ROUNDS = 500
    TRIES = 50
    TICK = 5
    FIRST = 0
    LAST = 1
    SETTLED = 0
    VICTORY = 1
    RESTARTED = 2
    UNFINISHED = 3
    BEGINS = 0
    ACTS = 1
    GOES_ON = 2


cdef class Turns(Steps):
    cdef readonly Board board
    cdef Rules rules
    cdef Program program
    cdef Goal goal
    cdef Ints player_planes
    cdef Ints player_layers
    cdef Flag players_whole
    cdef Flag needs_movement
    cdef public Flag restart_wins
    cdef Flag has_rigid
    cdef Words3 origins
    cdef Words2 origins_filled
    cdef Words2 checkpoint
    cdef readonly Flag has_checkpoint
    cdef Words players
    cdef Bytes idle
    cdef Flag enter(self, StateTable table, Index number) noexcept nogil
    cdef Index successor(self, Index action, StateTable table, Index place) noexcept nogil


cdef Index _turn(Turns turns, Index movement, Flag begins) noexcept nogil
cdef Index _play(Turns turns, Index movement, Index origin, Index kind) noexcept nogil
cdef void _save(Turns turns) noexcept nogil
cdef Flag _round(Turns turns, Index movement, Index origin) noexcept nogil
cdef void _set_out(Turns turns, Index movement) noexcept nogil
cdef Flag _has_moved(Turns turns) noexcept nogil
cdef void _copy(Turns turns, Index origin) noexcept nogil
cdef Flag _differs(Turns turns, Index origin) noexcept nogil
cdef void _pack(Turns turns, Words2 planes, StateTable table, Index place, Flag is_won) noexcept nogil
cdef void _unpack(Turns turns, StateTable table, Index number) noexcept nogil
