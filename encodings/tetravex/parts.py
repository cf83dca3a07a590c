"""What of a Tetravex level already cannot be done: a few cells that no tiles fill, or a few tiles that never fit.

Tiles that a level has placed for good are always there. In a game of swapping none is placed for good; that a
solved board can be reached there says no more than that there is one, and so it is where tiles are put.

**Cells.** The question about some cells is whether different tiles can be put on these, such that the edges
between them, and those to the tiles that are there, agree. **Tiles.** The question about some tiles is whether
these can be put on different cells of the board, likewise, with other cells left empty.

*Theorem.* If that cannot be, the level has no solution, nor can it be with more cells, or more tiles. *Proof.*
Take a solution, or what was put on more cells, or with more tiles, and take away what is not asked about: what is
left was asked about, and all that it has to hold was to hold before. ∎
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from puzzlemc.encodings.puzzle.parts import Drawn, Part, Parts, listed, name_of, place_of, places
from puzzlemc.encodings.tetravex.rules import fits
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, Clauses, State, bit
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.screens.base.picture import Picture, frame
from puzzlemc.screens.tetravex import EMPTY, SWAP, Board, Level, picture, waiting

HERE, OTHER = "?", "."  # how the cells of a part are drawn, and others


def _given(level: Level) -> dict[int, int]:
    """By cell: the tile that is there for good."""
    start = () if level.rules == SWAP else level.start
    return {cell: number for cell, number in enumerate(start) if number != EMPTY}


def _free_cells(level: Level) -> list[int]:
    return [cell for cell in range(len(level.tiles)) if cell not in _given(level)]


def _free_tiles(level: Level) -> list[int]:
    placed = set(_given(level).values())
    return [number for number in range(1, len(level.tiles) + 1) if number not in placed]


def _cells(level: Level, part: Part) -> list[int]:
    return sorted(row * level.side + column for row, column in map(place_of, part))


def _name(level: Level, cell: int) -> str:
    return name_of(divmod(cell, level.side))


def _of_cells(level: Level, part: Part) -> Model:
    """The model of some cells, each of which must have one of the tiles."""
    cells = _cells(level, part)
    return _model(level, cells, _free_tiles(level), [[_on(cell, t) for t in _free_tiles(level)] for cell in cells])


def _of_tiles(level: Level, part: Part) -> Model:
    """The model of some tiles, each of which must be on one of the cells."""
    tiles, cells = sorted(map(int, part)), _free_cells(level)
    return _model(level, cells, tiles, [[_on(cell, number) for cell in cells] for number in tiles])


def _on(cell: int, number: int) -> Bit:
    """That this tile is on this cell."""
    return bit("on", cell, number)


def _model(level: Level, cells: list[int], tiles: list[int], wanted: list[list[Bit]]) -> Model:
    """These tiles on these cells: at most one on each, and each once at most; edges agree, and `wanted` holds."""
    given = _given(level)
    colour_of = {(edge, c): bit("edge", edge, c) for edge, c in _edges(level, [*cells, *given])}
    variables = [boolean("on", cell, number) for cell in cells for number in tiles]
    variables += [boolean("edge", edge, c) for edge, c in colour_of]
    number_of = {v.bits[0]: n for n, v in enumerate(variables, 1)}
    rows: list[list[int]] = [[number_of[b] for b in row] for row in wanted]
    rows += [
        [-number_of[_on(cell, a)], -number_of[_on(cell, b)]] for cell in cells for a, b in combinations(tiles, 2)
    ]
    rows += [[-number_of[_on(a, n)], -number_of[_on(b, n)]] for n in tiles for a, b in combinations(cells, 2)]
    # A tile gives the edges of its cell their colours; an edge has one.
    colours = sorted({colour for each in level.tiles for colour in each})
    for edge in sorted({edge for edge, _ in colour_of}):
        rows += [
            [-number_of[colour_of[edge, a]], -number_of[colour_of[edge, b]]] for a, b in combinations(colours, 2)
        ]
    for cell in (*cells, *given):
        for number in [given[cell]] if cell in given else tiles:
            here = [] if cell in given else [-number_of[_on(cell, number)]]
            rows += [[*here, number_of[colour_of[e, c]]] for e, c in _sides(level, cell, number)]
    goal = Clauses(tuple(number_of), rows)
    return Model(tuple(variables), {}, (), goal, {"solved": goal})


def _sides(level: Level, cell: int, number: int) -> Iterator[tuple[int, int]]:
    """The edges of a cell, by number, and the colours that a tile there gives them."""
    row, column = divmod(cell, level.side)
    shown, side = level.tiles[number - 1], level.side
    down = side * (side + 1)  # the numbers of edges between columns are behind those between rows
    yield row * side + column, shown.north
    yield (row + 1) * side + column, shown.south
    yield down + row * (side + 1) + column + 1, shown.east
    yield down + row * (side + 1) + column, shown.west


def _edges(level: Level, cells: Iterable[int]) -> list[tuple[int, int]]:
    """The edges of some cells, each with every colour that there is."""
    colours = sorted({colour for each in level.tiles for colour in each})
    found = sorted({edge for cell in cells for edge, _ in _sides(level, cell, 1)})
    return [(edge, colour) for edge in found for colour in colours]


def _board(level: Level, state: State) -> list[int]:
    """What lies on the cells in a state, with other tiles put where they fit as well."""
    given, board = _given(level), [EMPTY] * len(level.tiles)
    for cell in range(len(board)):
        board[cell] = given.get(cell, EMPTY)
        for number in range(1, len(board) + 1):
            if _on(cell, number) in state:
                board[cell] = number
    for cell in range(len(board)):
        for number in sorted(set(range(1, len(board) + 1)) - set(board)) if board[cell] == EMPTY else ():
            board[cell] = number
            if fits(level, board, cell):
                break
            board[cell] = EMPTY
    return board


def _filled(level: Level, part: Part, state: State) -> Part:
    given = _given(level)
    board = _board(level, state)
    return part | {
        _name(level, cell) for cell, number in enumerate(board) if number != EMPTY and cell not in given
    }


def _placed(level: Level, part: Part, state: State) -> Part:
    free = set(_free_tiles(level))
    return part | {str(number) for number in _board(level, state) if number in free}


def _words_of_cells(level: Level, part: Part, budget: Budget) -> str:
    budget.check()
    cells = [divmod(cell, level.side) for cell in _cells(level, part)]
    if not cells:
        return "the tiles that are there from the start do not agree"
    if len(cells) == 1:
        return f"no tile fits on this cell, {places(cells)}"
    return f"these {len(cells)} cells, {places(cells)}: no {len(cells)} tiles go together there"


def _words_of_tiles(level: Level, part: Part, budget: Budget) -> str:
    budget.check()
    tiles = sorted(map(int, part))
    if len(tiles) == 1:
        return f"tile {tiles[0]} fits nowhere"
    return f"tiles {listed(list(map(str, tiles)))} cannot all be put on the board: they never go together there"


def _draw_cells(level: Level, part: Part) -> Drawn:
    """A sign or the number of a tile for each cell."""
    cells, given = set(_cells(level, part)), _given(level)
    width = len(str(len(level.tiles))) if given else 1
    signs = [HERE if cell in cells else str(given.get(cell, OTHER)) for cell in range(len(level.tiles))]
    rows = [signs[first : first + level.side] for first in range(0, len(signs), level.side)]
    text = "\n".join(" ".join(f"{sign:>{width}}" for sign in row) for row in rows)
    places = (divmod(cell, level.side) for cell in cells)
    return Drawn(text, text, frozenset((row, column * (width + 1) + width - 1) for row, column in places))


def _draw_tiles(level: Level, part: Part) -> Drawn:
    """A line for each tile, with its colours."""

    def lines(numbers: Iterable[int]) -> list[str]:
        return [
            f"tile {n:>3}: north {t.north} south {t.south} east {t.east} west {t.west}"
            for n, t in ((n, level.tiles[n - 1]) for n in numbers)
        ]

    numbers = sorted(map(int, part))
    whole = lines(range(1, len(level.tiles) + 1))
    bright = {(n - 1, column) for n in numbers for column in range(len(whole[n - 1]))}
    return Drawn("\n".join(lines(numbers)), "\n".join(whole), frozenset(bright))


def _start(level: Level) -> Board:
    return tuple(_given(level).get(cell, EMPTY) for cell in range(len(level.tiles)))


def _picture_of_cells(level: Level, part: Part) -> Picture:
    """The board with a frame around each of these cells, and no tiles beside it."""
    shown = picture(replace(level, start=tuple(range(1, len(level.tiles) + 1))), _start(level))
    marks = [side for cell in _cells(level, part) for side in frame(*divmod(cell, level.side))]
    return replace(shown, pieces=(*shown.pieces, *marks))


def _picture_of_tiles(level: Level, part: Part) -> Picture:
    """The board in its start, and the tiles beside it; a frame around each of these."""
    board = level.start if level.rules == SWAP else _start(level)
    shown = picture(level, board)
    cells = {number: divmod(cell, level.side) for cell, number in enumerate(board)} | waiting(level)
    marks = [side for number in sorted(map(int, part)) for side in frame(*cells[number])]
    return replace(shown, pieces=(*shown.pieces, *marks))


def _cell_names(level: Level) -> tuple[str, ...]:
    return tuple(_name(level, cell) for cell in _free_cells(level))


def _tile_names(level: Level) -> tuple[str, ...]:
    return tuple(map(str, _free_tiles(level)))


CELLS = Parts("cells", "cell", _cell_names, _of_cells, _words_of_cells, _draw_cells, _picture_of_cells, _filled)
TILES = Parts("tiles", "tile", _tile_names, _of_tiles, _words_of_tiles, _draw_tiles, _picture_of_tiles, _placed)
PARTS = (CELLS, TILES)
