"""The capability to show positions and solutions in more detail than the screen of a puzzle does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzlemc.screens.base.picture import Moved, Palette


@dataclass(frozen=True)
class Display:
    """How positions and solutions are shown to people.

    moved               the cells of the picture that a step from one position to the next has changed
    tints               for each character of a drawn position, the name of its colour on a terminal, or ""
    palette             the colours that the puzzle uses beside the common ones
    solution_heading    the title of the moves of a solution, if the level is a constraint
    partial             what the positions are that construct a solution of a constraint, and how they are made
    solutions_differ    which solutions of a constraint count as different
    number_meaning      what a number stands for that is the family of an atom (`3@(1,2)`): `colour`, `tile`
    """

    moved: Callable[[Any, Any, Any], Moved] = lambda *_: Moved((), ())
    tints: Callable[[Any, Any], Sequence[Sequence[str]]] | None = None
    palette: Palette = field(default_factory=dict)
    solution_heading: str = "In order"
    partial: tuple[str, str] = ("boards", "filled in reading order")
    solutions_differ: str = "each counts once"
    number_meaning: str = ""
