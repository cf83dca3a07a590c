from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH
from puzzlemc.encodings.sokoban.fess.domain.lone_box cimport NEVER, LoneBox, spread_from
from puzzlemc.mc.words cimport Bytes2, Flag, Index, Ints, Ints2

cpdef void mark_bars(LoneBox lone, Index goal, Ints source, Index first, Bytes2 bars, Index row) noexcept nogil
cdef void _mark_way(LoneBox lone, Index goal, Ints source, Index first, Bytes2 bars, Index row) noexcept nogil
cpdef void gather_out_of_plan(Ints order, Ints2 far, Ints2 following, Bytes2 out_of_plan) noexcept nogil
