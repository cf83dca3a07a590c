"""Infeasible parts of a Tetravex level: a few cells that no tiles fill, or a few tiles that never fit together.

Each part includes the *fixed* tiles, which a solution never moves. The game `swap` has none; in the other games
they are the tiles on the board at the start. A game can be won if and only if a solved board with the fixed tiles
exists, so the parts are those of the constraint.

**Cells.** A set of cells is feasible if different tiles can be put on them so that all edges between these tiles,
and between them and the fixed tiles, agree. **Tiles.** A set of tiles is feasible if they can be put on different
cells so that the same edges agree; the other cells stay empty.

*Theorem.* If a part is infeasible, so are its supersets, and the level has no solution. *Proof.* Remove the other
tiles from a placement for the superset, or from a solution. All edges that remain agree, so the placement that
remains shows that the part is feasible. ∎
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from puzzlemc.encodings.puzzle.explanation import Drawn, Part, Parts, listed, name_of, place_of, places
from puzzlemc.encodings.tetravex.rules import fits
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, Clauses, State, bit
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.screens.base.picture import Picture, frame
from puzzlemc.screens.tetravex import EMPTY, SWAP, Board, Level, picture, waiting

HERE, OTHER = "?", "."  # the drawing of the cells of a part, and of other cells


def fixed_tiles(level: Level) -> dict[int, int]:
    """The fixed tiles by cell."""
    start = () if level.rules == SWAP else level.start
    return {cell: number for cell, number in enumerate(start) if number != EMPTY}


def _free_cells(level: Level) -> list[int]:
    return [cell for cell in range(len(level.tiles)) if cell not in fixed_tiles(level)]


def _free_tiles(level: Level) -> list[int]:
    placed = set(fixed_tiles(level).values())
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
    """The bit for: this tile is on this cell."""
    return bit("on", cell, number)


def _model(level: Level, cells: list[int], tiles: list[int], wanted: list[list[Bit]]) -> Model:
    """The model of tiles on cells: at most one tile on a cell, each tile at most once, all edges agree.

    Each list in `wanted` is a clause that must hold, too.
    """
    fixed = fixed_tiles(level)
    colour_of = {(edge, c): bit("edge", edge, c) for edge, c in _edges(level, [*cells, *fixed])}
    variables = [boolean("on", cell, number) for cell in cells for number in tiles]
    variables += [boolean("edge", edge, c) for edge, c in colour_of]
    number_of = {v.bits[0]: n for n, v in enumerate(variables, 1)}
    rows: list[list[int]] = [[number_of[b] for b in row] for row in wanted]
    rows += [
        [-number_of[_on(cell, a)], -number_of[_on(cell, b)]] for cell in cells for a, b in combinations(tiles, 2)
    ]
    rows += [[-number_of[_on(a, n)], -number_of[_on(b, n)]] for n in tiles for a, b in combinations(cells, 2)]
    # The tile on a cell determines the colours of its edges. An edge has at most one colour.
    colours = sorted({colour for each in level.tiles for colour in each})
    for edge in sorted({edge for edge, _ in colour_of}):
        rows += [
            [-number_of[colour_of[edge, a]], -number_of[colour_of[edge, b]]] for a, b in combinations(colours, 2)
        ]
    for cell in (*cells, *fixed):
        for number in [fixed[cell]] if cell in fixed else tiles:
            here = [] if cell in fixed else [-number_of[_on(cell, number)]]
            rows += [[*here, number_of[colour_of[e, c]]] for e, c in _sides(level, cell, number)]
    goal = Clauses(tuple(number_of), rows)
    return Model(tuple(variables), {}, (), goal, {"solved": goal})


def _sides(level: Level, cell: int, number: int) -> Iterator[tuple[int, int]]:
    """The edges of a cell, by number, and the colours that a tile there gives them."""
    row, column = divmod(cell, level.side)
    shown, side = level.tiles[number - 1], level.side
    down = side * (side + 1)  # edges between columns have larger numbers than edges between rows
    yield row * side + column, shown.north
    yield (row + 1) * side + column, shown.south
    yield down + row * (side + 1) + column + 1, shown.east
    yield down + row * (side + 1) + column, shown.west


def _edges(level: Level, cells: Iterable[int]) -> list[tuple[int, int]]:
    """All pairs of an edge of these cells and a colour of the level."""
    colours = sorted({colour for each in level.tiles for colour in each})
    found = sorted({edge for cell in cells for edge, _ in _sides(level, cell, 1)})
    return [(edge, colour) for edge in found for colour in colours]


def _board(level: Level, state: State) -> list[int]:
    """The board of a state, with other tiles added greedily where they fit."""
    fixed, board = fixed_tiles(level), [EMPTY] * len(level.tiles)
    for cell in range(len(board)):
        board[cell] = fixed.get(cell, EMPTY)
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
    fixed = fixed_tiles(level)
    board = _board(level, state)
    return part | {
        _name(level, cell) for cell, number in enumerate(board) if number != EMPTY and cell not in fixed
    }


def _placed(level: Level, part: Part, state: State) -> Part:
    free = set(_free_tiles(level))
    return part | {str(number) for number in _board(level, state) if number in free}


def _words_of_cells(level: Level, part: Part, budget: Budget) -> str:
    budget.check()
    cells = [divmod(cell, level.side) for cell in _cells(level, part)]
    if not cells:
        return "the tiles on the board at the start do not fit together"
    if len(cells) == 1:
        return f"no tile fits on this cell, {places(cells)}"
    return f"no {len(cells)} tiles fit together on these {len(cells)} cells, {places(cells)}"


def _words_of_tiles(level: Level, part: Part, budget: Budget) -> str:
    budget.check()
    tiles = sorted(map(int, part))
    if len(tiles) == 1:
        return f"tile {tiles[0]} fits nowhere"
    return f"tiles {listed(list(map(str, tiles)))} never fit on the board together"


def _draw_cells(level: Level, part: Part) -> Drawn:
    """A sign or the number of a tile for each cell."""
    cells, fixed = set(_cells(level, part)), fixed_tiles(level)
    width = len(str(len(level.tiles))) if fixed else 1
    signs = [HERE if cell in cells else str(fixed.get(cell, OTHER)) for cell in range(len(level.tiles))]
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
    return tuple(fixed_tiles(level).get(cell, EMPTY) for cell in range(len(level.tiles)))


def _picture_of_cells(level: Level, part: Part) -> Picture:
    """The board with a frame around each cell of the part, without the tiles beside the board."""
    shown = picture(replace(level, start=tuple(range(1, len(level.tiles) + 1))), _start(level))
    marks = [side for cell in _cells(level, part) for side in frame(*divmod(cell, level.side))]
    return replace(shown, pieces=(*shown.pieces, *marks))


def _picture_of_tiles(level: Level, part: Part) -> Picture:
    """The board at the start and the tiles beside it, with a frame around each tile of the part."""
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
