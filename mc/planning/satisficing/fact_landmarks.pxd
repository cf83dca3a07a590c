from puzzlemc.mc.planning.satisficing.relaxed_plan cimport RelaxedPlan
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Word, Words, Words2, bit


cdef class FactLandmarks:
    cdef readonly Words2 sets
    cdef readonly Bytes is_reached
    cdef Ints waiting
    cdef Bytes is_waiting
    cdef Index first
    cdef Index count
    cdef Words union
    cdef readonly Index work


cdef void _begin(FactLandmarks landmarks, RelaxedPlan relaxed, Index fact) noexcept nogil
cdef void _await(FactLandmarks landmarks, Index unary) noexcept nogil
cdef void _await_users(FactLandmarks landmarks, RelaxedPlan relaxed, Index fact) noexcept nogil
cdef Flag _propagate(FactLandmarks landmarks, RelaxedPlan relaxed, Index work) noexcept nogil
cdef Flag _unite(FactLandmarks landmarks, RelaxedPlan relaxed, Index unary) noexcept nogil
cdef Flag _cut(FactLandmarks landmarks, Index fact) noexcept nogil
