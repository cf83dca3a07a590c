from puzzlemc.mc.packed.costs cimport INFINITE
from puzzlemc.mc.packed.state_table cimport StateTable, find
from puzzlemc.mc.packed.tables cimport Tables
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints3, Numbers, Numbers2, Word, Words2, lowest_bit


cdef class Frozen:
    cdef readonly Numbers first
    cdef Words2 block
    cdef Numbers into
    cdef Numbers2 steps
    cdef Words2 wall
    cdef Numbers targets
    cdef readonly StateTable sets
    cdef readonly Ints3 costs
    cdef readonly Index largest_increase
    cdef readonly Words2 kept
    cdef Numbers ring
    cdef Bytes queued


cdef Index frozen_costs(Frozen frozen, Tables tables, Words2 rows, Index i, Index most) noexcept nogil
cdef Flag _frozen_objects(Frozen frozen, Tables tables, Words2 rows, Index i) noexcept nogil
cdef Index _costs_beside(Frozen frozen, Index most) noexcept nogil
cdef void _compute_costs(Frozen frozen, Index number, Index k) noexcept nogil
