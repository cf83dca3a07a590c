from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes, Floor
from puzzlemc.encodings.sokoban.fess.features.lanes cimport FAR
from puzzlemc.mc.words cimport Bytes2, Index, Ints, Ints2


cdef class Stages:
    cdef readonly Ints order
    cdef readonly Ints2 far
    cdef readonly Ints2 next
    cdef readonly Bytes2 out_of_plan


cpdef Index stage_of(Stages stages, Floor floor) noexcept nogil
cpdef Index distance_at(Stages stages, Index stage, Boxes boxes, Index weight) noexcept nogil
cpdef Index count_astray(Stages stages, Index stage, Boxes boxes) noexcept nogil
