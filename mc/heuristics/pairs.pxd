from puzzlemc.mc.heuristics.assignment cimport Matching, assignment, list_objects
from puzzlemc.mc.packed.tables cimport Tables
from puzzlemc.mc.words cimport Bytes, Bytes2, Bytes3, Flag, Index, Ints2, Numbers, Numbers2, Shorts3, Shorts4
from puzzlemc.mc.words cimport Word, Words2, lowest_bit

cpdef enum:
    FAR = 16384
    NOWHERE = 255


cdef class Pairs:
    cdef readonly Numbers at
    cdef Bytes3 part
    cdef Shorts4 costs
    cdef readonly Index most
    cdef readonly Index step
    cdef Numbers2 alone
    cdef Numbers2 excess


cdef Index bound_of_pairs(Pairs pairs, Tables tables, Words2 rows, Index i, Matching matching) noexcept nogil
