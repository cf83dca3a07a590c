"""Fast rules of Fabrik: compiled loops over a board of bytes, with counters of stones for each window.

A *window* is a line of as many cells as a winning row has. Each window has a counter of the stones of each player.
A cell *completes* a window for a player if it is the last cell without a stone of the player, and the window has
no stone of the opponent. So a stone wins if and only if its cell completes a window. Whether a stone can be put
there depends only on the workers:

A stone can be put on a cell w after the move of a worker if and only if the other worker q sees w on the board
without the moved worker, and w has an empty neighbour in another direction than that of q: the moved worker goes
there. (From any other cell from which it sees w, it could as well go to the neighbour of w on the same line.)
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzlemc.encodings.fabrik.rules import Turn
from puzzlemc.mc.jit import cached
from puzzlemc.screens.fabrik import BLACK, WHITE, Level, Position

# The content of a cell. Players are 0 and 1; their stones are 1 and 2.
EMPTY, WORKER = 0, 3
PLAYERS = (BLACK, WHITE)

NOWHERE = -1

Array = NDArray[Any]


class Geometry(NamedTuple):
    """The tables of a board, which all positions share.

    near     by cell and direction, the next cell, or NOWHERE; the opposite of direction d is 7 - d
    towards  by two cells, the direction from the first to the second, or NOWHERE
    windows  by window, its cells
    through  by cell, the windows that it is part of, filled up with NOWHERE
    """

    near: Array
    towards: Array
    windows: Array
    through: Array


class State(NamedTuple):
    """A position with two workers, in arrays that change in place.

    board      by cell, its content
    workers    the two cells
    counts     by player and window, the stones of that player
    completes  by player and cell, the number of windows that the cell completes
    total      by player, the sum of these numbers
    """

    board: Array
    workers: Array
    counts: Array
    completes: Array
    total: Array


@cache
def geometry(size: int, row: int) -> Geometry:
    """The tables of a board."""
    cells = size * size
    near = np.full((cells, 8), NOWHERE, np.int16)
    towards = np.full((cells, cells), NOWHERE, np.int8)
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
    windows = []
    for cell in range(cells):
        for direction, (down, right) in enumerate(steps):
            line = []
            at = cell // size + down, cell % size + right
            while 0 <= at[0] < size and 0 <= at[1] < size:
                line.append(at[0] * size + at[1])
                at = at[0] + down, at[1] + right
            towards[cell, line] = direction
            near[cell, direction] = line[0] if line else NOWHERE
            if direction >= 4 and len(line) >= row - 1:
                windows.append([cell, *line[: row - 1]])
    if row == 1:
        windows = [[cell] for cell in range(cells)]
    through = np.full((cells, 4 * row), NOWHERE, np.int16)
    for cell in range(cells):
        there = [number for number, window in enumerate(windows) if cell in window]
        through[cell, : len(there)] = there
    return Geometry(near, towards, np.array(windows, np.int16), through)


def state(level: Level, position: Position) -> State:
    """A position in arrays. It has two workers."""
    size = level.size
    table = geometry(size, level.row)
    board = np.zeros(size * size, np.int8)
    for piece, cells in ((1, position.black), (2, position.white), (WORKER, position.workers)):
        board[[row * size + column for row, column in cells]] = piece
    workers = np.array(sorted(row * size + column for row, column in position.workers), np.int16)
    seen = board[table.windows]
    counts = np.stack([(seen == piece).sum(axis=1) for piece in (1, 2)]).astype(np.int8)
    completes = np.zeros((2, size * size), np.int16)
    for player in (0, 1):
        open_ = (counts[player] == level.row - 1) & (counts[1 - player] == 0)
        missing = table.windows[open_][seen[open_] != player + 1]
        np.add.at(completes[player], missing, 1)
    return State(board, workers, counts, completes, completes.sum(axis=1))


def player_of(position: Position) -> int:
    """The player whose turn it is."""
    return PLAYERS.index(position.turn)


def turn_of(size: int, stone: int, source: int, target: int) -> Turn:
    """A turn of the plain rules. `source` is NOWHERE where no worker moves."""
    way = None if source == NOWHERE else (divmod(int(source), size), divmod(int(target), size))
    return Turn(divmod(int(stone), size), way)


def turns(level: Level, position: Position) -> Array:
    """All turns by the fast rules, a row each: stone, and a worker's old and new cell or NOWHERE twice.

    Nobody has won yet.
    """
    now = state(level, position)
    out = room(level.size)
    return out[: generate(geometry(level.size, level.row), now, out)]


def room(size: int) -> Array:
    """Room for all turns of a position: two workers to each cell, each time all that two sights may share."""
    # Two lines that are not the same share at most one cell, and two that are at most size - 2.
    return np.zeros(((2 * size * size + 1) * (size + 64), 3), np.int16)


@cached()
def generate(table, now, out):  # type: ignore[no-untyped-def]
    """Write all turns into `out`, and return how many there are. The last are those without a worker's move."""
    near, board, workers = table.near, now.board, now.workers
    cells = board.shape[0]
    ray = np.zeros(cells, np.int8)  # from the worker that stays: the direction in which it sees a cell, from 1
    far = np.zeros(cells, np.int8)  # and how far it is
    number = 0
    for mover in range(3):  # 2: none moves
        stays = workers[1] if mover == 0 else workers[0]
        lifted = workers[0] if mover == 0 else workers[1]
        ray[:] = 0
        if mover < 2:
            board[lifted] = EMPTY
        for direction in range(8):
            cell = near[stays, direction]
            distance = 1
            while cell >= 0 and board[cell] == EMPTY:
                ray[cell] = direction + 1
                far[cell] = distance
                distance += 1
                cell = near[cell, direction]
        for target in range(cells):
            if mover == 2:
                if target != lifted:
                    continue
            elif board[target] != EMPTY or target == lifted:
                continue
            for direction in range(8):
                cell = near[target, direction]
                while cell >= 0 and board[cell] == EMPTY:
                    # A worker that goes onto a line of the other one hides what is beyond it.
                    if ray[cell] != 0 and (ray[cell] != ray[target] or far[cell] < far[target]):
                        out[number, 0] = cell
                        out[number, 1] = NOWHERE if mover == 2 else lifted
                        out[number, 2] = NOWHERE if mover == 2 else target
                        number += 1
                    cell = near[cell, direction]
        board[lifted] = WORKER
    return number


