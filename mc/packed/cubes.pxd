from puzzlemc.mc.words cimport ALL, Bytes, Index, Numbers, Word, Words2, Words3, bit


cdef void _write(Numbers first, Numbers bits, Bytes values, Words3 rows, Index at) noexcept nogil
cdef void _clear(Words3 rows) noexcept nogil
cdef void _close(Words3 rows, Word key, Words2 closed) noexcept nogil
