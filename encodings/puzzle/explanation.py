"""The capability to explain why a level has no solution.

Parts of a level are subsets of its objects, each with a model. A puzzle offers a `Parts` value for each kind of
object that can be left out. Two properties must hold. The module that defines the value gives the reason for both:

- Soundness: if the goal is unreachable in the model of some objects, the level is unsolvable.
- Monotonicity: if the goal is unreachable for some objects, it is unreachable for every superset of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.screens.base.picture import Picture

Part: TypeAlias = frozenset[str]  # objects by name
MOST_PLACES = 4  # that are listed in words


@dataclass(frozen=True)
class Drawn:
    """A part of a level as text.

    text   these objects alone, in plain characters
    whole  the whole level, for terminals, which dim every character that is not `bright`
    bright the characters of the objects in `whole`: line and column, from 0
    """

    text: str
    whole: str
    bright: frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Parts:
    """Objects of one kind, and a model for each subset of them.

    kind      their name in the plural: `boxes`
    one       their name in the singular: `box`
    objects   the names of the objects of a level; a place is `row,column`, both from 1. Empty if the kind does not
              apply to the level
    model     the model of a subset; if its goal is unreachable, the level is unsolvable
    whole     True if the model of all objects has a reachable goal exactly if the level is solvable
    satisfied the objects whose demands hold in a goal state of a subset's model: a superset of the subset
    words     why the goal of a subset's model is unreachable, for people. Raises LimitReached
    draw      the subset as text
    picture   the subset as shapes
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


@dataclass(frozen=True)
class Explanation:
    """How an unsolvable level is explained, from cheap to expensive. A puzzle has `parts` or `words`, not both.

    obvious  a reason that needs no search; empty if there is none, or if the level is solvable
    parts    loads the kinds of objects that can be left out. A search then finds a smallest part of the level
             that is already unsolvable
    words    a reason in words, found by a method of the puzzle; empty if there is none. Raises LimitReached
    """

    obvious: Callable[[Any], str] = lambda _: ""
    parts: Callable[[], tuple[Parts, ...]] | None = None
    words: Callable[[Any, Budget], str] | None = None

    def __post_init__(self) -> None:
        if self.parts is not None and self.words is not None:
            raise ValueError("found both parts and words, expected one of them")

    @property
    def needs_search(self) -> bool:
        """Can a search find a reason that is not obvious?"""
        return self.parts is not None or self.words is not None

    @property
    def kinds(self) -> tuple[Parts, ...]:
        """The kinds of objects that can be left out of a level."""
        return self.parts() if self.parts is not None else ()


def name_of(place: tuple[int, int]) -> str:
    """The name of an object at a place: row and column, from 1."""
    return f"{place[0] + 1},{place[1] + 1}"


def place_of(name: str) -> tuple[int, int]:
    """The place of an object: row and column, from 0. Raises ValueError if the name is not a place."""
    row, column = name.split(",")
    return int(row) - 1, int(column) - 1


def places(cells: Sequence[tuple[int, int]]) -> str:
    """Places in words, rows and columns from 1; a long list is replaced by `as drawn`."""
    if len(cells) > MOST_PLACES:
        return "as drawn"
    return "in " + listed([f"row {row + 1}, column {column + 1}" for row, column in cells])


def listed(words: list[str]) -> str:
    """An enumeration: with commas, or semicolons if an item contains a comma, and `and` before the last item."""
    between = "; " if any("," in word for word in words) else ", "
    return words[0] if len(words) == 1 else f"{between.join(words[:-1])} and {words[-1]}"
