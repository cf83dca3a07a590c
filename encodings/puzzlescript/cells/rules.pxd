from puzzlemc.mc.words cimport Bytes, Bytes2, Flag, Index, Ints, Words, Words2

cpdef enum:
    CANCEL = 1
    RESTART = 2
    WIN = 4
    AGAIN = 8
    CHECKPOINT = 16


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
    cdef Words2 has
    cdef Words2 lacks
    cdef Ints some
    cdef Words2 some_objects
    cdef Words2 moving
    cdef Words2 still
    cdef Words2 removes
    cdef Words2 adds
    cdef Words2 stops
    cdef Words2 starts
    cdef Bytes2 marks


cdef class Goal:
    cdef Bytes kind
    cdef Words2 subject
    cdef Bytes subject_all
    cdef Words2 on
    cdef Bytes on_all


cdef Flag holds(Goal goal, Words2 objects) noexcept nogil
cdef Flag _condition(Goal goal, Index win, Words2 objects) noexcept nogil
cdef Flag _has(Words2 objects, Index cell, Words2 wanted, Index win, Flag all_of_them) noexcept nogil
