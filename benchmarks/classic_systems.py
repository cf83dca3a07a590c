"""Classics as systems of variables and actions, beside their models by hand in `tests/compatibility/0.1/`."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import coins
import hanoi
import knights
import lights_out
import pegs
import river
import sliding

from puzzlemc.encodings.modelling.language.expressions import All, Expression
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model

Board = Sequence[Sequence[int]]
Picture = tuple[str, ...]
NEAR = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))

SLIDING = {
    "eight tiles": ((8, 6, 7), (2, 5, 4), (3, 0, 1)),
    "fifteen tiles, 26 slides": ((1, 2, 7, 8), (10, 3, 4, 6), (5, 14, 11, 12), (9, 0, 13, 15)),
    "fifteen tiles, 28 slides": ((0, 1, 10, 2), (5, 4, 7, 6), (9, 14, 15, 3), (13, 11, 12, 8)),
    "fifteen tiles, 42 slides": ((6, 5, 9, 3), (13, 2, 11, 10), (1, 8, 15, 4), (14, 12, 7, 0)),
    "fifteen tiles, 30 slides": ((1, 6, 0, 4), (9, 7, 2, 3), (12, 5, 15, 8), (13, 10, 11, 14)),
    "eleven tiles, 36 slides": ((11, 5, 7, 2), (1, 10, 6, 8), (4, 3, 9, 0)),
    "fourteen and fifteen": ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 15, 14, 0)),
    "23 and 24": (range(1, 6), range(6, 11), range(11, 16), range(16, 21), (21, 22, 24, 23, 0)),
}
HORSES = (("abcd", "efgh", "ijk."), ("bacd", "efgh", "ijk."))


class Classic(NamedTuple):
    """A puzzle under a metric: its model by hand, and its system."""

    name: str
    metric: str
    by_hand: Callable[[], Model]
    system: Callable[[], System]


def classics() -> Iterator[Classic]:
    """Yield all puzzles."""
    for name, board in SLIDING.items():
        level = sliding.Level(name, len(board[0]), tuple(tile for row in board for tile in row))
        by_hand = _bound(lambda level: sliding.compact(level).model, level)
        yield Classic(f"sliding, {name}", "slides", by_hand, _bound(tiles, board))
        yield Classic(f"sliding by cells, {name}", "slides", by_hand, _bound(cells, board))
    for name, lit in (
        ("3x3", ("*.*", "...", "*.*")),
        ("4x4", lights_out.BOARD),
        ("5x5, unsolvable", ("*....", *[5 * "."] * 4)),
        ("5x5", pressed(5, 9)),
        ("5x5, 12 presses", ("**.**", "**.**", ".....", "**.**", "**.**")),
        ("15x15", pressed(15, 3)),
    ):
        yield Classic(f"lights out, {name}", "presses", _bound(lights_out.model, lit), _bound(lamps, lit))
    yield Classic("pegs", "jumps", _bound(pegs.model, pegs.TRIANGLE), _bound(solitaire, pegs.TRIANGLE))
    for discs in (5, 8):
        yield Classic(f"hanoi, {discs} discs", "moves", _bound(hanoi.model, discs), _bound(towers, discs))
    for couples in (3, 4):
        by_hand = _bound(lambda couples: river.model(couples, 2), couples)
        yield Classic(f"river, {couples} couples", "trips", by_hand, _bound(crossing, couples))
    yield Classic("knights", ANY, lambda: knights.model(*HORSES), lambda: jumping(*HORSES))
    yield Classic("coins, 60", ANY, lambda: coins.model(60, 4, 3), lambda: turning(60, 4, 3))
    yield Classic("coins, 12", "turns", lambda: coins.model(12, 3, 3), lambda: turning(12, 3, 3))


def _bound(function: Callable[..., object], value: object) -> Callable[[], "object"]:
    return lambda: function(value)


def pressed(size: int, presses: int) -> Picture:
    """A board of lamps after random presses."""
    rng, lit = random.Random(size), set[tuple[int, int]]()
    for _ in range(presses):
        row, column = rng.randrange(size), rng.randrange(size)
        lit ^= {(row + down, column + right) for down, right in NEAR}
    return tuple("".join(".*"[(row, column) in lit] for column in range(size)) for row in range(size))


def _beside(board: Board) -> Iterator[tuple[int, int]]:
    """Yield pairs of cells that are side by side."""
    width, last = len(board[0]), len(board) * len(board[0])
    for one in range(last):
        for other in (one - 1, one + 1, one - width, one + width):
            if 0 <= other < last and (abs(one - other) == width or one // width == other // width):
                yield one, other


def tiles(board: Board) -> System:
    """Sliding tiles: the cell of each tile."""
    flat, system = [tile for row in board for tile in row], System()
    at = system.choices("tile", {tile: flat.index(tile) for tile in range(len(flat))}, range(len(flat)))
    for gap, cell in _beside(board):
        for tile in range(1, len(flat)):
            system.action(tile, (at[0] == gap) & (at[tile] == cell), {at[0]: cell, at[tile]: gap})
    system.goal = All(at[tile] == (tile - 1) % len(flat) for tile in at)
    return system


def cells(board: Board) -> System:
    """Sliding tiles: the tile in each cell."""
    flat, system = [tile for row in board for tile in row], System()
    on = system.choices("cell", dict(enumerate(flat)), range(len(flat)))
    for gap, cell in _beside(board):
        system.action(f"{cell} to {gap}", on[gap] == 0, {on[gap]: on[cell], on[cell]: 0})
    system.goal = All(on[cell] == (cell + 1) % len(flat) for cell in on)
    return system


def lamps(lit: Picture) -> System:
    """Lights out."""
    system = System()
    lamp = system.flags("lamp", {(r, c): sign == "*" for r, row in enumerate(lit) for c, sign in enumerate(row)})
    for row, column in lamp:
        near = [(row + down, column + right) for down, right in NEAR]
        then = {lamp[place]: ~lamp[place] for place in near if place in lamp}
        system.action(f"{row + 1},{column + 1}", True, then)
    system.goal = All(~each for each in lamp.values())
    return system


def solitaire(rows: Picture) -> System:
    """Peg solitaire on a triangle."""
    system = System()
    peg = system.flags("peg", {(r, c): sign == "o" for r, row in enumerate(rows) for c, sign in enumerate(row)})
    for r, c in peg:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)):
            over, to = (r + down, c + right), (r + 2 * down, c + 2 * right)
            if over in peg and to in peg:
                when = peg[r, c] & peg[over] & ~peg[to]
                system.action(f"{r},{c} to {to}", when, {peg[r, c]: False, peg[over]: False, peg[to]: True})
    system.goal = All(peg[r, c] == (rows[r][c] == ".") for r, c in peg)
    return system


def towers(discs: int) -> System:
    """The towers of Hanoi."""
    system = System()
    disc = system.choices("disc", dict.fromkeys(range(discs), "a"), "abc")
    for n, moved in disc.items():
        for start in "abc":
            for end in set("abc") - {start}:
                free = All((disc[m] != start) & (disc[m] != end) for m in range(n))
                system.action(f"{n}{start}{end}", (moved == start) & free, {moved: end})
    system.goal = All(each == "c" for each in disc.values())
    return system


def crossing(couples: int) -> System:
    """Missionaries and cannibals cross a river in a boat of two seats."""
    system = System()
    good = system.number("missionaries", 0, couples, couples)
    bad, here = system.number("cannibals", 0, couples, couples), system.flag("boat", True)

    def safe(good: Expression, bad: Expression) -> Expression:
        return (good == 0) | (good == couples) | (good == bad)

    for more, others in ((1, 0), (2, 0), (1, 1), (0, 1), (0, 2)):
        for away in (1, -1):
            left, rest = good - away * more, bad - away * others
            fits = (left >= 0) & (left <= couples) & (rest >= 0) & (rest <= couples)
            when = (here == (away == 1)) & fits & safe(left, rest)
            system.action(f"{more} and {others}", when, {good: left, bad: rest, here: ~here})
    system.goal = (good == 0) & (bad == 0) & ~here
    return system


def jumping(start: Picture, goal: Picture) -> System:
    """Knights change places."""
    signs, system = sorted({sign for row in start for sign in row}), System()
    on = system.choices("cell", {(r, c): sign for r, row in enumerate(start) for c, sign in enumerate(row)}, signs)
    for r, c in on:
        for down, right in knights.JUMPS:
            if (to := (r + down, c + right)) in on:
                when = (on[r, c] != ".") & (on[to] == ".")
                system.action(f"{r},{c} to {to}", when, {on[to]: on[r, c], on[r, c]: "."})
    system.goal = All(on[r, c] == goal[r][c] for r, c in on)
    return system


def turning(number: int, turned: int, tails: int) -> System:
    """Several neighbours in a circle of coins are turned."""
    system = System()
    heads = system.flags("heads", {n: n >= tails for n in range(number)})
    for first in range(number):
        some = [heads[(first + n) % number] for n in range(turned)]
        system.action(f"from {first + 1}", True, {coin: ~coin for coin in some})
    system.goal = All(heads.values())
    return system
