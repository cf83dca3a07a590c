from puzzlemc.encodings.sokoban.fess.domain.blocks cimport Tree
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks
from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes
from puzzlemc.encodings.sokoban.fess.domain.positions cimport Positions
from puzzlemc.mc.words cimport ALL, Flag, Index, Word, Words, Words2

cpdef enum:
    IMAGES = 8


cdef class Images:
    cdef readonly Flag some
    cdef readonly Words2 boxes
    cdef readonly Words2 player
    cdef readonly Words plain
    cdef readonly Words2 sums
    cdef readonly Words2 cuts


cpdef void hash_boxes(Images images, Boxes boxes) noexcept nogil
cpdef Word hash_flood(Images images, Marks marks, Index size) noexcept nogil
cpdef void sum_up(Images images, Tree tree) noexcept nogil
cpdef Word hash_move(Images images, Tree tree, Index box, Index target, Index first) noexcept nogil
cpdef Index find_hash(Positions positions, Word hashed) noexcept nogil
