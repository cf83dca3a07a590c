from puzzlemc.mc.heuristics.pairs cimport FAR, PairActions
from puzzlemc.mc.packed.costs cimport INFINITE
from puzzlemc.mc.packed.tables cimport Tables
from puzzlemc.mc.words cimport ALL, Bytes3, Flag, Index, Ints, Ints2, Numbers, Numbers2, Shorts, Shorts2
from puzzlemc.mc.words cimport Word, Words, Words2, bit, lowest_bit

cpdef enum:
    GROUPS = 512
    STARTS = 16
    MOST_OBJECTS = 64


cdef class Triples:
    cdef readonly Numbers at
    cdef readonly Index prices
    cdef Shorts2 alone
    cdef Bytes3 part
    cdef Shorts2 of_pairs
    cdef Ints first
    cdef Words2 regions
    cdef Shorts of_triples
    cdef Numbers halves
    cdef Index step
    cdef readonly Words2 adding
    cdef Words here
    cdef Numbers place
    cdef Numbers objects
    cdef Numbers own
    cdef Numbers2 pair
    cdef Words group
    cdef Numbers2 excess


cpdef Index triple_number(Index first, Index second, Index third) noexcept nogil
cpdef Index region_of(Ints first, Words2 regions, Index triple, Index code) noexcept nogil
cpdef Index sorted_number(Index one, Index two, Index three) noexcept nogil
cdef Index bound_of_triples(Triples triples, Tables tables, Words2 rows, Index i, Index enough) noexcept nogil
cdef Index bound_by_prices(Triples triples, Tables tables, Words2 rows, Index i) noexcept nogil
cdef Index _list_regions(
    Words2 near, Numbers blocked, Words here, Ints first, Words2 regions, Words2 scratch
) noexcept nogil
cdef void _take_region(Words2 near, Words2 scratch, Index start, Words2 regions, Index number) noexcept nogil
cdef void _list_triple_costs(
    PairActions actions, Numbers2 starts, Ints first, Words2 regions, Shorts of_triples, Ints2 queue
) noexcept nogil
cdef void _mark_adding(Triples triples) noexcept nogil
cdef Flag _adds(Triples triples, Index one, Index second, Index third, Index region) noexcept nogil
cdef Index _excess_of_pair(Triples triples, Index one, Index other, Index code) noexcept nogil
cdef Index _list_groups(Triples triples, Index count, Index code) noexcept nogil
cdef Index _disjoint(Triples triples, Index found, Index wanted) noexcept nogil
