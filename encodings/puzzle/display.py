"""The capability to show positions and solutions in more detail than the screen of a puzzle does."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from puzzlemc.screens.base.picture import Moved, Palette, Shape


@dataclass(frozen=True)
class Stamps:
    """Positions of a level as pictures that are made of few looks.

    looks  the shapes of each look, in the upper left cell
    of     of a position: the looks that are painted over the board, in their order, each with the row and the
           column of its cell, from 0
    """

    looks: Mapping[str, Sequence[Shape]]
    of: Callable[[Any], Sequence[tuple[str, int, int]]]


Thing: TypeAlias = tuple[int, int, int]  # the number of its kind, row and column, from 0


@dataclass(frozen=True)
class Cells:
    """The positions of a level as things on cells, for programs.

    Facts and values that have no place are things on the first cell.

    kinds    the names of the kinds of things
    fixed    the things that stay where they are
    things   of a position: the other things
    actions  the names of all actions of a level; None if they are known only when they are met
    action   of a move: the name of its action. No position has two moves with one action
    """

    kinds: Sequence[str]
    rows: int
    columns: int
    fixed: Sequence[Thing]
    things: Callable[[Any], Iterable[Thing]]
    actions: Sequence[str] | None = None
    action: Callable[[str], str] = str


@dataclass(frozen=True)
class Instructions:
    """What the player of a level has to know of its game.

    title, author  of the game that the level belongs to; may be empty
    goal           what solves the level
    keys           the keys that play it
    """

    title: str
    author: str
    goal: str
    keys: str


@dataclass(frozen=True)
class Display:
    """How positions and solutions are shown to people.

    moved               the cells of the picture that a step from one position to the next has changed
    stamps              the looks of a level, for many pictures; None: each picture is drawn
    instructions        how a level is played, if levels differ in that; None: `how_to_play` says it
    tints               for each character of a drawn position, the name of its colour on a terminal, or ""
    palette             the colours that the puzzle uses beside the common ones
    solution_heading    the title of the moves of a solution, if the level is a constraint
    partial             what the positions are that construct a solution of a constraint, and how they are made
    solutions_differ    which solutions of a constraint count as different
    cells               the positions of a level as things on cells; None: they are shown otherwise
    number_meaning      what a number stands for that is the family of an atom (`3@(1,2)`): `colour`, `tile`
    """

    moved: Callable[[Any, Any, Any], Moved] = lambda *_: Moved((), ())
    stamps: Callable[[Any], Stamps] | None = None
    instructions: Callable[[Any], Instructions] | None = None
    tints: Callable[[Any, Any], Sequence[Sequence[str]]] | None = None
    palette: Palette = field(default_factory=dict)
    solution_heading: str = "In order"
    partial: tuple[str, str] = ("boards", "filled in reading order")
    solutions_differ: str = "each counts once"
    number_meaning: str = ""
    cells: Callable[[Any], Cells | None] = lambda level: None
