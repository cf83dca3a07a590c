from puzzlemc.mc.words cimport Index, Ints2, Numbers

cpdef enum:
    KEYS = 16384


cdef class OpenLists:
    cdef public Ints2 entries
    cdef Ints2 first
    cdef Ints2 last
    cdef Numbers least
    cdef readonly Numbers size
    cdef readonly Numbers priority
    cdef readonly Index entry_count
    cdef Index free


cdef void insert(OpenLists lists, Index number, Index key, Index state, Index operator) noexcept nogil
cdef Index next_list(OpenLists lists) noexcept nogil
cdef Index remove(OpenLists lists, Index number) noexcept nogil
