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
        left,
        lowest_bit,
    )

    FOUND, EXHAUSTED, GOING_ON = 1, 0, -1


class Board:
    """A level as tables.

    Cells with more than `most` tiles restrict no colours: with about as many tiles as colours, nearly every colour
    is left, so looking at them costs more than the little that it removes.

    fitting  (4, sets of colours, words): for each side and set, the tiles with one of its colours there, as bits
    sides    (tiles,): the colours of each tile as bits: those of the sides north, south, east and west, 16 each
    edges    (cells, 4): the edges of each cell: north, south, east, west
    cells    (edges, 2): the cells of each edge, the second -1 at the border
    far      (cells,): the steps of each cell from the middle of the board
    all      whether every tile needs a cell
    """

    fitting: Words3
    sides: Words
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
        sides: npt.NDArray[np.uint64],
        edges: npt.NDArray[np.int64],
        cells: npt.NDArray[np.int64],
        far: npt.NDArray[np.int64],
    ) -> None:
        self.most, self.all = most, all
        self.fitting, self.sides = view(fitting), view(sides)
        self.edges, self.cells, self.far = view(edges), view(cells), view(far)


class Domains:
    """The domains of cells and edges. At first everything is possible, and all cells wait.

    tiles    (cells, words): the tiles that may be in each cell, as bits
    sizes    (cells,): their number, but for cells that wait
    colours  (edges,): the colours that each edge may have, as bits
    settled  (cells,): 1 if the one tile of a cell is removed from all others; its domain stays as it is
    open     (cells,): the cells that are not settled, `opened` of them
    waiting  (words of cells,): the cells whose edges or tiles have changed, as bits
    """

    tiles: Words2
    sizes: Numbers
    colours: Words
    settled: Bytes
    open: Numbers
    opened: Index
    waiting: Words

    def __init__(self, fitting: npt.NDArray[np.uint64], cells: int, edges: int) -> None:
        """The full domains of a board with these tables and sizes."""
        self.tiles = view(np.tile(fitting[0, -1], (cells, 1)))
        self.colours = view(np.full(edges, fitting.shape[1] - 1, np.uint64))
        self.sizes = view(np.full(cells, np.bitwise_count(fitting[0, -1]).sum(), np.int64))
        self.settled, self.waiting = view(np.zeros(cells, np.uint8)), view(np.zeros((cells + 63) // 64, np.uint64))
        cell: Index
        for cell in range(cells):
            self.waiting[cell >> 6] |= bit(cell & 63)
        self.open, self.opened = view(np.arange(cells)), cells


class Path:
    """The decisions of the search so far, and the domains before each.

    tiles, sizes, colours, open, opened  as in `Domains`, for each depth; of cells that were settled, nothing
    decisions  (depths, 2): the cell and the tile decided at each depth
    depth      the number of decisions
    failed     whether the last decision failed
    """

    tiles: Words3
    sizes: Numbers2
    colours: Words2
    open: Numbers2
    opened: Numbers
    decisions: Numbers2
    depth: Index
    failed: Flag

    def __init__(self, cells: int, edges: int, words: int) -> None:
        """An empty path, with room for a decision for each cell."""
        depths = cells + 1
        self.tiles = view(np.zeros((depths, cells, words), np.uint64))
        self.colours = view(np.zeros((depths, edges), np.uint64))
        self.sizes, self.open = (view(np.zeros((depths, cells), np.int64)) for _ in range(2))
        self.opened = view(np.zeros(depths, np.int64))
        self.decisions = view(np.zeros((depths, 2), np.int64))
        self.depth, self.failed = 0, False


def propagate(board: Board, domains: Domains, path: Path) -> None:  # interpreted
    """Propagate before the first decision."""
    path.failed = _fail_of(board, domains)


def search(board: Board, domains: Domains, path: Path, nodes: Index) -> Index:  # interpreted
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


def _next_waiting(domains: Domains, cell: Index) -> Index:
    """The first cell that waits after this one, or from the start on if none does; -1 if no cell waits."""
    words: Index = domains.waiting.shape[0]
    word: Index = (cell + 1) >> 6
    cells: Word = 0
    if word < words:
        cells = domains.waiting[word] & left(ALL, (cell + 1) & 63)
    for _ in range(words + 1):
        if cells:
            return 64 * word + lowest_bit(cells)
        word = word + 1 if word + 1 < words else 0
        cells = domains.waiting[word]
    return -1


def _neighbour(board: Board, cell: Index, edge: Index) -> Index:
    """The cell on the other side of an edge, -1 at the border."""
    return board.cells[edge, 1] if board.cells[edge, 0] == cell else board.cells[edge, 0]


def _fit_tiles(board: Board, domains: Domains, cell: Index) -> Index:
    """Remove the tiles that the colours of the edges exclude from a cell; return how many are left."""
    size: Index = 0
    word: Index
    side: Index
    for word in range(domains.tiles.shape[1]):
        tiles: Word = domains.tiles[cell, word]
        for side in range(4):
            tiles &= board.fitting[side, domains.colours[board.edges[cell, side]], word]
        domains.tiles[cell, word] = tiles
        size += count_bits(tiles)
    domains.sizes[cell] = size
    return size


def _fit_colours(board: Board, domains: Domains, cell: Index) -> Flag:
    """Remove the colours that the tiles of a cell exclude from its edges. Returns False if an edge has none."""
    kept: Word = 0  # the colours of the tiles, as in `sides`
    word: Index
    side: Index
    for word in range(domains.tiles.shape[1]):
        tiles: Word = domains.tiles[cell, word]
        while tiles:
            kept |= board.sides[64 * word + lowest_bit(tiles)]
            tiles &= tiles - 1
    for side in range(4):
        edge: Index = board.edges[cell, side]
        colours: Word = domains.colours[edge]
        domains.colours[edge] = colours & kept
        if colours & kept == 0:
            return False
        if colours & kept != colours:
            other: Index = _neighbour(board, cell, edge)
            if other >= 0:
                domains.waiting[other >> 6] |= bit(other & 63)
        kept >>= 16
    return True


def _settle(board: Board, domains: Domains, cell: Index) -> None:
    """Remove the one tile of a cell from all others. Cells that still have too many tiles need not wait.

    The loop has no branches, since no processor could predict them.
    """
    at: Index = 0
    word: Index = 0
    while domains.open[at] != cell:
        at += 1
    domains.opened -= 1
    domains.open[at] = domains.open[domains.opened]
    domains.settled[cell] = 1
    while domains.tiles[cell, word] == 0:
        word += 1
    tile: Word = domains.tiles[cell, word]
    for at in range(domains.opened):
        other: Index = domains.open[at]
        held: Word = (domains.tiles[other, word] & tile) != 0
        domains.tiles[other, word] &= ALL ^ tile
        domains.sizes[other] -= held
        domains.waiting[other >> 6] |= left(held & (domains.sizes[other] <= board.most), other & 63)


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
                    domains.waiting[cell >> 6] |= bit(cell & 63)
    return True


def _fail_of(board: Board, domains: Domains) -> Flag:
    """Propagate from the cells that wait. Returns True if a cell or a tile has nothing left."""
    cell: Index = _next_waiting(domains, -1)
    while cell >= 0:
        while cell >= 0:
            domains.waiting[cell >> 6] ^= bit(cell & 63)
            size: Index = _fit_tiles(board, domains, cell)
            if size == 0 or (size <= board.most and not _fit_colours(board, domains, cell)):
                return True
            if size == 1 and not domains.settled[cell]:
                _settle(board, domains, cell)
            cell = _next_waiting(domains, cell)
        if board.all:
            if not _place_lone(board, domains):
                return True
            cell = _next_waiting(domains, -1)
    return False


def _open_cell(board: Board, domains: Domains) -> Index:
    """The cell with the fewest tiles that is not settled, with the most such neighbours; -1 if there is none.

    Of several, the nearest to the middle.
    """
    best: Index = -1
    least: Index = 1 << 60
    at: Index
    side: Index
    for at in range(domains.opened):
        cell: Index = domains.open[at]
        rank: Index = domains.sizes[cell] * 1000
        if rank <= least + 80:
            rank += board.far[cell]
            for side in range(4):
                other: Index = _neighbour(board, cell, board.edges[cell, side])
                if other >= 0 and not domains.settled[other]:
                    rank -= 20
            if rank < least or (rank == least and cell < best):
                best = cell
                least = rank
    return best


def _save(domains: Domains, path: Path) -> None:
    """Copy the domains to the path, at its depth."""
    depth: Index = path.depth
    at: Index
    word: Index
    path.opened[depth] = domains.opened
    for at in range(domains.opened):
        cell: Index = domains.open[at]
        path.open[depth, at] = cell
        path.sizes[depth, cell] = domains.sizes[cell]
        for word in range(domains.tiles.shape[1]):
            path.tiles[depth, cell, word] = domains.tiles[cell, word]
    for at in range(domains.colours.shape[0]):
        path.colours[depth, at] = domains.colours[at]


def _restore(domains: Domains, path: Path) -> None:
    """Copy the domains back from the path, at its depth."""
    depth: Index = path.depth
    at: Index
    word: Index
    domains.opened = path.opened[depth]
    for at in range(domains.opened):
        cell: Index = path.open[depth, at]
        domains.open[at] = cell
        domains.settled[cell] = 0
        domains.sizes[cell] = path.sizes[depth, cell]
        for word in range(domains.tiles.shape[1]):
            domains.tiles[cell, word] = path.tiles[depth, cell, word]
    for at in range(domains.colours.shape[0]):
        domains.colours[at] = path.colours[depth, at]


def _wake_only(domains: Domains, cell: Index) -> None:
    """Let this cell wait, and no other."""
    word: Index
    for word in range(domains.waiting.shape[0]):
        domains.waiting[word] = 0
    domains.waiting[cell >> 6] = bit(cell & 63)


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
