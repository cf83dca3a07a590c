"""Search for a Tetravex board in compiled code: for the large ones, on which SAT solvers take too long.

Depth first, with arc consistency kept (Sabin and Freuder 1994): each cell has a set of tiles, each edge a set of
colours, and a tile has to be somewhere. Next is the cell with the fewest tiles (Haralick and Elliott 1980), and of
these the one nearest to the middle of the board: there four sides soon say what fits, which on 8×8 boards mostly
saves nine tenths of the steps and more against a start in the corner.

What is found is checked by others, and nothing is claimed where nothing is found.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.jit import cached, ready
from puzzlemc.mc.limits import Watch
from puzzlemc.screens.tetravex import Level, Tile

NODES = 2_000  # between two looks at the clock

FOUND, EXHAUSTED, GOING_ON = 1, 0, -1

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


def search(level: Level, watch: Watch) -> tuple[int, ...] | None:
    """The tiles of a board that solves the level, as indices in reading order, or None if none was found.

    Raises LimitReached. The level has few colours: all sets of them are tabled.
    """
    ready(warm_up, __name__)
    side, number = level.side, len(level.tiles)
    words = (number + 63) // 64
    colours = sorted({colour for tile in level.tiles for colour in tile})
    # By side, set of colours: the tiles with one of these colours there.
    fitting = np.zeros((4, 1 << len(colours), words), np.uint64)
    for index, tile in enumerate(level.tiles):
        for at, colour in enumerate(tile):
            fitting[at, 1 << colours.index(colour), index >> 6] |= np.uint64(1 << (index & 63))
    for some in range(1, 1 << len(colours)):
        fitting[:, some] = fitting[:, some & (some - 1)] | fitting[:, some & -some]
    edges = np.zeros((number, 4), np.int64)  # by cell, side: north, south, east, west
    for cell in range(number):
        row, column = divmod(cell, side)
        across = side * (side + 1) + row * (side + 1) + column
        edges[cell] = (cell, cell + side, across + 1, across)
    # By edge: its cells, or -1 at the border.
    cells = np.full((2 * side * (side + 1), 2), -1, np.int64)
    for cell in range(number):
        for edge in edges[cell]:
            cells[edge, int(cells[edge, 0] >= 0)] = cell
    far = np.array([abs(cell // side - side // 2) + abs(cell % side - side // 2) for cell in range(number)])
    board = _Board(number, words, len(cells))
    board.tiles[:] = fitting[0, -1]
    board.colours[:] = (1 << len(colours)) - 1
    board.waiting[:] = True
    propagate: Any = _propagate
    go_on: Any = _search
    place = np.array([0, propagate(fitting, edges, cells, *board.now)])
    while True:
        watch.check()
        told = go_on(fitting, edges, cells, far, *board.now, *board.saved, place, NODES)
        if told == EXHAUSTED:
            return None
        if told == FOUND:
            return tuple(
                sum(int(word) << 64 * at for at, word in enumerate(row)).bit_length() - 1 for row in board.tiles
            )


def warm_up() -> None:
    """Lead through all the compiled code."""
    tiles = (Tile(0, 1, 0, 0), Tile(0, 2, 0, 0), Tile(1, 0, 0, 0), Tile(2, 0, 0, 0))
    search(Level("", "", 2, tiles), Watch())


class _Board:
    """The sets of tiles and colours now, and as they were before each decision."""

    def __init__(self, number: int, words: int, edges: int) -> None:
        self.tiles: Words = np.zeros((number, words), np.uint64)
        self.colours: Words = np.zeros(edges, np.uint64)
        self.settled = np.zeros(number, np.bool_)  # cells whose one tile is gone from the others
        self.waiting = np.zeros(number, np.bool_)
        self.now: tuple[Any, ...] = (
            self.tiles,
            self.colours,
            self.settled,
            self.waiting,
            np.zeros(number, np.int64),
        )
        depths = number + 1
        self.saved: tuple[Any, ...] = (
            np.zeros((depths, number, words), np.uint64),
            np.zeros((depths, edges), np.uint64),
            np.zeros((depths, number), np.bool_),
            np.zeros((depths, 2), np.int64),  # the cell and the tile of the decision
        )


@cached()
def _size(word):  # type: ignore[no-untyped-def]
    """The number of bits that are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@cached()
