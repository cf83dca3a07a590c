from puzzlemc.encodings.puzzlescript.cells.turns cimport CROWDED, SETTLED, UNFINISHED, VICTORY, Turns, take
from puzzlemc.mc.packed.state_table cimport StateTable, find
from puzzlemc.mc.words cimport Flag, Index, Ints, Ints2, Numbers, Word, Words, Words2, bit, lowest_bit

cpdef enum:
    NO_BIT = -1
    IGNORED = -2
    CLOSED = 0
    WINS = 1
    LEFT_OUT = 2
    UNSETTLED = 3
    FULL = 4


cdef class ListedPositions(StateTable):
    cdef Numbers costs
    cdef Index price
    cdef Index below
    cdef Words2 fixed
    cdef Ints bit_cell
    cdef Ints bit_word
    cdef Words bit_mask
    cdef Ints2 number
    cdef Words2 after
    cdef readonly Index checked
    cdef Ints least
    cdef Ints most
    cdef Ints bound_cells
    cdef Ints bound_starts
    cdef Words2 bound_objects


cdef Index _insert(ListedPositions listed) noexcept nogil
cdef Index _check(ListedPositions listed, Turns turns, Index actions, Index states) noexcept nogil
cdef Index _check_state(ListedPositions listed, Turns turns, Index actions, Index state) noexcept nogil
cdef Flag _is_listed(ListedPositions listed, Turns turns, Index state, Index cost) noexcept nogil
cdef Flag _is_dead(ListedPositions listed, Turns turns) noexcept nogil
cdef void _read(ListedPositions listed, Turns turns, Index state) noexcept nogil
cdef Flag _write(ListedPositions listed, Turns turns, Index state) noexcept nogil
