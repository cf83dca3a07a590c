"""Cells as masks, and turns from any cells of a level."""

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzlescript.cells.compilation import as_words, compilation, turns_of
from puzzlemc.encodings.puzzlescript.cells.turns import RESTARTED, TICK, UNFINISHED, VICTORY
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, Cells
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Outcome, Unsettled
from puzzlemc.screens.puzzlescript.game import Game, Level

Masks = npt.NDArray[np.uint64]  # shape (cells, words)


def masks_of(game: Game, cells: Cells) -> Masks:
    """Cells as masks of objects."""
    made = compilation(game)
    kinds = {here: number for number, here in enumerate(dict.fromkeys(cells))}
    return as_words(map(made.names.mask, kinds), made.words)[[kinds[here] for here in cells]]


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


def turn(level: Level, cells: Cells, movement: str, *, may_win: bool = True) -> Outcome:
    """The turn from these cells, as the plain rules return it. Raises Unsettled."""
    game = level.game
    number = MOVES.index(movement) if movement else TICK
    ending, after, checkpoint = turns_of(level).turn(masks_of(game, cells), number, may_win)
    if ending == UNFINISHED:
        raise Unsettled()
    kind = {VICTORY: Ending.WON, RESTARTED: Ending.RESTARTED}.get(ending, Ending.SETTLED)
    return Outcome(kind, cells_of(game, after), None if checkpoint is None else cells_of(game, checkpoint))
