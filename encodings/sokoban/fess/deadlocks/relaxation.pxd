from puzzlemc.encodings.sokoban.fess.deadlocks.freeze cimport is_frozen_off_goals, is_wedged
from puzzlemc.encodings.sokoban.fess.deadlocks.patterns cimport Patterns, is_pattern, learn
from puzzlemc.encodings.sokoban.fess.domain.bitboards cimport Bitboard, Region, fill, toggle
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks, least_after
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, Boxes, Floor, Game
from puzzlemc.encodings.sokoban.fess.domain.positions cimport Positions, add, find
from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Shorts2, Word, Words, bit

cpdef enum:
    FEW = 3
    MANY = 500
    BOXES = 24
    STEPS = 256
    ALIVE = 0
    DEAD = 1
    UNKNOWN = 2
    GIVEN_UP = 3


cdef class Relaxation:
    cdef readonly Game game
    cdef readonly Floor floor
    cdef readonly Patterns patterns
    cdef readonly Words known
    cdef readonly Ints home
    cdef readonly Bitboard board
    cdef readonly Region inside
    cdef readonly Region lit
    cdef readonly Region after
    cdef readonly Marks marks
    cdef readonly Positions positions
    cdef readonly Ints slots
    cdef readonly Shorts2 states
    cdef readonly Ints heads
    cdef readonly Ints next
    cdef readonly Index lowest
    cdef readonly Boxes boxes
    cdef readonly Boxes fewer
    cdef readonly Boxes child
    cdef public Index work


cdef Index _wait(Relaxation r, Index number) noexcept nogil
cdef void _enter(Relaxation r, Word hashed, Index player, Index parent, Index slot) noexcept nogil
cdef void _begin(Relaxation r, Boxes boxes, Index player) noexcept nogil
cdef Index _next(Relaxation r) noexcept nogil
cpdef Index find_out(Relaxation r, Boxes boxes, Index player, Index most, Flag inside) noexcept nogil
cdef Index _expand(Relaxation r, Index number, Index most, Flag inside) noexcept nogil
cdef Flag _step(
    Relaxation r, Index number, Index moved, Index target, Index after, Flag inside
) noexcept nogil
cdef void _thin(Relaxation r, Index player, Index most) noexcept nogil
cdef void _toggle_all(Relaxation r, Boxes boxes) noexcept nogil
cdef Index _place_of(Relaxation r, Word key) noexcept nogil
cdef Word _quick(Relaxation r, Word key, Index player) noexcept nogil
cpdef Word cached(Relaxation r, Word key, Index player) noexcept nogil
cdef Flag _answers(Word found, Word key, Index most) noexcept nogil
cpdef Index is_dead(Relaxation r, Word key, Index player, Index most, Flag inside) noexcept nogil
