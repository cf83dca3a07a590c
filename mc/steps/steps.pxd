from puzzlemc.mc.packed.state_table cimport StateTable
from puzzlemc.mc.words cimport Flag, Index, Numbers

cpdef enum:
    NOTHING = 0
    CHANGED = 1
    WON = 2
    UNSETTLED = 3


cdef class Steps:
    cdef readonly Index words
    cdef readonly Index actions
    cdef Flag enter(self, StateTable table, Index number) noexcept nogil
    cdef Index successor(self, Index action, StateTable table, Index place) noexcept nogil


cdef class Successors:
    cdef readonly StateTable after
    cdef Numbers source
    cdef Numbers action
    cdef readonly Index unsettled


cdef Index _expand(Steps steps, StateTable states, Index first, Index last, Successors found) noexcept nogil
