"""Compiled search for wins within one or two turns of the player to move, and for the replies that prevent them.

It is fast because *one refutation excludes many turns*. A turn with the stone s is refuted if the reply with the
stone r and the workers on {a, b} leaves no win. The same reply is possible after every turn with the stone s that
leaves a worker on a or on b, because the opponent can move the other worker. So a few refutations exclude all
turns with this stone.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlemc.encodings.fabrik.fast import (
    EMPTY,
    NOWHERE,
    State,
    generate,
    geometry,
    has_turn,
    move,
    put,
    room,
    state,
    take,
    way_to,
)
from puzzlemc.mc.jit import cached, ready
from puzzlemc.screens.fabrik import Level, Position

KEPT = 8  # refutations kept for each stone

Array = NDArray[Any]
Row = tuple[
    int, int, int
]  # a turn: its stone, and a worker's old and new cell, the same or NOWHERE where none moves


class Scratch:
    """Arrays for the turns of three depths of the search on one board."""

    def __init__(self, size: int) -> None:
        ready(warm_up, "puzzlemc.encodings.fabrik.fast", __name__)
        self.mine, self.theirs, self.last = room(size), room(size), room(size)
        self.refutations = np.zeros((size * size, KEPT, 2), np.int16)
        self.number = np.zeros(size * size, np.int64)


def warm_up() -> None:
    """Run all compiled code of this file and of the fast rules once, so that it is compiled."""
    level = Level("", "", 3, 3, Position(frozenset(), frozenset(), frozenset({(0, 0), (2, 2)}), "black"))
    scratch, table, now = Scratch(level.size), geometry(level.size, level.row), state(level, level.start)
    win_in_one(level, now, 0, scratch)
    win_in_two(level, now, 0, scratch)
    defences(level, now, 0, scratch)
    can(table, now, 4, NOWHERE, NOWHERE)


def win_in_one(level: Level, now: State, player: int, scratch: Scratch) -> Row | None:
    """A turn that wins at once; None if there is none. Here and below, nobody has won yet."""
    stone, source, target = finish(geometry(level.size, level.row), now, player, scratch.last)
    return None if stone == NOWHERE else (stone, source, target)


def win_in_two(level: Level, now: State, player: int, scratch: Scratch) -> Row | None:
    """A turn that wins, or after which each reply leaves a winning turn; None if there is none."""
    table = geometry(level.size, level.row)
    stone, source, target = _two(
        table, now, player, scratch.mine, scratch.theirs, scratch.last, scratch.refutations, scratch.number
    )
    return None if stone == NOWHERE else (stone, source, target)


def defences(level: Level, now: State, player: int, scratch: Scratch) -> Array:
    """The turns of a player after which the opponent cannot win at once; they include all winning turns."""
    table = geometry(level.size, level.row)
    replies = room(level.size)
    return replies[: _defences(table, now, player, replies, scratch.last)]


@cached()
def _sees(table, board, worker, cell):  # type: ignore[no-untyped-def]
    """Are all cells between a worker and an empty cell empty, on one line?"""
    direction = table.towards[cell, worker]
    if direction < 0:
        return False
    at = table.near[cell, direction]
    while board[at] == EMPTY:
        at = table.near[at, direction]
    return at == worker


@cached()
def can(table, now, stone, source, target):  # type: ignore[no-untyped-def]
    """Is a turn legal?"""
    moves = source >= 0 and source != target
    if moves and ((source != now.workers[0] and source != now.workers[1]) or now.board[target] != EMPTY):
        return False
    move(now, source, target)
    legal = (
        now.board[stone] == EMPTY
        and _sees(table, now.board, now.workers[0], stone)
        and _sees(table, now.board, now.workers[1], stone)
    )
    move(now, target, source)
    return legal


@cached()
def _roomy(table, now):  # type: ignore[no-untyped-def]
    """A sufficient condition that no single turn leaves the next player without one.

    Say q does not move in that turn. If there are cells e beside q and f beside e, empty when the other worker is
    lifted, the next player moves that worker to f and puts the stone on e. One stone cannot spoil two such pairs
    without a common cell.
    """
    near, board = table.near, now.board
    for which in range(2):
        stays, lifted = now.workers[which], now.workers[1 - which]
        board[lifted] = EMPTY
        pairs = 0
        first = second = NOWHERE
        for direction in range(8):
            beside = near[stays, direction]
            if beside < 0 or board[beside] != EMPTY or beside in (first, second):
                continue
            for other in range(8):
                next_ = near[beside, other]
                if next_ >= 0 and board[next_] == EMPTY and next_ not in (first, second):
                    pairs += 1
                    first, second = beside, next_
                    break
            if pairs == 2:
                break
        board[lifted] = 3
        if pairs < 2:
            return False
    return True


@cached()
def finish(table, now, player, out):  # type: ignore[no-untyped-def]
    """A turn that wins at once, NOWHERE thrice if there is none: by a row, else by leaving no turn.

    Looks only at `completes` of this player, and only where the board is not covered by a stone.
    """
    if now.total[player] > 0:
        for cell in range(now.board.shape[0]):
            if now.completes[player, cell] > 0:
                source, target = way_to(table, now, cell)
                if source >= 0:
                    return cell, source, target
    if not _roomy(table, now):
        for at in range(generate(table, now, out)):
            stone, source, target = out[at, 0], out[at, 1], out[at, 2]
            move(now, source, target)
            now.board[stone] = 1  # of whichever colour
            stuck = not has_turn(table, now)
            now.board[stone] = EMPTY
            move(now, target, source)
            if stuck:
                return stone, source, target
    return NOWHERE, NOWHERE, NOWHERE


@cached()
def _holds(table, now, player, stone, source, target, out):  # type: ignore[no-untyped-def]
    """After this turn of a player who does not win by it, can the opponent not win at once?

    The stone need not be counted: it cannot be the missing cell of another window that the opponent completes.
    """
    move(now, source, target)
    now.board[stone] = player + 1
    won, _, _ = finish(table, now, 1 - player, out)
    now.board[stone] = EMPTY
    move(now, target, source)
    return won == NOWHERE


@cached()
def _defences(table, now, player, replies, out):  # type: ignore[no-untyped-def]
    """Keep of all turns those after which the opponent cannot win at once; return how many there are."""
    kept = 0
    for at in range(generate(table, now, replies)):
        stone, source, target = replies[at, 0], replies[at, 1], replies[at, 2]
        if now.completes[player, stone] > 0 or _holds(table, now, player, stone, source, target, out):
            replies[kept, 0], replies[kept, 1], replies[kept, 2] = stone, source, target
            kept += 1
    return kept


@cached()
def _reply(table, now, player, replies, out):  # type: ignore[no-untyped-def]
    """A turn after which the opponent cannot win at once, or that wins; NOWHERE thrice if there is none."""
    stone, source, target = finish(table, now, player, out)
    if stone >= 0:
        return stone, source, target
    if now.total[1 - player] == 0:
        # Nearly any turn will do: look for one before all are listed.
        for cell in range(now.board.shape[0]):
            if now.board[cell] == EMPTY:
                source, target = way_to(table, now, cell)
                if source >= 0 and _holds(table, now, player, cell, source, target, out):
                    return cell, source, target
    for at in range(generate(table, now, replies)):
        stone, source, target = replies[at, 0], replies[at, 1], replies[at, 2]
        if _holds(table, now, player, stone, source, target, out):
            return stone, source, target
    return NOWHERE, NOWHERE, NOWHERE


@cached()
def _two(table, now, player, mine, theirs, out, refutations, number):  # type: ignore[no-untyped-def]
    """The first turn of a win within two, NOWHERE thrice if there is none."""
    stone, source, target = finish(table, now, player, out)
    if stone >= 0:
        return stone, source, target
    row = table.windows.shape[1]
    number[:] = 0
    many = generate(table, now, mine)
    for threatening in (True, False):
        for at in range(many):
            stone, source, target = mine[at, 0], mine[at, 1], mine[at, 2]
            builds = now.total[player] - now.completes[player, stone] > 0
            if not builds:
                for place in range(table.through.shape[1]):
                    window = table.through[stone, place]
                    if window < 0:
                        break
                    if now.counts[player, window] == row - 2 and now.counts[1 - player, window] == 0:
                        builds = True
                        break
            if builds != threatening:
                continue
            move(now, source, target)
            one, another = now.workers[0], now.workers[1]
            known = False
            for place in range(min(number[stone], refutations.shape[1])):
                first, second = refutations[stone, place, 0], refutations[stone, place, 1]
                if first in (one, another) or second in (one, another):
                    known = True
                    break
            if not known:
                put(table, now, stone, player)
                reply, came, went = _reply(table, now, 1 - player, theirs, out)
                take(table, now, stone, player)
                if reply >= 0:
                    move(now, came, went)
                    place = number[stone] % refutations.shape[1]
                    refutations[stone, place, 0] = now.workers[0]
                    refutations[stone, place, 1] = now.workers[1]
                    number[stone] += 1
                    move(now, went, came)
                    known = True
            move(now, target, source)
            if not known:
                return stone, source, target
    return NOWHERE, NOWHERE, NOWHERE
