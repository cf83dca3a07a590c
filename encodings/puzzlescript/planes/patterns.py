"""The rules of a game as conditions on planes and changes of planes.

A *plane* is the set of cells that have an object, or a movement in a layer. A cell of a rule has terms: at least
one of some planes has the cell, or none of them has it. Its changes say which planes get the cell, and which lose
it. This is derived from the rules of `Game` alone, apart from the plain rules.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from puzzlemc.screens.puzzlescript import game as screen

MOVEMENTS = ("up", "down", "left", "right", "action")  # the order of the planes of a layer

Plane: TypeAlias = str | tuple[int, str]  # an object, or a layer and a movement
Planes: TypeAlias = frozenset[Plane]


class Term(NamedTuple):
    """If `holds`, at least one of the planes has the cell; otherwise none has it."""

    planes: Planes
    holds: bool


class Cell(NamedTuple):
    """A cell of a rule.

    terms    its conditions, movements first
    changes  the planes that get the cell (True) or lose it (False)
    marks    the layers whose movement is replaced: a rigid rule leaves a mark there
    """

    terms: tuple[Term, ...]
    changes: Mapping[Plane, bool]
    marks: tuple[int, ...]


Part: TypeAlias = tuple[Cell, ...]  # cells side by side
Row: TypeAlias = tuple[Part, ...]  # parts with an ellipsis between each two of them


class Rule(NamedTuple):
    """A rule. `replaces` is False if it has commands only."""

    direction: str
    rows: tuple[Row, ...]
    replaces: bool
    late: bool
    rigid: bool
    group: int
    commands: frozenset[str]


class Names:
    """The meaning of names: the objects of a name, its layer, and the planes of which a cell has at most one."""

    def __init__(self, game: screen.Game) -> None:
        self.layer = {name: number for number, layer in enumerate(game.layers) for name in layer}
        self.objects = [frozenset[Plane](layer) for layer in game.layers]
        self._properties = game.properties

    def members(self, name: str) -> frozenset[str]:
        """The objects that a name stands for."""
        return frozenset((name,)) if name in self.layer else self._properties[name]

    def layer_of(self, name: str) -> int:
        """The layer of an object, or of a property with one layer."""
        return self.layer[min(self.members(name))]

    def layer_of_plane(self, plane: Plane) -> int:
        """The layer of a plane."""
        return self.layer[plane] if isinstance(plane, str) else plane[0]

    def others(self, plane: Plane) -> Planes:
        """The planes that have no cell of this one: the other objects, or other movements, of its layer."""
        return self.rivals(plane) - {plane}

    def rivals(self, plane: Plane) -> Planes:
        """All objects, or all movements, of a plane's layer."""
        if isinstance(plane, str):
            return self.objects[self.layer[plane]]
        return movements(plane[0])


def movements(layer: int) -> Planes:
    """The planes of the movements of a layer."""
    return frozenset((layer, movement) for movement in MOVEMENTS)


@lru_cache(maxsize=16)
def patterns(game: screen.Game) -> tuple[Rule, ...]:
    """The rules of a game in the order of application."""
    names = Names(game)
    return tuple(
        Rule(
            rule.direction,
            tuple(
                _row(row, rule.right[number] if rule.right else None, names)
                for number, row in enumerate(rule.left)
            ),
            bool(rule.right),
            rule.late,
            rule.rigid,
            rule.group,
            frozenset(rule.commands),
        )
        for rule in game.rules
    )


def _row(left: screen.Row, right: screen.Row | None, names: Names) -> Row:
    parts: list[list[Cell]] = [[]]
    for number, terms in enumerate(left):
        if terms is None:
            parts.append([])
            continue
        changes, marks = ({}, ()) if right is None else _changes(terms, right[number] or (), names)
        parts[-1].append(Cell(_terms(terms, names), changes, marks))
    return tuple(map(tuple, parts))


def _terms(given: Iterable[screen.Term], names: Names) -> tuple[Term, ...]:
    terms = set[Term]()
    for movement, name in given:
        members = frozenset[Plane](names.members(name))
        terms.add(Term(members, holds=movement != "no"))
        if movement == "stationary":
            terms.add(Term(movements(names.layer_of(name)), holds=False))
        elif movement not in ("", "no"):
            terms.add(Term(frozenset(((names.layer_of(name), movement),)), holds=True))
    return tuple(sorted(terms, key=_order))


def _order(term: Term) -> tuple[bool, bool, int, list[str]]:
    """Terms that few cells meet come first."""
    is_object = all(isinstance(plane, str) for plane in term.planes)
    return not term.holds, is_object, len(term.planes), sorted(map(str, term.planes))


def _changes(left: screen.Cell, right: screen.Cell, names: Names) -> tuple[Mapping[Plane, bool], tuple[int, ...]]:
    """What the right side does to a cell of the left side, and the layers whose movement it replaces."""
    before, after = left or (), right or ()
    lost, added, replaced = set[str](), set[str](), dict[int, str]()
    layers = [{names.layer_of(name) for movement, name in side if movement != "no"} for side in (before, after)]
    for layer in layers[0] - layers[1]:
        lost |= {name for name in names.layer if names.layer[name] == layer}
        replaced[layer] = ""
    for movement, name in after:
        layer = names.layer_of(name)
        if movement == "no":
            lost |= names.members(name)
            continue
        if movement:
            replaced[layer] = "" if movement == "stationary" else movement
        if names.members(name) == {name}:
            lost |= {other for other in names.layer if names.layer[other] == layer}
            added.add(name)
    changes: dict[Plane, bool] = {**dict.fromkeys(lost, False), **dict.fromkeys(added, True)}
    for layer, movement in replaced.items():
        for plane in movements(layer):
            changes[plane] = plane == (layer, movement)
    for movement, name in before:
        layer = names.layer_of(name)
        if movement not in ("", "no", "stationary") and layer not in replaced:
            changes[layer, movement] = False
    return changes, tuple(sorted(replaced))
