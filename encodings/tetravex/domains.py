"""Arc consistency on a Tetravex board, and the search that maintains it. Compiled: see `mc/words.py`.

A cell has a domain of tiles, an edge a domain of colours. Propagation removes what the others exclude, until
nothing changes; the search decides a cell, propagates, and takes decisions that fail back.
"""

from typing import Any

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import (
        ALL,
        Bytes,
        Bytes2,
        Flag,
        Index,
        Numbers,
        Numbers2,
        Word,
        Words,
        Words2,
        Words3,
        bit,
        count_bits,
        lowest_bit,
    )

    FOUND, EXHAUSTED, GOING_ON = 1, 0, -1


class Board:
    """A level as tables.

    Cells with more than `most` tiles restrict no colours: with about as many tiles as colours, nearly every colour
    is left, so looking at them costs more than the little that it removes.

    fitting  (4, sets of colours, words): for each side and set, the tiles with one of its colours there, as bits
    edges    (cells, 4): the edges of each cell: north, south, east, west
    cells    (edges, 2): the cells of each edge, the second -1 at the border
    far      (cells,): the steps of each cell from the middle of the board
    all      whether every tile needs a cell
    """

    fitting: Words3
    edges: Numbers2
    cells: Numbers2
    far: Numbers
    most: Index
    all: Flag

    def __init__(
        self,
        most: int,
        all: bool,
        fitting: npt.NDArray[np.uint64],
        edges: npt.NDArray[np.int64],
        cells: npt.NDArray[np.int64],
        far: npt.NDArray[np.int64],
    ) -> None:
        self.most, self.all = most, all
        self.fitting, self.edges, self.cells, self.far = view(fitting), view(edges), view(cells), view(far)


class Domains:
    """The domains of cells and edges. At first everything is possible, and all cells wait.

    tiles    (cells, words): the tiles that may be in each cell, as bits
    colours  (edges,): the colours that each edge may have, as bits
    settled  (cells,): 1 if the one tile of a cell is removed from all others
    waiting  (cells,): 1 if a cell is in the queue
    queue    (cells,): a ring of cells whose edges or tiles have changed; `queued` of them, from `head` on
    """

    tiles: Words2
    colours: Words
    settled: Bytes
    waiting: Bytes
    queue: Numbers
    head: Index
    queued: Index

    def __init__(self, fitting: npt.NDArray[np.uint64], cells: int, edges: int) -> None:
        """The full domains of a board with these tables and sizes."""
        self.tiles = view(np.tile(fitting[0, -1], (cells, 1)))
        self.colours = view(np.full(edges, fitting.shape[1] - 1, np.uint64))
        self.settled, self.waiting = view(np.zeros(cells, np.uint8)), view(np.ones(cells, np.uint8))
        self.queue = view(np.zeros(cells, np.int64))
        self.head = self.queued = 0


class Path:
    """The decisions of the search so far, and the domains before each.

    tiles, colours, settled  as in `Domains`, for each depth
    decisions  (depths, 2): the cell and the tile decided at each depth
    depth      the number of decisions
    failed     whether the last decision failed
    """

    tiles: Words3
    colours: Words2
    settled: Bytes2
    decisions: Numbers2
    depth: Index
    failed: Flag

    def __init__(self, cells: int, edges: int, words: int) -> None:
        """An empty path, with room for a decision for each cell."""
        depths = cells + 1
        self.tiles = view(np.zeros((depths, cells, words), np.uint64))
        self.colours = view(np.zeros((depths, edges), np.uint64))
        self.settled = view(np.zeros((depths, cells), np.uint8))
        self.decisions = view(np.zeros((depths, 2), np.int64))
        self.depth, self.failed = 0, False


def propagate(board: Board, domains: Domains, path: Path) -> None:
    """Propagate before the first decision."""
    path.failed = _fail_of(board, domains)


def search(board: Board, domains: Domains, path: Path, nodes: Index) -> Index:
    """Continue the search for a number of decisions. Returns FOUND, EXHAUSTED or GOING_ON.

    Other threads run meanwhile.
    """
    status: Index = GOING_ON
    with cython.nogil:
        status = _continue(board, domains, path, nodes)
    return status


