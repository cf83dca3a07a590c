"""The win conditions of a game. Compiled: see `mc/words.py`."""

from collections.abc import Mapping
from typing import Any

import cython
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.cells.board import Board
    from puzzlemc.mc.words import Bytes, Flag, Index, Word, Words2

    # The kinds of win conditions.
    ALL_ARE_ON = 0
    SOME_IS_ON = 1
    NONE_IS_ON = 2


class Goal:
    """The win conditions of a game. There may be none; then no position holds them.

    kind         `all`, `some` or `no`
    subject      objects of a cell: any of them, or all of them if `subject_all`
    on           likewise; an empty mask with `on_all` holds in each cell
    """

    kind: Bytes
    subject: Words2
    subject_all: Bytes
    on: Words2
    on_all: Bytes

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """The arrays by their names."""
        self.kind, self.subject, self.on = view(arrays["kind"]), view(arrays["subject"]), view(arrays["on"])
        self.subject_all, self.on_all = view(arrays["subject_all"]), view(arrays["on_all"])


def holds(goal: Goal, board: Board) -> Flag:
    """Do all win conditions hold on the board?"""
    win: Index
    for win in range(goal.kind.shape[0]):
        if not _condition(goal, win, board):
            return False
    return goal.kind.shape[0] > 0


def _condition(goal: Goal, win: Index, board: Board) -> Flag:
    kind: Index = goal.kind[win]
    row: Index
    cell: Index
    for row in range(board.height):
        if not _may_have(goal, win, board, row):
            continue
        for cell in range(row * board.width, (row + 1) * board.width):
            if _has_subject(goal, win, board, cell):
                is_on: Flag = _is_on(goal, win, board, cell)
                if kind == ALL_ARE_ON and not is_on:
                    return False
                if kind != ALL_ARE_ON and is_on:
                    return kind == SOME_IS_ON
    return kind != SOME_IS_ON


def _may_have(goal: Goal, win: Index, board: Board, row: Index) -> Flag:
    """Can a row of the board have the subject of a condition?"""
    here: Word = 0
    w: Index
    for w in range(board.words):
        here |= board.row_objects[row, w] & goal.subject[win, w]
    return here != 0


def _has_subject(goal: Goal, win: Index, board: Board, cell: Index) -> Flag:
    w: Index
    for w in range(board.words):
        here: Word = board.objects[cell, w] & goal.subject[win, w]
        if goal.subject_all[win] != 0 and here != goal.subject[win, w]:
            return False
        if goal.subject_all[win] == 0 and here != 0:
            return True
    return goal.subject_all[win] != 0


def _is_on(goal: Goal, win: Index, board: Board, cell: Index) -> Flag:
    w: Index
    for w in range(board.words):
        here: Word = board.objects[cell, w] & goal.on[win, w]
        if goal.on_all[win] != 0 and here != goal.on[win, w]:
            return False
        if goal.on_all[win] == 0 and here != 0:
            return True
    return goal.on_all[win] != 0
