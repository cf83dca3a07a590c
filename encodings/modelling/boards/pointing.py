"""What a pointer means on any board: it is pressed where a thing is, and released where the thing goes."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from puzzlemc.encodings.puzzle.pointing import Place, Pointing
from puzzlemc.mc.rules.plain import Step
from puzzlemc.screens.base.picture import Moved
from puzzlemc.screens.modelling.board import WAYS

Steps = Callable[[Any, Any], Iterable[Step]]


def pointing(steps: Steps, moved: Callable[[Any, Any, Any], Moved]) -> Pointing:
    """How a puzzle on a board is played with a pointer.

    steps  the legal moves of a level in a position
    moved  the cells that things leave from one position to another, and those to which they come
    """

    def moves(level: Any, position: Any, pressed: Place, released: Place) -> list[str]:
        changes = [(step.name, moved(level, position, step.position)) for step in steps(level, position)]
        if pressed != released:
            led = [name for name, change in changes if pressed in change.before and released in change.after]
            way = _way(pressed, released)
            return _only(led) or _only([name for name, _ in changes if name.lower() in (way, way[:1])])
        place = re.compile(rf"(?<![0-9]){pressed[0] + 1}, ?{pressed[1] + 1}(?![0-9])")
        named = [name for name, _ in changes if place.search(name)]
        come = [name for name, change in changes if pressed in change.after]
        left = [name for name, change in changes if pressed in change.before]
        return _only(named) or _only(come) or _only(left)

    return Pointing(moves, "click on a cell, or drag a thing to where it goes")


def _only(names: list[str]) -> list[str]:
    """The names, if there is one."""
    return names if len(names) == 1 else []


def _way(pressed: Place, released: Place) -> str:
    """The way from one cell to another in its row or column; empty if they share none."""
    down, right = (there - here for here, there in zip(pressed, released, strict=True))
    if down and right:
        return ""
    sign = ((down > 0) - (down < 0), (right > 0) - (right < 0))
    return next(way for way, step in WAYS.items() if step == (sign[0], sign[1]))
