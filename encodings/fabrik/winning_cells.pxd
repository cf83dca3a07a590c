from puzzlemc.mc.words cimport ALL, Flag, Index, Numbers2, Word, Words, Words2, Words3, bit, count_bits, lowest_bit, mixed

cpdef enum:
    HALF = 13
    NO_TURN = -1
    STAYS = 31


cdef class Board:
    cdef Words2 rays
    cdef Words2 lines
    cdef Words3 images
    cdef Numbers2 order


cdef class Table:
    cdef readonly Words keys
    cdef readonly Words cells
    cdef readonly Index used
    cdef readonly Index left


cdef Word _view(Board board, Word occupied, Index cell, Index direction) noexcept nogil
cpdef Word pairing(Board board, Word occupied, Index stone, Word excluded) noexcept nogil
cpdef Flag completes(Board board, Word own, Index cell) noexcept nogil
cpdef Word at_once(Board board, Word own, Word other) noexcept nogil
cdef Word _movable(Board board, Word occupied) noexcept nogil
cdef Word _image(Board board, Index symmetry, Word cells) noexcept nogil
cdef Index _symmetry(Board board, Word own, Word other) noexcept nogil
cdef Index _value(Board board, Word own, Word other, Index cell) noexcept nogil
cdef Index _sort(Board board, Word own, Word other) noexcept nogil
cdef Index _slot(Table table, Word key) noexcept nogil
cpdef void insert_all(Table table, Table larger) noexcept nogil
cpdef Word cells_of(Board board, Table table, Word own, Word other, Word wanted, Flag attacks, Index within) noexcept nogil
cdef Word _search(Board board, Table table, Word own, Word other, Word wanted, Word known, Flag attacks, Index within) noexcept nogil
cpdef Index unanswered(Board board, Word own, Word other, Word workers) noexcept nogil
cdef Flag _meet(Board board, Word occupied, Index stone, Index one, Index two) noexcept nogil
cpdef Index finish(Board board, Word own, Word other, Index one, Index two) noexcept nogil
cpdef Flag finishes(Board board, Word own, Word other, Index one, Index two, Index turn) noexcept nogil
