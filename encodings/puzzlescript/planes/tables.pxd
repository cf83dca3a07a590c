from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Ints2, Words, Words2

cpdef enum:
    CANCEL = 1
    RESTART = 2
    WIN = 4
    AGAIN = 8
    CHECKPOINT = 16
    MESSAGE = 32


cdef class Rules:
    cdef Words2 needs
    cdef Words2 needed_by
    cdef Words2 touched_by
    cdef Ints rows
    cdef Ints commands
    cdef Bytes replaces
    cdef Bytes at_once
    cdef Bytes feeds
    cdef Bytes rigid
    cdef Ints parts
    cdef Ints way
    cdef Words2 starts
    cdef Ints length
    cdef Ints terms
    cdef Ints term_shift
    cdef Bytes term_holds
    cdef Ints term_planes
    cdef Ints planes
    cdef Ints changes
    cdef Ints change_shift
    cdef Ints change_plane
    cdef Bytes change_sets
    cdef Ints marks
    cdef Ints mark_shift
    cdef Ints mark_layers
    cdef Ints layers


cdef class Program:
    cdef Ints phases
    cdef Ints groups
    cdef Words2 members
    cdef Ints rules
    cdef Ints rigid
    cdef Ints back


cdef class Board:
    cdef readonly Index width
    cdef readonly Index height
    cdef readonly Index cells
    cdef readonly Index words
    cdef readonly Index kinds
    cdef Words2 planes
    cdef Words filled
    cdef Words altered
    cdef Index queue
    cdef Words2 found
    cdef Words2 scan
    cdef Ints at
    cdef Words2 spare
    cdef Ints by_column
    cdef Ints column_order
    cdef Words2 inner
    cdef Ints2 room
    cdef Ints step
    cdef Words whole
    cdef Words pending
    cdef Ints first_object
    cdef Ints layer_planes
    cdef Words2 blocked
    cdef Ints2 rigid
    cdef Bytes banned
