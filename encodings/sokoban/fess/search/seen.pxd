from puzzlemc.mc.words cimport Index, Numbers, Word, Words


cdef class Seen:
    cdef readonly Words hashes
    cdef readonly Numbers refs
    cdef readonly Index total


cpdef void insert(Seen seen, Word hashed, Index ref) noexcept nogil
cpdef Index look_up(Seen seen, Word hashed) noexcept nogil
cpdef void insert_all(Seen seen, Seen other) noexcept nogil
cpdef void insert_side(Seen seen, Words hashes, Index count, Index name) noexcept nogil
cdef Index _slot_of(Seen seen, Word hashed) noexcept nogil
