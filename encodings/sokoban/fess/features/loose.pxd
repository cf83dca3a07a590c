from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes, Floor
from puzzlemc.encodings.sokoban.fess.domain.lone_box cimport NEVER
from puzzlemc.encodings.sokoban.fess.features.lanes cimport FAR, Lanes, is_reachable, lane_of
from puzzlemc.mc.words cimport Bytes, Bytes2, Flag, Index, Ints


cdef class Evaluation:
    cdef readonly Bytes packed
    cdef readonly Ints nearest
    cdef readonly Index lane
    cdef readonly Index stage
    cdef readonly Index distance
    cdef readonly Index astray
    cdef readonly Index lost


cdef class LoosePlan:
    cdef readonly Ints order
    cdef readonly Bytes is_target
    cdef readonly Bytes2 need
    cdef readonly Bytes2 bars
    cdef readonly Lanes lanes
    cdef readonly Index walled
    cdef readonly Evaluation whole
    cdef readonly Evaluation rest


cpdef void judge_rest(LoosePlan plan, Floor floor, Boxes boxes, Index leave, Index player) noexcept nogil
cpdef void judge(LoosePlan plan, Floor floor, Boxes boxes, Index player) noexcept nogil
cpdef void judge_child(
    LoosePlan plan, Floor floor, Boxes boxes, Index target, Index begun, Index player
) noexcept nogil
cdef void _pack(LoosePlan plan, Evaluation result, Floor floor) noexcept nogil
cdef void _judge_whole(LoosePlan plan, Floor floor, Boxes boxes, Index player) noexcept nogil
cdef void _judge_unpacked(
    LoosePlan plan, Evaluation result, Floor floor, Boxes boxes, Index leave, Index player
) noexcept nogil
cdef Index _near_targets(LoosePlan plan, Evaluation result, Index lane, Index box) noexcept nogil
cdef void _add_box(LoosePlan plan, Index box, Index player) noexcept nogil
