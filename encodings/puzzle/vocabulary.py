"""The names that formulas about a puzzle may use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Vocabulary:
    """The atoms and counts of a puzzle, and the encoding that they belong to.

    Queries, reports and exports use this encoding. Its reachable states and steps are exactly those of the plain
    rules.

    atoms      name of an atom -> its meaning, for people; in a name, `r`, `c` and `N` stand for numbers, and other
               words in capitals for names of the level (`OBJECT@(r,c)`)
    counts     name of a number -> its meaning, for people
    constants  the atoms of a level that have the same truth value in every state and that its model leaves out
    encoding   name of the encoding
    """

    atoms: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    constants: Callable[[Any], Mapping[str, bool]] = lambda _: {}
    encoding: str = "compact"
