from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks, flood, new_stamp
from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes, Floor, lift, put_down
from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Ints2, Word, Words2, bit

cpdef enum:
    PATTERNS = 16384
    BLOCK = 16
    BLOCKS = 4096


cdef class Patterns:
    cdef readonly Floor floor
    cdef readonly Marks marks
    cdef readonly Words2 rows
    cdef readonly Words2 parts
    cdef readonly Ints first
    cdef readonly Ints fill
    cdef readonly Words2 folded
    cdef readonly Ints2 numbers
    cdef readonly Ints after
    cdef public Index number
    cdef public Index blocks


cpdef Flag is_pattern(Patterns patterns, Boxes boxes, Index box, Index player) noexcept nogil
cpdef Flag has_pattern(Patterns patterns, Boxes boxes, Index player) noexcept nogil
cpdef void learn(Patterns patterns, Boxes boxes, Index player) noexcept nogil
