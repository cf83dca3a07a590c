"""Search for a full Tetravex board in compiled code, for large boards, on which SAT solvers take too long.

Depth-first search that maintains arc consistency (MAC, Sabin and Freuder 1994). Each cell has a domain of tiles
and each edge a domain of colours; every tile needs a cell. The next variable is the cell with the smallest domain
(Haralick and Elliott 1980). Ties go to the cell nearest to the middle of the board, where four sides restrict the
domain: on most 8×8 boards this saves at least nine tenths of the steps against a start in a corner.

The caller checks the board. If no board is found, nothing is concluded.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.jit import cached, ready
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.tetravex import Level, Tile

NODES = 2_000  # between two checks of the budget

FOUND, EXHAUSTED, GOING_ON = 1, 0, -1

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Board(NamedTuple):
    """A level as tables.

    fitting  shape (4, sets of colours, words): by side, set of colours: the tiles with one of these there, as bits
    edges    shape (cells, 4): by cell, side: its edge north, south, east, west
    cells    shape (edges, 2): by edge: its cells, the second -1 at the border
    far      by cell: the steps from the middle of the board
    """

    fitting: Words
    edges: Numbers
    cells: Numbers
    far: Numbers


class Domains(NamedTuple):
    """The domains of cells and edges.

    tiles    shape (cells, words): by cell: the tiles that may be there, as bits
    colours  by edge: the colours that it may have, as bits
    settled  by cell: its one tile is gone from the others
    waiting  by cell: it stands in the queue
    queue    cells whose edges or tiles have changed, round a ring
    """

    tiles: Words
    colours: Words
    settled: Flags
    waiting: Flags
    queue: Numbers


class Path(NamedTuple):
    """The decisions on the way to where the search is, and the domains before each.

    tiles, colours, settled  as in `Domains`, by depth
    decisions  shape (depths, 2): the cell and the tile
    place      the depth now, and whether the last decision failed
    """

    tiles: Words
    colours: Words
    settled: Flags
    decisions: Numbers
    place: Numbers


def search(level: Level, budget: Budget) -> tuple[int, ...] | None:
    """The tiles of a board that solves the level, as indices in reading order, or None if none was found.

    Raises LimitReached. The level has few colours: all sets of them are tabled.
    """
    ready(warm_up, __name__)
    board = _board(level)
    domains, path = _start(board)
    propagate: Any = _propagate
    go_on: Any = _search
    path.place[1] = propagate(board, domains)
    while True:
        budget.check()
        status = go_on(board, domains, path, NODES)
        if status == EXHAUSTED:
            return None
        if status == FOUND:
            return tuple(
                sum(int(word) << 64 * at for at, word in enumerate(row)).bit_length() - 1 for row in domains.tiles
            )


def warm_up() -> None:
    """Lead through all the compiled code."""
    tiles = (Tile(0, 1, 0, 0), Tile(0, 2, 0, 0), Tile(1, 0, 0, 0), Tile(2, 0, 0, 0))
    search(Level("", "", 2, tiles), Budget())


def _board(level: Level) -> Board:
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
    return Board(fitting, edges, cells, far)


def _start(board: Board) -> tuple[Domains, Path]:
    """Everything is possible, no decision is made, and all cells wait."""
    number, edges, words = len(board.edges), len(board.cells), board.fitting.shape[2]
    depths = number + 1
    domains = Domains(
        tiles=np.tile(board.fitting[0, -1], (number, 1)),
        colours=np.full(edges, board.fitting.shape[1] - 1, np.uint64),
        settled=np.zeros(number, np.bool_),
        waiting=np.ones(number, np.bool_),
        queue=np.zeros(number, np.int64),
    )
    path = Path(
        tiles=np.zeros((depths, number, words), np.uint64),
        colours=np.zeros((depths, edges), np.uint64),
        settled=np.zeros((depths, number), np.bool_),
        decisions=np.zeros((depths, 2), np.int64),
        place=np.zeros(2, np.int64),
    )
    return domains, path


@cached()
def _size(word):  # type: ignore[no-untyped-def]
    """The number of bits that are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


# Calls of these would cost a tenth of the time.
@cached(inline="always")
def _enqueue(domains, cell, head, many):  # type: ignore[no-untyped-def]
    """Let a cell wait behind `many` others, unless it does: how many wait now."""
    if domains.waiting[cell]:
        return many
    domains.waiting[cell] = True
    domains.queue[(head + many) % len(domains.queue)] = cell
    return many + 1


@cached(inline="always")
def _fit_tiles(fitting, edges, tiles, colours, cell):  # type: ignore[no-untyped-def]
    """Take from a cell the tiles that the colours of its edges exclude: how many are left."""
    size = 0
    for word in range(tiles.shape[1]):
        for side in range(4):
            tiles[cell, word] &= fitting[side, colours[edges[cell, side]], word]
        size += _size(tiles[cell, word])
    return size


