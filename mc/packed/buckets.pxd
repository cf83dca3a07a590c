from puzzlemc.mc.packed.costs cimport INFINITE
from puzzlemc.mc.packed.state_table cimport StateTable, find, find_hashed
from puzzlemc.mc.words cimport Flag, Index, Ints, Ints2, Word, Words2

cpdef enum:
    PARENT = 0
    ACTION = 1
    COST = 2
    CLOSED = 3


cdef class Space(StateTable):
    cdef public Ints2 node_info
    cdef public Ints2 entries
    cdef public Ints open_buckets
    cdef public Ints next_buckets
    cdef public Index entry_count
    cdef public Index least_open
    cdef public Index open_count
    cdef public Index next_count
    cdef public Index least_next
    cdef public Index pruned


cdef void _open_rows(Space space, Words2 rows) noexcept nogil
cdef void put(Space space, Index number, Index cost, Index estimate, Index limit) noexcept nogil
cdef void admit(Space space, Index limit) noexcept nogil
cdef void reopen_pruned(Space space, Index limit) noexcept nogil
cdef Index lowest(Space space) noexcept nogil
cdef Index enter(
    Space space, Words2 rows, Index i, Word hash, Index cost, Index at, Index action, Flag once
) noexcept nogil
cpdef Flag is_over(Space space) noexcept nogil
