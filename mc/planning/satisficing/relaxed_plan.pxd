from puzzlemc.mc.patterns.bucket_queue cimport BucketQueue, clear, dequeue, enqueue, least_key
from puzzlemc.mc.words cimport Bytes, Index, Ints, Numbers

cpdef enum:
    DEAD = -1
    MOST = 536870912


cdef class RelaxedPlan:
    cdef readonly Ints first
    cdef readonly Ints condition_first
    cdef readonly Ints condition
    cdef readonly Ints fact
    cdef readonly Ints cost
    cdef readonly Ints operator
    cdef readonly Ints user_first
    cdef readonly Ints user
    cdef readonly Ints free
    cdef readonly Ints sizes
    cdef readonly Index fact_count
    cdef readonly Index goal
    cdef Ints fact_cost
    cdef Ints supporter
    cdef Ints missing
    cdef Ints total
    cdef BucketQueue queue
    cdef Ints stack
    cdef Bytes is_needed
    cdef readonly Numbers stamps
    cdef readonly Index stamp
    cdef readonly Index work


cdef Index evaluate(RelaxedPlan plan, Numbers values) noexcept nogil
cdef void _start(RelaxedPlan plan, Numbers values) noexcept nogil
cdef void _reach(RelaxedPlan plan, Index fact, Index cost, Index by) noexcept nogil
cdef void _propagate(RelaxedPlan plan) noexcept nogil
cdef Index _extract(RelaxedPlan plan) noexcept nogil
