from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation cimport BOXES, DEAD, MANY, Relaxation, is_dead
from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks, new_stamp
from puzzlemc.encodings.sokoban.fess.domain.games cimport Floor
from puzzlemc.mc.words cimport Flag, Index, Word, bit

cpdef Flag is_dead_corral(Relaxation r, Floor floor, Marks marks, Index player) noexcept nogil
