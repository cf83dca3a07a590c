from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Ints2, Word, Words, Words2

cpdef enum:
    WAYS = 5
    LAYERS_OF_A_WORD = 12
    UP = 0
    LEFT = 1
    DOWN = 2
    RIGHT = 3
    ACTION = 4


cdef class Board:
    cdef readonly Index width
    cdef readonly Index height
    cdef readonly Index cells
    cdef readonly Index words
    cdef readonly Index motion_words
    cdef readonly Index layers
    cdef Ints steps
    cdef Words2 layer_objects
    cdef Words2 objects
    cdef Words2 movements
    cdef Words2 row_objects
    cdef Words2 row_movements
    cdef Words2 column_objects
    cdef Words2 column_movements
    cdef Words all_objects
    cdef Words all_movements
    cdef Flag has_rigid
    cdef Ints2 rigid
    cdef Bytes banned
    cdef Index queue
    cdef Ints found
    cdef Index used
    cdef Flag crowded
    cdef Ints row_found
    cdef Ints chosen
    cdef Ints begins


cdef void load(Board board, Words2 objects) noexcept nogil
cdef void clear_movements(Board board) noexcept nogil
cdef void set_objects(Board board, Index cell, Index word, Word objects) noexcept nogil
cdef void set_movements(Board board, Index cell, Index word, Word movements) noexcept nogil
cdef Flag differs(Board board, Words2 objects) noexcept nogil
