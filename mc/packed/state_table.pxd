from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Word, Words2, mixed


cdef class StateTable:
    cdef public Words2 rows
    cdef public Ints slots
    cdef public Index used


cdef Index find(StateTable table, Words2 rows, Index i) noexcept nogil
cdef Word hash_of(Words2 rows, Index i) noexcept nogil
cdef Index home(Index slots, Word hash) noexcept nogil
cdef Index find_hashed(StateTable table, Words2 rows, Index i, Word hash) noexcept nogil
cdef void rehash(StateTable table) noexcept nogil
cdef Index _number_of(StateTable table, Words2 row) noexcept nogil
