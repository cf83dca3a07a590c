"""The capability to be played with a pointer: a click, or a drag from one cell to another."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Place = tuple[int, int]  # row and column of the picture, from 0


@dataclass(frozen=True)
class Pointing:
    """What a pointer means.

    moves    from a level and a position, the moves for a pointer that is pressed on one cell and released on
             another, which may be the same. Empty: it means nothing there
    words    what a player does with it, as in "click where to go"
    refusal  why there is no such move, in words; empty if that is obvious
    taps     is a tap on a piece and then on its place as good as a drag?
    level    the level as it is played with a pointer, with the same solutions
    """

    moves: Callable[[Any, Any, Place, Place], list[str]]
    words: str = "click or drag on the board"
    refusal: Callable[[Any, Any, Place, Place], str] = lambda level, position, pressed, released: ""
    taps: bool = False
    level: Callable[[Any], Any] = lambda level: level
