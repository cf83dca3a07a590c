from puzzlemc.mc.words cimport ALL, Bytes, Flag, Index, Numbers2, Word, Words, Words2, Words3, bit, lowest_bit, mixed

cpdef enum:
    HALF = 13
    WON = -1


cdef class Board:
    cdef Numbers2 near
    cdef Words2 lines
    cdef Words3 sets
    cdef Numbers2 cells
    cdef Words after


cdef class Layer:
    cdef readonly Words keys
    cdef readonly Bytes worths
    cdef readonly Index used


cpdef Word canonical(Board board, Word own, Word other, Index one, Index two) noexcept nogil
cdef Word _sight(Board board, Word occupied, Index cell) noexcept nogil
cdef Flag _completes(Board board, Word stones, Index cell) noexcept nogil
cdef Index _followers(Board board, Word key) noexcept nogil
cdef Index _write(Board board, Word own, Word other, Index one, Index two, Index number) noexcept nogil
cdef Index slot_of(Layer layer, Word key) noexcept nogil
cpdef void insert(Layer layer, Word key) noexcept nogil
cpdef void insert_all(Layer layer, Layer larger) noexcept nogil
cpdef Index expand(Board board, Layer here, Layer after, Index start, Index end, Flag last) noexcept nogil
cpdef void decide(Board board, Layer here, Layer after, Index start, Index end) noexcept nogil
