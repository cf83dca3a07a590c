from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes, Floor
from puzzlemc.encodings.sokoban.fess.domain.lone_box cimport NEVER
from puzzlemc.encodings.sokoban.fess.domain.pairing cimport Pairing, augment, clear, find_gains
from puzzlemc.encodings.sokoban.fess.features.lanes cimport FAR, Lanes, lane_of
from puzzlemc.mc.words cimport ALL, Bytes, Flag, Index, Ints, Word, Words, Words2, bit, lowest_bit


cdef class Evaluation:
    cdef readonly Words packed
    cdef readonly Ints nearest
    cdef readonly Ints steps
    cdef readonly Index lane
    cdef readonly Index stage
    cdef readonly Index distance
    cdef readonly Index astray
    cdef readonly Index lost
    cdef readonly Index apart
    cdef readonly Index missed
    cdef readonly Index alone


cdef class LoosePlan:
    cdef readonly Ints order
    cdef readonly Bytes is_target
    cdef readonly Words2 need
    cdef readonly Words2 bars
    cdef readonly Lanes lanes
    cdef readonly Pairing pairing
    cdef readonly Index walled
    cdef readonly Flag exact
    cdef readonly Evaluation whole
    cdef readonly Evaluation rest


cpdef void judge_rest(LoosePlan plan, Floor floor, Boxes boxes, Index leave, Index player) noexcept nogil
cpdef void judge(LoosePlan plan, Floor floor, Boxes boxes, Index player) noexcept nogil
cpdef void judge_child(
    LoosePlan plan, Floor floor, Boxes boxes, Index target, Index begun, Index player
) noexcept nogil
cdef void _pack(LoosePlan plan, Evaluation result, Floor floor) noexcept nogil
cdef void _sum_up(LoosePlan plan) noexcept nogil
cdef Flag _bars_nothing(LoosePlan plan, Boxes boxes, Index begun, Index player) noexcept nogil
cdef void _judge_packed(LoosePlan plan, Boxes boxes, Index target, Index player) noexcept nogil
cdef Index _nearest_steps(LoosePlan plan, Index lane, Index box) noexcept nogil
cdef void _clear(LoosePlan plan, Evaluation result) noexcept nogil
cdef void _count_targets(LoosePlan plan, Evaluation result) noexcept nogil
cdef void _judge_unpacked(
    LoosePlan plan, Evaluation result, Floor floor, Boxes boxes, Index leave, Index player
) noexcept nogil
cdef Index _near_targets(LoosePlan plan, Evaluation result, Index lane, Index box) noexcept nogil
cdef void _add_box(LoosePlan plan, Index box, Index player) noexcept nogil
