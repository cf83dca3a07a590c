"""Tetravex levels and positions as text: the plain form, boards as squares, and MiniZinc data files."""

from collections.abc import Sequence

from puzzlemc.screens.tetravex.level import EMPTY, Board, Level


def draw(level: Level, position: Board | None = None) -> str:
    """Write a level in the plain form, or a position of it as squares with four numbers; no newline at the end.

    Raises ValueError if the position has the wrong size, an unknown tile, or a tile twice.
    """
    if position is not None:
        return _squares(level, position)
    width = max(len(str(colour)) for tile in level.tiles for colour in tile)
    lines = [f"Title: {level.title}"] if level.title else []
    lines += [f"Author: {level.author}"] if level.author else []
    lines.append(f"Tetravex {level.side}")
    lines += [" ".join(f"{colour:>{width}}" for colour in tile) for tile in level.tiles]
    if level.rules:
        lines.append(level.rules.capitalize())
        width = len(str(len(level.tiles)))
        lines += [" ".join(f"{number:>{width}}" for number in row) for row in _rows(level.start, level.side)]
    return "\n".join(lines)


def data(level: Level) -> str:
    """Write the tiles of a level as a MiniZinc data file, with a newline at the end."""
    rows = ",\n".join("  " + ",".join(map(str, tile)) for tile in level.tiles)
    return f"N = {level.side};\n\npuzzle = array2d(1..N*N, 1..4, [\n{rows}]);\n"


def _rows(board: Sequence[int], side: int) -> list[Sequence[int]]:
    return [board[first : first + side] for first in range(0, side * side, side)]


def _squares(level: Level, position: Board) -> str:
    """Return the board with each tile as a square that has the colours at its sides."""
    placed = [number for number in position if number != EMPTY]
    if (
        len(position) != len(level.tiles)
        or len(set(placed)) < len(placed)
        or not set(placed) <= set(range(1, len(level.tiles) + 1))
    ):
        raise ValueError(f"the board has {len(level.tiles)} cells, each tile goes on one: {position}")
    width = max(len(str(colour)) for tile in level.tiles for colour in tile)
    room = 2 * width + 1
    border = "+" + f"{'-' * room}+" * level.side
    lines = [border]
    for row in _rows(position, level.side):
        tiles = [None if number == EMPTY else level.tiles[number - 1] for number in row]
        lines.append("".join(f"|{'' if tile is None else tile.north:^{room}}" for tile in tiles) + "|")
        lines.append(
            "".join(
                "|" + (" " * room if tile is None else f"{tile.west:<{width}} {tile.east:>{width}}")
                for tile in tiles
            )
            + "|"
        )
        lines.append("".join(f"|{'' if tile is None else tile.south:^{room}}" for tile in tiles) + "|")
        lines.append(border)
    return "\n".join(lines)
