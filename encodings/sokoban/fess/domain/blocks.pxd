from puzzlemc.encodings.sokoban.fess.domain.games cimport Floor
from puzzlemc.mc.words cimport Flag, Index, Shorts

cpdef enum:
    FULL = 32767


cdef class Tree:
    cdef readonly Shorts found
    cdef readonly Shorts order
    cdef readonly Shorts up
    cdef readonly Shorts turn
    cdef readonly Shorts low
    cdef readonly Shorts size
    cdef readonly Shorts least
    cdef readonly Shorts block
    cdef readonly Shorts parts
    cdef readonly Shorts cut
    cdef readonly Shorts rest
    cdef readonly Index root
    cdef readonly Index count
    cdef readonly Index part_size
    cdef readonly Index part_least


cpdef Index find_blocks(Floor floor, Index root, Tree tree) noexcept nogil
cdef void _search(Floor floor, Index root, Tree tree) noexcept nogil
cpdef Index edge(Tree tree, Index cell, Index other) noexcept nogil
cpdef Index parts_at(Tree tree, Index cell) noexcept nogil
cpdef Index part_at(Tree tree, Index cell, Index player) noexcept nogil
cpdef Flag is_in_part(Floor floor, Tree tree, Index cell, Index first, Index other) noexcept nogil
