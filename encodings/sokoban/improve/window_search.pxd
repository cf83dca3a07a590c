from puzzlemc.encodings.sokoban.improve.bound cimport Bound, covered, pushes_from, set_targets
from puzzlemc.encodings.sokoban.improve.plans cimport BOX, FREE, Board, Plan
from puzzlemc.encodings.sokoban.improve.plans cimport flood, move_box, price, put, reset
from puzzlemc.encodings.sokoban.improve.states cimport States, clear, insert, known, length_of_path
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Ints2, Numbers

cpdef enum:
    VERTICES_PER_EXPANSION = 12
    FIRST_WIDTH = 4
    SHARE = 4


cdef class Window:
    cdef Index first
    cdef Index last
    cdef Flag to_goals
    cdef Index below
    cdef Index room
    cdef Index expansions
    cdef Index used
    cdef States states
    cdef Numbers costs
    cdef Bytes closed
    cdef Numbers keys
    cdef Ints numbers
    cdef Index size
    cdef Ints2 found


cdef class Slide:
    cdef Ints best
    cdef Index pushes
    cdef Index first
    cdef Flag better
    cdef Flag decided


cdef Flag _advance(
    Board board, Plan plan, Bound bound, Window window, Slide slide, Index expansions, Index most
) noexcept nogil
cdef void _splice(Plan plan, Window window, Index edges) noexcept nogil
cdef Index _cheaper_path(Board board, Plan plan, Bound bound, Window window) noexcept nogil
cdef Index _search(Board board, Plan plan, Bound bound, Window window) noexcept nogil
cdef Flag _expand(Board board, Plan plan, Bound bound, Window window, Index number) noexcept nogil
cdef Index _path(Window window, Index number) noexcept nogil
cdef void _reach(Window window, Index number, Index parent, Index cost, Index left) noexcept nogil
cdef Flag _is_before(Window window, Index i, Index j) noexcept nogil
cdef void _swap(Window window, Index i, Index j) noexcept nogil
cdef void _push(Window window, Index key, Index number) noexcept nogil
cdef Index _pop(Window window) noexcept nogil
