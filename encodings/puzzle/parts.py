"""The parts of a level that may be left out, to see what already cannot be done without them.

A puzzle offers a `Parts` for each kind of object that may be left out. Two things have to hold, and the module
that has them says why:

- Where the question about some objects has the answer no, so has the level: its proof is a proof of the whole.
- Where the question about some objects has the answer no, so has that about more of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.screens.base.picture import Picture

Part: TypeAlias = frozenset[str]  # objects by name
MOST_PLACES = 4  # that are told in words


@dataclass(frozen=True)
class Drawn:
    """A part of a level as text.

    text   with these objects alone, in plain characters
    whole  with all of the level, for terminals, where what is not `bright` is dim
    bright where in `whole` the objects are: line and column, from 0
    """

    text: str
    whole: str
    bright: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Parts:
    """Objects of one kind, and the question about some of them alone.

    kind      what they are called, as several: `boxes`
    one       as one: `box`
    objects   of a level, by name: a place is `row,column`, both from 1. There are none where the kind says nothing
    model     the question about some of them: can its goal be reached?
    whole     whether the question about all of them is that about the level
    satisfied those that have what they need in a goal state that was found for some of them
    words     why the goal of the question about some of them cannot be reached, for people. Raises LimitReached
    draw      a part of a level as text, `picture` as shapes
    """

    kind: str
    one: str
    objects: Callable[[Any], tuple[str, ...]]
    model: Callable[[Any, Part], Model]
    words: Callable[[Any, Part, Budget], str]
    draw: Callable[[Any, Part], Drawn]
    picture: Callable[[Any, Part], Picture]
    satisfied: Callable[[Any, Part, State], Part] = field(default=lambda level, part, state: part)
    whole: Callable[[Any], bool] = field(default=lambda level: True)


def name_of(place: tuple[int, int]) -> str:
    """What an object is called by its place: row and column, from 1."""
    return f"{place[0] + 1},{place[1] + 1}"


def place_of(name: str) -> tuple[int, int]:
    """The place of an object: row and column, from 0. Raises ValueError for another name."""
    row, column = name.split(",")
    return int(row) - 1, int(column) - 1


def places(cells: Sequence[tuple[int, int]]) -> str:
    """Places in words, rows and columns from 1; where they are many, they are left to the drawing."""
    if len(cells) > MOST_PLACES:
        return "as drawn"
    return "in " + listed([f"row {row + 1}, column {column + 1}" for row, column in cells])


def listed(words: list[str]) -> str:
    """Words with commas between them, or semicolons where they have commas, and `and` before the last."""
    between = "; " if any("," in word for word in words) else ", "
    return words[0] if len(words) == 1 else f"{between.join(words[:-1])} and {words[-1]}"
