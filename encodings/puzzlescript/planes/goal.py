"""The win conditions on a board of planes. Compiled: see `mc/words.py`."""

from collections.abc import Mapping
from typing import Any

import cython
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.planes.tables import Board
    from puzzlemc.mc.words import ALL, Bytes, Flag, Index, Ints, Word, Words2

    # Quantifiers.
    EVERY = 0
    ANY = 1
    NONE = 2


class Goal:
    """Win conditions. Sides 2k and 2k + 1 are the subject of condition k and what it has to be on.

    quantifiers  of each condition
    whole        (sides,): whether a cell needs all planes of the side, otherwise any of them
    sides        where the planes of a side begin in `planes`
    constant     (sides, words): by what never changes, the cells that have the side in any case; if the side is
                 whole, the only cells that can have it
    """

    quantifiers: Bytes
    whole: Bytes
    sides: Ints
    planes: Ints
    constant: Words2

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """The arrays by their names."""
        self.quantifiers, self.whole = view(arrays["quantifiers"]), view(arrays["whole"])
        self.sides, self.planes = view(arrays["sides"]), view(arrays["side_planes"])
        self.constant = view(arrays["side_constant"])


def won(goal: Goal, board: Board) -> Flag:
    """Do all win conditions hold? Without any, no board is won."""
    k: Index
    for k in range(goal.quantifiers.shape[0]):
        if not _holds(goal, board, k):
            return False
    return goal.quantifiers.shape[0] > 0


def _holds(goal: Goal, board: Board, condition: Index) -> Flag:
    w: Index
    for w in range(board.words):
        here: Word = _side(goal, board, 2 * condition, w)
        if here == 0:
            continue
        on: Word = _side(goal, board, 2 * condition + 1, w)
        if goal.quantifiers[condition] == EVERY:
            if here & (ALL ^ on) != 0:
                return False
        elif here & on != 0:
            return goal.quantifiers[condition] == ANY
    return goal.quantifiers[condition] != ANY


def _side(goal: Goal, board: Board, side: Index, w: Index) -> Word:
    """A word of the cells that have a side of a condition."""
    cells: Word = goal.constant[side, w]
    i: Index
    for i in range(goal.sides[side], goal.sides[side + 1]):
        if goal.whole[side] != 0:
            cells &= board.planes[goal.planes[i], w]
        else:
            cells |= board.planes[goal.planes[i], w]
    return cells
