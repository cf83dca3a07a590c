"""Cells as masks, and turns from any cells of a level."""

from puzzlemc.encodings.puzzlescript.cells.compilation import Masks, masks_of, turns_of
from puzzlemc.encodings.puzzlescript.cells.turns import DRAWN, RESTARTED, STUCK, TICK, UNFINISHED, VICTORY
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, Cells
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Outcome, Unsettled
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.screens.puzzlescript.game import Game, Level


def cells_of(game: Game, masks: Masks) -> Cells:
    """Masks of objects as cells."""
    known: dict[tuple[int, ...], frozenset[str]] = {}
    cells = []
    for row in map(tuple, masks.tolist()):
        if row not in known:
            mask = sum(word << 64 * number for number, word in enumerate(row))
            known[row] = frozenset(name for number, name in enumerate(game.objects) if mask >> number & 1)
        cells.append(known[row])
    return tuple(cells)


def turn(level: Level, cells: Cells, movement: str, *, begins: bool = False) -> Outcome:
    """The turn from these cells, as the plain rules return it. Raises Unsettled."""
    game = level.game
    number = MOVES.index(movement) if movement else TICK
    ending, after, checkpoint = turns_of(level).turn(masks_of(game, cells), number, begins)
    if ending == DRAWN:
        raise Unsuitable("its turns have several outcomes")
    if ending == UNFINISHED:
        raise Unsettled()
    if ending == STUCK:
        return Outcome(Ending.STUCK, cells, None)
    kind = {VICTORY: Ending.WON, RESTARTED: Ending.RESTARTED}.get(ending, Ending.SETTLED)
    return Outcome(kind, cells_of(game, after), None if checkpoint is None else cells_of(game, checkpoint))
