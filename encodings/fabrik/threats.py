"""Compiled search for wins within one or two turns of the player to move, and for the replies that prevent them.

It is fast because *one refutation excludes many turns*. A turn with the stone s is refuted if the reply with the
stone r and the workers on {a, b} leaves no win. The same reply is possible after every turn with the stone s that
leaves a worker on a or on b, because the opponent can move the other worker. So a few refutations exclude all
turns with this stone. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.encodings.fabrik.fast import Array, geometry
from puzzlemc.mc.words import view
from puzzlemc.screens.fabrik import Level

if not cython.compiled:
    from puzzlemc.encodings.fabrik.fast import (
        EMPTY,
        NOWHERE,
        WORKER,
        Geometry,
        State,
        Turns,
        find_way,
        generate,
        has_turn,
        move,
        put,
        take,
    )
    from puzzlemc.mc.words import Flag, Index, Numbers, Shorts3

KEPT = 8  # refutations kept for each stone

Row = tuple[int, int, int]  # a turn: its stone, and a worker's old and new cell, equal or NOWHERE if none moves


class Scratch:
    """The arrays of the search on one board.

    mine, theirs, last  room for the turns at three depths
    refutations         (cells, KEPT, 2): for each stone, the workers' cells after replies that leave no win
    number              (cells,): for each stone, the number of refutations found, of which the last KEPT are kept
    """

    mine: Turns
    theirs: Turns
    last: Turns
    refutations: Shorts3
    number: Numbers

    def __init__(self, size: int) -> None:
        """The arrays for a board with this number of rows."""
        cells = size * size
        self.mine, self.theirs, self.last = Turns(cells), Turns(cells), Turns(cells)
        self.refutations = view(np.zeros((cells, KEPT, 2), np.int16))
        self.number = view(np.zeros(cells, np.int64))


def win_in_one(level: Level, now: State, player: Index, scratch: Scratch) -> Row | None:
    """A turn that wins at once; None if there is none. Here and below, nobody has won yet."""
    stone: Index = _finish(geometry(level.size, level.row), now, player, scratch.last)
    return None if stone < 0 else (stone, now.source, now.target)


def win_in_two(level: Level, now: State, player: Index, scratch: Scratch) -> Row | None:
    """A turn that wins, or after which each reply leaves a winning turn; None if there is none."""
    stone: Index = _two(geometry(level.size, level.row), now, player, scratch)
    return None if stone < 0 else (stone, now.source, now.target)


def defences(level: Level, now: State, player: Index, scratch: Scratch) -> Array:
    """The turns of a player after which the opponent cannot win at once; they include all winning turns."""
    replies = Turns(level.size * level.size)
    number: Index = _defences(geometry(level.size, level.row), now, player, replies, scratch.last)
    return np.asarray(replies.rows)[:number]


def _sees(table: Geometry, now: State, worker: Index, cell: Index) -> Flag:
    """Are all cells between a worker and an empty cell empty, on one line?"""
    direction: Index = table.towards[cell, worker]
    if direction < 0:
        return False
    at: Index = table.near[cell, direction]
    while now.board[at] == EMPTY:
        at = table.near[at, direction]
    return at == worker


def can(table: Geometry, now: State, stone: Index, source: Index, target: Index) -> Flag:  # public
    """Is a turn legal?"""
    if source >= 0 and source != target and now.board[target] != EMPTY:
        return False
    if source >= 0 and source != target and source != now.workers[0] and source != now.workers[1]:
        return False
    move(now, source, target)
    legal: Flag = (
        now.board[stone] == EMPTY
        and _sees(table, now, now.workers[0], stone)
        and _sees(table, now, now.workers[1], stone)
    )
    move(now, target, source)
    return legal


def _pairs(table: Geometry, now: State, cell: Index) -> Index:
    """The number of pairs as in `_roomy` that are found beside a cell, at most two."""
    pairs: Index = 0
    first: Index = NOWHERE
    second: Index = NOWHERE
    direction: Index
    other: Index
    for direction in range(8):
        near: Index = table.near[cell, direction]
        if near < 0 or now.board[near] != EMPTY or near in (first, second):
            continue
        for other in range(8):
            far: Index = table.near[near, other]
            if far >= 0 and now.board[far] == EMPTY and far not in (first, second):
                pairs += 1
                first = near
                second = far
                break
        if pairs == 2:
            break
    return pairs


def _roomy(table: Geometry, now: State) -> Flag:
    """A sufficient condition that no single turn leaves the next player without one.

    Say q does not move in that turn. If there are cells e beside q and f beside e, empty when the other worker is
    lifted, the next player moves that worker to f and puts the stone on e. One stone cannot spoil two such pairs
    without a common cell.
    """
    which: Index
    for which in range(2):
        lifted: Index = now.workers[1 - which]
        now.board[lifted] = EMPTY
        pairs: Index = _pairs(table, now, now.workers[which])
        now.board[lifted] = WORKER
        if pairs < 2:
            return False
    return True


def _leaves_none(table: Geometry, now: State, stone: Index, source: Index, target: Index) -> Flag:
    """Does a turn leave the next player without one?"""
    move(now, source, target)
    now.board[stone] = 1  # of either colour
    stuck: Flag = not has_turn(table, now)
    now.board[stone] = EMPTY
    move(now, target, source)
    return stuck


def _found(now: State, stone: Index, source: Index, target: Index) -> Index:
    """Note the cells of the worker in the turn that a search has found; return its stone."""
    now.source = source
    now.target = target
    return stone


def _finish(table: Geometry, now: State, player: Index, turns: Turns) -> Index:
    """The stone of a turn that wins at once, or NOWHERE: by a row, else by leaving no turn.

    Looks only at `completes` of this player, and only on cells without a stone. The worker's cells are
    `source` and `target` of the state, here and in the other searches.
    """
    cell: Index
    at: Index
    if now.total[player] > 0:
        for cell in range(now.board.shape[0]):
            if now.completes[player, cell] > 0 and find_way(table, now, cell):
                return cell
    if not _roomy(table, now):
        for at in range(generate(table, now, turns)):
            stone: Index = turns.rows[at, 0]
            source: Index = turns.rows[at, 1]
            target: Index = turns.rows[at, 2]
            if _leaves_none(table, now, stone, source, target):
                return _found(now, stone, source, target)
    return NOWHERE


def _holds(table: Geometry, now: State, player: Index, stone: Index, turns: Turns) -> Flag:
    """After this stone of a player who does not win by it, can the opponent not win at once?

    The worker has moved. The stone need not be counted: it cannot be the missing cell of another window that the
    opponent completes.
    """
    now.board[stone] = player + 1
    won: Index = _finish(table, now, 1 - player, turns)
    now.board[stone] = EMPTY
    return won == NOWHERE


def _defences(table: Geometry, now: State, player: Index, replies: Turns, turns: Turns) -> Index:
    """Keep of all turns those after which the opponent cannot win at once; return their number."""
    kept: Index = 0
    at: Index
    for at in range(generate(table, now, replies)):
        stone: Index = replies.rows[at, 0]
        source: Index = replies.rows[at, 1]
        target: Index = replies.rows[at, 2]
        keeps: Flag = now.completes[player, stone] > 0
        if not keeps:
            move(now, source, target)
            keeps = _holds(table, now, player, stone, turns)
            move(now, target, source)
        if keeps:
            replies.rows[kept, 0] = stone
            replies.rows[kept, 1] = source
            replies.rows[kept, 2] = target
            kept += 1
    return kept


def _reply(table: Geometry, now: State, player: Index, replies: Turns, turns: Turns) -> Index:
    """The stone of a turn after which the opponent cannot win at once, or that wins; NOWHERE if there is none."""
    stone: Index = _finish(table, now, player, turns)
    if stone >= 0:
        return stone
    source: Index
    target: Index
    holds: Flag
    if now.total[1 - player] == 0:
        # Nearly any turn will do: look for one before all are listed.
        for stone in range(now.board.shape[0]):
            if now.board[stone] == EMPTY and find_way(table, now, stone):
                source = now.source
                target = now.target
                move(now, source, target)
                holds = _holds(table, now, player, stone, turns)
                move(now, target, source)
                if holds:
                    return _found(now, stone, source, target)
    at: Index
    for at in range(generate(table, now, replies)):
        stone = replies.rows[at, 0]
        source = replies.rows[at, 1]
        target = replies.rows[at, 2]
        move(now, source, target)
        holds = _holds(table, now, player, stone, turns)
        move(now, target, source)
        if holds:
            return _found(now, stone, source, target)
    return NOWHERE


def _builds(table: Geometry, now: State, player: Index, stone: Index) -> Flag:
    """Does the player threaten to complete a row after this stone?"""
    if now.total[player] - now.completes[player, stone] > 0:
        return True
    row: Index = table.windows.shape[1]
    place: Index
    for place in range(table.through.shape[1]):
        window: Index = table.through[stone, place]
        if window < 0:
            break
        if now.counts[player, window] == row - 2 and now.counts[1 - player, window] == 0:
            return True
    return False


def _refuted(now: State, scratch: Scratch, stone: Index) -> Flag:
    """Is a turn with this stone, whose worker has moved, refuted by a known refutation?"""
    one: Index = now.workers[0]
    two: Index = now.workers[1]
    kept: Index = min(scratch.number[stone], scratch.refutations.shape[1])
    place: Index
    for place in range(kept):
        first: Index = scratch.refutations[stone, place, 0]
        second: Index = scratch.refutations[stone, place, 1]
        if first in (one, two) or second in (one, two):
            return True
    return False


def _refute(table: Geometry, now: State, player: Index, stone: Index, scratch: Scratch) -> Flag:
    """Look for a reply that refutes a turn with this stone, whose worker has moved, and keep it."""
    put(table, now, stone, player)
    reply: Index = _reply(table, now, 1 - player, scratch.theirs, scratch.last)
    take(table, now, stone, player)
    if reply < 0:
        return False
    source: Index = now.source
    target: Index = now.target
    place: Index = scratch.number[stone] % scratch.refutations.shape[1]
    move(now, source, target)
    scratch.refutations[stone, place, 0] = now.workers[0]
    scratch.refutations[stone, place, 1] = now.workers[1]
    scratch.number[stone] += 1
    move(now, target, source)
    return True


def _two(table: Geometry, now: State, player: Index, scratch: Scratch) -> Index:
    """The stone of the first turn of a win within two, or NOWHERE. Turns that threaten a row come first."""
    stone: Index = _finish(table, now, player, scratch.last)
    if stone >= 0:
        return stone
    cell: Index
    for cell in range(scratch.number.shape[0]):
        scratch.number[cell] = 0
    number: Index = generate(table, now, scratch.mine)
    threatening: Index
    at: Index
    for threatening in range(1, -1, -1):
        for at in range(number):
            stone = scratch.mine.rows[at, 0]
            if _builds(table, now, player, stone) != threatening:
                continue
            source: Index = scratch.mine.rows[at, 1]
            target: Index = scratch.mine.rows[at, 2]
            move(now, source, target)
            refuted: Flag = _refuted(now, scratch, stone) or _refute(table, now, player, stone, scratch)
            move(now, target, source)
            if not refuted:
                return _found(now, stone, source, target)
    return NOWHERE
