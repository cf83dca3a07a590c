from puzzlemc.encodings.sokoban.fess.domain.bitboards cimport Bitboard, Region, fill, is_in
from puzzlemc.encodings.sokoban.fess.domain.games cimport Floor
from puzzlemc.mc.words cimport Flag, Index, Ints, Shorts, Shorts2

cpdef enum:
    MOST_MARKS = 1073741824


cdef class Marks:
    cdef readonly Ints seen
    cdef readonly Shorts cells
    cdef readonly Shorts starts
    cdef readonly Index regions
    cdef readonly Index stamp
    cdef readonly Index reached
    cdef readonly Index least
    cdef Index _ended


cpdef void new_stamp(Marks marks) noexcept nogil
cpdef Index flood(Floor floor, Index start, Marks marks) noexcept nogil
cpdef Index least_after(
    Floor floor, Bitboard board, Region lit, Index box, Index target, Index player, Marks marks, Region after
) noexcept nogil
cpdef Index count_regions(Floor floor, Marks marks) noexcept nogil
cpdef Index list_regions(Floor floor, Marks marks) noexcept nogil
cdef Index _fill(Floor floor, Marks marks, Index head) noexcept nogil
cdef Index _joined(Index group, Index links) noexcept nogil
cdef Index _end_of(Floor floor, Index one, Index other, Marks marks) noexcept nogil
cdef void _find_least(Marks marks, Index first, Index last) noexcept nogil
cdef Index _count_steps(Shorts2 near, Index start, Ints steps, Shorts queue) noexcept nogil
