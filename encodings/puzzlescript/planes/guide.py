"""How far a board is from winning, by its win conditions. Compiled: see `mc/words.py`.

all A on B   each A that is not on B is unmet, at its distance from the nearest B without A. If A never changes, B
             comes to it
some A on B  unmet once if no A is on B, at the distance of the nearest pair
no A on B    each A on B is unmet

Distances go around what blocks the layers of what moves. The distance of the players from what is unmet is added:
somebody has to go there.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzlescript.planes.goal import Goal
from puzzlemc.encodings.puzzlescript.planes.tables import Board
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps.guide import Guide
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.planes.bits import shifted
    from puzzlemc.encodings.puzzlescript.planes.goal import ANY, EVERY
    from puzzlemc.mc.words import ALL, Bytes, Flag, Index, Ints, Word, Words2, count_bits, left

    # Rows of BoardGuide.cells.
    HERE = 0
    ON = 1
    WRONG = 2
    FLOOD = 3
    NEXT = 4
    ALL_WRONG = 5


class BoardGuide(Guide):
    """The distance of packed states from winning.

    goal     the win conditions
    board    the size of the board
    free     (sides, words): the cells that nothing constant blocks for the side; last, those for the players
    fixed    (sides,): whether a side never changes
    players  the planes of the players
    far      the distance of what cannot be reached
    cells    scratch rows of cells, see above
    """

    goal: Goal
    board: Board
    free: Words2
    fixed: Bytes
    players: Ints
    far: Index
    cells: Words2

    def __init__(
        self, words: int, walk: Iterable[int], goal: Goal, board: Board, arrays: Mapping[str, npt.NDArray[Any]]
    ) -> None:
        """A guide for packed states of `words` words."""
        super().__init__(words, walk)
        self.goal, self.board = goal, board
        self.free, self.fixed = view(arrays["side_free"]), view(arrays["side_fixed"])
        self.players = view(arrays["player_planes"])
        self.far = board.width + board.height
        self.cells = view(np.zeros((ALL_WRONG + 1, board.words), np.uint64))

    def measure(self, table: StateTable, number: Index) -> None:
        """Set `unmet` and `distance` for a state of the table."""
        k: Index
        w: Index
        self.unmet = self.distance = 0
        for w in range(self.board.words):
            self.cells[ALL_WRONG, w] = 0
        for k in range(self.goal.quantifiers.shape[0]):
            _measure_condition(self, table, number, k)
        if self.unmet > 0 and self.players.shape[0] > 0:
            any: Word = 0
            for w in range(self.board.words):
                self.cells[FLOOD, w] = _together(self, table, number, w)
                any |= self.cells[ALL_WRONG, w]
            if any != 0:
                self.distance += _way(self, ALL_WRONG, self.free.shape[0] - 1, True)


def _together(guide: BoardGuide, table: StateTable, number: Index, w: Index) -> Word:
    """A word of the cells of players."""
    i: Index
    cells: Word = 0
    for i in range(guide.players.shape[0]):
        cells |= _plane(guide, table, number, guide.players[i], w)
    return cells


def _measure_condition(guide: BoardGuide, table: StateTable, number: Index, k: Index) -> None:
    """Add what a win condition counts to `unmet` and `distance`."""
    w: Index
    quantifier: Index = guide.goal.quantifiers[k]
    met: Word = 0
    wrong: Index = 0
    for w in range(guide.board.words):
        here: Word = _side(guide, table, number, 2 * k, w)
        on: Word = _side(guide, table, number, 2 * k + 1, w)
        met |= here & on
        guide.cells[HERE, w], guide.cells[ON, w] = here, on
        guide.cells[WRONG, w] = here & (ALL ^ on) if quantifier == EVERY else here & on
        wrong += count_bits(guide.cells[WRONG, w])
    if quantifier == ANY:
        if met != 0:
            return
        guide.unmet += 1
        for w in range(guide.board.words):
            guide.cells[FLOOD, w] = guide.cells[ON, w]
            guide.cells[ALL_WRONG, w] |= guide.cells[HERE, w]
        guide.distance += _way(guide, HERE, 2 * k + guide.fixed[2 * k], True)
        return
    guide.unmet += wrong
    for w in range(guide.board.words):
        guide.cells[ALL_WRONG, w] |= guide.cells[WRONG, w]
    if quantifier == EVERY and wrong > 0:
        any: Word = 0
        for w in range(guide.board.words):
            guide.cells[FLOOD, w] = guide.cells[ON, w] & (ALL ^ guide.cells[HERE, w])
            any |= guide.cells[FLOOD, w]
        if any == 0:
            guide.distance += guide.far * wrong
        else:
            guide.distance += _way(guide, WRONG, 2 * k + guide.fixed[2 * k], False)


def _way(guide: BoardGuide, target: Index, side: Index, nearest: Flag) -> Index:
    """The sum of the distances of a row of cells from FLOOD, or the least, through the free cells of a side."""
    w: Index
    steps: Index = 0
    total: Index = 0
    left_over: Index = 0
    for w in range(guide.board.words):
        left_over += count_bits(guide.cells[target, w] & (ALL ^ guide.cells[FLOOD, w]))
        if nearest and guide.cells[target, w] & guide.cells[FLOOD, w] != 0:
            return 0
    while left_over > 0:
        if not _spread(guide, side):
            return total + guide.far * (1 if nearest else left_over)
        steps += 1
        for w in range(guide.board.words):
            count: Index = count_bits(guide.cells[target, w] & guide.cells[NEXT, w])
            if nearest and count > 0:
                return steps
            total += steps * count
            left_over -= count
    return total


def _spread(guide: BoardGuide, side: Index) -> Flag:
    """Add the free cells next to FLOOD to it; NEXT has them. Returns whether there are any."""
    w: Index
    width: Index = guide.board.width
    any: Word = 0
    for w in range(guide.board.words):
        around: Word = (
            shifted(guide.cells, FLOOD, 1, w) & guide.board.inner[3, w]
            | shifted(guide.cells, FLOOD, -1, w) & guide.board.inner[2, w]
            | shifted(guide.cells, FLOOD, width, w)
            | shifted(guide.cells, FLOOD, -width, w)
        )
        guide.cells[NEXT, w] = around & guide.free[side, w] & (ALL ^ guide.cells[FLOOD, w])
        any |= guide.cells[NEXT, w]
    for w in range(guide.board.words):
        guide.cells[FLOOD, w] |= guide.cells[NEXT, w]
    return any != 0


def _side(guide: BoardGuide, table: StateTable, number: Index, side: Index, w: Index) -> Word:
    """A word of the cells that have a side of a condition."""
    i: Index
    cells: Word = guide.goal.constant[side, w]
    for i in range(guide.goal.sides[side], guide.goal.sides[side + 1]):
        plane: Word = _plane(guide, table, number, guide.goal.planes[i], w)
        cells = cells & plane if guide.goal.whole[side] != 0 else cells | plane
    return cells


def _plane(guide: BoardGuide, table: StateTable, number: Index, plane: Index, w: Index) -> Word:
    """A word of a plane of a packed state."""
    first: Index = plane * guide.board.cells + 64 * w
    shift: Index = first & 63
    i: Index = first >> 6
    here: Word = table.rows[number, i] >> shift
    if shift != 0 and i + 1 < table.rows.shape[1]:
        here |= left(table.rows[number, i + 1], 64 - shift)
    return here & guide.board.whole[w]
