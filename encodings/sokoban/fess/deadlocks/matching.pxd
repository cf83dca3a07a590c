from puzzlemc.encodings.sokoban.fess.deadlocks.freeze cimport freeze, thaw
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, Boxes, Game
from puzzlemc.encodings.sokoban.fess.domain.pairing cimport Pairing, augment, clear
from puzzlemc.encodings.sokoban.fess.domain.reach cimport Reach, fill_reach
from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Word, Words, Words2, Words3, bit

cpdef enum:
    LANES = 32


cdef class Matching:
    cdef readonly Reach reach
    cdef readonly Ints targets
    cdef readonly Words3 ways
    cdef readonly Words2 frozen
    cdef readonly Words row
    cdef readonly Pairing pairing


cdef Index _lane(Boxes boxes, Matching match) noexcept nogil
cpdef Flag cannot_match(Game game, Boxes boxes, Matching match) noexcept nogil
