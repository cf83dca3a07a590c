from puzzlemc.mc.words cimport ALL, Bytes, Flag, Index, Ints2, Numbers, Word, Words, Words2, Words3, count_bits
from puzzlemc.mc.words cimport lowest_bit


cdef class Masks:
    cdef Word key
    cdef Words2 mask
    cdef Words2 value
    cdef Words2 clear
    cdef Words2 place
    cdef Numbers step_cost
    cdef readonly Numbers number


cdef Index _source(Masks masks, Index i) noexcept nogil
cdef Index _target(Masks masks, Index i) noexcept nogil
cdef Flag _find_walks(Masks masks, Bytes is_code, Bytes found) noexcept nogil
cdef Flag _have_reverse(Masks masks, Bytes walking, Numbers first, Numbers order) noexcept nogil
cdef Flag _is_reverse(Masks masks, Index i, Index j) noexcept nogil
cdef void _unite(Words2 near, Words2 found) noexcept nogil
cdef Flag _keeps_objects(Masks masks, Words objects) noexcept nogil
cdef Flag _moves_one(Masks masks, Words objects) noexcept nogil
cdef Flag _order_by_location(Masks masks, Numbers first, Numbers order) noexcept nogil
cdef void _write_rows(Masks masks, Numbers order, Words3 rows, Ints2 info) noexcept nogil
