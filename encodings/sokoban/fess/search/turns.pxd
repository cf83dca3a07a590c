from puzzlemc.encodings.sokoban.fess.domain.counters cimport CELLS, OUT_OF_PLAN, REGIONS
from puzzlemc.mc.words cimport Flag, Index, Ints


cdef class Turns:
    cdef readonly Index cursor
    cdef public Index tick
    cdef readonly Flag eager


cpdef Index next_cell(Turns turns, Ints heads) noexcept nogil
cpdef Index next_best(Ints heads, Index skipped) noexcept nogil
cdef Index _next_in_turn(Turns turns, Ints heads) noexcept nogil
