from puzzlemc.mc.words cimport Bytes, Bytes2, Flag, Index, Numbers, Shorts, Shorts2

cpdef enum:
    EMPTY = 0
    WORKER = 3
    NOWHERE = -1


cdef class Geometry:
    cdef readonly Shorts2 near
    cdef readonly Shorts2 towards
    cdef readonly Shorts2 windows
    cdef readonly Shorts2 through


cdef class State:
    cdef readonly Bytes board
    cdef readonly Shorts workers
    cdef readonly Bytes2 counts
    cdef readonly Shorts2 completes
    cdef readonly Numbers total
    cdef readonly Index source
    cdef readonly Index target


cdef class Turns:
    cdef readonly Shorts2 rows
    cdef Shorts ray
    cdef Shorts far


cdef void _look(Geometry table, State now, Turns turns, Index cell) noexcept nogil
cdef Index _write(Geometry table, State now, Turns turns, Index number, Index source, Index target) noexcept nogil
cdef Index generate(Geometry table, State now, Turns turns) noexcept nogil
cdef Index beside(Geometry table, State now, Index cell, Index stays) noexcept nogil
cpdef Flag find_way(Geometry table, State now, Index cell) noexcept nogil
cpdef Flag has_turn(Geometry table, State now) noexcept nogil
cpdef void move(State now, Index source, Index target) noexcept nogil
cdef void _count(Geometry table, State now, Index window, Index player, Index by) noexcept nogil
cpdef void put(Geometry table, State now, Index cell, Index player) noexcept nogil
cpdef void take(Geometry table, State now, Index cell, Index player) noexcept nogil