@cached()
def way_to(table, now, cell):  # type: ignore[no-untyped-def]
    """How a stone gets onto a cell: a worker's old and new cell, the same where none moves; NOWHERE twice: not."""
    near, towards, board, workers = table.near, table.towards, now.board, now.workers
    for mover in range(2):
        lifted = workers[mover]
        stays = workers[1 - mover]
        direction = towards[cell, stays]
        if direction < 0:
            continue
        board[lifted] = EMPTY
        found = NOWHERE
        if board[cell] == EMPTY:
            at = near[cell, direction]
            while board[at] == EMPTY:  # the worker that stays is on this line
                at = near[at, direction]
            if at == stays:
                for other in range(8):
                    if other == direction:
                        continue
                    beside = near[cell, other]
                    if beside >= 0 and board[beside] == EMPTY:
                        found = beside
                        break
        board[lifted] = WORKER
        if found >= 0:
            return lifted, found
    return NOWHERE, NOWHERE


@cached()
def has_turn(table, now):  # type: ignore[no-untyped-def]
    """Can any stone be put?"""
    for cell in range(now.board.shape[0]):
        if now.board[cell] == EMPTY or now.board[cell] == WORKER:
            source, _ = way_to(table, now, cell)
            if source >= 0:
                return True
    return False


@cached()
def move(now, source, target):  # type: ignore[no-untyped-def]
    """Move a worker; none where `source` is NOWHERE. The same the other way round takes it back."""
    if source >= 0 and source != target:
        now.board[source] = EMPTY
        now.board[target] = WORKER
        now.workers[0 if now.workers[0] == source else 1] = target


@cached()
def put(table, now, cell, player):  # type: ignore[no-untyped-def]
    """Put a stone on an empty cell."""
    windows, through, board = table.windows, table.through, now.board
    counts, completes, total = now.counts, now.completes, now.total
    row = windows.shape[1]
    opponent = 1 - player
    board[cell] = player + 1
    for at in range(through.shape[1]):
        window = through[cell, at]
        if window < 0:
            break
        own, theirs = counts[player, window], counts[opponent, window]
        counts[player, window] = own + 1
        if own == row - 1 and theirs == 0:
            completes[player, cell] -= 1
            total[player] -= 1
        if theirs == row - 1 and own == 0:
            completes[opponent, cell] -= 1
            total[opponent] -= 1
        if own + 1 == row - 1 and theirs == 0:
            for place in range(row):
                if board[windows[window, place]] != player + 1:
                    completes[player, windows[window, place]] += 1
                    total[player] += 1


@cached()
def take(table, now, cell, player):  # type: ignore[no-untyped-def]
    """Take back the stone that `put` has put there."""
    windows, through, board = table.windows, table.through, now.board
    counts, completes, total = now.counts, now.completes, now.total
    row = windows.shape[1]
    opponent = 1 - player
    for at in range(through.shape[1]):
        window = through[cell, at]
        if window < 0:
            break
        own, theirs = counts[player, window] - 1, counts[opponent, window]
        counts[player, window] = own
        if own + 1 == row - 1 and theirs == 0:
            for place in range(row):
                if board[windows[window, place]] != player + 1:
                    completes[player, windows[window, place]] -= 1
                    total[player] -= 1
        if own == row - 1 and theirs == 0:
            completes[player, cell] += 1
            total[player] += 1
        if theirs == row - 1 and own == 0:
            completes[opponent, cell] += 1
            total[opponent] += 1
    board[cell] = EMPTY
