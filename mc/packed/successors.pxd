from puzzlemc.mc.packed.inspection cimport CLEAR, PLACE, Masks, source_of
from puzzlemc.mc.packed.tables cimport Tables, Walks, fits, held
from puzzlemc.mc.words cimport ALL, Bytes, Bytes2, Flag, Index, Numbers, Numbers2, Word, Words, Words2, bit, lowest_bit


cdef class Region:
    cdef readonly Numbers codes
    cdef readonly Numbers far
    cdef Numbers seen
    cdef readonly Words2 sets


cdef class Successors:
    cdef public Words2 row
    cdef readonly Words2 after
    cdef readonly Numbers by
    cdef readonly Numbers step_cost
    cdef public Words allowed
    cdef Numbers bits
    cdef Region region
    cdef Region other


cdef Index flood(Walks walks, Words2 rows, Index i, Region region) noexcept nogil
cdef Word spread_in_word(Walks walks, Words2 rows, Index i) noexcept nogil
cdef void spread(Walks walks, Words2 rows, Index i, Region region) noexcept nogil
cdef void canonical_location(Walks walks, Words2 rows, Index i, Region region) noexcept nogil
cpdef Index successors(Tables tables, Successors found) noexcept nogil
cdef Flag _is_open(Walks walks, Words2 rows, Index i, Index e) noexcept nogil
cdef Index _least_in_set(Region region) noexcept nogil
cdef Index _least_code(Region region, Index count) noexcept nogil
cdef void _move_to(Walks walks, Words2 rows, Index i, Word code) noexcept nogil
cdef void _move_to_canonical(Walks walks, Words2 rows, Region region) noexcept nogil
cdef Index _regions_beside(
    Walks walks, Words2 kept, Numbers codes, Bytes2 free, Words2 found, Bytes done, Region region
) noexcept nogil
cdef Index _walk(Walks walks, Words2 row, Index to, Numbers2 path) noexcept nogil
cdef void _take(Masks steps, Index i, Words2 row) noexcept nogil
cdef Flag _is_entered(Tables tables, Words2 rows, Index i) noexcept nogil
cdef void _mark_entered(Tables tables, Words2 rows, Bytes found) noexcept nogil
cdef Flag _completes_triple(Tables tables, Words2 rows, Index i, Index a, Numbers bits) noexcept nogil
cdef Index _entered_around(Tables tables, Successors found, Index count, Index a) noexcept nogil
cdef Index _list_places(Tables tables, Successors found) noexcept nogil
cdef Flag _follow_object(Walks walks, Successors found, Index i) noexcept nogil
cdef Flag _are_linked(Walks walks, Region region) noexcept nogil
