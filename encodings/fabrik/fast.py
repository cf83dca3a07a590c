"""Fast rules of Fabrik: compiled loops over a board of bytes, with counters of stones for each window.

Compiled: see `mc/words.py`.

A *window* is a line of as many cells as a winning row has. Each window has a counter of the stones of each player.
A cell *completes* a window for a player if it is the last cell without a stone of the player, and the window has
no stone of the opponent. So a stone wins if and only if its cell completes a window. Whether a stone can be put
there depends only on the workers:

A stone can be put on a cell w after the move of a worker if and only if the other worker q sees w on the board
without the moved worker, and w has an empty neighbour in another direction than that of q: the moved worker goes
there. (From any other cell from which it sees w, it could as well go to the neighbour of w on the same line.)
"""

from functools import cache
from math import isqrt
from typing import Any

import cython
import numpy as np
from numpy.typing import NDArray

from puzzlemc.encodings.fabrik.rules import Turn
from puzzlemc.mc.words import view
from puzzlemc.screens.fabrik import BLACK, WHITE, Level, Position

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Bytes2, Flag, Index, Numbers, Shorts, Shorts2

    # The content of a cell. Players are 0 and 1; their stones are 1 and 2.
    EMPTY, WORKER = 0, 3
    NOWHERE = -1

PLAYERS = (BLACK, WHITE)

Array = NDArray[Any]


class Geometry:
    """The tables of a board, which all positions share.

    near     (cells, 8): the next cell in each direction, or NOWHERE; the opposite of direction d is 7 - d
    towards  (cells, cells): the direction from the first cell to the second, or NOWHERE
    windows  (windows, cells of a winning row): the cells of each window
    through  (cells, windows): the windows that a cell is part of, padded with NOWHERE
    """

    near: Shorts2  # readonly
    towards: Shorts2  # readonly
    windows: Shorts2  # readonly
    through: Shorts2  # readonly

    def __init__(self, near: Array, towards: Array, windows: Array, through: Array) -> None:
        self.near, self.towards = view(near), view(towards)
        self.windows, self.through = view(windows), view(through)


class State:
    """A position with two workers, which changes in place.

    board           (cells,): the content of each cell
    workers         (2,): the cells of the workers
    counts          (2, windows): by player and window, the stones of that player
    completes       (2, cells): by player and cell, the number of windows that the cell completes
    total           (2,): by player, the sum of these numbers
    source, target  the old and the new cell of a worker in the turn found last, equal or NOWHERE if none moves
    """

    board: Bytes  # readonly
    workers: Shorts  # readonly
    counts: Bytes2  # readonly
    completes: Shorts2  # readonly
    total: Numbers  # readonly
    source: Index  # readonly
    target: Index  # readonly

    def __init__(self, board: Array, workers: Array, counts: Array, completes: Array) -> None:
        self.board, self.workers, self.counts, self.completes = map(view, (board, workers, counts, completes))
        self.total = view(completes.sum(axis=1))
        self.source = self.target = NOWHERE


class Turns:
    """Room for all turns of a position.

    rows      (turns, 3): the stone of each turn, and a worker's old and new cell or NOWHERE twice
    ray, far  (cells,): the direction in which the worker that stays sees a cell, from 1, or 0; the distance
    """

    rows: Shorts2  # readonly
    ray: Shorts
    far: Shorts

    def __init__(self, cells: int) -> None:
        """Room for the turns on a board with this number of cells.

        Two workers can move to each cell, and each time two sights have common cells: two lines that differ share
        at most one cell, and two that do not share at most size - 2.
        """
        self.rows = view(np.zeros(((2 * cells + 1) * (isqrt(cells) + 64), 3), np.int16))
        self.ray, self.far = view(np.zeros(cells, np.int16)), view(np.zeros(cells, np.int16))


@cache
def geometry(size: int, row: int) -> Geometry:
    """The tables of a board."""
    cells = size * size
    near = np.full((cells, 8), NOWHERE, np.int16)
    towards = np.full((cells, cells), NOWHERE, np.int16)
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
    return Geometry(near, towards, np.array(windows, np.int16).reshape(-1, row), through)


