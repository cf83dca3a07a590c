from puzzlemc.encodings.sokoban.fess.domain.games cimport Boxes, Floor, Game
from puzzlemc.mc.words cimport Flag, Index

cpdef Index freeze(Game game, Boxes boxes) noexcept nogil
cpdef void thaw(Boxes boxes) noexcept nogil
cpdef Flag is_wedged(Game game, Floor floor, Index box) noexcept nogil
cpdef Flag is_frozen_off_goals(Game game, Boxes boxes) noexcept nogil
