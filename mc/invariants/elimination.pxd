from puzzlemc.mc.words cimport (
    ALL, Bytes, Bytes2, Flag, Index, Ints, Numbers, Word, Words, Words2, bit, count_bits, lowest_bit,
)

cdef class Rows:
    cdef Numbers first
    cdef Numbers columns
    cdef Bytes values

cdef class Binary:
    cdef Words2 rows
    cdef Ints pivots
    cdef Ints row_of
    cdef Words row
    cdef Words solution

cdef class Modular:
    cdef Index prime
    cdef Bytes2 rows
    cdef Ints pivots
    cdef Ints row_of
    cdef Bytes row
    cdef Bytes solution
    cdef Bytes inverse

cdef Index _add_binary(Binary system, Rows rows, Index rank) noexcept nogil
cdef Index _reduce_binary(Binary system, Rows rows, Index number, Flag whole) noexcept nogil
cdef void _solve_binary(Binary system, Ints order) noexcept nogil
cdef Index _add_modular(Modular system, Rows rows, Index rank) noexcept nogil
cdef Index _reduce_modular(Modular system, Rows rows, Index number, Flag whole) noexcept nogil
cdef void _solve_modular(Modular system, Ints order) noexcept nogil
