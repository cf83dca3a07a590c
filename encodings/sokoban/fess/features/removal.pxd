from puzzlemc.encodings.sokoban.fess.domain.blocks cimport Tree, edge, find_blocks
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks, flood, new_stamp
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, Floor
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints

cpdef enum:
    FREE_PLAYER = 1
    FARTHEST_FIRST = 2
    MOST_WORK = 8388608


cdef class Removal:
    cdef readonly Floor floor
    cdef readonly Index kind
    cdef readonly Index variant
    cdef readonly Ints targets
    cdef readonly Bytes is_source
    cdef readonly Bytes was_source
    cdef readonly Bytes is_floor
    cdef readonly Index box
    cdef readonly Index end
    cdef readonly Index player
    cdef Index _least
    cdef Index _work
    cdef Marks _marks
    cdef Tree _tree
    cdef Ints _steps
    cdef Ints _waiting


cpdef void remove_box(Removal removal) noexcept nogil
cdef void _find(Removal removal, Index player, Bytes ends, Flag is_source) noexcept nogil
cdef Index _begin(Removal removal, Index player, Index box) noexcept nogil
cdef Index _search(Removal removal, Bytes ends, Index tail) noexcept nogil
cdef Index _step(Removal removal, Index state, Index tail) noexcept nogil
