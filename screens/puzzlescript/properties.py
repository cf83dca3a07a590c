"""A step of expansion: a rule for each choice of an object where a property of its left side cannot stay as it is.

A property whose objects share a layer stays, as "any of these", unless a cell on the right has it and the cell on
the left has it not. In each round, the first property that cannot stay is replaced by each of its objects. The
order of the result matters, since it is the order of application.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from puzzlemc.screens.puzzlescript.game import RANDOM, Cell, Row, Term
from puzzlemc.screens.puzzlescript.movements import Overflow, Sides, with_terms, with_terms_at
from puzzlemc.screens.puzzlescript.names import Names


class _Draft(NamedTuple):
    left: tuple[Row, ...]
    right: tuple[Row, ...]
    choices: tuple[tuple[str, str], ...]  # property -> object, or "" if several cells have chosen one


def expand_properties(sides: Sides, names: Names, most: int) -> tuple[list[Sides], str]:
    """Return the sides with choices of objects, in order; and a property whose object on the right is uncertain.

    `no` of a property becomes `no` of each of its objects. On the right, a property becomes the object of the same
    cell, or of the only cell of the left side that has the property. Raises Overflow beyond `most` rules.
    """
    left, right = (_without_no(rows, names) for rows in sides)
    right = _with_drawn_objects(right, names)
    new = {
        name
        for row, after in zip(left, right, strict=False)
        for cell, other in zip(row, after, strict=True)
        for name in set(_properties(other, names)) - set(_properties(cell, names))
    }
    found: list[Sides] = []
    drafts = [_Draft(left, right, ())]
    while drafts:
        following: list[_Draft] = []
        for draft in drafts:
            place = _place(draft.left, names, new)
            if place is None:
                found.append((draft.left, _inferred(draft)))
            else:
                following += _chosen(draft, *place, names)
            if len(following) + len(found) > most:
                raise Overflow
        drafts = following
    for _, rows in found:
        for row in rows:
            for cell in row:
                uncertain = new.intersection(_properties(cell, names))
                if uncertain:
                    return found, min(uncertain)
    return found, ""


def _properties(cell: Cell, names: Names) -> list[str]:
    return [term.name for term in cell or () if term.movement != RANDOM and term.name in names.properties]


def _without_no(rows: tuple[Row, ...], names: Names) -> tuple[Row, ...]:
    def split(term: Term) -> list[Term]:
        if term.movement == "no" and term.name in names.properties:
            return [Term("no", name) for name in names.properties[term.name]]
        return [term]

    return with_terms(rows, split)


def _with_drawn_objects(rows: tuple[Row, ...], names: Names) -> tuple[Row, ...]:
    """Return rows with each object of a property in the place of a `random` property."""

    def split(term: Term) -> list[Term]:
        if term.movement != RANDOM:
            return [term]
        return [Term(RANDOM, name) for name in dict.fromkeys(names.members(term.name)) if name in names.layer]

    return with_terms(rows, split)


def _place(rows: tuple[Row, ...], names: Names, new: set[str]) -> tuple[int, int, str] | None:
    """Return the row, the cell and the name of the first property that cannot stay."""
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            for name in _properties(cell, names):
                if name not in names.one_layer or name in new:
                    return number, place, name
    return None


def _chosen(draft: _Draft, number: int, place: int, name: str, names: Names) -> list[_Draft]:
    choices = dict(draft.choices)
    found = []
    for member in names.properties[name]:
        choice = {**choices, name: "" if name in choices else member}
        change = _replacing({name: member})
        left, right = (with_terms_at(rows, number, place, change) for rows in (draft.left, draft.right))
        found.append(_Draft(left, right, tuple(choice.items())))
    return found


def _replacing(objects: Mapping[str, str]) -> Callable[[Term], list[Term]]:
    return lambda term: [
        term if term.movement == RANDOM else Term(term.movement, objects.get(term.name, term.name))
    ]


def _inferred(draft: _Draft) -> tuple[Row, ...]:
    """Return the right side with the objects that are certain from the left side."""
    certain = {name: member for name, member in draft.choices if member}
    return with_terms(draft.right, _replacing(certain)) if certain else draft.right
