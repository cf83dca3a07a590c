"""PuzzleScript played with a pointer: a drag is a swipe, and a click is a step towards the cell."""

from puzzlemc.encodings.puzzle.pointing import Place, Pointing
from puzzlemc.encodings.puzzlescript.domain.moves import pick
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.mc.errors import LimitReached
from puzzlemc.screens.puzzlescript import Level


def moves(level: Level, position: Position, pressed: Place, released: Place) -> list[str]:
    """The turn in the direction of a drag, or in that from the next player in line to the cell of a click.

    A click on a player is the action.
    """
    name = _direction(pressed, released) if pressed != released else _towards(level, position, released)
    try:
        return [found] if (found := pick(level, position, name)) else []
    except LimitReached:
        return []


def _direction(one: Place, other: Place) -> str:
    down, right = other[0] - one[0], other[1] - one[1]
    return ("up" if down < 0 else "down") if abs(down) > abs(right) else ("left" if right < 0 else "right")


def _towards(level: Level, position: Position, to: Place) -> str:
    """The turn of a click on a cell; empty if no player stands in its row or column."""
    cells = (divmod(cell, level.width) for cell, here in enumerate(position.cells) if here & level.game.players)
    away = {(row, column): abs(to[0] - row) + abs(to[1] - column) for row, column in cells}
    if to in away:
        return "action"
    in_line = [at for at in away if at[0] == to[0] or at[1] == to[1]]
    return _direction(min(in_line, key=away.__getitem__), to) if in_line else ""


POINTING = Pointing(moves, "click a cell beside the player, or swipe")
