from puzzlemc.mc.words cimport Index

cpdef enum:
    REGIONS = 8
    OUT_OF_PLAN = 5
    CELLS = 54


cdef class Counters:
    cdef public Index work
    cdef public Index tested
    cdef public Index expanded
    cdef public Index buried
