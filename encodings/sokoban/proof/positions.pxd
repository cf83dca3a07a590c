from puzzlemc.mc.words cimport ALL, Flag, Index, Ints, Numbers, Word

ctypedef unsigned short[:, ::1] Places2


cdef class Positions:
    cdef readonly Places2 rows


cdef class Table:
    cdef readonly Positions positions
    cdef readonly Ints costs
    cdef readonly Index count


cpdef Index load(Table table, Positions fresh, Numbers costs, Index cells, Index most) noexcept nogil
cpdef void insert_all(Table table, Table other) noexcept nogil
cpdef Index cost_of(Table table, Positions positions, Index i) noexcept nogil
cdef Flag insert(Table table, Positions positions, Index i, Index cost) noexcept nogil
cdef Index _slot(Table table, Positions positions, Index i) noexcept nogil
