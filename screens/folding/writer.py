"""Folding Blocks boards as text."""

from puzzlemc.screens.folding.level import Level, Matrix


def draw(level: Level, position: Matrix | None = None) -> str:
    """Write a level with its headers, or a position as numbers in columns; no newline at the end.

    Raises ValueError if the position has another shape than the board.
    """
    rows = level.rows if position is None else position
    heads = [("Title", level.title), ("Author", level.author)] if position is None else []
    if [len(row) for row in rows] != [len(row) for row in level.rows]:
        raise ValueError("the position does not have the shape of the board")
    width = max(len(str(value)) for row in rows for value in row)
    lines = [f"{key}: {value}" for key, value in heads if value]
    return "\n".join([*lines, *(" ".join(f"{value:>{width}}" for value in row) for row in rows)])
