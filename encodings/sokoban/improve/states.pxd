from puzzlemc.mc.words cimport Flag, Index, Ints, Ints2, Word, mixed


cdef class States:
    cdef Ints2 rows
    cdef Ints buffer
    cdef Index count
    cdef Ints parents
    cdef Ints slots
    cdef Ints slot_of
    cdef Index mask


cdef Index known(States states) noexcept nogil
cdef Index insert(States states) noexcept nogil
cdef void clear(States states) noexcept nogil
cdef Index length_of_path(States states, Index number) noexcept nogil
