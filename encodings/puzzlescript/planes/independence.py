"""Which rules may change all their matches at once, and which can never match anew by their own changes.

The language changes the matches of a rule one after the other, and checks each again before. That makes no
difference if no change that one match makes touches what another match reads, or is undone by another one.
"""

from itertools import product
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.patterns.rules import Cell, Names, Plane, Planes, Rule


class Known(NamedTuple):
    """What is known of a cell: planes that have it, planes that do not, and sets of which one has it."""

    has: Planes
    lacks: Planes
    some: tuple[Planes, ...]

    def excludes(self, other: "Known") -> bool:
        """Is no cell as both say?"""
        return (
            not self.has.isdisjoint(other.lacks)
            or not self.lacks.isdisjoint(other.has)
            or any(planes <= other.lacks for planes in self.some)
            or any(planes <= self.lacks for planes in other.some)
        )


def known(cell: Cell, names: Names, possible: Planes) -> Known:
    """What is known of a cell that meets the terms."""
    has, lacks, some = set[Plane](), set[Plane](), list[Planes]()
    for planes, holds in cell.terms:
        if not holds:
            lacks |= planes
            continue
        some.append(planes)
        alive = planes & possible
        if len(alive) == 1:
            has |= alive
        lacks |= names.excluded(planes)
    for plane in has:
        lacks |= names.others(plane)
    return Known(frozenset(has), frozenset(lacks), tuple(some))


def known_after(cell: Cell, before: Known) -> Known:
    """What is known of the cell after the change."""
    gained = frozenset(plane for plane, comes in cell.changes.items() if comes)
    gone = frozenset(plane for plane, comes in cell.changes.items() if not comes)
    some = tuple(planes for planes in before.some if planes.isdisjoint(gone))
    return Known(before.has - gone | gained, before.lacks - gained | gone, some)


class Place(NamedTuple):
    """A cell of a rule: row, part and number in the part, what is known of it, and its effective changes."""

    at: tuple[int, int, int]
    cell: Cell
    before: Known
    changes: dict[Plane, bool]


def places(rule: Rule, names: Names, possible: Planes) -> list[Place]:
    """The cells of a rule, with their changes but those that their terms imply.

    A change that is implied stays if another row of the rule may undo it in the same cell.
    """
    found = [
        Place((r, p, c), cell, known(cell, names, possible), {})
        for r, row in enumerate(rule.rows)
        for p, part in enumerate(row)
        for c, cell in enumerate(part)
    ]
    for place in found:
        others = [other.cell.changes for other in found if other.at[0] != place.at[0]]
        for plane, comes in place.cell.changes.items():
            implied = plane in (place.before.has if comes else place.before.lacks)
            undone = any(changes.get(plane, comes) != comes for changes in others)
            if plane in possible and (undone or not implied):
                place.changes[plane] = comes
    return found


def at_once(places: list[Place]) -> bool:
    """May the rule change all its matches at once?"""
    changing = {place.at[:2] for place in places if place.changes}
    alone = len(changing) <= 1  # only one part changes: then a match meets its own cells only as itself
    for one, other in product(places, repeat=2):
        if one.at == other.at and alone:
            continue
        if one.before.excludes(other.before):
            continue
        for plane, comes in one.changes.items():
            is_read = reads(other, plane, not comes)
            if is_read or other.changes.get(plane, comes) != comes:
                return False
    return True


def feeds(ones: list[Place], others: list[Place]) -> bool:
    """May a change of one rule, made at once, give another rule, or itself, a match that it did not have?"""
    for one, other in product(ones, others):
        if any(reads(other, plane, comes) for plane, comes in one.changes.items()):
            after = known_after(Cell(one.cell.terms, one.changes, ()), one.before)
            if not after.excludes(other.before):
                return True
    return False


def reads(place: Place, plane: Plane, value: bool) -> bool:
    """Does a term of the cell, or what it implies, hold rather if the plane has this value in the cell?"""
    if value:
        return plane in place.before.has or any(plane in planes for planes in place.before.some)
    return plane in place.before.lacks
