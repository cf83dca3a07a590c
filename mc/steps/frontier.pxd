from puzzlemc.mc.packed.state_table cimport StateTable, find_hashed, hash_of, home
from puzzlemc.mc.steps.bounds cimport CountBounds, broken
from puzzlemc.mc.steps.steps cimport CHANGED, UNSETTLED, WON, Steps
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Word, Words

cpdef enum:
    MOST_ACTIONS = 256
    ENDED = 0
    FOUND = 1
    PAUSED = 2
    FULL = 3


cdef class Frontier(StateTable):
    cdef public Ints parent
    cdef public Bytes action
    cdef readonly Index expanded
    cdef readonly Index depth
    cdef readonly Index layer_end
    cdef readonly Index unsettled
    cdef readonly Index won_by
    cdef Words hashes
    cdef Ints likely
    cdef Word met
    cdef CountBounds bounds


cdef Flag _has_room(Frontier space, Index more) noexcept nogil
cdef Index _advance(Frontier space, Steps steps, Index states) noexcept nogil
cdef void _add(Frontier space, Index end) noexcept nogil
