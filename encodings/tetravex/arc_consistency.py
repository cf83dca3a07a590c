"""Search for a full Tetravex board in compiled code, for large boards, on which SAT solvers take too long.

Depth-first search that maintains arc consistency (MAC, Sabin and Freuder 1994). Each cell has a domain of tiles
and each edge a domain of colours; every tile needs a cell. The next variable is the cell with the smallest domain
(Haralick and Elliott 1980). Ties go to the cell with the most open neighbours, then to the nearest to the middle,
where four sides restrict the domain.

If that takes long, and few fillings of a smaller rectangle are expected, this *window* is searched with one tile
after another in its middle: one search covers all places that the window may have on the board. Tiles that few
others fit come first: their searches are the shortest. Two of these searches run at a time.

The caller checks the board. If no board is found, nothing is concluded.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from math import lgamma, log
from threading import Event

import numpy as np

from puzzlemc.encodings.tetravex.domains import EXHAUSTED, FOUND, Board, Domains, Path, propagate, tiles_of
from puzzlemc.encodings.tetravex.domains import search as go_on
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.tetravex import Level

NODES = 2_000  # of the search tree, between two checks of the budget
SHORT = 10_000  # nodes of the search of the whole board, before that by windows
THREADS = 2  # searches by windows at a time
FEW = 4.0  # logarithm of the most fillings of a window that are expected


def search(level: Level, budget: Budget) -> tuple[int, ...] | None:
    """Search for a board that solves the level: its tiles as indices in reading order, or None if none was found.

    The level must have few colours, because a table has an entry for each set of colours. Raises LimitReached.
    """
    whole = Rectangle(level, level.side, level.side)
    rows, columns = _window(level)
    limited = rows * columns < len(level.tiles)
    try:
        return next(whole.fillings({}, budget, SHORT if limited else None), None)
    except LimitReached as limit:
        if not limited or limit.reason != "bound":
            raise
    window = Rectangle(level, rows, columns)
    places = [(row, column) for row in range(level.side - rows + 1) for column in range(level.side - columns + 1)]
    middle = (rows - 1) // 2 * columns + (columns - 1) // 2
    stopped = Event()

    def board_around(tile: int) -> tuple[int, ...] | None:
        """A board with this tile in the middle of the window; None if there is none, or once `stopped` is set."""
        for filling in window.fillings({middle: tile}, budget, stopped=stopped):
            for row, column in places:
                cells = (level.side * (row + at // columns) + column + at % columns for at in range(len(filling)))
                for board in whole.fillings(dict(zip(cells, filling, strict=True)), budget, stopped=stopped):
                    return board
        return None

    # The middle of the window has another tile in each place, so one of these tiles is there in some place.
    tiles = _rarest(level)[: len(level.tiles) - len(places) + 1]
    with ThreadPoolExecutor(THREADS) as threads:
        try:
            # In the order of the tiles, so that the answer does not depend on the number of cores.
            boards = threads.map(board_around, tiles)
            return next((board for board in boards if board is not None), None)
        finally:
            stopped.set()
            threads.shutdown(cancel_futures=True)


def _window(level: Level) -> tuple[int, int]:
    """The sides of the smallest rectangle with few expected fillings, at most two cells smaller than the board."""
    number, side = len(level.tiles), level.side
    tiles = np.array(level.tiles)
    across, down = (
        log(max(1, int((tiles[:, [one]] == tiles[:, other]).sum())) / number**2) for one, other in ((2, 3), (1, 0))
    )
    for rows, columns in ((side - 2, side - 2), (side - 2, side - 1), (side - 1, side - 1)):
        if rows > 0:
            cells = rows * columns
            choices = lgamma(number + 1) - lgamma(number - cells + 1)
            if choices + across * rows * (columns - 1) + down * (rows - 1) * columns <= FEW:
                return rows, columns
    return side, side


def _rarest(level: Level) -> list[int]:
    """The tiles, by the number of ways to put one tile at each of their sides."""
    tiles = np.array(level.tiles)
    ways = np.ones(len(tiles))
    for at, opposite in ((0, 1), (1, 0), (2, 3), (3, 2)):
        ways *= (tiles[:, [at]] == tiles[:, opposite]).sum(axis=1)
    return [int(tile) for tile in np.argsort(ways, kind="stable")]


class Rectangle:
    """Rectangles of cells that tiles of a level fill."""

    def __init__(self, level: Level, rows: int, columns: int) -> None:
        number, cells = len(level.tiles), rows * columns
        colours = sorted({colour for tile in level.tiles for colour in tile})
        fitting = np.zeros((4, 1 << len(colours), (number + 63) // 64), np.uint64)
        of_tiles = np.zeros(number, np.uint64)
        for index, tile in enumerate(level.tiles):
            for at, colour in enumerate(tile):
                fitting[at, 1 << colours.index(colour), index >> 6] |= np.uint64(1 << (index & 63))
                of_tiles[index] |= np.uint64(1 << (16 * at + colours.index(colour)))
        for chosen in range(1, 1 << len(colours)):
            fitting[:, chosen] = fitting[:, chosen & (chosen - 1)] | fitting[:, chosen & -chosen]
        edges = np.zeros((cells, 4), np.int64)
        for cell in range(cells):
            row, column = divmod(cell, columns)
            across = (rows + 1) * columns + row * (columns + 1) + column
            edges[cell] = (cell, cell + columns, across + 1, across)
        sides = np.full(((rows + 1) * columns + rows * (columns + 1), 2), -1, np.int64)
        for cell in range(cells):
            for edge in edges[cell]:
                sides[edge, int(sides[edge, 0] >= 0)] = cell
        far = np.array(
            [abs(cell // columns - rows // 2) + abs(cell % columns - columns // 2) for cell in range(cells)]
        )
        self._fitting, self._sizes = fitting, (cells, len(sides))
        self._board = Board(len(colours), number == cells, fitting, of_tiles, edges, sides, far)

    def fillings(
        self, given: dict[int, int], budget: Budget, most: int | None = None, stopped: Event | None = None
    ) -> Iterator[tuple[int, ...]]:
        """The fillings with given tiles on given cells, as indices in reading order, until `stopped` is set.

        Raises LimitReached, with the reason `bound` after `most` nodes.
        """
        fitting, board = self._fitting, self._board
        (cells, crossings), words = self._sizes, fitting.shape[2]
        domains, path = Domains(fitting, cells, crossings), Path(cells, crossings, words)
        tiles = tiles_of(domains)
        for cell, tile in given.items():
            tiles[cell] = [np.uint64(1 << (tile & 63) if word == tile >> 6 else 0) for word in range(words)]
        propagate(board, domains, path)
        for number in count():
            budget.check()
            if most is not None and number * NODES >= most:
                raise LimitReached("bound")
            status = go_on(board, domains, path, NODES)
            if status == EXHAUSTED or (stopped is not None and stopped.is_set()):
                return
            if status == FOUND:
                yield tuple(
                    sum(int(word) << 64 * at for at, word in enumerate(row)).bit_length() - 1 for row in tiles
                )
