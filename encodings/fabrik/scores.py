"""Scores of positions and turns, for the programs that play. Compiled: see `mc/words.py`."""

import cython
import numpy as np

from puzzlemc.encodings.fabrik.fast import Array
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.fabrik.fast import EMPTY, WORKER, Geometry, State, find_way, move, put, take
    from puzzlemc.mc.words import Flag, Index, Numbers, Shorts, Shorts2, bit


def score_of(table: Geometry, now: State, player: Index) -> int:
    """The score of a board.

    Along each line, a stone counts the cube of its place in its run; a stone of the opponent counts the same below
    zero. And each stone counts, for each run of the opponent that it ends, the cubes of that run.
    """
    return _score(table, now, player)


def scores_of(table: Geometry, now: State, player: Index, cells: Array) -> Array:
    """The score after a stone of the player on each of these cells; 0 for other cells.

    A worker on the cell moves away; workers do not count.
    """
    scores = np.zeros(now.board.shape[0], np.int64)
    _score_stones(table, now, player, view(cells), view(scores))
    return scores


def values_of(table: Geometry, now: State, player: Index, turns: Array) -> Array:
    """For each turn, its gain minus the gain of the best reply."""
    cells: Index = now.board.shape[0]
    gains, then, values = np.zeros(cells, np.int64), np.zeros(cells, np.int64), np.zeros(len(turns), np.int64)
    _value_turns(table, now, player, view(turns), view(gains), view(then), view(values))
    return values


def _run(table: Geometry, now: State, at: Index, direction: Index, piece: Index) -> Index:
    """The length of the run of stones that begins on a cell in a direction; the cell may be NOWHERE."""
    run: Index = 0
    while at >= 0 and now.board[at] == piece:
        run += 1
        at = table.near[at, direction]
    return run


def _score(table: Geometry, now: State, player: Index) -> Index:
    """The score of a board, as in `score_of`."""
    total: Index = 0
    cell: Index
    direction: Index
    for cell in range(now.board.shape[0]):
        piece: Index = now.board[cell]
        if piece != 1 and piece != 2:
            continue
        sign: Index = 1 if piece == player + 1 else -1
        for direction in range(8):
            run: Index
            if direction < 4:  # back along each line
                run = _run(table, now, cell, direction, piece)
                total += sign * run * run * run
            if piece == player + 1:
                run = _run(table, now, table.near[cell, direction], direction, 2 - player)
                total += (run * (run + 1) // 2) * (run * (run + 1) // 2)  # the sum of the cubes up to run
    return total


def _score_stones(table: Geometry, now: State, player: Index, cells: Shorts, scores: Numbers) -> None:
    """Write the scores after a stone on each cell."""
    at: Index
    for at in range(cells.shape[0]):
        cell: Index = cells[at]
        piece: Index = now.board[cell]
        now.board[cell] = player + 1
        scores[cell] = _score(table, now, player)
        now.board[cell] = piece


def _gains(table: Geometry, now: State, player: Index, gains: Numbers) -> None:
    """For each cell, write the gain of a stone of the player there.

    A window with stones of one player only is worth 8 to the number of its stones, an empty one nothing. A stone
    gains what it adds to own windows and takes from windows of the opponent.
    """
    cell: Index
    window: Index
    place: Index
    for cell in range(gains.shape[0]):
        gains[cell] = 0
    for window in range(table.windows.shape[0]):
        own: Index = now.counts[player, window]
        theirs: Index = now.counts[1 - player, window]
        if own == 0 or theirs == 0:
            gain: Index = 8
            if own:
                gain = 7 * bit(3 * own)
            elif theirs:
                gain = bit(3 * theirs)
            for place in range(table.windows.shape[1]):
                gains[table.windows[window, place]] += gain


def _best(table: Geometry, now: State, gains: Numbers) -> Index:
    """The largest of the gains, from 0, of cells on which a stone can be put."""
    best: Index = 0
    cell: Index
    for cell in range(gains.shape[0]):
        free: Flag = now.board[cell] == EMPTY or now.board[cell] == WORKER
        if gains[cell] > best and free and find_way(table, now, cell):
            best = gains[cell]
    return best


def _value_turns(
    table: Geometry, now: State, player: Index, turns: Shorts2, gains: Numbers, then: Numbers, values: Numbers
) -> None:
    """Write the value of each turn. `gains` and `then` are scratch, one number for each cell."""
    _gains(table, now, player, gains)
    at: Index
    for at in range(turns.shape[0]):
        stone: Index = turns[at, 0]
        source: Index = turns[at, 1]
        target: Index = turns[at, 2]
        move(now, source, target)
        put(table, now, stone, player)
        _gains(table, now, 1 - player, then)
        values[at] = gains[stone] - _best(table, now, then)
        take(table, now, stone, player)
        move(now, target, source)
