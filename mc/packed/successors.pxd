from puzzlemc.mc.packed.tables cimport Tables, Walks, fits, held
from puzzlemc.mc.words cimport ALL, Bytes, Bytes2, Flag, Index, Numbers, Word, Words, Words2, bit, lowest_bit


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
cdef Index successors(Tables tables, Successors found) noexcept nogil
