from puzzlemc.mc.graph.paths cimport Adjacency
from puzzlemc.mc.words cimport Bytes, Index, Ints, Numbers, Numbers2

cpdef enum:
    NO_SIDE = 255


cdef Index _leaving(Adjacency edges, Bytes chosen, Numbers2 found) noexcept nogil
cdef void _mark_neighbours(Adjacency edges, Numbers chosen, Bytes found) noexcept nogil
cdef void _until(Adjacency back, Bytes within, Bytes found, Ints stack, Index count) noexcept nogil
cdef void _always(Adjacency forth, Adjacency back, Bytes found, Ints left, Ints stack) noexcept nogil
cdef void _attract(
    Adjacency forth, Adjacency back, Bytes turn, Bytes winner, Ints turns, Numbers left, Ints queue
) noexcept nogil
