"""The capability to measure how hard a level is."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from puzzlemc.mc.limits import Budget

Number: TypeAlias = int | float | None  # None: not known within the limits, or it makes no sense for the level


@dataclass(frozen=True)
class Measure:
    """A number that says something about how hard a level is.

    name        its column: letters and `_`
    title       a few words for people
    definition  what it is, exactly, in a sentence; with its source if it was published
    """

    name: str
    title: str
    definition: str


@dataclass(frozen=True)
class Measuring:
    """The measures of a puzzle that its own code computes.

    measures  what they are, in the order of columns
    measure   the numbers of a level, by name: those of the given names, or all if no names are given. A number
              that is absent is not known. It keeps the budget: what is not done in time is left out
    """

    measures: tuple[Measure, ...]
    measure: Callable[[Any, Budget, Collection[str]], Mapping[str, Number]]