def tiles_of(domains: Domains) -> Any:
    """The tiles of each cell, as an array (cells, words)."""
    return np.asarray(domains.tiles)


def _enqueue(domains: Domains, cell: Index) -> None:
    """Put a cell into the queue unless it is there."""
    if not domains.waiting[cell]:
        domains.waiting[cell] = 1
        at: Index = domains.head + domains.queued
        if at >= domains.queue.shape[0]:
            at -= domains.queue.shape[0]
        domains.queue[at] = cell
        domains.queued += 1


def _fit_tiles(board: Board, domains: Domains, cell: Index) -> Index:
    """Remove the tiles that the colours of the edges exclude from a cell; return how many are left."""
    size: Index = 0
    word: Index
    side: Index
    for word in range(domains.tiles.shape[1]):
        left: Word = domains.tiles[cell, word]
        for side in range(4):
            left &= board.fitting[side, domains.colours[board.edges[cell, side]], word]
        domains.tiles[cell, word] = left
        size += count_bits(left)
    return size


def _fit_colours(board: Board, domains: Domains, cell: Index, side: Index, colours: Word) -> Word:
    """Those of the colours for which the cell has a tile with such a side."""
    kept: Word = 0
    word: Index
    while colours:
        colour: Word = colours & (ALL ^ (colours - 1))
        colours ^= colour
        fitting: Word = 0
        for word in range(domains.tiles.shape[1]):
            fitting |= domains.tiles[cell, word] & board.fitting[side, colour, word]
        if fitting:
            kept |= colour
    return kept


def _size(domains: Domains, cell: Index) -> Index:
    """The number of tiles that may be in a cell."""
    size: Index = 0
    word: Index
    for word in range(domains.tiles.shape[1]):
        size += count_bits(domains.tiles[cell, word])
    return size


def _settle(board: Board, domains: Domains, cell: Index) -> None:
    """Remove the one tile of a cell from all others. Cells that still have too many tiles need not wait."""
    domains.settled[cell] = 1
    other: Index
    word: Index = 0
    while domains.tiles[cell, word] == 0:
        word += 1
    tile: Word = domains.tiles[cell, word]
    for other in range(domains.tiles.shape[0]):
        if domains.tiles[other, word] & tile and other != cell:
            domains.tiles[other, word] ^= tile
            if _size(domains, other) <= board.most:
                _enqueue(domains, other)


def _place_lone(board: Board, domains: Domains) -> Flag:
    """Place the tiles that only one cell may have. Returns False if a tile has no place left."""
    last: Index = board.fitting.shape[1] - 1
    word: Index
    cell: Index
    other: Index
    for word in range(domains.tiles.shape[1]):
        once: Word = 0
        twice: Word = 0
        for cell in range(domains.tiles.shape[0]):
            twice |= once & domains.tiles[cell, word]
            once |= domains.tiles[cell, word]
        if once != board.fitting[0, last, word]:
            return False
        lone: Word = once & (ALL ^ twice)
        if lone:
            for cell in range(domains.tiles.shape[0]):
                tile: Word = domains.tiles[cell, word] & lone
                if tile and not domains.settled[cell]:
                    if tile & (tile - 1):
                        return False
                    for other in range(domains.tiles.shape[1]):
                        domains.tiles[cell, other] = 0
                    domains.tiles[cell, word] = tile
                    _enqueue(domains, cell)
    return True


