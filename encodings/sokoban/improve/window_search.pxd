from puzzlemc.encodings.sokoban.improve.bound cimport Bound, covered, pushes_from, set_targets
from puzzlemc.encodings.sokoban.improve.plans cimport BOX, FREE, Board, Plan
from puzzlemc.encodings.sokoban.improve.plans cimport flood, move_box, price, put, reset
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Ints2, Numbers, Word, mixed

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
    cdef Index mask
    cdef Index expansions
    cdef Index used
    cdef Ints2 vertices
    cdef Index count
    cdef Numbers costs
    cdef Ints parents
    cdef Bytes closed
    cdef Ints slots
    cdef Ints slot_of
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
cdef Index _new_vertex(Window window) noexcept nogil
cdef Flag _is_before(Window window, Index i, Index j) noexcept nogil
cdef void _swap(Window window, Index i, Index j) noexcept nogil
cdef void _push(Window window, Index key, Index number) noexcept nogil
cdef Index _pop(Window window) noexcept nogil
cdef Index _slot(Window window, Index i) noexcept nogil
