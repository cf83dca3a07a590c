"""Checks proofs that list the positions of a level, by compiled turns and by the plain rules.

The names of the bits of a proof say how its states read: bit `crate@7` says that the object `crate` is in cell 7,
counted by rows from 0; bit `won` says that the last turn has won. An object in a cell is as at the start if no bit
is about it. So a packed state is one position, and different ones are different positions. The conditions are
those of `mc/proofs/positions.py`. Only positions and turns occur in them, so a wrong name cannot make a wrong
proof pass. Where no bit is about the objects of a layer that makes no difference (see `relevance`), a packed state
stands for all positions that differ in such layers only, and one of them is checked. Positions that break a bound
(see `bounds`), or that are lost by objects that stay for ever (see `escapes`), may be left out: no win comes after
them.

Compiled turns, which share no code with those of the search, check all positions. The plain rules check them
again, or a random sample of them where all would take long. The work that decides this is counted, not measured.
"""

import random
import re

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzlescript.cells.bounds import bounds
from puzzlemc.encodings.puzzlescript.cells.closed import (
    CLOSED,
    FULL,
    IGNORED,
    LEFT_OUT,
    NO_BIT,
    UNSETTLED,
    WINS,
    ListedPositions,
    check,
)
from puzzlemc.encodings.puzzlescript.cells.compilation import compilation, masks_of, turns_of
from puzzlemc.encodings.puzzlescript.cells.encoding import cells_of
from puzzlemc.encodings.puzzlescript.cells.escapes import frozen_objects
from puzzlemc.encodings.puzzlescript.cells.frozen import FrozenObjects
from puzzlemc.encodings.puzzlescript.cells.relevance import ignored_objects
from puzzlemc.encodings.puzzlescript.cells.turns import TICK
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, Position, moves
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.states import read_states
from puzzlemc.screens.puzzlescript.game import Level

# Work of the plain rules, as conditions of rules on cells. A million takes about a second.
ALL_WORK = 4_000_000  # the most for all positions
SAMPLE_WORK = 1_000_000  # for a sample of them
SAMPLE = 50  # the least positions of a sample
STATES = 100  # between two checks of the budget
WON = "won"
CELL = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
PLAIN, COMPILED = "plain rules", "compiled rules"


