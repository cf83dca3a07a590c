"""Search for a full Tetravex board in compiled code, for large boards, on which SAT solvers take too long.

Depth-first search that maintains arc consistency (MAC, Sabin and Freuder 1994). Each cell has a domain of tiles
and each edge a domain of colours; every tile needs a cell. The next variable is the cell with the smallest domain
(Haralick and Elliott 1980). Ties go to the cell nearest to the middle of the board, where four sides restrict the
domain: on most 8×8 boards this saves at least nine tenths of the steps against a start in a corner.

The caller checks the board. If no board is found, nothing is concluded.
"""

import numpy as np

from puzzlemc.encodings.tetravex.domains import EXHAUSTED, FOUND, Board, Domains, Path, propagate, tiles_of
from puzzlemc.encodings.tetravex.domains import search as go_on
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.tetravex import Level

NODES = 2_000  # of the search tree, between two checks of the budget


def search(level: Level, budget: Budget) -> tuple[int, ...] | None:
    """Search for a board that solves the level: its tiles as indices in reading order, or None if none was found.

    The level must have few colours, because a table has an entry for each set of colours. Raises LimitReached.
    """
    board, domains, path = _board(level)
    propagate(board, domains, path)
    while True:
        budget.check()
        status = go_on(board, domains, path, NODES)
        if status == EXHAUSTED:
            return None
        if status == FOUND:
            return tuple(
                sum(int(word) << 64 * at for at, word in enumerate(row)).bit_length() - 1
                for row in tiles_of(domains)
            )


def _board(level: Level) -> tuple[Board, Domains, Path]:
    """The level as tables, with the domains and the path of a search that is about to begin."""
    side, number = level.side, len(level.tiles)
    colours = sorted({colour for tile in level.tiles for colour in tile})
    fitting = np.zeros((4, 1 << len(colours), (number + 63) // 64), np.uint64)
    for index, tile in enumerate(level.tiles):
        for at, colour in enumerate(tile):
            fitting[at, 1 << colours.index(colour), index >> 6] |= np.uint64(1 << (index & 63))
    for chosen in range(1, 1 << len(colours)):
        fitting[:, chosen] = fitting[:, chosen & (chosen - 1)] | fitting[:, chosen & -chosen]
    edges = np.zeros((number, 4), np.int64)
    for cell in range(number):
        row, column = divmod(cell, side)
        across = side * (side + 1) + row * (side + 1) + column
        edges[cell] = (cell, cell + side, across + 1, across)
    cells = np.full((2 * side * (side + 1), 2), -1, np.int64)
    for cell in range(number):
        for edge in edges[cell]:
            cells[edge, int(cells[edge, 0] >= 0)] = cell
    far = np.array([abs(cell // side - side // 2) + abs(cell % side - side // 2) for cell in range(number)])
    words, crossings = fitting.shape[2], len(cells)
    domains, path = Domains(fitting, number, crossings), Path(number, crossings, words)
    return Board(len(colours), fitting, edges, cells, far), domains, path
