from puzzlemc.mc.words cimport ALL, Bytes, Bytes2, Flag, Index, Ints2, Numbers, Numbers2, Word, Words, Words3
from puzzlemc.mc.words cimport count_bits, lowest_bit

cpdef enum:
    MASK = 0
    VALUE = 1
    CLEAR = 2
    PLACE = 3


cdef class Masks:
    cdef readonly Word key
    cdef readonly Words3 rows
    cdef readonly Numbers2 info


cdef Index source_of(Masks masks, Index i) noexcept nogil
cdef Index target_of(Masks masks, Index i) noexcept nogil
cdef Flag _keeps_objects(Masks masks, Words objects) noexcept nogil
cdef Flag _moves_one(Masks masks, Words objects) noexcept nogil
cdef Index _cost_unit(Masks masks) noexcept nogil
cdef void _find_dead(Masks masks, Numbers column, Bytes2 alive, Bytes found) noexcept nogil
cdef Flag _reverse(Masks masks, Words3 rows) noexcept nogil
cdef Flag order_by_location(Masks masks, Numbers first, Numbers order) noexcept nogil
cdef void _write_rows(Masks masks, Numbers order, Words3 rows, Ints2 info) noexcept nogil
