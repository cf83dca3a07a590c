"""Rules without an effect: those that can never apply, and those that never change anything."""

from collections.abc import Iterator

from puzzlemc.encodings.puzzlescript.lint.knowledge import Knowledge, Remark
from puzzlemc.encodings.puzzlescript.patterns.rules import Cell, Plane, Rule
from puzzlemc.encodings.puzzlescript.planes.independence import places
from puzzlemc.screens.puzzlescript.game import DIRECTIONS

MOST_REASONS = 3  # of a rule that are said
NO_PLACE = "no level has all that its cells ask for, at places that fit"


def idle_rules(known: Knowledge) -> Iterator[Remark]:
    """Yield each line whose rules can never apply, or never change anything and queue no command."""
    for line, numbers in known.lines.items():
        if known.used.isdisjoint(numbers):
            yield Remark(*known.at(line), f"rule can never apply: {_reasons(known, numbers)}")
        elif not any(_acts(known, known.rules[number]) for number in numbers) and not known.sounds(line):
            yield Remark(*known.at(line), "rule changes nothing, and has no command")


def _acts(known: Knowledge, rule: Rule) -> bool:
    """May the rule change a cell, or queue a command?"""
    if rule.commands or rule.draws or (rule.rigid and rule.replaces):
        return True
    return rule.replaces and any(place.changes for place in places(rule, known.names, known.possible))


def _reasons(known: Knowledge, numbers: list[int]) -> str:
    """Why none of the rules of a line can apply."""
    found = dict.fromkeys(_reason(known, known.rules[number]) for number in numbers)
    if NO_PLACE in found and len(found) > 1:
        del found[NO_PLACE]
        found[f"elsewhere, {NO_PLACE}"] = None
    words = list(found)[:MOST_REASONS]
    return "; ".join([*words, "and so on"] if len(found) > MOST_REASONS else words)


def _reason(known: Knowledge, rule: Rule) -> str:
    for cell in rule.cells:
        for term in cell.terms:
            if term.holds and term.planes.isdisjoint(known.possible):
                return _missing(known, cell, term.planes)
    return NO_PLACE


def _missing(known: Knowledge, cell: Cell, planes: frozenset[Plane]) -> str:
    """Words for planes that no cell can have: objects, or a movement of a layer."""
    objects = frozenset(plane for plane in planes if isinstance(plane, str))
    if objects:
        return known.absence(objects)
    layer, movement = next(plane for plane in planes if not isinstance(plane, str))
    named = [
        term.planes & known.names.objects[layer]
        for term in cell.terms
        if term.holds and term.planes & known.names.objects[layer]
    ]
    what = known.any_of(frozenset(map(str, named[0]))) if named else "a layer"
    if not any((layer, way) in known.possible for way in DIRECTIONS):
        return f"nothing sets {what} in motion"
    return f"nothing gives {what} the movement {movement}"
