from puzzlemc.encodings.sokoban.fess.deadlocks.freeze cimport freeze, thaw
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, Boxes, Game
from puzzlemc.encodings.sokoban.fess.domain.lone_box cimport NEVER, LoneBox, spread_from
from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Ints2, Word, Words, Words2, Words3, bit, lowest_bit

cpdef enum:
    LANES = 32


cdef class Matching:
    cdef readonly LoneBox lone
    cdef readonly Ints targets
    cdef readonly Words3 ways
    cdef readonly Words2 frozen
    cdef readonly Words row
    cdef readonly Ints owner
    cdef readonly Words taken
    cdef readonly Words tried
    cdef readonly Ints2 path
    cdef public Index work


cdef Index _lane(Boxes boxes, Matching match) noexcept nogil
cdef Flag _augment(Boxes boxes, Matching match, Index lane, Index first) noexcept nogil
cpdef Flag cannot_match(Game game, Boxes boxes, Matching match) noexcept nogil
