"""Fabrik levels and positions as text."""

from puzzlemc.screens.fabrik.level import LETTERS, Cell, Level, Position


def draw(level: Level, position: Position | None = None) -> str:
    """Write a level, or a position of it in a frame with letters and numbers; no newline at the end.

    Raises ValueError if a piece of the position is not on the board, or if two pieces share a cell.
    """
    if position is not None:
        return _framed(level, position)
    lines = [f"Title: {level.title}"] if level.title else []
    lines += [f"Author: {level.author}"] if level.author else []
    lines.append(f"Fabrik {level.size} {level.row} {level.start.turn}".rstrip())
    if level.start.pieces:
        signs = _signs(level, level.start)
        cells = range(level.size)
        lines += [" ".join(signs.get((row, column), ".") for column in cells) for row in cells]
    if level.moves:
        lines.append("Moves")
        lines += [" ".join(level.moves[first : first + 8]) for first in range(0, len(level.moves), 8)]
    return "\n".join(lines)


def _signs(level: Level, position: Position) -> dict[Cell, str]:
    """Return the sign of the piece on each occupied cell. Raises ValueError for a position that does not fit."""
    signs = dict.fromkeys(position.black, "O") | dict.fromkeys(position.white, "X")
    signs |= dict.fromkeys(position.workers, "#")
    pieces = len(position.black) + len(position.white) + len(position.workers)
    if len(signs) != pieces or any(not 0 <= place < level.size for cell in signs for place in cell):
        raise ValueError("the position does not fit on the board")
    return signs


def _framed(level: Level, position: Position) -> str:
    """Return a position in the style of the first program for Fabrik: cells of seven columns and three lines."""
    signs = _signs(level, position)
    cells = range(level.size)
    divider = "  ┼" + "───────┼" * level.size
    blank = "  │" + "       │" * level.size
    lines = ["  " + "".join(f"    {LETTERS[column]}   " for column in cells).rstrip()]
    for row in cells:
        content = (signs.get((row, column), " ").replace("#", "█") for column in cells)
        lines += [divider, blank, f"{row + 1:<2}│" + "".join(f"   {sign}   │" for sign in content), blank]
    return "\n".join([*lines, divider])
