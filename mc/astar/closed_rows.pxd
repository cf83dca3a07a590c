from puzzlemc.mc.heuristics.assignment cimport Matching, bound
from puzzlemc.mc.packed.buckets cimport CLOSED, COST, Space
from puzzlemc.mc.packed.costs cimport INFINITE
from puzzlemc.mc.packed.tables cimport Tables
from puzzlemc.mc.words cimport ALL, Index, Ints2, Numbers, Word, Words2, lowest_bit


cdef Index _list_closed(
    Tables tables, Space space, Index most_cost, Index most, Matching matching, Numbers found
) noexcept nogil
cdef void _take_apart(Words2 rows, Word key, Numbers location, Numbers at, Ints2 places) noexcept nogil