class Reading:
    """How packed positions are read.

    start   the first position of the level
    number  (cells, objects): the bit that says that an object is in a cell, NO_BIT or IGNORED if there is none
    won     the number of the bit `won`, None if there is none
    fixed   (cells, words): masks of the objects that no bit is about
    """

    def __init__(self, level: Level, start: Position, bits: tuple[str, ...]) -> None:
        """Raises Refuted if a name means nothing, or if two bits have the same one."""
        if len(set(bits)) < len(bits):
            raise Refuted("two bits of its states have the same name")
        self.level, self.start = level, start
        self.words = -(-len(bits) // 64)
        self.number = np.full((len(level.cells), len(level.game.objects)), NO_BIT, np.int32)
        self.won = bits.index(WON) if WON in bits else None
        objects = {name: number for number, name in enumerate(level.game.objects)}
        kept = [set(here) for here in start.cells]
        named = set[str]()
        for number, bit in enumerate(bits):
            if bit == WON:
                continue
            name, _, cell = bit.rpartition("@")
            if name not in objects or not CELL.fullmatch(cell) or int(cell) >= len(level.cells):
                raise Refuted("its states are not of objects in cells of the level")
            self.number[int(cell), objects[name]] = number
            kept[int(cell)].discard(name)
            named.add(name)
        for name in ignored_objects(level, start.cells, frozenset(named)):
            self.number[:, objects[name]] = IGNORED
        self.fixed = masks_of(level.game, tuple(map(frozenset, kept)))

    def packed(self, position: Position) -> npt.NDArray[np.uint64] | None:
        """The packed position without the objects that make no difference. None if there is none."""
        masks = masks_of(self.level.game, position.cells)
        row = np.zeros(self.words, np.uint64)
        bits = [] if self.won is None or not position.won else [self.won]
        if position.won and self.won is None:
            return None
        for cell, words in enumerate((masks ^ self.fixed).tolist()):
            for word, left in enumerate(words):
                while left:
                    bits.append(self.number[cell, 64 * word + (left & -left).bit_length() - 1])
                    left &= left - 1
        for bit in map(int, bits):
            if bit == NO_BIT:
                return None
            if bit != IGNORED:
                row[bit // 64] |= np.uint64(1 << bit % 64)
        return row

    def position(self, row: npt.NDArray[np.uint64]) -> Position:
        """The position that a packed position is."""
        held = sum(word << 64 * number for number, word in enumerate(row.tolist()))
        masks = self.fixed.copy()
        for cell, thing in np.argwhere(self.number >= 0).tolist():
            if held >> int(self.number[cell, thing]) & 1:
                masks[cell, thing // 64] |= np.uint64(1 << thing % 64)
        return Position(cells_of(self.level.game, masks), self.won is not None and bool(held >> self.won & 1))


def check_listed(level: Level, proof: ListedStates, budget: Budget) -> str:
    """Check that the listed states show what the proof says. Returns the name of the checker.

    That is `plain rules` if they check all positions. Raises Refuted, LimitReached.
    """
    proof.check_form()
    start = RULES.start(level)
    assert isinstance(start, Position)
    reading = Reading(level, start, proof.bits)
    rows, costs = read_states(proof, budget)
    if reading.won is not None:
        word, shift = divmod(reading.won, 64)
        if (rows[:, word] >> np.uint64(shift) & np.uint64(1)).any():
            raise Refuted("a solved position is listed, but costs less")
    price, below = (0, 1) if proof.below is None else (1, proof.below)
    frozen = frozen_objects(level, start.cells)
    listed = ListedPositions(rows, costs, reading.fixed, reading.number, (price, below), frozen)
    dead = bounds(level, start.cells)
    masks = masks_of(level.game, tuple(bound.objects for bound in dead))
    listed.bind([(bound.places, bound.least, bound.most) for bound in dead], masks)
    if not listed.insert():
        raise Refuted("a position stands twice")
    if below and _cost(listed, costs, reading, start) != 0:
        raise Refuted("the initial position is left out")
    _check_all(level, listed, budget)
    return _check_sample(reading, listed, frozen, costs, (price, below), budget)


def plain_work(level: Level) -> int:
    """The work of the plain rules for the steps of a position: each condition of a rule on each cell."""
    conditions = sum(len(part) for rows in compilation(level.game).rows for row in rows for part in row.parts)
    return len(level.cells) * (1 + conditions)


def sample_size(positions: int, work: int) -> int:
    """The number of positions that the plain rules check, if one of them takes this work."""
    if positions * work <= ALL_WORK:
        return positions
    return min(positions, max(SAMPLE, SAMPLE_WORK // work))


def _cost(
    listed: ListedPositions, costs: npt.NDArray[np.int64], reading: Reading, position: Position
) -> int | None:
    """The cost at which a position is listed, None if it is not."""
    row = reading.packed(position)
    number = -1 if row is None else listed.number_of(row)
    return None if number < 0 else int(costs[number])


def _check_all(level: Level, listed: ListedPositions, budget: Budget) -> None:
    """Check all positions by compiled turns. Raises Refuted, LimitReached."""
    turns = turns_of(level)
    movements = np.array([MOVES.index(each) if each in MOVES else TICK for each in moves(level.game)], np.int32)
    while listed.checked < listed.used:
        budget.check()
        match check(listed, turns, movements, STATES):
            case code if code == FULL:
                turns.board.enlarge()
            case code if code == UNSETTLED:
                raise Unsettled()
            case code if code in (WINS, LEFT_OUT):
                raise Refuted("a listed position leads to one that is left out")
            case code:
                assert code == CLOSED


def _check_sample(
    reading: Reading,
    listed: ListedPositions,
    frozen: FrozenObjects,
    costs: npt.NDArray[np.int64],
    claim: tuple[int, int],
    budget: Budget,
) -> str:
    """Check positions whose steps matter by the plain rules, all or a sample. Raises Refuted, LimitReached."""
    price, below = claim
    level, dead = reading.level, bounds(reading.level, reading.start.cells)
    numbers = np.flatnonzero(costs + price < below).tolist()
    count = sample_size(len(numbers), plain_work(level))
    is_part = count < len(numbers)
    for number in random.Random(0).sample(numbers, count) if is_part else numbers:
        budget.check()
        for step in RULES.steps(level, reading.position(np.asarray(listed.rows)[number])):
            assert isinstance(step.position, Position)
            cost = _cost(listed, costs, reading, step.position)
            is_listed = cost is not None and cost <= costs[number] + price
            cells = step.position.cells
            is_lost = any(bound.is_broken(cells) for bound in dead) or frozen.are_lost(masks_of(level.game, cells))
            if not is_listed and not is_lost:
                raise Refuted("a listed position leads to one that is left out")
    return COMPILED if is_part else PLAIN
