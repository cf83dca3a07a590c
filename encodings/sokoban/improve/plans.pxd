from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Ints2, Numbers

cpdef enum:
    FREE = 0
    BOX = 1
    WALL = 2


cdef class Board:
    cdef readonly Index cells
    cdef Ints2 near
    cdef Bytes is_goal
    cdef Bytes on
    cdef Ints reached
    cdef Ints far
    cdef Bytes came


cdef class Plan:
    cdef readonly Ints2 vertices
    cdef readonly Numbers costs
    cdef readonly Index count
    cdef Index push
    cdef Index walk


cdef void put(Board board, Ints2 vertices, Index i, Index what) noexcept nogil
cdef void move_box(Ints2 vertices, Index i, Index box, Index to) noexcept nogil
cdef Index flood(Board board, Index player) noexcept nogil
cdef void reset(Board board, Index reached) noexcept nogil
cdef void price(Board board, Plan plan, Index first, Index last) noexcept nogil
cdef Index direction(Board board, Plan plan, Index i) noexcept nogil
cdef void _read(Board board, Plan plan, Bytes steps) noexcept nogil
cdef Index _write(Board board, Plan plan, Bytes steps) noexcept nogil
