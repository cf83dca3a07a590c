from puzzlemc.encodings.sokoban.fess.domain.blocks cimport Tree, edge, find_blocks
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, Floor
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Shorts, Words2, Words3, bit

cpdef enum:
    DONE = -1


cdef class Reach:
    cdef readonly Floor floor
    cdef readonly Index kind
    cdef readonly Ints targets
    cdef readonly Flag exact
    cdef readonly Shorts nodes
    cdef readonly Words2 comes
    cdef Shorts _own
    cdef Tree _tree
    cdef Shorts _numbers
    cdef Shorts _lows
    cdef Shorts _open
    cdef Shorts _path
    cdef Bytes _ways
    cdef Index _visited


cpdef Index fill_reach(Reach reach, Words3 table, Index lane) noexcept nogil
cdef void _join_sides(Reach reach) noexcept nogil
cdef void _find_nodes(Reach reach) noexcept nogil
cdef void _visit(Reach reach, Index node) noexcept nogil
cdef void _search(Reach reach, Index root) noexcept nogil
cdef Index _complete(Reach reach, Index root, Index tail) noexcept nogil
