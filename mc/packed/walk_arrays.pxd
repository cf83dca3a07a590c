from puzzlemc.mc.packed.inspection cimport CLEAR, MASK, PLACE, VALUE, Masks, order_by_location, source_of, target_of
from puzzlemc.mc.words cimport ALL, Bytes, Flag, Index, Ints, Numbers, Numbers2, Word, Words2, Words3, bit, lowest_bit


cdef Flag _find_walks(Masks masks, Bytes is_code, Bytes found) noexcept nogil
cdef Flag _have_reverse(Masks masks, Bytes walking, Numbers first, Numbers order) noexcept nogil
cdef Flag _is_reverse(Masks masks, Index i, Index j) noexcept nogil
cdef void _arrange(Masks masks, Numbers first, Numbers order, Numbers2 steps, Words3 rows) noexcept nogil
cdef Flag _find_near(Masks masks, Words2 objects, Words2 near) noexcept nogil
cdef void _find_blocked(Words2 objects, Ints blocked) noexcept nogil
cdef void _unite(Words2 near, Words2 found) noexcept nogil
