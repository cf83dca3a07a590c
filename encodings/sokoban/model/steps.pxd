from puzzlemc.mc.words cimport Bytes2, Bytes3, Flag, Index, Numbers, Numbers2, Numbers3


cdef Index _list_steps(
    Numbers2 near, Numbers box_bit, Bytes2 codes, Numbers3 bits, Bytes3 values, Numbers2 steps
) noexcept nogil
