from puzzlemc.encodings.sokoban.fess.domain.counters cimport OUT_OF_PLAN, REGIONS
from puzzlemc.encodings.sokoban.fess.domain.positions cimport add, merge
from puzzlemc.encodings.sokoban.fess.features.stages cimport count_astray, distance_at, stage_of
from puzzlemc.encodings.sokoban.fess.search.seen cimport Seen, insert, look_up
from puzzlemc.encodings.sokoban.fess.search.sides cimport Room, Side
from puzzlemc.mc.words cimport Index, Word

cpdef enum:
    PAUSED = 0
    MET = 1
    SOLVED = 2
    ENDED = 3
    NO_ROOM = 4
    CROWDED = 5

cpdef enum:
    ADVISORS = 6
    PACKING = 0
    PARTS = 1
    CLEARING = 2
    ROOM = 3
    FREEDOM = 4
    NEARNESS = 5


cdef class Known:
    cdef readonly Seen own
    cdef readonly Seen opposite
    cdef readonly Seen others


cdef Index enter(Side side, Room room, Known known) noexcept nogil
cdef void clear_advice(Room room) noexcept nogil
cdef void open_children(Side side, Room room, Index number, Index first) noexcept nogil
cdef void open_position(Side side, Index number, Index weight) noexcept nogil
cdef Index _feature_cell(Side side, Index stage, Index parts, Index astray) noexcept nogil
cdef void _advise(Room room, Index number, Index stage, Index astray, Index distance) noexcept nogil
cdef Index _value(Room room, Index advisor, Index stage, Index astray, Index distance) noexcept nogil
