from puzzlemc.mc.words cimport Bytes, Flag, Index, Numbers, Numbers2, Words2, bit


cdef class LandmarkCount:
    cdef readonly Numbers2 facts
    cdef readonly Numbers before_first
    cdef readonly Numbers before
    cdef readonly Numbers necessary_first
    cdef readonly Numbers necessary
    cdef readonly Bytes is_goal
    cdef readonly Index words


cdef Flag has_reached(Words2 reached, Index row, Index landmark) noexcept nogil
cdef Index count_landmarks(LandmarkCount count, Words2 reached, Index parent, Index row, Numbers values) noexcept nogil
cdef Flag _is_needed_again(LandmarkCount count, Words2 reached, Index row, Index landmark, Numbers values) noexcept nogil
