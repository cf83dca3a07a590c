from puzzlemc.mc.words cimport Numbers, Numbers2


cdef class Operators:
    cdef readonly Numbers precondition_first
    cdef readonly Numbers2 precondition
    cdef readonly Numbers effect_first
    cdef readonly Numbers2 effect
    cdef readonly Numbers condition_first
    cdef readonly Numbers2 condition
    cdef readonly Numbers costs
