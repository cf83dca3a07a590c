from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation cimport DEAD, FEW, MANY, Relaxation, cached, is_dead
from puzzlemc.encodings.sokoban.fess.domain.counters cimport Counters
from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes, Floor
from puzzlemc.encodings.sokoban.fess.domain.positions cimport Positions
from puzzlemc.mc.words cimport Flag, Index, Shorts2, Word, Words, bit

cpdef enum:
    MOST = 8
    ENOUGH = 2000000
    BEGINS = 3
    SHARE = 3


cdef class Groups:
    cdef readonly Shorts2 nearby
    cdef public Index begins
    cdef readonly Words keys
    cdef Word waited


cpdef Flag is_dead_group(Groups groups, Relaxation r, Floor floor, Index box, Index player, Index most) noexcept nogil
cpdef Flag has_dead_group(
    Groups groups, Relaxation r, Floor floor, Boxes boxes, Positions positions, Index number, Counters counters
) noexcept nogil
cdef Index _gather(Groups groups, Relaxation r, Floor floor, Index begin, Index player) noexcept nogil
