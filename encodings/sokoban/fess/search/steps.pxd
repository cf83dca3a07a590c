from puzzlemc.encodings.sokoban.fess.domain.blocks cimport FULL, Tree, is_in_part, parts_at
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, Boxes, Floor, Game
from puzzlemc.mc.words cimport Bytes, Flag, Index, Shorts


cdef class Steps:
    cdef Shorts _stands
    cdef Shorts _beyond
    cdef Bytes _uses
    cdef Index _number


cdef Index open_steps(Game game, Floor floor, Boxes boxes, Marks marks) noexcept nogil
cdef void list_steps(Steps steps, Game game, Floor floor, Boxes boxes, Index leave, Tree tree) noexcept nogil
cdef Index steps_left(Steps steps, Game game, Floor floor, Tree tree, Index box, Index first) noexcept nogil
cdef Index _beyond(Game game, Floor floor, Index box, Index side) noexcept nogil
