from puzzlemc.encodings.sokoban.fess.domain.blocks cimport Tree, edge, find_blocks
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks
from puzzlemc.encodings.sokoban.fess.domain.games cimport PUSH, Floor, Game
from puzzlemc.mc.words cimport Bytes, Flag, Index, Shorts


cdef class Moves:
    cdef readonly Shorts targets
    cdef readonly Shorts players
    cdef readonly Index number
    cdef readonly Index visited_cells
    cdef Bytes _visited
    cdef Shorts _waiting


cdef Flag can_step(Game game, Floor floor, Index box, Index side) noexcept nogil
cpdef Index box_moves(Game game, Floor floor, Index box, Marks marks, Tree tree, Moves moves) noexcept nogil
