from puzzlemc.mc.packed.costs cimport INFINITE
from puzzlemc.mc.patterns.bucket_queue cimport BucketQueue, clear, dequeue, enqueue, least_key
from puzzlemc.mc.patterns.estimate cimport Estimate
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Numbers

cpdef enum:
    ELSEWHERE = 0
    BEHIND = 1
    AHEAD = 2


cdef class LandmarkCut(Estimate):
    cdef readonly Ints first
    cdef readonly Ints condition_first
    cdef readonly Ints condition
    cdef readonly Ints effect_first
    cdef readonly Ints effect
    cdef readonly Ints operator
    cdef readonly Ints user_first
    cdef readonly Ints user
    cdef readonly Ints adder_first
    cdef readonly Ints adder
    cdef readonly Ints part_first
    cdef readonly Ints part
    cdef readonly Numbers costs
    cdef readonly Index always
    cdef readonly Index goal
    cdef Numbers left_over
    cdef Numbers fact_cost
    cdef Ints missing
    cdef Ints supporter
    cdef Bytes zone
    cdef Ints stack
    cdef Ints cut
    cdef Numbers stamps
    cdef Index stamp
    cdef BucketQueue queue
    cdef readonly Index work


cdef Index _bound(LandmarkCut cut, Numbers values) noexcept nogil
cdef void _explore(LandmarkCut cut, Numbers values) noexcept nogil
cdef void _reach(LandmarkCut cut, Index fact, Index cost) noexcept nogil
cdef void _use(LandmarkCut cut, Index by) noexcept nogil
cdef void _mark_behind(LandmarkCut cut) noexcept nogil
cdef Index _find_cut(LandmarkCut cut, Numbers values) noexcept nogil
cdef Index _take(LandmarkCut cut, Index size) noexcept nogil
cdef void _propagate(LandmarkCut cut) noexcept nogil
