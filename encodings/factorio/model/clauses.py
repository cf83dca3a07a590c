"""A growing list of clauses, each with a tag: its rule, named as in the plain rules, and its cell.

A literal is the number of a variable, from 1, or its negation. Solvers take the clauses as they are. The search
for a minimal core groups them by their tags.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from puzzlemc.screens.factorio import Cell


class Tag(NamedTuple):
    """The subject of a clause: a rule, a cell or the centre of an assembler, and a recipe or an item, if any."""

    rule: str
    cell: Cell | None = None
    about: str = ""


@dataclass
class Cnf:
    """Clauses and their tags, side by side, and variables by name."""

    rows: list[tuple[int, ...]] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    variables: dict[Hashable, int] = field(default_factory=dict)

    top: int = 0  # the last variable

    def new(self, name: Hashable) -> int:
        """The variable of that name, which is created if necessary."""
        if name not in self.variables:
            self.top += 1
            self.variables[name] = self.top
        return self.variables[name]

    def add(self, tag: Tag, *literals: int) -> None:
        """Add a clause."""
        self.rows.append(literals)
        self.tags.append(tag)

    def either(self, tag: Tag, name: Hashable, literals: Sequence[int]) -> int:
        """A variable equivalent to the disjunction of the literals."""
        made = self.new(name)
        self.add(tag, -made, *literals)
        for literal in literals:
            self.add(tag, made, -literal)
        return made

    def at_most_one(self, tag: Tag, literals: Iterable[int]) -> None:
        """Add clauses that forbid each pair of the literals."""
        for one, other in combinations(literals, 2):
            self.add(tag, -one, -other)

    def both(self, tag: Tag, name: Hashable, literals: Sequence[int]) -> int:
        """A variable equivalent to the conjunction of the literals."""
        made = self.new(name)
        self.add(tag, made, *(-literal for literal in literals))
        for literal in literals:
            self.add(tag, -made, literal)
        return made

    def tally(self, tag: Tag, name: Hashable, literals: Sequence[int], most: int) -> list[int]:
        """Variables for: at least 1, 2, …, `most` literals hold. A totalizer (Bailleux and Boufkhad 2003)."""
        if len(literals) < 2:
            return list(literals)
        middle = len(literals) // 2
        one = self.tally(tag, (name, 0), literals[:middle], most)
        other = self.tally(tag, (name, 1), literals[middle:], most)
        made = [self.new((name, number)) for number in range(2, 2 + min(most, len(one) + len(other)))]
        for i in range(len(one) + 1):
            for j in range(len(other) + 1):
                reached = min(i + j, len(made))
                if reached:
                    given = ([-one[i - 1]] if i else []) + ([-other[j - 1]] if j else [])
                    self.add(tag, *given, made[reached - 1])
                if i + j < len(made):
                    missed = ([one[i]] if i < len(one) else []) + ([other[j]] if j < len(other) else [])
                    self.add(tag, *missed, -made[i + j])
        return made
