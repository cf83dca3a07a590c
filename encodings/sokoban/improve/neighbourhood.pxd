from puzzlemc.encodings.sokoban.fess.domain.bitboards cimport Bitboard, Region, fill, is_free, is_in, toggle
from puzzlemc.encodings.sokoban.improve.bound cimport Bound, add_target, clear_targets, covered, pushes_from
from puzzlemc.encodings.sokoban.improve.plans cimport Board, Plan, direction, move_box, price
from puzzlemc.encodings.sokoban.improve.states cimport States, clear, insert, known, length_of_path
from puzzlemc.mc.words cimport Bytes, Flag, Index, Ints, Ints2

cpdef enum:
    STATES_PER_EXPANSION = 8
    NONE = -1
    OPEN = -2


cdef class Neighbourhood:
    cdef Ints2 near
    cdef Index cells
    cdef Bitboard floor
    cdef Region lit
    cdef Region after
    cdef readonly Bytes free
    cdef Ints owner
    cdef Bytes is_free
    cdef Index first
    cdef Index last
    cdef Flag to_goals
    cdef Index below
    cdef Ints2 events
    cdef Index event_count
    cdef Ints2 fixed
    cdef Index fixed_count
    cdef Index end_least
    cdef Index most
    cdef readonly Index used
    cdef States states
    cdef Index room
    cdef Ints costs
    cdef Bytes closed
    cdef Ints2 entries
    cdef Index entry_count
    cdef Ints heads
    cdef Index lowest
    cdef Ints2 found
    cdef Index found_count


cdef Index _improve(Board board, Plan plan, Bound bound, Neighbourhood area, Index most) noexcept nogil
cdef Flag _prepare(Board board, Plan plan, Bound bound, Neighbourhood area) noexcept nogil
cdef void _toggle_all(Neighbourhood area, Ints2 vertices, Index i) noexcept nogil
cdef void _toggle_state(Neighbourhood area, Index number, Index time) noexcept nogil
cdef Index _search(Bound bound, Neighbourhood area) noexcept nogil
cdef Index _pop(Neighbourhood area) noexcept nogil
cdef Flag _expand(Bound bound, Neighbourhood area, Index number) noexcept nogil
cdef Flag _enter(Bound bound, Neighbourhood area, Index number, Index time, Index box, Index to) noexcept nogil
cdef Flag _change(Neighbourhood area, Index number, Index parent, Index cost, Index left) noexcept nogil
cdef void _list_pushes(Neighbourhood area, Index number) noexcept nogil
cdef Index _only_in(Neighbourhood area, Index number, Index other) noexcept nogil
cdef void _splice(Board board, Plan plan, Neighbourhood area) noexcept nogil
