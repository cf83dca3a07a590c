from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks, flood, new_stamp
from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes, Floor, Game
from puzzlemc.mc.words cimport Bytes, Flag, Index

cpdef enum:
    NO_BARRIER = 1073741824
    NEAR = 1
    FAR = 2
    FREE = 4


cdef class Barriers:
    cdef readonly Bytes best
    cdef readonly Bytes kinds
    cdef readonly Floor barrier
    cdef readonly Floor shore
    cdef readonly Marks area
    cdef readonly Marks around
    cdef readonly Index work


cpdef Index find_barrier(
    Barriers barriers, Game game, Floor floor, Boxes boxes, Marks marks, Index player
) noexcept nogil
cdef void _find_kinds(Barriers barriers, Game game, Floor floor, Boxes boxes, Marks marks) noexcept nogil
cdef Index _close(
    Barriers barriers, Game game, Floor floor, Boxes boxes, Marks marks, Index player
) noexcept nogil
cdef Flag _grow(Barriers barriers, Floor floor, Index cell) noexcept nogil
cdef Flag _must_be_pushed(Barriers barriers, Game game, Floor floor) noexcept nogil
