from puzzlemc.encodings.sokoban.proof.board cimport INFINITE, Distances
from puzzlemc.encodings.sokoban.proof.positions cimport Positions
from puzzlemc.mc.words cimport Flag, Index, Numbers

cdef class Assignment:
    cdef Numbers of_target
    cdef Numbers of_box
    cdef Numbers match
    cdef Numbers way
    cdef Numbers used
    cdef Numbers least


cpdef Flag is_at_least(
    Assignment prices, Distances distances, Positions positions, Index i, Index need
) noexcept nogil
cdef void _find_prices(Assignment prices, Distances distances, Positions positions, Index i) noexcept nogil
