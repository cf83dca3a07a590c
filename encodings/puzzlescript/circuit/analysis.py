"""What can change in a level: upper bounds that look at objects alone, not at places or movements."""

from collections.abc import Iterable
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.circuit.patterns import Cell, Names, Rule, Rules
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.screens.puzzlescript.game import DIRECTIONS, Game


class Scope(NamedTuple):
    """What can happen in a level: the rules that can match, and the objects that can come, go or move."""

    rules: Rules
    changing: frozenset[str]


def scope(game: Game, rules: Rules, present: Iterable[str]) -> Scope:
    """The scope of a level that has these objects. Raises Unsuitable for a game that has no circuit."""
    possible = set(present)
    every = [rule for group in (*rules.early, *rules.late) for rule in group]
    before = -1
    while before != len(possible):
        before = len(possible)
        for rule in every:
            if _is_able(rule, possible):
                possible |= {
                    plane
                    for cell in _cells(rule)
                    for plane, value in cell.changes.items()
                    if value and isinstance(plane, str)
                }
    able = Rules(*(tuple(filter(None, (_able(group, possible) for group in phase))) for phase in rules))
    found = [rule for group in (*able.early, *able.late) for rule in group]
    _check(game, found)
    names = Names(game)
    changing = set(game.players & possible)
    for rule in found:
        for cell in _cells(rule):
            changing |= _changed(cell, names)
    return Scope(able, frozenset(changing & possible))


def _check(game: Game, rules: Iterable[Rule]) -> None:
    """Raise Unsuitable for what a circuit of a fixed size does not describe."""
    if game.loops or game.late_loops:
        raise Unsuitable("its rules have a loop (startloop), which has no circuit")
    for rule in rules:
        if "again" in rule.commands:
            raise Unsuitable(f"the rule in line {rule.line} has the command again, which has no circuit")
        if rule.rigid:
            raise Unsuitable(f"the rule in line {rule.line} is rigid, which has no circuit")


def _cells(rule: Rule) -> list[Cell]:
    return [cell for row in rule.rows for cell in row if cell is not None]


def _able(group: tuple[Rule, ...], possible: set[str]) -> tuple[Rule, ...]:
    return tuple(rule for rule in group if _is_able(rule, possible))


def _is_able(rule: Rule, possible: set[str]) -> bool:
    """Does the level have an object for each test of the rule?"""
    return all(
        not test.holds or not isinstance(test.planes[0], str) or not possible.isdisjoint(map(str, test.planes))
        for cell in _cells(rule)
        for test in cell.tests
    )


def _changed(cell: Cell, names: Names) -> set[str]:
    """The objects that a cell of a rule can add, remove or set in motion."""
    found = set[str]()
    for objects in names.layers:
        layer = names.layer[objects[0]]
        here = set[str | None]({*objects, None})  # what the layer can have where the cell matches
        for test in cell.tests:
            members = {plane for plane in test.planes if isinstance(plane, str)}
            if members and members <= set(objects):
                here = here & members if test.holds else here - members
        added = {name for name in objects if cell.changes.get(name)}
        cleared = {name for name in objects if cell.changes.get(name) is False}
        found |= {name for name in here & cleared if name is not None}
        if here != added:
            found |= added
        if any(cell.changes.get((layer, direction)) for direction in DIRECTIONS):
            found |= added or {name for name in here if name is not None}
    return found
