"""Solves small boards completely: lists all positions by their number of stones, and then decides them backward.

Each turn puts a stone, so no position repeats, and the attractor needs no queue: the values of layer n, the
positions with n stones, follow from those of layer n + 1. Positions that are symmetric by the square count once,
and so do positions that differ only by exchanging the colours: a position is the stones of the player to move,
those of the opponent, and the workers. If a turn wins at once, the other turns of the position are not expanded,
because none of them is quicker.

A position is one word, its *key*: the set of own stones, the set of the opponent's, and the two workers in order.
A layer is a hash table of keys with linear probing, with the *worth* of each key beside it.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.fabrik import rules as plain
from puzzlemc.mc import jit
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.games.model import DRAW, Value
from puzzlemc.mc.jit import cached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import FIRST, SECOND
from puzzlemc.screens.fabrik import BLACK, EMPTY, Cell, Level, Position

MOST_CELLS = 25  # two sets of cells and two cells of such a board fit in a word
HALF = 13  # cells of half a board, the index of the tables of symmetries
LEAST_SLOTS = 1 << 13  # half of them are more than the turns of a position
CHUNK = 1 << 14  # positions between two checks of the limits

# The worth of a position for the player to move: 0 if it is unknown, d for a win in d turns, -1 - d for a loss in
# d turns.
UNKNOWN = 0

Words = npt.NDArray[np.uint64]
Worths = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.int64]


class Geometry(NamedTuple):
    """The tables of a board, which all positions share.

    near   (cells, 8): the next cell in each direction, -1 beyond the edge
    lines  (cells, lines): the winning rows through a cell, as sets; padded with a set that no board contains
    sets   (8, 2, half a board): the image of each half of a set of cells under each symmetry
    cells  (8, cells): the image of a cell under each symmetry
    """

    near: Numbers
    lines: Words
    sets: Words
    cells: Numbers


def geometry(size: int, row: int) -> Geometry:
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
    return Geometry(near, lines, sets, cells)


@cached()
def canonical(table, own, other, one, two):  # type: ignore[no-untyped-def]
    """The key of a position: the least that a symmetry gives."""
    count = len(table.near)
    low = np.uint64((1 << HALF) - 1)
    best = np.uint64(0)
    for s in range(8):
        mine = table.sets[s, 0, own & low] | table.sets[s, 1, own >> np.uint64(HALF)]
        theirs = table.sets[s, 0, other & low] | table.sets[s, 1, other >> np.uint64(HALF)]
        p, q = table.cells[s, one], table.cells[s, two]
        if p > q:
            p, q = q, p
        workers = np.uint64(p | q << 5)
        key = mine | theirs << np.uint64(count) | workers << np.uint64(2 * count)
        if s == 0 or key < best:
            best = key
    return best


@cached()
def sight(near, occupied, cell):  # type: ignore[no-untyped-def]
    """The cells that a worker sees."""
    seen = np.uint64(0)
    for d in range(8):
        c = near[cell, d]
        while c >= 0 and not occupied >> np.uint64(c) & np.uint64(1):
            seen |= np.uint64(1) << np.uint64(c)
            c = near[c, d]
    return seen


@cached()
def successors(table, key, out):  # type: ignore[no-untyped-def]
    """Write the keys of all positions after a turn; returns how many. Where a turn wins, only returns -1."""
    near = table.near
    count = len(near)
    full = (np.uint64(1) << np.uint64(count)) - np.uint64(1)
    own, other = key & full, key >> np.uint64(count) & full
    one, two = np.int64(key >> np.uint64(2 * count) & np.uint64(31)), np.int64(key >> np.uint64(2 * count + 5))
    stones = own | other
    before = stones | np.uint64(1) << np.uint64(one) | np.uint64(1) << np.uint64(two)
    written = 0
    for way in range(-1, 2 * count):
        p, q = one, two
        if way >= 0:
            to = np.int64(way >> 1)
            if before >> np.uint64(to) & np.uint64(1):
                continue
            if way & 1:
                p = to
            else:
                q = to
        occupied = stones | np.uint64(1) << np.uint64(p) | np.uint64(1) << np.uint64(q)
        meeting = sight(near, occupied, p) & sight(near, occupied, q)
        for cell in range(count):
            if meeting >> np.uint64(cell) & np.uint64(1):
                mine = own | np.uint64(1) << np.uint64(cell)
                for line in table.lines[cell]:
                    if mine & line == line:
                        return -1
                out[written] = canonical(table, other, mine, p, q)
                written += 1
    return written


@cached()
def slot_of(keys, key):  # type: ignore[no-untyped-def]
    """The place of a key in a table, or the free one where it would be; the table's length is a power of two."""
    mask = np.uint64(len(keys) - 1)
    slot = (key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20)) & mask
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@cached()
def rehash(keys, larger):  # type: ignore[no-untyped-def]
    """Put the keys into a larger table, which comes in as zeros."""
    for key in keys:
        if key != 0:
            larger[slot_of(larger, key)] = key


