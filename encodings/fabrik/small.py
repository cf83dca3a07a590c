"""Small boards: who wins from each position, and in how many turns.

`winning_cells.py` has the idea and the compiled search. Here are its tables, its limits, and the winning turns and
strategies that follow from its answers.
"""

from collections.abc import Hashable, Iterator
from itertools import count
from typing import cast

import numpy as np

from puzzlemc.encodings.fabrik import rules as plain
from puzzlemc.encodings.fabrik.rules import Turn
from puzzlemc.encodings.fabrik.tree import Tree
from puzzlemc.encodings.fabrik.winning_cells import (
    HALF,
    NO_TURN,
    STAYS,
    Board,
    Table,
    cells_of,
    finish,
    finishes,
    insert_all,
    unanswered,
)
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.games.model import Value
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import FIRST, SECOND
from puzzlemc.screens.fabrik import BLACK, Cell, Level, Position

MOST_CELLS = 25  # two sets of cells, a bound and the kind of cells fit in a word
LEAST_SLOTS = 1 << 12
BYTES = 16  # for each slot of a table
VISITS = 1 << 14  # sets of stones between two checks of the limits, more than a path has


def board_of(size: int, row: int) -> Board:
    """The tables of a board. Raises ModelError for one that is too large."""
    cells = size * size
    if cells > MOST_CELLS:
        raise ModelError(f"a board of {size} × {size} cells is too large to be solved outright")
    rays = np.zeros((cells, 8), np.uint64)
    through: list[list[int]] = [[] for _ in range(cells)]
    for cell in range(cells):
        for direction, step in enumerate(plain.DIRECTIONS):
            rays[cell, direction] = _set(_line(size, cell, step)[1:])
        for step in plain.AXES:
            line = _line(size, cell, step)[:row]
            if len(line) == row:
                for each in line:
                    through[each].append(_set(line) & ~(1 << each))
    lines = np.full((cells, max(map(len, through)) + 1), ~np.uint64(0))
    for cell, masks in enumerate(through):
        lines[cell, : len(masks)] = masks
    square = np.arange(cells).reshape(size, size)
    turned = [np.rot90(square, quarters) for quarters in range(4)]
    images = np.zeros((8, 2, 1 << HALF), np.uint64)
    halves = np.arange(1 << HALF, dtype=np.uint64)
    for symmetry, image in enumerate([*turned, *(quarter.T for quarter in turned)]):
        for place, cell in enumerate(image.ravel().tolist()):
            half, bit = divmod(cell, HALF)
            images[symmetry, half] |= (halves >> np.uint64(bit) & np.uint64(1)) << np.uint64(place)
    return Board(rays, lines, images)


def _line(size: int, cell: int, step: tuple[int, ...]) -> list[int]:
    """The cells from a cell in a direction to the edge of the board."""
    line, (row, column) = [], divmod(cell, size)
    while 0 <= row < size and 0 <= column < size:
        line.append(row * size + column)
        row, column = row + step[0], column + step[1]
    return line


def _set(cells: list[int]) -> int:
    return sum(1 << cell for cell in cells)


class Solution:
    """The winner of each position of a small board, and the number of turns, computed when somebody asks.

    The position of the level does not matter. The methods raise LimitReached, and the first one ModelError for a
    board that is too large.
    """

    def __init__(self, level: Level, budget: Budget) -> None:
        self.level = level
        self.board = board_of(level.size, level.row)
        self._budget = budget
        self._table = Table(LEAST_SLOTS)
        self._values: dict[Position, Value] = {}

    @property
    def states(self) -> int:
        """The number of sets of stones that are kept, each once for a kind of cells and a bound."""
        return self._table.used

    def set_of(self, cells: frozenset[Cell]) -> int:
        """Cells as a set of bits."""
        return sum(1 << row * self.level.size + column for row, column in cells)

    def stones(self, here: Position) -> tuple[int, int]:
        """The stones of the player to move, and those of the opponent, as sets of bits."""
        own, other = (here.black, here.white) if here.turn == BLACK else (here.white, here.black)
        return self.set_of(own), self.set_of(other)

    def wins(self, here: Position, within: int) -> bool:
        """Can the player to move force a win within a number of own turns?"""
        own, other = self.stones(here)
        return self._cells(own, other, self.set_of(here.workers), True, within) != 0

    def loses(self, here: Position, within: int) -> bool:
        """Can the opponent of the player to move force a win within a number of own turns?"""
        own, other = self.stones(here)
        return self._cells(own, other, self.set_of(here.workers), False, within) == 0

    def _cells(self, own: int, other: int, wanted: int, attacks: bool, within: int) -> int:
        within = min(within, self.level.size**2)  # each turn puts a stone
        while True:
            self._budget.check()
            self._table.limit(VISITS)
            found = cells_of(self.board, self._table, own, other, wanted, attacks, within)
            if self._table.left > 0:
                return found
            slots = self._table.keys.shape[0]
            if 2 * self._table.used >= slots:
                if 5 * slots * BYTES > self._budget.limits.memory:
                    raise LimitReached("memory")
                larger = Table(4 * slots)
                insert_all(self._table, larger)
                self._table = larger

    def value(self, position: Hashable) -> Value:
        """The value of a position of the plain rules."""
        here = cast(Position, position)
        if here not in self._values:
            self._values[here] = self._value(here)
        return self._values[here]

    def _value(self, here: Position) -> Value:
        mover = FIRST if plain.mover(here) == BLACK else SECOND
        won = plain.winner(self.level, here)
        if won:
            return Value(FIRST if won == BLACK else SECOND, 0)
        if here.turn:
            for within in count(1):
                if self.wins(here, within):
                    return Value(mover, 2 * within - 1)
                if self.loses(here, within):
                    return Value(1 - mover, 2 * within)
        after = [self.value(there) for _, there in plain.moves(self.level, here)]
        wins = [value.turns or 0 for value in after if value.winner == mover]
        if wins:
            return Value(mover, min(wins) + 1)
        return Value(1 - mover, max(value.turns or 0 for value in after) + 1)


