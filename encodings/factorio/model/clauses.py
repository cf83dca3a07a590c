"""Clauses that grow, with what each is about: its rule, by the name that the plain rules have for it, and a cell.

A literal is a variable's number, from 1, or its negation. Engines take the clauses as they are; who looks for the
reason of a contradiction groups them by `tags`.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

from puzzlemc.screens.factorio import Cell


class Tag(NamedTuple):
    """What a clause is about: a rule, the cell or the centre, and the recipe or item where it is about one."""

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
        """The variable of that name, made if there is none."""
        if name not in self.variables:
            self.top += 1
            self.variables[name] = self.top
        return self.variables[name]

    def reserve(self, top: int) -> None:
        """Leave the variables up to `top` to others."""
        self.top = max(self.top, top)

    def add(self, tag: Tag, *literals: int) -> None:
        """Add a clause."""
        self.rows.append(literals)
        self.tags.append(tag)

    def either(self, tag: Tag, name: Hashable, literals: Sequence[int]) -> int:
        """A variable that holds just where one of some literals does."""
        made = self.new(name)
        self.add(tag, -made, *literals)
        for literal in literals:
            self.add(tag, made, -literal)
        return made

    def at_most_one(self, tag: Tag, literals: Iterable[int]) -> None:
        """No two of some literals, pair by pair."""
        for one, other in combinations(literals, 2):
            self.add(tag, -one, -other)

    def both(self, tag: Tag, name: Hashable, literals: Sequence[int]) -> int:
        """A variable that holds just where all of some literals do."""
        made = self.new(name)
        self.add(tag, made, *(-literal for literal in literals))
        for literal in literals:
            self.add(tag, -made, literal)
        return made

    def tally(self, tag: Tag, name: Hashable, literals: Sequence[int], most: int) -> list[int]:
        """Variables that say that at least 1, 2, … `most` of some literals hold.

        A totalizer (Bailleux and Boufkhad 2003).
        """
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
