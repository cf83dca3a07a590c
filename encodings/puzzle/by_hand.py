"""How a puzzle is played by hand: what keys do, and what a position looks like on a terminal.

A *hand* is what the player is about: where a cursor stands, what is picked up. It is a value that the puzzle
defines and nobody else looks into. A key gives another hand, or a move. Keys are called `up`, `down`, `left`,
`right`, `enter`, `space`, `tab`, `shift+tab`, `escape`, or by the character that they type.

A scene is lines of spans, with the names of colours that `screens/base/picture.py` defines. It must make sense
without any colour.
"""

from collections.abc import Callable, Iterable, Sequence
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
    """A piece of a line: a text, its colour and that of the ground; empty names are the terminal's own look."""

    text: str
    colour: str = ""
    ground: str = ""
    bold: bool = False


Line: TypeAlias = tuple[Span, ...]
Sprite: TypeAlias = tuple[Line, ...]  # of one cell: lines of the same width


Area: TypeAlias = tuple[int, int, int, int]  # first column and line, width and height, in characters


@dataclass(frozen=True)
class Scene:
    """What is shown of a position: `line` gives the line of a number, since of a large board few are in view.

    focus  must stay in view
    """

    width: int
    height: int
    line: Callable[[int], Line]
    focus: Area = (0, 0, 0, 0)


def scene(lines: Sequence[Line], focus: Area = (0, 0, 0, 0)) -> Scene:
    """The scene of some lines."""
    width = max((sum(len(span.text) for span in line) for line in lines), default=0)
    return Scene(width, len(lines), lines.__getitem__, focus)


@dataclass(frozen=True)
class ByHand:
    """How a puzzle is played.

    keys    for people: keys, and what they do
    show    the scene of level, position, hand, the moves of a hint, and scale: 0 is the smallest
    press   of level, position, hand and key: the hand afterwards, and the name of the move or an empty text; None
            where the key does nothing
    hand    of level, position and the hand before, or None: the hand at a position that has just come
    say     of a level and a move: that move in words
    prompt  of level, position and hand: what the player may do now, where that is not plain
    scales  how many there are
    """

    keys: tuple[tuple[str, str], ...]
    show: Callable[[Any, Any, Any, Sequence[str], int], Scene]
    press: Callable[[Any, Any, Any, str], tuple[Any, str] | None]
    hand: Callable[[Any, Any, Any], Any] = lambda level, position, before: before
    say: Callable[[Any, str], str] = lambda level, move: move
    prompt: Callable[[Any, Any, Any], str] = lambda level, position, hand: ""
    scales: int = 1


def grid(cells: Iterable[Sequence[Sprite]]) -> tuple[Line, ...]:
    """The lines of rows of cells, all sprites of a row of the same height."""
    return tuple(
        tuple(span for line in lines for span in line) for row in cells for lines in zip(*row, strict=True)
    )
