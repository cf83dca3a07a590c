from puzzlemc.mc.words cimport Index, Word, Numbers, mixed


cdef class Graph:
    cdef Numbers first
    cdef Numbers neighbours


cdef Index _increase(Graph graph, Numbers position, Index node, Index other, Index target) noexcept nogil
cdef Index _descend(Graph graph, Numbers order, Numbers position, Word seed, Index work) noexcept nogil
