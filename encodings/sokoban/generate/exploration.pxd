from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Ints2, Ints3, Numbers, Shorts2, Shorts3, Word, mixed

cpdef enum:
    FAR = 0x40000000


cdef class Board:
    cdef Index cells
    cdef Shorts2 near
    cdef Shorts3 steps
    cdef Bytes boxed
    cdef Ints2 marks
    cdef Index stamp
    cdef Ints stack
    cdef Shorts2 after
    cdef Ints2 moves


cdef class Search:
    cdef readonly Shorts2 packed
    cdef readonly Ints depth
    cdef readonly Numbers paths
    cdef Ints slots
    cdef readonly Index count
    cdef Index expanded
    cdef readonly Index edges
    cdef readonly Flag complete
    cdef Index most_paths


cdef class Solutions:
    cdef Ints numbers
    cdef Ints2 least
    cdef Ints3 came
    cdef Ints place_of
    cdef Index count
    cdef Index expanded
    cdef Index best
    cdef Index last
    cdef Index box


cdef Index _flood(Board board, Index which, Shorts2 packed, Index i, Index start, Index bound) noexcept nogil
cdef Index _move_box(Board board, Shorts2 packed, Index i, Index index, Index number, Index to) noexcept nogil
cdef Index _successors(Board board, Shorts2 packed, Index i) noexcept nogil
cdef Index _number(Search search, Shorts2 position) noexcept nogil
cdef Index _find(Search search, Shorts2 packed, Index i) noexcept nogil
cdef void _fill_slots(Search search) noexcept nogil
cdef Flag _explore(Board board, Search search, Index limit) noexcept nogil
cdef void _insert(Board board, Search search, Index i) noexcept nogil
cdef void _drop_deepest(Search search) noexcept nogil
cdef Flag _solve(Board board, Search search, Solutions solutions) noexcept nogil
cdef void _extend(Board board, Solutions solutions, Index i, Index place) noexcept nogil
cdef void _write(Solutions solutions, Ints2 solution) noexcept nogil
cdef Index _losing(Board board, Search search, Shorts2 found) noexcept nogil
cdef Index _common(Search search, Shorts2 packed) noexcept nogil
