from puzzlemc.mc.heuristics.assignment cimport Matching, bound_near, keep
from puzzlemc.mc.packed.tables cimport Tables
from puzzlemc.mc.words cimport Bytes, Bytes2, Bytes3, Flag, Index, Ints2, Ints3, Numbers, Numbers2, Shorts3, Shorts4
from puzzlemc.mc.words cimport Word, Words2, lowest_bit

cpdef enum:
    FAR = 16384
    NOWHERE = 255
    SCALE = 4
    SWEEPS = 2


cdef class PairActions:
    cdef readonly Numbers first
    cdef readonly Numbers2 steps
    cdef Bytes2 block
    cdef readonly Numbers codes
    cdef readonly Numbers ends


cdef class Pairs:
    cdef readonly Numbers at
    cdef readonly Bytes3 part
    cdef readonly Shorts4 costs
    cdef readonly Bytes hinders
    cdef readonly Index most
    cdef readonly Index step
    cdef readonly Index unit
    cdef readonly PairActions actions
    cdef Numbers2 alone
    cdef Numbers2 excess
    cdef Numbers u
    cdef Numbers v


cdef Index bound_of_pairs(Pairs pairs, Tables tables, Words2 rows, Index i, Matching matching) noexcept nogil
cdef Index _pair(Index first, Index second) noexcept nogil
cdef Index _number_parts(Words2 near, Numbers blocked, Bytes here, Bytes3 part, Numbers queue) noexcept nogil
cdef void _mark_hindering(Bytes3 part, Shorts4 costs, Ints3 distance, Numbers bits, Bytes found) noexcept nogil
cdef Index _list_costs(
    PairActions actions, Bytes3 part, Index i, Index j, Shorts3 cost, Ints2 queue, Shorts4 costs
) noexcept nogil
cdef void _list_costs_alone(Pairs pairs, Matching matching) noexcept nogil
cdef void _center(Pairs pairs, Matching matching) noexcept nogil
cdef Index _list_excesses(Pairs pairs, Matching matching) noexcept nogil
cdef Index _excess(Pairs pairs, Matching matching, Index one, Index two, Index pair, Index part) noexcept nogil
cdef Index _disjoint_excesses(Pairs pairs, Index found) noexcept nogil
