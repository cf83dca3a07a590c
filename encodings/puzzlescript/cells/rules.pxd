from puzzlemc.mc.words cimport Bytes, Bytes2, Ints, Words2

cpdef enum:
    CANCEL = 1
    RESTART = 2
    WIN = 4
    AGAIN = 8
    CHECKPOINT = 16
    MESSAGE = 32


cdef class Rules:
    cdef Ints phases
    cdef Ints groups
    cdef Ints group_rigid
    cdef Ints group_back
    cdef Ints rows
    cdef Ints commands
    cdef Bytes replaces
    cdef Bytes rigid
    cdef Words2 rule_objects
    cdef Words2 rule_movements
    cdef Ints parts
    cdef Ints direction
    cdef Words2 row_objects
    cdef Words2 row_movements
    cdef Ints cells
    cdef Words2 about
    cdef Words2 has
    cdef Ints some
    cdef Words2 some_objects
    cdef Words2 asked
    cdef Words2 moving
    cdef Words2 removes
    cdef Words2 adds
    cdef Words2 stops
    cdef Words2 starts
    cdef Bytes2 marks
