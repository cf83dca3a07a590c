from puzzlemc.mc.packed.state_table cimport StateTable, find
from puzzlemc.mc.planning.packed_task cimport (
    PackedTask,
    apply,
    find_applicable,
    forget_successor,
    is_goal,
    read_state,
    write_successor,
)
from puzzlemc.mc.planning.satisficing.landmark_count cimport LandmarkCount, count_landmarks
from puzzlemc.mc.planning.satisficing.open_lists cimport OpenLists, insert, next_list, remove
from puzzlemc.mc.planning.satisficing.relaxed_plan cimport RelaxedPlan, evaluate
from puzzlemc.mc.planning.search cimport ENDED, FOUND, FULL, PAUSED
from puzzlemc.mc.words cimport Flag, Index, Ints2, Words2

cpdef enum:
    PREFERRED = 2
    LISTS = 4
    BOOST = 1000


cdef class LazySearch(StateTable):
    cdef readonly PackedTask task
    cdef readonly RelaxedPlan relaxed
    cdef readonly LandmarkCount landmarks
    cdef public Ints2 parents
    cdef public Words2 reached
    cdef readonly OpenLists lists
    cdef readonly Index least_plan
    cdef readonly Index least_landmarks
    cdef readonly Index evaluated
    cdef readonly Index goal


cdef Index _advance(LazySearch search, PackedTask task, OpenLists lists, Index evaluations) noexcept nogil
cdef void _start(LazySearch search) noexcept nogil
cdef Flag _has_room(LazySearch search) noexcept nogil
cdef void _expand(LazySearch search, PackedTask task, Index at) noexcept nogil