def _propagate(fitting, edges, cells, tiles, colours, settled, waiting, queue):  # type: ignore[no-untyped-def]
    """Take away what cannot be, for the cells that wait; 1 where some cell or tile has no place left, else 0."""
    one = np.uint64(1)
    number, words = tiles.shape
    head = many = 0
    for cell in range(number):
        if waiting[cell]:
            queue[many] = cell
            many += 1
    while True:
        while many:
            cell = queue[head]
            head = (head + 1) % number
            many -= 1
            waiting[cell] = False
            size = 0
            for word in range(words):
                for side in range(4):
                    tiles[cell, word] &= fitting[side, colours[edges[cell, side]], word]
                size += _size(tiles[cell, word])
            if size == 0:
                return 1
            for side in range(4):
                edge = edges[cell, side]
                if cells[edge, 1] < 0:
                    continue
                rest, kept = colours[edge], np.uint64(0)
                while rest:
                    colour = rest & (~rest + one)
                    rest ^= colour
                    for word in range(words):
                        if tiles[cell, word] & fitting[side, colour, word]:
                            kept |= colour
                            break
                if kept != colours[edge]:
                    colours[edge] = kept
                    if kept == 0:
                        return 1
                    other = cells[edge, 0] if cells[edge, 0] != cell else cells[edge, 1]
                    if not waiting[other]:
                        waiting[other] = True
                        queue[(head + many) % number] = other
                        many += 1
            if size == 1 and not settled[cell]:
                settled[cell] = True
                for other in range(number):
                    if other != cell:
                        shared = False
                        for word in range(words):
                            if tiles[other, word] & tiles[cell, word]:
                                tiles[other, word] &= ~tiles[cell, word]
                                shared = True
                        if shared and not waiting[other]:
                            waiting[other] = True
                            queue[(head + many) % number] = other
                            many += 1
        # Tiles that have one place left, or none.
        for word in range(words):
            once = twice = np.uint64(0)
            for cell in range(number):
                twice |= once & tiles[cell, word]
                once |= tiles[cell, word]
            if once != fitting[0, -1, word]:
                return 1
            lone = once & ~twice
            if lone:
                for cell in range(number):
                    tile = tiles[cell, word] & lone
                    if tile and not settled[cell]:
                        if tile & (tile - one):
                            return 1
                        tiles[cell] = 0
                        tiles[cell, word] = tile
                        if not waiting[cell]:
                            waiting[cell] = True
                            queue[(head + many) % number] = cell
                            many += 1
        if not many:
            return 0


@cached()
def _search(  # type: ignore[no-untyped-def]
    fitting,
    edges,
    cells,
    far,
    tiles,
    colours,
    settled,
    waiting,
    queue,
    saved_tiles,
    saved_colours,
    saved_settled,
    decisions,
    place,
    nodes,
):
    """Go on with a search for so many decisions. `place` has their depth now, and whether the last one failed."""
    one = np.uint64(1)
    number, words = tiles.shape
    depth, failed = place
    for _ in range(nodes):
        while failed:
            if depth == 0:
                return EXHAUSTED
            depth -= 1
            tiles[:] = saved_tiles[depth]
            colours[:] = saved_colours[depth]
            settled[:] = saved_settled[depth]
            cell, tile = decisions[depth]
            tiles[cell, tile >> 6] &= ~(one << np.uint64(tile & 63))
            waiting[:] = False
            waiting[cell] = True
            failed = _propagate(fitting, edges, cells, tiles, colours, settled, waiting, queue)
        best, least = -1, np.int64(1) << 60
        for cell in range(number):
            if not settled[cell]:
                size = 0
                for word in range(words):
                    size += _size(tiles[cell, word])
                if size * 1000 + far[cell] < least:
                    best, least = cell, size * 1000 + far[cell]
        if best < 0:
            return FOUND
        saved_tiles[depth] = tiles
        saved_colours[depth] = colours
        saved_settled[depth] = settled
        word = 0
        while tiles[best, word] == 0:
            word += 1
        tile = tiles[best, word] & (~tiles[best, word] + one)
        decisions[depth, 0] = best
        decisions[depth, 1] = 64 * word + _size(tile - one)
        depth += 1
        tiles[best] = 0
        tiles[best, word] = tile
        waiting[:] = False
        waiting[best] = True
        failed = _propagate(fitting, edges, cells, tiles, colours, settled, waiting, queue)
    place[0], place[1] = depth, failed
    return GOING_ON
