from puzzlemc.mc.words cimport Bytes, Index, Ints, Ints2, Numbers, Numbers2

cpdef enum:
    FAR = 2147483647


cdef class Adjacency:
    cdef Numbers first
    cdef Ints other
    cdef Ints action


cdef class Plans:
    cdef Ints step_cost
    cdef Ints gone
    cdef Ints left
    cdef Index best
    cdef Index initial
    cdef Ints number
    cdef Ints entries
    cdef Index entry_count
    cdef Numbers2 steps
    cdef readonly Index step_count
    cdef Ints seen
    cdef Ints queue


cpdef void turn(Adjacency edges, Adjacency back) noexcept nogil
cdef Index _largest(Ints numbers) noexcept nogil
cdef void _distances(
    Adjacency edges, Ints step_cost, Ints starts, Ints distance, Ints2 links, Ints bucket
) noexcept nogil
cdef void _insert(Ints2 links, Ints bucket, Index place, Index s) noexcept nogil
cdef void _remove(Ints2 links, Ints bucket, Index place, Index s) noexcept nogil
cdef Index _cheapest_path(
    Adjacency back, Ints step_cost, Ints distance, Index initial, Ints lasts, Numbers by, Ints queue
) noexcept nogil
cdef Index _enter(Plans plans, Index s) noexcept nogil
cdef void _paid_steps(Adjacency edges, Plans plans) noexcept nogil
cdef Index _shortest_path(
    Adjacency edges, Index start, Bytes within, Bytes to, Ints came, Ints queue
) noexcept nogil
