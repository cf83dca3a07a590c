"""What is asked for a level: a wish, and the edits that may be made for it."""

import re
from dataclasses import dataclass

from puzzlemc.encodings.puzzle.design.changes import Cell
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.nearest import nearest

SOLVABLE, INTENDED, ONLY, THROUGH, LEAN = "solvable", "intended", "only", "through", "lean"
UNIQUE, HARDER, LONGER, SHORTER = "unique", "harder", "longer", "shorter"
# Each wish, and what stands after the sign = behind it; a value in brackets may be absent.
WISHES = {
    SOLVABLE: "",
    INTENDED: "SOLUTION",
    ONLY: "SOLUTION",
    THROUGH: "ROW,COL",
    LEAN: "",
    UNIQUE: "",
    HARDER: "",
    LONGER: "[N]",
    SHORTER: "[N]",
}
CHANGES, PUSHES, LOST = BY = ("changes", "pushes", "lost")  # what `harder` goes by
MOST_EDITS = 10  # in one change


@dataclass(frozen=True)
class Wish:
    """What shall hold after the change.

    name    a key of `WISHES`
    number  of `longer` and `shorter`: the cost to reach; None: any better cost
    cell    of `through`, from 0
    text    of `intended` and `only`: the solution
    """

    name: str
    number: int | None = None
    cell: Cell = (0, 0)
    text: str = ""


@dataclass(frozen=True)
class Request:
    """A request for suggestions.

    want   the wish, as `parsed` reads it
    edits  the kinds of edits that may be made; empty: those that are usual for the puzzle
    keep   cells that must look as they do, from 0
    most   the most edits in one change
    count  the most suggestions
    by     what a level is harder by: one of `BY`
    """

    want: str = SOLVABLE
    edits: tuple[str, ...] = ()
    keep: tuple[Cell, ...] = ()
    most: int = 3
    count: int = 10
    by: str = CHANGES

    def check(self) -> None:
        """Raise ModelError for a value that is never right; which edits there are is a question to the puzzle."""
        parsed(self.want)
        if not 1 <= self.most <= MOST_EDITS:
            raise ModelError(f"most: found {self.most}, expected a number of edits from 1 to {MOST_EDITS}")
        if self.count < 1:
            raise ModelError(f"count: found {self.count}, expected a number of suggestions from 1")
        if self.by not in BY:
            raise ModelError(f"by: found {self.by!r}, expected one of {', '.join(BY)}{nearest(self.by, BY)}")


def parsed(want: str) -> Wish:
    """The wish in a text such as `solvable`, `longer=20` or `through=3,4`. Raises ModelError."""
    name, sign, value = want.partition("=")
    name, value = name.strip(), value.strip()
    if name not in WISHES:
        expected = ", ".join(_spelled(each) for each in WISHES)
        raise ModelError(f"found the wish {name!r}, expected one of {expected}{nearest(name, WISHES)}")
    after = WISHES[name]
    if not after:
        if sign:
            raise ModelError(f"found {want!r}, expected {name} alone")
        return Wish(name)
    if not value:
        if sign or not after.startswith("["):
            raise ModelError(f"found {want!r}, expected {_spelled(name)}")
        return Wish(name)
    if name in (INTENDED, ONLY):
        return Wish(name, text=value)
    if name == THROUGH:
        return Wish(name, cell=cell(value, THROUGH))
    if re.fullmatch(r"[0-9]{1,9}", value) is None:
        raise ModelError(f"{name}: found {value!r}, expected a whole number, such as {name}=20")
    return Wish(name, number=int(value))


def cell(text: str, what: str) -> Cell:
    """The cell in a text such as `3,4`, row and column from 1; here they count from 0. Raises ModelError."""
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*,\s*([0-9]{1,9})\s*", text)
    if found is None or not int(found[1]) or not int(found[2]):
        raise ModelError(f"{what}: found {text!r}, expected a row and a column from 1, such as 3,4")
    return int(found[1]) - 1, int(found[2]) - 1


def _spelled(name: str) -> str:
    """A wish as it is written: `through=ROW,COL`, `longer[=N]`."""
    after = WISHES[name]
    if not after:
        return name
    return f"{name}[={after[1:-1]}]" if after.startswith("[") else f"{name}={after}"
