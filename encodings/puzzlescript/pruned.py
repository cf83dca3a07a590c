"""Levels for searches that leave out positions which the search and the checker both know to be dead."""

from functools import partial

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzlescript.cells.bounds import bounds
from puzzlemc.encodings.puzzlescript.cells.ways import facts
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.drawn import chance
from puzzlemc.encodings.puzzlescript.planes.encoding import bounded, planes, relevant_planes
from puzzlemc.mc.model.model import Model
from puzzlemc.screens.puzzlescript.game import Level


def pruned_planes(level: Level) -> Encoded:
    """`relevant_planes` with bounds. Raises Unsettled as it does.

    Two analyses of the rules that share no code have to find the same bounds. So the checker accepts all proofs,
    and an error in one of the analyses prunes nothing.
    """
    if level.game.has_chance:
        if chance(level) is not None:  # there are no certificates of such levels
            return relevant_planes(level)
        if facts(level, level.cells) is None:
            return planes(level)  # the checker cannot tell that nothing is drawn, and leaves nothing out
    encoded = relevant_planes(level)
    start = RULES.start(level)
    assert isinstance(start, Position)
    known = {tuple(bound) for bound in bounds(level, start.cells)}
    return bounded(level, encoded, lambda bound: tuple(bound) in known, partial(_with_formulas, level))


def _with_formulas(level: Level, most_gates: int | None = None) -> Model:
    """The level as a model with formulas, whose bits have the same names. Raises Unsuitable."""
    from puzzlemc.encodings.puzzlescript.circuit.tiles import tiles  # few levels need it

    return (tiles(level) if most_gates is None else tiles(level, most_gates)).model
