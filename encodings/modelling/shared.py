"""Systems for a page that plays levels by itself: what `rules.js` gets, and keys of positions.

A position is the numbers of values in the domains of the variables. Pictures are those of `SystemScreen`. A level
that its author's function shows, a constraint and a game of two sides are not played so.
"""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any

from puzzlemc.encodings.modelling import tables
from puzzlemc.encodings.modelling.language.as_json import Nodes, Untranslatable, value_of
from puzzlemc.encodings.modelling.language.evaluation import Evaluation, Position
from puzzlemc.encodings.modelling.language.expressions import TRUTH, Variable
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.shown import Roles, SystemScreen, system_of
from puzzlemc.encodings.puzzle.shared import Shared, SharedLevel
from puzzlemc.screens.base.picture import Shape
from puzzlemc.screens.modelling.grid import GridReader
from puzzlemc.screens.modelling.screen import Level

MOST_VALUES = 20_000  # of all domains whose values are pictures or words

Looks = dict[str, Sequence[Shape]]


def shared(screen: SystemScreen, metrics: Sequence[str]) -> Shared:
    """The rules of a puzzle for a page."""

    def level(found: Level) -> SharedLevel | None:
        system = system_of(found)
        if system.is_constraint or system.mover is not None:
            return None
        looks: Looks = {}
        try:
            data = _rules(system, found.made, metrics) | {"picture": _picture(screen, found, looks)}
        except Untranslatable:
            return None
        return SharedLevel(data, looks)

    def key(found: Level, position: Position) -> str:
        return " ".join(map(str, _numbers(system_of(found), position)))

    return Shared(("puzzlemc.encodings.modelling", "rules.js"), level, key)


def _numbers(system: System, position: Position) -> list[int]:
    return [numbers[value] for numbers, value in zip(_places(system), position, strict=True)]


@lru_cache(maxsize=8)
def _places(system: System) -> list[dict[Hashable, int]]:
    """For each variable, the places of values in its domain."""
    return [{value: place for place, value in enumerate(each.domain)} for each in system.variables]


def _rules(system: System, made: Evaluation, metrics: Sequence[str]) -> dict[str, Any]:
    """Variables, start, actions and goal. Raises Untranslatable."""
    nodes = Nodes()
    actions = [
        [
            action.name,
            nodes.add(action.guard),
            [[variable.number, nodes.add(new)] for variable, new in action.updates],
            {metric: action.cost(metric) for metric in metrics},
            action.disables,
        ]
        for action in system.actions
    ]
    goal = nodes.add(system.goal)
    return {
        "domains": [_domain(each.domain) for each in system.variables],
        "truths": [each.number for each in system.variables if each.kind == TRUTH],
        "start": _numbers(system, made.start),
        "actions": actions,
        "goal": goal,
        "nodes": nodes.list,
    }


def _domain(domain: Sequence[Hashable]) -> Any:
    """The values of a variable; of a range, the first number and how many they are."""
    if isinstance(domain, range):
        return {"first": domain[0], "count": len(domain)}
    return [value_of(value) for value in domain]


# Pictures


def _picture(screen: SystemScreen, level: Level, looks: Looks) -> dict[str, Any]:
    """What the variables show. Adds to the looks. Raises Untranslatable."""
    if screen.is_by_author:
        raise Untranslatable("the picture")
    system, roles = system_of(level), screen.roles(level)
    if roles is not None:
        assert isinstance(screen.reader, GridReader)
        looks |= {word: screen.reader.looks[word] for word in roles.words}
        lines = tables.folded(roles.rest, level.data.columns)
        return _board(level, roles) | _lines(lines, level.data.rows)
    found = tables.layout(system)
    if not found.tables:
        return {"lines": _said(found.lines, 0.2, 0.6)}
    bottom, columns = tables.size(found)
    return {"values": _values(found, looks)} | _lines(tables.folded(found.lines, columns), bottom)


def _board(level: Level, roles: Roles) -> dict[str, Any]:
    """The words of the legend: where each stays, and the variables that say where it is."""
    moving = {variable.family for variable in roles.where}
    which = {variable.index for variable in roles.which}
    words = []
    for word in roles.words:
        here = [variable for variable in roles.here if variable.family == word]
        own = which | {variable.index for variable in here}
        stay = [] if word in moving else [place for place in level.data.find(word) if place not in own]
        where = [variable.number for variable in roles.where if variable.family == word]
        words.append([word, stay, [[each.number, each.index] for each in here], where])
    return {
        "cells": level.data.cells,
        "words": words,
        "which": [[variable.number, variable.index] for variable in roles.which],
    }


def _values(found: tables.Layout, looks: Looks) -> list[Any]:
    """The cells of tables: row, column, variable, and the look of each of its values."""
    names: dict[tuple[Shape, ...], str] = {}
    cells = []
    for first, table, (row, column), variable in tables.cells(found):
        shapes = [tuple(tables.entry(table, variable, value)) for value in _few(variable)]
        for each in shapes:
            looks[names.setdefault(each, f"value {len(names)}")] = each
        cells.append([first + row, column, variable.number, [names[each] for each in shapes]])
    return cells


def _lines(lines: Sequence[tables.Line], top: int) -> dict[str, Any]:
    """Lines of words below a picture."""
    return {"lines": _said(lines, 0.1, tables.SIZE, top)}


def _said(lines: Sequence[tables.Line], x: float, size: float, top: int = 0) -> list[Any]:
    """Lines of words: place, size, and the name, number and words of the values of each variable."""
    return [
        [x, top + row + 0.5, size, [[each.name, each.number, _words(each)] for each in line]]
        for row, line in enumerate(lines)
    ]


def _words(variable: Variable) -> list[str] | None:
    """The values of a variable in words; None for numbers."""
    return None if isinstance(variable.domain, range) else [str(value) for value in _few(variable)]


def _few(variable: Variable) -> Sequence[Hashable]:
    """The values of a variable. Raises Untranslatable for many."""
    if len(variable.domain) > MOST_VALUES:
        raise Untranslatable(f"{len(variable.domain)} values")
    return variable.domain
