from puzzlemc.encodings.sokoban.fess.deadlocks.corrals cimport is_dead_corral
from puzzlemc.encodings.sokoban.fess.deadlocks.freeze cimport is_frozen_off_goals, is_wedged
from puzzlemc.encodings.sokoban.fess.deadlocks.groups cimport has_dead_group
from puzzlemc.encodings.sokoban.fess.deadlocks.matching cimport cannot_match
from puzzlemc.encodings.sokoban.fess.deadlocks.patterns cimport has_pattern, is_pattern
from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation cimport Relaxation
from puzzlemc.encodings.sokoban.fess.domain.blocks cimport part_at, parts_at
from puzzlemc.encodings.sokoban.fess.domain.floods cimport count_regions, flood, list_regions, new_stamp
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, lift, put_down
from puzzlemc.encodings.sokoban.fess.domain.moves cimport box_moves
from puzzlemc.encodings.sokoban.fess.domain.positions cimport find, load, without_first
from puzzlemc.encodings.sokoban.fess.features.loose cimport judge, judge_child, judge_rest
from puzzlemc.encodings.sokoban.fess.search.barriers cimport NO_BARRIER, find_barrier
from puzzlemc.encodings.sokoban.fess.search.entering cimport (
    CROWDED, ENDED, NO_ROOM, PAUSED, Known, clear_advice, enter, open_children, open_position
)
from puzzlemc.encodings.sokoban.fess.search.images cimport (
    find_hash, hash_boxes, hash_flood, hash_move, sum_up
)
from puzzlemc.encodings.sokoban.fess.search.sides cimport Room, Side
from puzzlemc.encodings.sokoban.fess.search.steps cimport list_steps, open_steps, steps_left
from puzzlemc.encodings.sokoban.fess.search.turns cimport next_cell
from puzzlemc.mc.words cimport Flag, Index, Word, bit

cpdef enum:
    POSITION = 40
    LIFT = 40
    MOVE = 6
    CHILD = 24


cpdef Index begin(Side side, Room room, Known known, Index player) noexcept nogil
cpdef Index search(Side side, Room room, Relaxation r, Known known, Index most, Index until)
cdef Index _search(Side side, Room room, Relaxation r, Known known, Index most, Index until) noexcept nogil
cdef Index _next(Side side) noexcept nogil
cdef Index _expand(Side side, Room room, Relaxation r, Known known, Index number) noexcept nogil
cdef Flag _is_dead(Side side, Room room, Relaxation r, Index number) noexcept nogil
cdef Flag _has_barrier(Side side, Room room, Index player) noexcept nogil
cdef Index _expand_box(Side side, Room room, Relaxation r, Known known, Index at, Word plain) noexcept nogil
cdef void _look_ahead(Side side, Room room, Known known, Index box, Word plain) noexcept nogil
cdef Flag _is_pruned(Side side, Room room, Relaxation r, Index target) noexcept nogil
cdef void _find_slot(Side side, Room room) noexcept nogil
cdef void _evaluate(Side side, Room room, Index player, Index move, Index others) noexcept nogil
cdef Index _regions_beside(Room room, Index box) noexcept nogil
