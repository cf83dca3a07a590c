from puzzlemc.mc.astar.search cimport ENDED, FULL, MET, PAUSED, Progress, is_first, raise_limit, swap
from puzzlemc.mc.heuristics.assignment cimport Matching, bound_near
from puzzlemc.mc.packed.buckets cimport Space, is_over, lowest, put
from puzzlemc.mc.packed.costs cimport INFINITE, NEVER
from puzzlemc.mc.packed.state_table cimport find
from puzzlemc.mc.packed.successors cimport Region, flood, spread, spread_in_word
from puzzlemc.mc.packed.tables cimport Tables
from puzzlemc.mc.words cimport ALL, Flag, Index, Numbers, Word, Words2, Words3, bit, lowest_bit

cpdef enum:
    ROW = 0
    COST = 2
    LOCATION = 3
    BEFORE = 4
    ACTION = 5
    LINK = 6

cpdef enum:
    BOUND = 0
    OPPOSITE = 1
    LAST = 2


cdef class Waves(Space):
    cdef public Words3 sets
    cdef public Words2 fronts
    cdef Index free


cdef class WaveProgress(Progress):
    cdef public Index code
    cdef Index begun


cdef class Side:
    cdef readonly Tables tables
    cdef readonly Waves waves
    cdef readonly Index arrival
    cdef Region region
    cdef Matching matching
    cdef Numbers steps
    cdef Words2 row
    cdef Words2 here
    cdef Words2 after
    cdef Words2 front
    cdef Words2 following


cpdef Index least_cost(Side side, Index row, Index code) noexcept nogil
cpdef void begin(Side side, Words2 rows) noexcept nogil
cdef void _admit(Waves waves, Index limit) noexcept nogil
cdef Index _new_wave(Waves waves) noexcept nogil
cdef Index _new_arrival(Waves waves, Index row, Index cost, Index place) noexcept nogil
cdef Index _enter_row(Side side) noexcept nogil
cdef void _meet_at(Side other, Index opposite, Words2 fronts, Index i, Index cost, WaveProgress progress) noexcept nogil
cdef Flag _is_full(Side side, Index cost) noexcept nogil
cdef Flag _take(Side side, Index number, Index at) noexcept nogil
cdef void _go_on(Side side, Side other, WaveProgress progress, Index at, Index now) noexcept nogil
cdef void _leave(
    Side side, Side other, WaveProgress progress, Index at, Index code, Index now
) noexcept nogil
cdef void _arrive(Side side, Side other, WaveProgress progress, Index at, Index a, Index now) noexcept nogil
cdef Index _follow(Side side, Side other, WaveProgress progress) noexcept nogil
cdef Index _meet(Side ahead, Side behind, WaveProgress progress) noexcept nogil
