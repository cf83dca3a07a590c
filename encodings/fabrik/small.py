"""Solves small boards completely: lists all positions by their number of stones, and then decides them backward.

Each turn puts a stone, so no position repeats, and the attractor needs no queue: the values of layer n, the
positions with n stones, follow from those of layer n + 1. Positions that are symmetric by the square count once,
and so do positions that differ only by exchanging the colours: a position is the stones of the player to move,
those of the opponent, and the workers. If a turn wins at once, the other turns of the position are not expanded,
because none of them is quicker.

`layers.py` has the layers and the compiled code.
"""

from collections.abc import Hashable
from functools import cached_property
from typing import cast

import numpy as np

from puzzlemc.encodings.fabrik import rules as plain
from puzzlemc.encodings.fabrik.layers import (
    HALF,
    Board,
    Layer,
    canonical,
    decide,
    expand,
    insert,
    insert_all,
    worth_of,
)
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.games.model import DRAW, Value
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import FIRST, SECOND
from puzzlemc.screens.fabrik import BLACK, Cell, Level, Position

MOST_CELLS = 25  # two sets of cells and two cells of such a board fit in a word
LEAST_SLOTS = 1 << 13  # half of them are more than the turns of a position
BYTES = 9  # for each slot of a layer
CHUNK = 1 << 14  # positions between two checks of the limits

UNKNOWN = 0  # the worth of a position


def board_of(size: int, row: int) -> Board:
    """The tables of a board. Raises ModelError for one that is too large."""
    count = size * size
    if count > MOST_CELLS:
        raise ModelError(f"a board of {size} × {size} cells is too large to be solved outright")
    near = np.full((count, 8), -1, np.int64)
    through: list[list[int]] = [[] for _ in range(count)]
    for cell in range(count):
        for number, (down, right) in enumerate(plain.DIRECTIONS):
            there = cell // size + down, cell % size + right
            if 0 <= there[0] < size and 0 <= there[1] < size:
                near[cell, number] = there[0] * size + there[1]
        for down, right in plain.AXES:
            line = [(cell // size + i * down, cell % size + i * right) for i in range(row)]
            if 0 <= line[-1][0] < size and 0 <= line[-1][1] < size:
                numbers = [r * size + c for r, c in line]
                for number in numbers:
                    through[number].append(sum(1 << n for n in numbers))
    lines = np.full((count, max(1, *map(len, through))), ~np.uint64(0))
    for cell, masks in enumerate(through):
        lines[cell, : len(masks)] = masks
    square = np.arange(count).reshape(size, size)
    images = [turned for k in range(4) for turned in (np.rot90(square, k), np.rot90(square, k).T)]
    cells = np.array([np.argsort(image.ravel()) for image in images])
    sets = np.zeros((8, 2, 1 << HALF), np.uint64)
    halves = np.arange(1 << HALF, dtype=np.uint64)
    for symmetry in range(8):
        for cell in range(count):
            half, place = divmod(cell, HALF)
            held = halves >> np.uint64(place) & np.uint64(1)
            sets[symmetry, half] |= held << np.uint64(cells[symmetry, cell])
    return Board(near, lines, sets, cells)


class Solution:
    """The winner of each position of a small board, and the number of turns.

    The positions are those that can be reached from the board without stones, for all places of the workers; the
    position of the level does not matter. Positions with more than `most_stones` stones are left out. Then some
    values are unknown, but the known ones are exact. Raises LimitReached, and ModelError for a board that is too
    large.
    """

    def __init__(self, level: Level, budget: Budget, most_stones: int | None = None) -> None:
        self.level = level
        self._board = board_of(level.size, level.row)
        self._values: dict[Position, Value] = {}
        count = level.size**2
        last = count - 2 if most_stones is None else min(most_stones, count - 2)
        self.layers = [self._first(count)]
        for stones in range(last + 1):
            after = self._expand(self.layers[-1], budget, last=stones == last)
            if after is None:
                break
            self.layers.append(after)
        for here, after in zip(self.layers[-2::-1], self.layers[:0:-1], strict=True):
            slots = here.keys.shape[0]
            for start in range(0, slots, CHUNK):
                decide(self._board, here, after, start, min(start + CHUNK, slots))
                budget.check()

    def _first(self, count: int) -> Layer:
        """The positions without stones."""
        layer = Layer(LEAST_SLOTS)
        for one in range(count):
            for two in range(one + 1, count):
                insert(layer, canonical(self._board, 0, 0, one, two))
        return layer

    def _expand(self, here: Layer, budget: Budget, *, last: bool) -> Layer | None:
        """The positions with one more stone; None if there are none."""
        slots = here.keys.shape[0]
        after = Layer(max(LEAST_SLOTS, slots))
        start = 0
        while start < slots:
            end = min(start + CHUNK, slots)
            start = expand(self._board, here, after, start, end, last)
            budget.check()
            if start < end:
                self._check_room(after, budget)
                larger = Layer(4 * after.keys.shape[0])
                insert_all(after, larger)
                after = larger
        return after if after.used else None

    def _check_room(self, after: Layer, budget: Budget) -> None:
        """Raise LimitReached if a larger layer exceeds the memory limit."""
        slots = sum(layer.keys.shape[0] for layer in (*self.layers, after))
        if BYTES * (slots + 4 * after.keys.shape[0]) > budget.limits.memory:
            raise LimitReached("memory")

    @cached_property
    def states(self) -> int:
        """The number of positions; symmetric ones count once."""
        return sum(layer.used for layer in self.layers)

    def worth(self, own: int, other: int, one: int, two: int) -> int:
        """The worth of a position for the player to move, or UNKNOWN. Stones are sets of bits."""
        stones = own.bit_count() + other.bit_count()
        if stones >= len(self.layers):
            return UNKNOWN
        return worth_of(self.layers[stones], canonical(self._board, own, other, one, two))

    def value(self, position: Hashable) -> Value:
        """The value of a position of the plain rules, from the first worker on; DRAW if it is unknown."""
        here = cast(Position, position)
        if here not in self._values:
            self._values[here] = self._value(here)
        return self._values[here]

    def _value(self, here: Position) -> Value:
        if here.turn:
            return self._known(here)
        after = [self.value(there) for _, there in plain.moves(self.level, here)]
        mover = FIRST if plain.mover(here) == BLACK else SECOND
        wins = [value.turns for value in after if value.winner == mover and value.turns is not None]
        if wins:
            return Value(mover, min(wins) + 1)
        losses = [value.turns for value in after if value.turns is not None]
        return Value(1 - mover, max(losses) + 1) if len(losses) == len(after) else DRAW

    def _known(self, here: Position) -> Value:
        mover = FIRST if here.turn == BLACK else SECOND
        own, other = (here.black, here.white) if mover == FIRST else (here.white, here.black)
        one, two = (cell[0] * self.level.size + cell[1] for cell in here.workers)
        worth = self.worth(self._set(own), self._set(other), one, two)
        if worth == UNKNOWN:
            won = plain.winner(self.level, here)
            return Value(FIRST if won == BLACK else SECOND, 0) if won else DRAW
        return Value(mover, worth) if worth > 0 else Value(1 - mover, -1 - worth)

    def _set(self, cells: frozenset[Cell]) -> int:
        return sum(1 << row * self.level.size + column for row, column in cells)
