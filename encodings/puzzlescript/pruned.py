"""Levels for searches that leave out positions which the search and the checker both know to be dead."""

from functools import partial

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzlescript.cells.bounds import bounds
from puzzlemc.encodings.puzzlescript.cells.escapes import WayOut, escapes
from puzzlemc.encodings.puzzlescript.cells.ways import facts
from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.drawn import chance
from puzzlemc.encodings.puzzlescript.planes.encoding import planes, pruned, relevant_board, relevant_planes
from puzzlemc.encodings.puzzlescript.planes.escapes import CellDemand, Way, Ways, may_lose
from puzzlemc.encodings.puzzlescript.planes.escapes import demands as demands_of
from puzzlemc.encodings.puzzlescript.planes.escapes import escapes as ways_of
from puzzlemc.mc.model.model import Model
from puzzlemc.screens.puzzlescript.game import Level


def pruned_planes(level: Level) -> Encoded:
    """`relevant_planes` with bounds and frozen objects. Raises Unsettled as it does.

    Two analyses of the rules that share no code have to find the same bounds, and the same or more that freezes
    objects. So the checker accepts all proofs, and an error in one of the analyses prunes nothing.
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
    formulas = partial(_with_formulas, level)
    return pruned(level, encoded, lambda bound: tuple(bound) in known, _common(level, start.cells), formulas)


def _common(level: Level, start: Cells) -> tuple[Ways, list[CellDemand]]:
    """The escapes of objects that freeze for the checker, too, and the demands that it knows as needs.

    Each way out that the checker knows has an escape here with some of its blockers. So what freezes here never
    gets out there: by induction, each way out has a frozen blocker, too.
    """
    made = relevant_board(level).compilation
    demands = demands_of(made)
    ways = ways_of(made) if demands else {}
    if not may_lose(made, ways, demands):
        return {}, []
    known = escapes(level, start)
    needs = {tuple(need) for need in known.needs}
    firm = {name: cells for name, cells in ways.items() if _are_as_firm(cells, known.ways.get(name))}
    return firm, [demand for demand in demands if tuple(demand) in needs]


def _are_as_firm(ours: tuple[frozenset[Way], ...], theirs: tuple[frozenset[WayOut], ...] | None) -> bool:
    return theirs is not None and all(
        any(our.target == their.target and not our.blockers & ~their.blockers for our in here)
        for here, there in zip(ours, theirs, strict=True)
        for their in there
    )


def _with_formulas(level: Level, most_gates: int | None = None) -> Model:
    """The level as a model with formulas, whose bits have the same names. Raises Unsuitable."""
    from puzzlemc.encodings.puzzlescript.circuit.tiles import tiles  # few levels need it

    return (tiles(level) if most_gates is None else tiles(level, most_gates)).model
