"""Which levels have chance."""

from puzzlemc.encodings.puzzlescript.domain.chance import CHANCE
from puzzlemc.encodings.puzzlescript.planes.encoding import board
from puzzlemc.mc.rules.chance import Chance
from puzzlemc.screens.puzzlescript.game import Level


def chance(level: Level) -> Chance | None:
    """The rules of a level with chance, None if no rule that draws can ever apply."""
    return CHANCE if level.game.has_chance and board(level).compilation.drawing else None