class SmallSearch:
    """The forced wins of one player on a small board, FIRST for Black; as `forced.Search`."""

    def __init__(self, solution: Solution, player: int) -> None:
        self._solution = solution
        self._level = solution.level
        self._side = player
        self._now = solution.level.start

    def place(self, position: Position) -> "SmallSearch":
        """Set the current position. It must have two workers, a player to move, and no winner."""
        self._now = position
        return self

    def wins(self, within: int) -> bool:
        """Can the player force a win from here within this number of own turns? Raises LimitReached."""
        if self._mine(self._now):
            return self._solution.wins(self._now, within)
        return self._solution.loses(self._now, within)

    def first_turns(self, within: int) -> Iterator[str]:
        """The first turns, by name, of forced wins within the least number of own turns. Raises LimitReached."""
        return (turn.name for turn, _ in self._attacks(self._now, within))

    def add(self, tree: Tree) -> int:
        """Add the player's forced win, which must exist, to a tree; return its node. Raises LimitReached."""
        return self._mine_into(tree, self._now) if self._mine(self._now) else self._theirs_into(tree, self._now)

    def _mine(self, position: Position) -> bool:
        return (FIRST if position.turn == BLACK else SECOND) == self._side

    def _attacks(self, position: Position, within: int) -> Iterator[tuple[Turn, Position]]:
        for turn, then in plain.turns(self._level, position):
            if self._ends(then) or self._solution.loses(then, within - 1):
                yield turn, then

    def _ends(self, then: Position) -> bool:
        """Has the player who has just moved a row?"""
        return plain.has_row(self._level, plain.stones(then, plain.other(then.turn)))

    def _key(self, here: Position) -> bytes:
        own, other = self._solution.stones(here)
        return repr((here.turn, own, other, self._solution.set_of(here.workers))).encode()

    def _workers(self, here: Position) -> list[int]:
        return [row * self._level.size + column for row, column in sorted(here.workers)]

    def _mine_into(self, tree: Tree, here: Position) -> int:
        """It takes a quickest win after which the opponent has fewest replies that hold for a turn."""
        key = self._key(here)
        if key not in tree.known:
            within = next(number for number in count(1) if self._solution.wins(here, number))
            turn, then = min(self._attacks(here, within), key=lambda pair: self._rank(tree, pair[1]))
            after = tree.end() if plain.winner(self._level, then) else self._theirs_into(tree, then)
            tree.known[key] = tree.own(turn.name, after)
        return tree.known[key]

    def _rank(self, tree: Tree, then: Position) -> int:
        if self._ends(then) or self._key(then) in tree.known:
            return -1
        return unanswered(self._solution.board, *self._solution.stones(then), self._solution.set_of(then.workers))

    def _theirs_into(self, tree: Tree, here: Position) -> int:
        key = self._key(here)
        if key not in tree.known:
            after: dict[str, int] = {}
            ends: list[int] = []
            board = self._solution.board
            for reply, then in plain.turns(self._level, here):
                own, other = self._solution.stones(then)
                one, two = self._workers(then)
                if not any(finishes(board, own, other, one, two, turn) for turn in ends):
                    turn = finish(board, own, other, one, two)
                    if turn == NO_TURN:
                        after[reply.name] = self._mine_into(tree, then)
                    else:
                        ends.append(turn)
            tree.known[key] = tree.replies(after, map(self._name, ends))
        return tree.known[key]

    def _name(self, turn: int) -> str:
        """The name of a turn of the compiled search."""
        stone, source, target = (divmod(turn >> shift & 31, self._level.size) for shift in (0, 5, 10))
        return Turn(stone, None if turn >> 5 & 31 == STAYS else (source, target)).name
