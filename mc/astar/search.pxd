from puzzlemc.mc.heuristics.assignment cimport Matching, bound_near
from puzzlemc.mc.heuristics.frozen cimport Frozen, frozen_costs
from puzzlemc.mc.heuristics.pairs cimport Pairs, bound_of_pairs
from puzzlemc.mc.heuristics.stubborn cimport StubbornSets, stubborn_set
from puzzlemc.mc.heuristics.triples cimport Triples, bound_by_prices, bound_of_triples
from puzzlemc.mc.packed.buckets cimport CLOSED, COST, Space, admit, enter, is_over, lowest, put, reopen_pruned
from puzzlemc.mc.packed.costs cimport INFINITE, NEVER
from puzzlemc.mc.packed.images cimport Images, least_image
from puzzlemc.mc.packed.state_table cimport find_hashed, hash_of, home
from puzzlemc.mc.packed.successors cimport Region, Successors, flood, successors
from puzzlemc.mc.packed.tables cimport Tables, held
from puzzlemc.mc.words cimport Bytes4, Flag, Index, Ints, Numbers, Numbers2, Word, Words, Words2

cpdef enum:
    ENDED = 0
    FOUND = 1
    PAUSED = 2
    MET = 3
    FULL = 4
    LOOKED = 4096
    EARNING = 64
    RESTED = 32768


cdef class Goal:
    cdef Words2 mask
    cdef Words2 value


cdef class Progress:
    cdef public Index best
    cdef public Index row
    cdef public Index opposite
    cdef public Index limit
    cdef public Index hit
    cdef public Index steps
    cdef public Index split
    cdef public Index other_split
    cdef public Flag by_layers
    cdef Numbers2 layers
    cdef public Flag is_inside
    cdef readonly Numbers2 exhausted


cdef class Side:
    cdef readonly Tables tables
    cdef readonly Frozen frozen
    cdef readonly StubbornSets stubborn
    cdef readonly Pairs pairs
    cdef public Triples triples
    cdef public Images images
    cdef Words2 image
    cdef public Space space
    cdef Space none
    cdef Matching matching
    cdef readonly Successors found
    cdef Numbers wanted
    cdef Numbers by_prices
    cdef Words hashes
    cdef Ints likely
    cdef Index met
    cdef Flag has_reopened
    cdef readonly Index looked
    cdef readonly Index deferred
    cdef readonly Index rest


cdef Flag is_first(Space ahead, Space behind, Progress progress) noexcept nogil
cdef void raise_limit(Space ahead, Space behind, Progress progress) noexcept nogil
cdef Index _two_layers(Space space, Progress progress, Index side) noexcept nogil
cdef void swap(Progress progress) noexcept nogil
cdef Index _estimate(Side side, Words2 rows, Index i, Flag with_pairs, Index most) noexcept nogil
cdef void _estimate_all(Side side, Words2 rows, Flag with_pairs, Numbers found) noexcept nogil
cdef void _estimate_by_triples(Side side, Words2 rows, Numbers found) noexcept nogil
cdef Index _expand(Side side, Words2 rows, Index i) noexcept nogil
cdef Flag _meets(Goal goal, Words2 rows, Index i) noexcept nogil
cdef Flag _is_full(Side side, Index cost) noexcept nogil
cdef Index _close(Side side, Space other, Goal goal, Progress progress, Flag greedy) noexcept nogil
cdef void _enter_successors(
    Side side, Space other, Progress progress, Index at, Flag greedy, Words2 after
) noexcept nogil
cdef Index _list_wanted(Side side, Progress progress, Index at, Words2 after) noexcept nogil
cdef void _reopen(Side side, Progress progress) noexcept nogil
cdef Index _search(Side side, Goal goal, Progress progress, Flag greedy) noexcept nogil
cdef Flag _is_within(Space ahead, Space behind, Index limit) noexcept nogil
cdef void _record_exhausted(Space space, Progress progress, Index side) noexcept nogil
cdef Index _meet(Side ahead, Side behind, Goal goal, Progress progress, Index least_cost) noexcept nogil
cdef void _mark(
    Tables tables, Space space, Numbers objects, Bytes4 marked, Numbers bits, Region region
) noexcept nogil