@cached()
def expand(table, keys, worths, start, end, last, after, used, room, out):  # type: ignore[no-untyped-def]
    """Put into the table `after`, of `used` keys, what follows the positions in slots `start` to before `end`.

    Positions that end at once get their worth; in the `last` layer nothing else is done. Stops where there are not
    `room` places more in the table. Returns the slot where it stopped, and `used`.
    """
    for i in range(start, end):
        if keys[i] == 0:
            continue
        if not last and used + len(out) > room:
            return i, used
        count = successors(table, keys[i], out)
        if count <= 0:
            worths[i] = 1 if count < 0 else -1
        elif not last:
            for j in range(count):
                slot = slot_of(after, out[j])
                if after[slot] == 0:
                    after[slot] = out[j]
                    used += 1
    return end, used


@cached()
def decide(table, keys, worths, start, end, after, after_worths, out):  # type: ignore[no-untyped-def]
    """The worths of the positions in slots `start` to before `end`, from those of the next layer."""
    for i in range(start, end):
        if keys[i] == 0 or worths[i] != 0:
            continue
        count = successors(table, keys[i], out)
        soonest, latest, unknown = 127, 0, False
        for j in range(count):
            worth = after_worths[slot_of(after, out[j])]
            if worth < 0:
                soonest = min(soonest, -worth)
            elif worth == 0:
                unknown = True
            else:
                latest = max(latest, worth)
        if soonest < 127:
            worths[i] = soonest
        elif not unknown:
            worths[i] = -2 - latest


@dataclass(frozen=True)
class Layer:
    """All positions with a certain number of stones: a table of keys, 0 in a free slot, and the worth of each."""

    keys: Words
    worths: Worths

    def __len__(self) -> int:
        return int(np.count_nonzero(self.keys))


def warm_up() -> None:
    """Run all compiled code once, so that it is compiled."""
    solved = Solution(Level("", "", 2, 2, EMPTY), Budget())
    rehash(solved.layers[0].keys, _layer(LEAST_SLOTS).keys)


class Solution:
    """The winner of each position of a small board, and the number of turns.

    The positions are those that can be reached from the board without stones, for all places of the workers; the
    position of the level does not matter. Positions with more than `most_stones` stones are left out. Then some
    values are unknown, but the known ones are exact. Raises LimitReached, and ModelError for a board that is too
    large.
    """

    def __init__(self, level: Level, budget: Budget, most_stones: int | None = None) -> None:
        self.level = level
        self._table = geometry(level.size, level.row)
        self._values: dict[Position, Value] = {}
        jit.ready(warm_up, __name__)
        count = level.size**2
        self._out = np.empty((2 * count + 1) * count, np.uint64)
        last = count - 2 if most_stones is None else min(most_stones, count - 2)
        self.layers = [self._first(count)]
        for stones in range(last + 1):
            after = self._expand(self.layers[-1], budget, last=stones == last)
            if after is None:
                break
            self.layers.append(after)
        for here, after in zip(self.layers[-2::-1], self.layers[:0:-1], strict=True):
            for start in range(0, len(here.keys), CHUNK):
                end = min(start + CHUNK, len(here.keys))
                decide(self._table, here.keys, here.worths, start, end, after.keys, after.worths, self._out)
                budget.check()

    def _first(self, count: int) -> Layer:
        """The positions without stones."""
        layer = _layer(LEAST_SLOTS)
        none = np.uint64(0)
        for one in range(count):
            for two in range(one + 1, count):
                key = canonical(self._table, none, none, one, two)
                layer.keys[slot_of(layer.keys, key)] = key
        return layer

    def _expand(self, here: Layer, budget: Budget, *, last: bool) -> Layer | None:
        """The positions with one more stone; None if there are none."""
        after = _layer(max(LEAST_SLOTS, len(here.keys)))
        used = start = 0
        while start < len(here.keys):
            room = len(after.keys) // 2 + len(self._out)
            end = min(start + CHUNK, len(here.keys))
            start, used = expand(
                self._table, here.keys, here.worths, start, end, last, after.keys, used, room, self._out
            )
            budget.check()
            if start < end:
                self._check_room(after, budget)
                larger = _layer(4 * len(after.keys))
                rehash(after.keys, larger.keys)
                after = larger
        return after if used else None

    def _check_room(self, after: Layer, budget: Budget) -> None:
        """Raise LimitReached if a larger layer exceeds the memory limit."""
        held = sum(layer.keys.nbytes + layer.worths.nbytes for layer in (*self.layers, after))
        if held + 4 * (after.keys.nbytes + after.worths.nbytes) > budget.limits.memory:
            raise LimitReached("memory")

    @cached_property
    def states(self) -> int:
        """The number of positions; symmetric ones count once."""
        return sum(map(len, self.layers))

    def worth(self, own: int, other: int, one: int, two: int) -> int:
        """The worth of a position for the player to move, or UNKNOWN. Stones are sets of bits."""
        stones = own.bit_count() + other.bit_count()
        if stones >= len(self.layers):
            return UNKNOWN
        layer = self.layers[stones]
        key = canonical(self._table, np.uint64(own), np.uint64(other), one, two)
        slot = slot_of(layer.keys, key)
        return int(layer.worths[slot]) if layer.keys[slot] == key else UNKNOWN

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


def _layer(slots: int) -> Layer:
    return Layer(np.zeros(slots, np.uint64), np.zeros(slots, np.int8))
