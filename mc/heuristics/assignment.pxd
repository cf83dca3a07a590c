from puzzlemc.mc.packed.costs cimport INFINITE, NEVER
from puzzlemc.mc.packed.tables cimport Tables
from puzzlemc.mc.words cimport ALL, Bytes2, Flag, Index, Ints, Ints2, Ints3, Numbers, Word, Words, Words2
from puzzlemc.mc.words cimport bit, lowest_bit


cdef class Matching:
    cdef Ints3 distance
    cdef public Ints3 costs
    cdef Index beside
    cdef Index code
    cdef Index count
    cdef Numbers objects
    cdef Ints2 pairs
    cdef readonly Numbers match
    cdef Numbers u
    cdef Numbers v
    cdef Numbers previous
    cdef Numbers least
    cdef Numbers used
    cdef Ints2 alike
    cdef Words kept
    cdef Flag is_kept
    cdef Index kept_code
    cdef Index kept_beside
    cdef Numbers kept_objects
    cdef Numbers kept_match
    cdef Numbers kept_u
    cdef Numbers kept_v
    cdef Numbers changed
    cdef Index changes
    cdef Numbers free


cdef Index bound(Tables tables, Words2 rows, Index i, Matching matching) noexcept nogil
cdef void list_objects(Tables tables, Words2 rows, Index i, Matching matching) noexcept nogil
cdef Index assignment(Matching matching) noexcept nogil
cdef void _compare_locations(Matching matching) noexcept nogil
cdef void keep(Tables tables, Words2 rows, Index i, Matching matching, Index cost) noexcept nogil
cdef Index bound_near(Tables tables, Words2 rows, Index i, Matching matching) noexcept nogil
cdef Flag _list_changes(Tables tables, Words2 rows, Index i, Matching matching) noexcept nogil
cdef Index _assign_changed(Matching matching, Index targets) noexcept nogil
cdef void _copy_costs_of(Matching matching, Index j, Index targets) noexcept nogil
cdef void _copy_costs(Matching matching, Index targets) noexcept nogil
cdef Index _augment(Matching matching, Index target) noexcept nogil
cdef void _assign_all(Matching matching, Index count) noexcept nogil
cdef void _spread_costs(
    Tables tables, Numbers codes, Numbers places, Ints2 cost, Bytes2 queued, Ints ring, Words2 rows
) noexcept nogil