def _fail_of(board: Board, domains: Domains) -> Flag:
    """Propagate from the cells that wait. Returns True if a cell or a tile has nothing left."""
    number: Index = domains.queue.shape[0]
    cell: Index
    side: Index
    domains.head = 0
    domains.queued = 0
    for cell in range(number):
        if domains.waiting[cell]:
            domains.queue[domains.queued] = cell
            domains.queued += 1
    while domains.queued:
        while domains.queued:
            cell = domains.queue[domains.head]
            domains.head = domains.head + 1 if domains.head + 1 < number else 0
            domains.queued -= 1
            domains.waiting[cell] = 0
            size: Index = _fit_tiles(board, domains, cell)
            if size == 0:
                return True
            for side in range(4 if size <= board.most else 0):
                edge: Index = board.edges[cell, side]
                colours: Word = domains.colours[edge]
                if colours & (colours - 1) == 0 or board.cells[edge, 1] < 0:
                    continue  # all tiles of the cell fit the one colour
                kept: Word = _fit_colours(board, domains, cell, side, colours)
                if kept != colours:
                    domains.colours[edge] = kept
                    if kept == 0:
                        return True
                    other: Index = board.cells[edge, 0] if board.cells[edge, 0] != cell else board.cells[edge, 1]
                    _enqueue(domains, other)
            if size == 1 and not domains.settled[cell]:
                _settle(board, domains, cell)
        if board.all and not _place_lone(board, domains):
            return True
    return False


def _open_cell(board: Board, domains: Domains) -> Index:
    """The cell with the fewest tiles that is not settled, with the most such neighbours; -1 if there is none.

    Of several, the nearest to the middle.
    """
    best: Index = -1
    least: Index = 1 << 60
    cell: Index
    side: Index
    for cell in range(domains.settled.shape[0]):
        if not domains.settled[cell]:
            rank: Index = _size(domains, cell) * 1000
            if rank <= least + 80:
                rank += board.far[cell]
                for side in range(4):
                    edge: Index = board.edges[cell, side]
                    other: Index = board.cells[edge, 0] if board.cells[edge, 0] != cell else board.cells[edge, 1]
                    if other >= 0 and not domains.settled[other]:
                        rank -= 20
                if rank < least:
                    best = cell
                    least = rank
    return best


def _save(domains: Domains, path: Path) -> None:
    """Copy the domains to the path, at its depth."""
    at: Index = path.depth
    i: Index
    word: Index
    for i in range(domains.tiles.shape[0]):
        path.settled[at, i] = domains.settled[i]
        for word in range(domains.tiles.shape[1]):
            path.tiles[at, i, word] = domains.tiles[i, word]
    for i in range(domains.colours.shape[0]):
        path.colours[at, i] = domains.colours[i]


def _restore(domains: Domains, path: Path) -> None:
    """Copy the domains back from the path, at its depth."""
    at: Index = path.depth
    i: Index
    word: Index
    for i in range(domains.tiles.shape[0]):
        domains.settled[i] = path.settled[at, i]
        for word in range(domains.tiles.shape[1]):
            domains.tiles[i, word] = path.tiles[at, i, word]
    for i in range(domains.colours.shape[0]):
        domains.colours[i] = path.colours[at, i]


def _wake_only(domains: Domains, cell: Index) -> None:
    """Let this cell wait, and no other."""
    i: Index
    for i in range(domains.waiting.shape[0]):
        domains.waiting[i] = 0
    domains.waiting[cell] = 1


def _continue(board: Board, domains: Domains, path: Path, nodes: Index) -> Index:
    """Continue the search for a number of decisions. Returns FOUND, EXHAUSTED or GOING_ON."""
    cell: Index
    word: Index
    for _ in range(nodes):
        while path.failed:
            if path.depth == 0:
                return EXHAUSTED
            path.depth -= 1
            _restore(domains, path)
            cell = path.decisions[path.depth, 0]
            tile: Index = path.decisions[path.depth, 1]
            domains.tiles[cell, tile >> 6] &= ALL ^ bit(tile & 63)
            _wake_only(domains, cell)
            path.failed = _fail_of(board, domains)
        cell = _open_cell(board, domains)
        if cell < 0:
            path.failed = True  # a further call continues with the next board
            return FOUND
        _save(domains, path)
        word = 0
        while domains.tiles[cell, word] == 0:
            word += 1
        place: Index = lowest_bit(domains.tiles[cell, word])
        path.decisions[path.depth, 0] = cell
        path.decisions[path.depth, 1] = 64 * word + place
        path.depth += 1
        for i in range(domains.tiles.shape[1]):
            domains.tiles[cell, i] = 0
        domains.tiles[cell, word] = bit(place)
        _wake_only(domains, cell)
        path.failed = _fail_of(board, domains)
    return GOING_ON