def state(level: Level, position: Position) -> State:
    """A position in arrays. It has two workers."""
    size = level.size
    windows = np.asarray(geometry(size, level.row).windows)
    board = np.zeros(size * size, np.uint8)
    for piece, cells in ((1, position.black), (2, position.white), (WORKER, position.workers)):
        board[[row * size + column for row, column in cells]] = piece
    workers = np.array(sorted(row * size + column for row, column in position.workers), np.int16)
    seen = board[windows]
    counts = np.stack([(seen == piece).sum(axis=1) for piece in (1, 2)]).astype(np.uint8)
    completes = np.zeros((2, size * size), np.int16)
    for player in (0, 1):
        open_ = (counts[player] == level.row - 1) & (counts[1 - player] == 0)
        missing = windows[open_][seen[open_] != player + 1]
        np.add.at(completes[player], missing, 1)
    return State(board, workers, counts, completes)


def player_of(position: Position) -> int:
    """The player whose turn it is."""
    return PLAYERS.index(position.turn)


def turn_of(size: int, stone: int, source: int, target: int) -> Turn:
    """A turn of the plain rules. `source` is NOWHERE if no worker moves."""
    way = None if source == NOWHERE else (divmod(int(source), size), divmod(int(target), size))
    return Turn(divmod(int(stone), size), way)


def turns(level: Level, position: Position) -> Array:
    """All turns by the fast rules, as an array of rows as in `Turns`. Nobody has won yet."""
    return turns_of(geometry(level.size, level.row), state(level, position))


def turns_of(table: Geometry, now: State) -> Array:
    """All turns of a state, as an array of rows as in `Turns`."""
    out = Turns(now.board.shape[0])
    return np.asarray(out.rows)[: generate(table, now, out)]


def key(now: State) -> bytes:
    """The content of the board as bytes."""
    return np.asarray(now.board).tobytes()


def workers_of(now: State) -> set[int]:
    """The cells of the workers."""
    return {now.workers[0], now.workers[1]}


def completes_row(now: State, player: Index, cell: Index) -> bool:
    """Does a stone of the player on this cell complete a row?"""
    return now.completes[player, cell] > 0


def _look(table: Geometry, now: State, turns: Turns, cell: Index) -> None:
    """Note the directions and the distances of all cells that a worker on this cell sees."""
    at: Index
    direction: Index
    for at in range(now.board.shape[0]):
        turns.ray[at] = 0
    for direction in range(8):
        at = table.near[cell, direction]
        distance: Index = 1
        while at >= 0 and now.board[at] == EMPTY:
            turns.ray[at] = direction + 1
            turns.far[at] = distance
            distance += 1
            at = table.near[at, direction]


def _write(table: Geometry, now: State, turns: Turns, number: Index, source: Index, target: Index) -> Index:
    """Append the turns in which a worker moves to a cell, or is there if source == target; return the number."""
    moves: Flag = source != target
    ray: Index = turns.ray[target]
    far: Index = turns.far[target]
    direction: Index
    for direction in range(8):
        cell: Index = table.near[target, direction]
        while cell >= 0 and now.board[cell] == EMPTY:
            seen: Index = turns.ray[cell]
            # A worker that moves onto a line of the other one hides what is beyond it.
            if seen != 0 and (seen != ray or turns.far[cell] < far):
                turns.rows[number, 0] = cell
                turns.rows[number, 1] = source if moves else NOWHERE
                turns.rows[number, 2] = target if moves else NOWHERE
                number += 1
            cell = table.near[cell, direction]
    return number


def generate(table: Geometry, now: State, turns: Turns) -> Index:
    """Write all turns, and return their number. The last are those in which no worker moves."""
    number: Index = 0
    which: Index
    target: Index
    for which in range(2):
        lifted: Index = now.workers[which]
        now.board[lifted] = EMPTY
        _look(table, now, turns, now.workers[1 - which])
        for target in range(now.board.shape[0]):
            if now.board[target] == EMPTY and target != lifted:
                number = _write(table, now, turns, number, lifted, target)
        now.board[lifted] = WORKER
    _look(table, now, turns, now.workers[0])
    return _write(table, now, turns, number, now.workers[1], now.workers[1])