@cached(inline="always")
def _fit_colours(fitting, tiles, cell, side, colours):  # type: ignore[no-untyped-def]
    """Those of the colours for which the cell has a tile with such a side."""
    one = np.uint64(1)
    rest, kept = colours, np.uint64(0)
    while rest:
        colour = rest & (~rest + one)
        rest ^= colour
        for word in range(tiles.shape[1]):
            if tiles[cell, word] & fitting[side, colour, word]:
                kept |= colour
                break
    return kept


@cached(inline="always")
def _settle(domains, cell, head, many):  # type: ignore[no-untyped-def]
    """Take the one tile of a cell from all others: how many wait now."""
    tiles = domains.tiles
    domains.settled[cell] = True
    for other in range(tiles.shape[0]):
        if other != cell:
            shared = False
            for word in range(tiles.shape[1]):
                if tiles[other, word] & tiles[cell, word]:
                    tiles[other, word] &= ~tiles[cell, word]
                    shared = True
            if shared:
                many = _enqueue(domains, other, head, many)
    return many


@cached(inline="always")
def _place_lone(board, domains, head, many):  # type: ignore[no-untyped-def]
    """Put the tiles that have one place left: how many cells wait now, -1 where a tile has no place."""
    tiles, one = domains.tiles, np.uint64(1)
    number, words = tiles.shape
    for word in range(words):
        once = twice = np.uint64(0)
        for cell in range(number):
            twice |= once & tiles[cell, word]
            once |= tiles[cell, word]
        if once != board.fitting[0, -1, word]:
            return -1
        lone = once & ~twice
        if lone:
            for cell in range(number):
                tile = tiles[cell, word] & lone
                if tile and not domains.settled[cell]:
                    if tile & (tile - one):
                        return -1
                    tiles[cell] = 0
                    tiles[cell, word] = tile
                    many = _enqueue(domains, cell, head, many)
    return many


@cached()
def _propagate(board, domains):  # type: ignore[no-untyped-def]
    """Take away what cannot be, for the cells that wait; 1 where some cell or tile has no place left, else 0."""
    fitting, edges, cells = board.fitting, board.edges, board.cells
    tiles, colours, queue = domains.tiles, domains.colours, domains.queue
    number = len(queue)
    head = many = 0
    for cell in range(number):
        if domains.waiting[cell]:
            queue[many] = cell
            many += 1
    while many:
        while many:
            cell = queue[head]
            head = (head + 1) % number
            many -= 1
            domains.waiting[cell] = False
            size = _fit_tiles(fitting, edges, tiles, colours, cell)
            if size == 0:
                return 1
            for side in range(4):
                edge = edges[cell, side]
                if cells[edge, 1] < 0:
                    continue
                kept = _fit_colours(fitting, tiles, cell, side, colours[edge])
                if kept != colours[edge]:
                    colours[edge] = kept
                    if kept == 0:
                        return 1
                    other = cells[edge, 0] if cells[edge, 0] != cell else cells[edge, 1]
                    many = _enqueue(domains, other, head, many)
            if size == 1 and not domains.settled[cell]:
                many = _settle(domains, cell, head, many)
        many = _place_lone(board, domains, head, many)
        if many < 0:
            return 1
    return 0


@cached()
def _open_cell(board, domains):  # type: ignore[no-untyped-def]
    """Of the cells that are not settled, that with the fewest tiles, and nearest to the middle; -1 for none."""
    best, least = -1, np.int64(1) << 60
    for cell in range(len(domains.settled)):
        if not domains.settled[cell]:
            size = 0
            for word in range(domains.tiles.shape[1]):
                size += _size(domains.tiles[cell, word])
            if size * 1000 + board.far[cell] < least:
                best, least = cell, size * 1000 + board.far[cell]
    return best


@cached()
def _search(board, domains, path, nodes):  # type: ignore[no-untyped-def]
    """Continue a search for a number of decisions: FOUND, EXHAUSTED or GOING_ON."""
    one = np.uint64(1)
    tiles, waiting = domains.tiles, domains.waiting
    depth, failed = path.place
    for _ in range(nodes):
        while failed:
            if depth == 0:
                return EXHAUSTED
            depth -= 1
            tiles[:] = path.tiles[depth]
            domains.colours[:] = path.colours[depth]
            domains.settled[:] = path.settled[depth]
            cell, tile = path.decisions[depth]
            tiles[cell, tile >> 6] &= ~(one << np.uint64(tile & 63))
            waiting[:] = False
            waiting[cell] = True
            failed = _propagate(board, domains)
        cell = _open_cell(board, domains)
        if cell < 0:
            return FOUND
        path.tiles[depth] = tiles
        path.colours[depth] = domains.colours
        path.settled[depth] = domains.settled
        word = 0
        while tiles[cell, word] == 0:
            word += 1
        chosen = tiles[cell, word] & (~tiles[cell, word] + one)
        path.decisions[depth, 0] = cell
        path.decisions[depth, 1] = 64 * word + _size(chosen - one)
        depth += 1
        tiles[cell] = 0
        tiles[cell, word] = chosen
        waiting[:] = False
        waiting[cell] = True
        failed = _propagate(board, domains)
    path.place[0], path.place[1] = depth, failed
    return GOING_ON
