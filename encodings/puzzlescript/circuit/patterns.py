"""The rules of a game as tests and changes of planes.

A plane of a cell is an object, or a layer with a movement. A cell of a left side is a list of tests on planes; a
cell of a right side says which planes become true, and which become false.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

from puzzlemc.screens.puzzlescript import game as screen
from puzzlemc.screens.puzzlescript.game import Game, Term

Plane: TypeAlias = str | tuple[int, str]  # an object, or a layer and its movement

MOVEMENTS = (*screen.DIRECTIONS, "action")


class Condition(NamedTuple):
    """A test of a cell: one of the planes is true (`holds`), or none is."""

    planes: tuple[Plane, ...]
    holds: bool


class Cell(NamedTuple):
    """The tests of a cell of a left side, and the new values of planes by the right side."""

    tests: tuple[Condition, ...]
    changes: Mapping[Plane, bool]


class Rule(NamedTuple):
    """A rule. Each row has cells, None for an ellipsis; `changes` is False if the rule has commands only."""

    line: int
    direction: str
    rows: tuple[tuple[Cell | None, ...], ...]
    changes: bool
    commands: frozenset[str]
    rigid: bool


class Rules(NamedTuple):
    """The rules of a game: groups of early and of late rules, in order."""

    early: tuple[tuple[Rule, ...], ...]
    late: tuple[tuple[Rule, ...], ...]


class Names:
    """The layers of a game, and what its names mean.

    layers  the objects of each layer
    layer   the layer of an object, or of a property whose objects share a layer
    """

    def __init__(self, game: Game) -> None:
        self.layers = game.layers
        self.layer = {name: number for number, objects in enumerate(game.layers) for name in objects}
        self._members: dict[str, tuple[str, ...]] = {name: (name,) for name in self.layer}
        for name, objects in game.properties.items():
            layers = {self.layer[each] for each in objects}
            if name not in self._members and len(layers) == 1:  # terms name no other properties
                self._members[name] = tuple(sorted(objects))
                self.layer[name] = layers.pop()

    def members(self, name: str) -> tuple[str, ...]:
        """The objects that a name stands for."""
        return self._members[name]

    def movements(self, layer: int) -> tuple[Plane, ...]:
        """The planes of the movements of a layer."""
        return tuple((layer, movement) for movement in MOVEMENTS)


@lru_cache(maxsize=16)
def rules_of(game: Game) -> Rules:
    """The rules of a game."""
    names = Names(game)
    early, late = (
        tuple(
            tuple(_rule(rule, names) for rule in members)
            for _, members in groupby((r for r in game.rules if r.late == is_late), key=lambda r: r.group)
        )
        for is_late in (False, True)
    )
    return Rules(early, late)


def _rule(rule: screen.Rule, names: Names) -> Rule:
    right = rule.right or tuple((None,) * len(row) for row in rule.left)
    rows = tuple(
        tuple(
            None if cell is None else _cell(cell, new or (), names, bool(rule.right))
            for cell, new in zip(before, after, strict=True)
        )
        for before, after in zip(rule.left, right, strict=True)
    )
    changes = any(cell is not None and cell.changes for row in rows for cell in row)
    return Rule(rule.line, rule.direction, rows, changes, frozenset(rule.commands), rule.rigid)


def _cell(left: Sequence[Term], right: Sequence[Term], names: Names, has_right: bool) -> Cell:
    return Cell(_tests(left, names), _changes(left, right, names) if has_right else {})


def _tests(terms: Iterable[Term], names: Names) -> tuple[Condition, ...]:
    """The tests of a cell of a left side."""
    found = []
    for movement, name in terms:
        objects, layer = names.members(name), names.layer[name]
        found.append(Condition(objects, movement != "no"))
        if movement == "stationary":
            found.append(Condition(names.movements(layer), holds=False))
        elif movement in MOVEMENTS:
            found.append(Condition(((layer, movement),), holds=True))
    return tuple(found)


def _changes(left: Sequence[Term], right: Sequence[Term], names: Names) -> dict[Plane, bool]:
    """The new values of planes where a cell with these terms on the left gets those on the right.

    An object takes the place of all others of its layer. A layer that only the left side names becomes empty. A
    movement on the right replaces that of its layer; one on the left alone is lost.
    """
    named_left, named_right = (
        {names.layer[term.name] for term in side if term.movement != "no"} for side in (left, right)
    )
    found = dict[Plane, bool]()
    settled = set[int]()  # layers with a new movement, or none
    for layer in sorted(named_left - named_right):
        found |= dict.fromkeys((*names.layers[layer], *names.movements(layer)), False)
        settled.add(layer)
    added = []
    for movement, name in right:
        layer, objects = names.layer[name], names.members(name)
        if movement == "no":
            found |= dict.fromkeys(objects, False)
            continue
        if movement:
            found |= {plane: plane == (layer, movement) for plane in names.movements(layer)}
            settled.add(layer)
        if objects == (name,):
            found |= dict.fromkeys(names.layers[layer], False)
            added.append(name)
    found |= dict.fromkeys(added, True)
    for movement, name in left:
        if movement in MOVEMENTS and names.layer[name] not in settled:
            found[names.layer[name], movement] = False
    return found
