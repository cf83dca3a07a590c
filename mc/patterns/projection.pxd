from puzzlemc.mc.patterns.operators cimport Operators
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Numbers, Numbers2

cpdef enum:
    NO = 0
    YES = 1
    PERHAPS = 2


cdef class Pattern:
    cdef readonly Numbers variables
    cdef readonly Numbers domains
    cdef readonly Numbers factors
    cdef readonly Index size
    cdef Numbers place
    cdef Numbers required
    cdef Numbers before
    cdef Numbers after
    cdef Bytes is_read
    cdef Numbers2 possible
    cdef Numbers possible_count


cdef class AbstractOperators:
    cdef readonly Numbers2 rows
    cdef readonly Index count


cdef Index _project(
    Operators operators, Numbers chosen, Index start, Pattern pattern, AbstractOperators found
) noexcept nogil
cdef Flag _project_one(
    Operators operators, Index operator, Pattern pattern, AbstractOperators found
) noexcept nogil
cdef Flag _next_before(Pattern pattern) noexcept nogil
cdef Flag _next_after(Pattern pattern) noexcept nogil
cdef void _find_read(Operators operators, Index operator, Pattern pattern) noexcept nogil
cdef Index _truth(Operators operators, Index effect, Pattern pattern) noexcept nogil
cdef void _find_possible(Operators operators, Index operator, Pattern pattern) noexcept nogil
cdef Flag _add_rows(Index operator, Pattern pattern, AbstractOperators found) noexcept nogil
cdef Index _transitions(
    Pattern pattern, Numbers2 rows, Bytes allowed, Ints source, Ints target, Ints by
) noexcept nogil
cdef Index _reach(Index start, Numbers first, Ints order, Ints target, Ints queue, Bytes reached) noexcept nogil
cdef void _sort(Ints keys, Index count, Numbers first, Ints order) noexcept nogil
