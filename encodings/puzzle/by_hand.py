"""The capability to be played by hand: the effect of keys, and positions on a terminal.

A *hand* is the state of the player's input, such as the cell of a cursor and the piece that is picked up. Only the
puzzle interprets it. A key changes the hand or makes a move. The keys are `up`, `down`, `left`, `right`, `enter`,
`space`, `tab`, `shift+tab`, `escape`, and the characters that are typed.

A scene consists of lines of spans. Their colours are names from `screens/base/picture.py` or from the palette of
the puzzle. A scene must be readable without colours.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

ARROWS = {way: way for way in ("up", "down", "left", "right")} | {
    "w": "up",
    "a": "left",
    "s": "down",
    "d": "right",
}
AWAY = {"up": (-1, 0), "left": (0, -1), "down": (1, 0), "right": (0, 1)}


class Span(NamedTuple):
    """A part of a line: text, its colour and background; an empty name is the default of the terminal."""

    text: str
    colour: str = ""
    ground: str = ""
    bold: bool = False


Line: TypeAlias = tuple[Span, ...]
Sprite: TypeAlias = tuple[Line, ...]  # of one cell: lines of the same width


Area: TypeAlias = tuple[int, int, int, int]  # first column and line, width and height, in characters


@dataclass(frozen=True)
class Scene:
    """A position on a terminal. `line` makes one line by its number: of a large board, only few are visible.

    focus  the area that must stay visible
    """

    width: int
    height: int
    line: Callable[[int], Line]
    focus: Area = (0, 0, 0, 0)


def scene(lines: Sequence[Line], focus: Area = (0, 0, 0, 0)) -> Scene:
    """The scene with these lines."""
    width = max((sum(len(span.text) for span in line) for line in lines), default=0)
    return Scene(width, len(lines), lines.__getitem__, focus)


class Marks(NamedTuple):
    """What a page draws over a position of a game with a cursor: places of the picture by row and column, from 0.

    cursor  the cell of the cursor
    legal   the cells where `enter` puts a piece
    seen    cells that pieces see
    shown   the position with the piece in the hand
    """

    cursor: tuple[int, int]
    legal: Iterable[tuple[int, int]]
    seen: Iterable[tuple[int, int]]
    shown: Any


@dataclass(frozen=True)
class ByHand:
    """How a puzzle is played.

    keys    keys and their effect, for people
    show    the scene of a level, position, hand, moves of a hint, and scale (0 is the smallest)
    press   the effect of a key on a level, position and hand: the next hand, and the name of a move or ""; None if
            the key has no effect
    hand    the hand after a move: from level, position and the previous hand, which is None at the start
    say     a move of a level in words
    prompt  what the player may do now, in words; empty if that is obvious
    scales  number of scales
    idle    the keys of `keys` that do nothing in a level, by their names there: they are not shown
    chosen  the cells of the piece that the keys move, of a level, position and hand: a page outlines them
    marks   the marks of a level, position and hand; None if a page needs none
    pad     the keys that a page shows as buttons: arrows, and `x` for an action
    types   does the player type a text into this hand? Then `press` gets all characters and `backspace`
    """

    keys: tuple[tuple[str, str], ...]
    show: Callable[[Any, Any, Any, Sequence[str], int], Scene]
    press: Callable[[Any, Any, Any, str], tuple[Any, str] | None]
    hand: Callable[[Any, Any, Any], Any] = lambda level, position, before: before
    say: Callable[[Any, str], str] = lambda level, move: move
    prompt: Callable[[Any, Any, Any], str] = lambda level, position, hand: ""
    scales: int = 1
    idle: Callable[[Any], Container[str]] = lambda level: ()
    types: Callable[[Any], bool] = lambda hand: False
    chosen: Callable[[Any, Any, Any], Iterable[tuple[int, int]]] = lambda level, position, hand: ()
    marks: Callable[[Any, Any, Any], Marks] | None = None
    pad: Callable[[Any], Sequence[str]] = lambda level: ()

    def keys_in(self, level: Any) -> tuple[tuple[str, str], ...]:
        """The keys that do something in a level."""
        idle = self.idle(level)
        return tuple(each for each in self.keys if each[0] not in idle)


def grid(cells: Iterable[Sequence[Sprite]]) -> tuple[Line, ...]:
    """The lines of rows of cells. All sprites of a row have the same height."""
    return tuple(
        tuple(span for line in lines for span in line) for row in cells for lines in zip(*row, strict=True)
    )
