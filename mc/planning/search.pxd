from puzzlemc.mc.packed.costs cimport INFINITE
from puzzlemc.mc.packed.state_table cimport StateTable, find
from puzzlemc.mc.patterns.bucket_queue cimport BucketQueue, has_room_for, least_key, dequeue, enqueue
from puzzlemc.mc.patterns.estimate cimport Estimate
from puzzlemc.mc.planning.packed_task cimport (
    PackedTask,
    apply,
    find_applicable,
    forget_successor,
    is_goal,
    read_state,
    write_successor,
)
from puzzlemc.mc.words cimport Flag, Index, Ints2, Word, left

cpdef enum:
    PARENT = 0
    OPERATOR = 1
    COST = 2
    BOUND = 3
    ENDED = 0
    FOUND = 1
    PAUSED = 2
    FULL = 3
    TOO_LARGE = 4
    MOST_COST = 1073741824


cdef class Search(StateTable):
    cdef readonly PackedTask task
    cdef readonly Estimate estimate
    cdef public Ints2 node_info
    cdef readonly BucketQueue queue
    cdef readonly Index expanded
    cdef readonly Index bound
    cdef readonly Index goal


cdef Index _advance(Search search, Index expansions) noexcept nogil
cdef Flag _has_room(Search search) noexcept nogil
cdef void _expand(Search search, PackedTask task, Index at) noexcept nogil
cdef void _open(Search search, Index number) noexcept nogil
cdef void _start(Search search) noexcept nogil
