from puzzlemc.mc.packed.state_table cimport StateTable, find
from puzzlemc.mc.patterns.bucket_queue cimport BucketQueue, dequeue, enqueue, has_room_for, least_key
from puzzlemc.mc.planning.packed_task cimport (
    PackedTask,
    apply,
    find_applicable,
    forget_successor,
    is_goal,
    read_state,
    write_successor,
)
from puzzlemc.mc.planning.search cimport ENDED, FOUND, FULL, PAUSED
from puzzlemc.mc.words cimport Flag, Index, Ints2, Numbers


cdef class Neighbourhood(StateTable):
    cdef readonly PackedTask task
    cdef readonly Numbers costs
    cdef readonly Ints2 parents
    cdef readonly BucketQueue queue
    cdef readonly Index most
    cdef readonly Index grown
    cdef readonly Index goal
    cdef readonly Index work


cdef void _open_first(Neighbourhood near) noexcept nogil
cdef void _follow(Neighbourhood near, PackedTask task, Numbers plan) noexcept nogil
cdef Index _added(Neighbourhood near, PackedTask task, Index parent) noexcept nogil
cdef Flag _grow(Neighbourhood near, PackedTask task, Index steps) noexcept nogil
cdef Index _advance(Neighbourhood near, PackedTask task, Index steps) noexcept nogil