def beside(table: Geometry, now: State, cell: Index, stays: Index) -> Index:
    """The cell to which the other worker can move so that a stone can be put on `cell`, or NOWHERE.

    The other worker is lifted from the board; this one stays.
    """
    direction: Index = table.towards[cell, stays]
    if direction < 0 or now.board[cell] != EMPTY:
        return NOWHERE
    at: Index = table.near[cell, direction]
    while now.board[at] == EMPTY:  # the worker that stays is on this line
        at = table.near[at, direction]
    if at != stays:
        return NOWHERE
    other: Index
    for other in range(8):
        if other != direction:
            at = table.near[cell, other]
            if at >= 0 and now.board[at] == EMPTY:
                return at
    return NOWHERE


def find_way(table: Geometry, now: State, cell: Index) -> Flag:  # public
    """Can a stone be put on a cell? If so, `source` and `target` are set, to equal cells if no worker moves."""
    which: Index
    for which in range(2):
        lifted: Index = now.workers[which]
        stays: Index = now.workers[1 - which]
        if table.towards[cell, stays] < 0:
            continue
        now.board[lifted] = EMPTY
        found: Index = beside(table, now, cell, stays)
        now.board[lifted] = WORKER
        if found >= 0:
            now.source = lifted
            now.target = found
            return True
    return False


def has_turn(table: Geometry, now: State) -> Flag:  # public
    """Can any stone be put?"""
    cell: Index
    for cell in range(now.board.shape[0]):
        if (now.board[cell] == EMPTY or now.board[cell] == WORKER) and find_way(table, now, cell):
            return True
    return False


def move(now: State, source: Index, target: Index) -> None:  # public
    """Move a worker; none if `source` is NOWHERE. The same with exchanged cells takes it back."""
    if source >= 0 and source != target:
        now.board[source] = EMPTY
        now.board[target] = WORKER
        now.workers[0 if now.workers[0] == source else 1] = target


def _count(table: Geometry, now: State, window: Index, player: Index, by: Index) -> None:
    """Add to the number of windows that each cell of this window without a stone of the player completes."""
    place: Index
    for place in range(table.windows.shape[1]):
        cell: Index = table.windows[window, place]
        if now.board[cell] != player + 1:
            now.completes[player, cell] += by
            now.total[player] += by


def put(table: Geometry, now: State, cell: Index, player: Index) -> None:  # public
    """Put a stone on an empty cell."""
    row: Index = table.windows.shape[1]
    opponent: Index = 1 - player
    at: Index
    now.board[cell] = player + 1
    for at in range(table.through.shape[1]):
        window: Index = table.through[cell, at]
        if window < 0:
            break
        own: Index = now.counts[player, window]
        theirs: Index = now.counts[opponent, window]
        now.counts[player, window] = own + 1
        if own == row - 1 and theirs == 0:
            now.completes[player, cell] -= 1
            now.total[player] -= 1
        if theirs == row - 1 and own == 0:
            now.completes[opponent, cell] -= 1
            now.total[opponent] -= 1
        if own + 1 == row - 1 and theirs == 0:
            _count(table, now, window, player, 1)


def take(table: Geometry, now: State, cell: Index, player: Index) -> None:  # public
    """Take back the stone that `put` has put there."""
    row: Index = table.windows.shape[1]
    opponent: Index = 1 - player
    at: Index
    for at in range(table.through.shape[1]):
        window: Index = table.through[cell, at]
        if window < 0:
            break
        own: Index = now.counts[player, window] - 1
        theirs: Index = now.counts[opponent, window]
        now.counts[player, window] = own
        if own + 1 == row - 1 and theirs == 0:
            _count(table, now, window, player, -1)
        if own == row - 1 and theirs == 0:
            now.completes[player, cell] += 1
            now.total[player] += 1
        if theirs == row - 1 and own == 0:
            now.completes[opponent, cell] += 1
            now.total[opponent] += 1
    now.board[cell] = EMPTY
