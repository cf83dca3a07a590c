"""CTL formulas as values: their operators, their rewriting to `EX`, `EU` and `EG`, and the sharing of equal parts.

`expansion` rewrites a formula one operator at a time. It names some parts more than once; so equal parts become
one object first (hash-consing, Ershov 1958), and the meaning of each part is computed once.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from puzzlemc.mc.errors import ModelError

SOLVED, STUCK, DEAD = "solved", "stuck", "dead"
NAMED = {STUCK: "no action is enabled", DEAD: "no solution can be reached any more"}  # atoms of all models
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
PATHS = {"EX", "EF", "EG", "AX", "AF", "AG"}
UNTIL = {"EU", "AU"}
SIGNS = {"and": " & ", "or": " | ", "implies": " -> ", "iff": " <-> "}


@dataclass(frozen=True)
class Property:
    """A formula: operator and parts.

    The operators are `atom` (with its name, and its column in the text that it was read from), `count` (the same,
    with a name such as `n >= 2`), `true`, `false`, `not`, `and`, `or`, `implies`, `iff`, those of PATHS with one
    part, and `EU` and `AU` with two.
    """

    op: str
    parts: tuple["Property", ...] = ()
    name: str = ""
    column: int = field(default=0, compare=False)

    def __str__(self) -> str:
        if self.op in ("atom", "count"):
            return self.name
        if self.op == "EU" and self.parts[0] == TRUE:
            return f"EF {self.parts[1]._inner()}"
        if self.op in UNTIL:
            return f"{self.op[0]}[{self.parts[0]} U {self.parts[1]}]"
        if self.op in PATHS:
            return f"{self.op} {self.parts[0]._inner()}"
        if self.op == "not":
            return f"!{self.parts[0]._inner()}"
        if self.op in SIGNS:
            return SIGNS[self.op].join(part._inner() for part in self.parts)
        return self.op

    def _inner(self) -> str:
        return f"({self})" if self.op in SIGNS else str(self)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Computed once: as a tree, a formula with shared parts may be exponentially large."""
        return hash((self.op, self.name, self.parts))

    def within(self) -> Iterator["Property"]:
        """Yield the formula and all its parts from left to right, each object once."""
        seen: set[int] = set()
        worklist = [self]
        while worklist:
            part = worklist.pop()
            if id(part) not in seen:
                seen.add(id(part))
                yield part
                worklist += reversed(part.parts)

    def atoms(self) -> Iterator["Property"]:
        """Its atoms, from left to right."""
        return (part for part in self.within() if part.op == "atom")

    def counts(self) -> Iterator["Property"]:
        """Its comparisons of counts, from left to right."""
        return (part for part in self.within() if part.op == "count")

    @property
    def counted(self) -> str:
        """The name of the count in a comparison."""
        return self.name.split()[0]

    def fitting(self, most: int) -> list[int]:
        """The values from 0 to `most` that satisfy a comparison."""
        _, sign, number = self.name.split()
        return [value for value in range(most + 1) if COMPARED[sign](value, int(number))]

    @property
    def is_temporal(self) -> bool:
        """Does it contain a temporal operator, or the atom `dead`?"""
        return any(part.op in PATHS | UNTIL or part == LOST for part in self.within())


TRUE = Property("true")
LOST = Property("atom", name=DEAD)


def negated(p: Property) -> Property:
    """The negation of p."""
    return p.parts[0] if p.op == "not" else Property("not", (p,))


def expansion(p: Property) -> Property | None:
    """An equivalent of p with `true`, `not`, `and`, `or`, `EX`, `EU`, `EG` at the top; None if p has such an
    operator.

    Raises ModelError for an unknown operator.
    """
    match p.op, p.parts:
        case "atom", () if p.name == DEAD:
            return negated(Property("EF", (Property("atom", name=SOLVED),)))
        case (("true" | "atom" | "count"), ()) | (("not" | "EX" | "EG"), (_,)) | (("and" | "or" | "EU"), (_, _)):
            return None
        case "false", ():
            return negated(TRUE)
        case "implies", (a, b):
            return Property("or", (negated(a), b))
        case "iff", (a, b):
            return Property("or", (Property("and", (a, b)), Property("and", (negated(a), negated(b)))))
        case "EF", (a,):
            return Property("EU", (TRUE, a))
        case "AX", (a,):
            return negated(Property("EX", (negated(a),)))
        case "AF", (a,):
            return negated(Property("EG", (negated(a),)))
        case "AG", (a,):
            return negated(Property("EU", (TRUE, negated(a))))
        case "AU", (a, b):
            late = Property("EU", (negated(b), Property("and", (negated(a), negated(b)))))
            return negated(Property("or", (late, Property("EG", (negated(b),)))))
    raise ModelError(f"unknown operator {p.op!r} with {len(p.parts)} parts")


def shared(p: Property) -> Property:
    """The formula with equal parts shared as one object."""
    one: dict[tuple[str, str, tuple[int, ...]], Property] = {}
    known: dict[int, Property] = {}
    worklist = [p]
    while worklist:
        part = worklist[-1]
        if left := [inner for inner in part.parts if id(inner) not in known]:
            worklist += left
            continue
        worklist.pop()
        parts = tuple(known[id(inner)] for inner in part.parts)
        made = Property(part.op, parts, part.name, part.column)
        known[id(part)] = one.setdefault((part.op, part.name, tuple(map(id, parts))), made)
    return known[id(p)]
