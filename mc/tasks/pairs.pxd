from puzzlemc.mc.words cimport Flag, Index, Numbers, Word, Words, Words2, bit, lowest_bit

cdef class PairSystem:
    cdef Words2 can
    cdef Words2 allowed
    cdef Numbers first_read
    cdef Numbers reads
    cdef Numbers first_effect
    cdef Numbers effects
    cdef Numbers first_changed
    cdef Numbers changed
    cdef Numbers seen
    cdef Numbers grown
    cdef Words row


cdef Index _close(PairSystem system, Index most) noexcept nogil
cdef Flag _is_due(PairSystem system, Index rule) noexcept nogil
cdef Flag _fires(PairSystem system, Index rule) noexcept nogil
cdef void _fill_row(PairSystem system, Index rule) noexcept nogil
cdef Flag _add(PairSystem system, Index p, Index clock) noexcept nogil
