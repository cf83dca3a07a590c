from puzzlemc.encodings.fabrik.fast cimport EMPTY, NOWHERE, WORKER, Geometry, State, Turns
from puzzlemc.encodings.fabrik.fast cimport find_way, generate, has_turn, move, put, take
from puzzlemc.mc.words cimport Flag, Index, Numbers, Shorts3


cdef class Scratch:
    cdef Turns mine
    cdef Turns theirs
    cdef Turns last
    cdef Shorts3 refutations
    cdef Numbers number


cdef Flag _sees(Geometry table, State now, Index worker, Index cell) noexcept nogil
cpdef Flag can(Geometry table, State now, Index stone, Index source, Index target) noexcept nogil
cdef Index _pairs(Geometry table, State now, Index cell) noexcept nogil
cdef Flag _roomy(Geometry table, State now) noexcept nogil
cdef Flag _leaves_none(Geometry table, State now, Index stone, Index source, Index target) noexcept nogil
cdef Index _finish(Geometry table, State now, Index player, Turns turns) noexcept nogil
cdef Flag _holds(Geometry table, State now, Index player, Index stone, Turns turns) noexcept nogil
cdef Index _found(State now, Index stone, Index source, Index target) noexcept nogil
cdef Index _defences(Geometry table, State now, Index player, Turns replies, Turns turns) noexcept nogil
cdef Index _reply(Geometry table, State now, Index player, Turns replies, Turns turns) noexcept nogil
cdef Flag _builds(Geometry table, State now, Index player, Index stone) noexcept nogil
cdef Flag _refuted(State now, Scratch scratch, Index stone) noexcept nogil
cdef Flag _refute(Geometry table, State now, Index player, Index stone, Scratch scratch) noexcept nogil
cdef Index _two(Geometry table, State now, Index player, Scratch scratch) noexcept nogil
