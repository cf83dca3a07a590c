"""The capability to be played by a page alone: the plain rules once more, in JavaScript.

The module of JavaScript exports `rules(level)`, an object with these functions; positions are any values.

    start()          the first position
    moves(position)  the legal moves, {name, position, costs}, in the order of the plain rules
    solved(position)
    key(position)    a text, another one for each position: the text that `key` makes in Python
    picture(position)  what is painted over the board, [shapes, row, column] each: shapes of the upper left cell

and these, which may be missing; then moves are found by their names and by what they change in the picture:

    keys             that a page shows as buttons: arrows, and `x` for an action
    press(position, key, hand)  the names of the moves of a key
    point(position, from, to)   the names of the moves of a pointer, pressed on one cell and released on another
    taps             a tap on a cell and then on another one is as good as a drag
    choose(position, cell), hand(position, before), chosen(position, hand)  the piece that keys move: by a tap,
                     after a move, and its cells
    next(position, hand)  the next such piece, by a key
    say(name)        a move in words
    help             how keys and pointers play
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from puzzlemc.screens.base.picture import Shape


@dataclass(frozen=True)
class SharedLevel:
    """What the rules in JavaScript are given of a level.

    data   values for JSON
    looks  the shapes that pictures are made of, by their names: in the upper left cell
    """

    data: Mapping[str, Any]
    looks: Mapping[str, Sequence[Shape]]


@dataclass(frozen=True)
class Shared:
    """The rules of a puzzle for a page.

    script  the place of the module: a package, and a file in it
    level   what it is given of a level; None for a level that it cannot play
    key     of a level and a position: a text for each position
    """

    script: tuple[str, str]
    level: Callable[[Any], SharedLevel | None]
    key: Callable[[Any, Any], str]

    def text(self) -> str:
        """The module of JavaScript."""
        package, name = self.script
        return files(package).joinpath(name).read_text(encoding="utf-8")
