from puzzlemc.mc.patterns.operators cimport Operators
from puzzlemc.mc.words cimport Flag, Index, Numbers, Numbers2, Word, Words, Words2, left


cdef class PackedTask:
    cdef readonly Operators operators
    cdef readonly Index words
    cdef readonly Numbers word
    cdef readonly Numbers shift
    cdef readonly Words mask
    cdef readonly Numbers2 goal
    cdef readonly Numbers tree
    cdef readonly Numbers leaves
    cdef readonly Numbers layers
    cdef readonly Numbers axiom_first
    cdef readonly Numbers2 axiom_condition
    cdef readonly Numbers2 heads
    cdef readonly Numbers2 defaults
    cdef readonly Numbers before
    cdef readonly Numbers after
    cdef readonly Numbers changed
    cdef readonly Index changed_count
    cdef readonly Numbers applicable
    cdef Numbers stack


cdef void read_state(PackedTask task, Words2 rows, Index i) noexcept nogil
cdef void write_successor(PackedTask task, Words2 rows, Index parent, Index i) noexcept nogil
cdef void complete(PackedTask task) noexcept nogil
cdef Flag is_goal(PackedTask task) noexcept nogil
cdef Index find_applicable(PackedTask task) noexcept nogil
cdef void apply(PackedTask task, Index operator) noexcept nogil
cdef void enter_successor(PackedTask task) noexcept nogil
cdef Flag is_applicable(PackedTask task, Index operator) noexcept nogil
cdef void forget_successor(PackedTask task) noexcept nogil
cdef Flag _agrees(Numbers2 facts, Index first, Index last, Numbers values) noexcept nogil
