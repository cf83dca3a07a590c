from puzzlemc.mc.packed.costs cimport INFINITE
from puzzlemc.mc.patterns.bucket_queue cimport BucketQueue, clear, least_key, dequeue, enqueue
from puzzlemc.mc.words cimport Index, Ints, Numbers


cdef class Transitions:
    cdef readonly Ints source
    cdef readonly Ints row
    cdef readonly Numbers into
    cdef readonly Ints goals
    cdef readonly Numbers operator_first
    cdef readonly Ints operators
    cdef Numbers row_values


cdef Index _distances(Transitions transitions, Numbers costs, BucketQueue queue, Ints distances) noexcept nogil
cdef void _saturate(Transitions transitions, Ints distances, Numbers saturated) noexcept nogil
