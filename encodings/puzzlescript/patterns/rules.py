"""The rules of a game as conditions on planes and changes of planes.

A *plane* is the set of cells that have an object, or a movement in a layer. A cell of a rule has terms: at least
one of some planes has the cell, or none of them has it. Its changes say which planes get the cell, and which lose
it. This is derived from the rules of `Game` alone, apart from the plain rules.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, product
from typing import NamedTuple, TypeAlias

from puzzlemc.screens.puzzlescript import game as screen

MOVEMENTS = (*screen.DIRECTIONS, "action")  # the order of the planes of a layer

Plane: TypeAlias = str | tuple[int, str]  # an object, or a layer and a movement
Planes: TypeAlias = frozenset[Plane]


class Term(NamedTuple):
    """If `holds`, at least one of the planes has the cell; otherwise none has it."""

    planes: Planes
    holds: bool


class Cell(NamedTuple):
    """A cell of a rule.

    terms    its conditions
    changes  the planes that get the cell (True) or lose it (False)
    marks    the layers whose movement is replaced: a rigid rule leaves a mark there
    drawn    changes of which one is drawn, in place of `changes`; () if nothing is drawn in the cell
    """

    terms: tuple[Term, ...]
    changes: Mapping[Plane, bool]
    marks: tuple[int, ...]
    drawn: tuple[Mapping[Plane, bool], ...] = ()


Part: TypeAlias = tuple[Cell, ...]  # cells side by side
Row: TypeAlias = tuple[Part, ...]  # parts with an ellipsis between each two of them


class Rule(NamedTuple):
    """A rule. `replaces` is False if it has commands only.

    `draws` says that an application of it is a draw: of its match, in a random group, or of an object or a
    direction. In the latter case there are several rules in its place, such that each of them has one of the
    changes that may be drawn for each cell, and some rule has each of these changes. All but the first of them are
    `variant`. The first one has also all that may be drawn (`Cell.drawn`).

    `random` says that one match of one rule of its group is drawn.
    """

    line: int
    direction: str
    rows: tuple[Row, ...]
    replaces: bool
    late: bool
    rigid: bool
    group: int
    commands: frozenset[str]
    draws: bool = False
    variant: bool = False
    random: bool = False

    @property
    def cells(self) -> list[Cell]:
        """The cells of all rows."""
        return [cell for row in self.rows for part in row for cell in part]


class Names:
    """The meaning of names: the objects of a name, its layer, and the planes of which a cell has at most one.

    layer    object -> its layer
    layers   the objects of each layer, in their order
    objects  the objects of each layer as planes
    crowded  the layers of which a cell may have several objects
    """

    def __init__(self, game: screen.Game) -> None:
        self.layer = {name: number for number, layer in enumerate(game.layers) for name in layer}
        self.layers = game.layers
        self.objects = [frozenset[Plane](layer) for layer in game.layers]
        self.crowded = game.crowded
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

    def excluded(self, planes: Planes) -> Planes:
        """The planes that no cell with one of these has: the other objects, or movements, of their layer."""
        plane = min(planes, key=str)
        if not isinstance(plane, str):
            rivals = frozenset(self.movements(plane[0]))
        elif self.layer[plane] in self.crowded:
            return frozenset()
        else:
            rivals = self.objects[self.layer[plane]]
        return rivals - planes if planes <= rivals else frozenset()

    def others(self, plane: Plane) -> Planes:
        """The planes that have no cell of this one."""
        return self.excluded(frozenset((plane,)))

    def movements(self, layer: int) -> tuple[Plane, ...]:
        """The planes of the movements of a layer."""
        return tuple((layer, movement) for movement in MOVEMENTS)


@lru_cache(maxsize=16)
def patterns(game: screen.Game) -> tuple[Rule, ...]:
    """The rules of a game in the order of application."""
    names = Names(game)
    random = {
        rule.group
        for _, rules in groupby(game.rules, key=lambda r: (r.late, r.group))
        for rule in [next(rules)]
        if rule.random
    }
    return tuple(
        Rule(
            rule.line,
            rule.direction,
            tuple(
                _row(row, right[r] if right else None, rule.right[r] if rule.draws else (), names)
                for r, row in enumerate(rule.left)
            ),
            bool(rule.right),
            rule.late,
            rule.rigid,
            rule.group,
            frozenset(rule.commands),
            rule.draws or rule.group in random,
            number > 0,
            rule.group in random,
        )
        for rule in game.rules
        for number, right in enumerate(_drawn(rule, names))
    )


def _drawn(rule: screen.Rule, names: Names) -> list[tuple[screen.Row, ...]]:
    """Right sides without chance, in which each object and each direction occurs that may be drawn."""
    cells = [cell for row in rule.right for cell in row]
    objects = [[term.name for term in cell or () if term.movement == screen.RANDOM] for cell in cells]
    count = max([4 if rule.draws else 1, *map(len, objects)])

    def drawn(cell: screen.Cell, number: int) -> screen.Cell:
        if cell is None:
            return None
        direction = screen.DIRECTIONS[number % 4]
        terms = [
            screen.Term(direction, term.name) if term.movement == screen.RANDOM_DIRECTION else term
            for term in cell
            if term.movement != screen.RANDOM
        ]
        choices = [term.name for term in cell if term.movement == screen.RANDOM]
        if choices:
            terms.append(_drawn_object(choices[number % len(choices)], terms, names))
        return tuple(terms)

    return [tuple(tuple(drawn(cell, number) for cell in row) for row in rule.right) for number in range(count)]


def groups(rules: Sequence[Rule], late: bool) -> list[list[int]]:
    """The numbers of the early or the late rules, in groups that are repeated together."""
    numbers = [number for number, rule in enumerate(rules) if rule.late == late]
    return [list(members) for _, members in groupby(numbers, key=lambda number: rules[number].group)]


def _row(left: screen.Row, right: screen.Row | None, drawing: screen.Row, names: Names) -> Row:
    """A row of a left side, with a right side without chance, and the one with chance from which it is drawn."""
    parts: list[list[Cell]] = [[]]
    for number, terms in enumerate(left):
        if terms is None:
            parts.append([])
            continue
        changes, marks = ({}, ()) if right is None else _changes(terms, right[number] or (), names)
        drawn = _choices(terms, drawing[number] or (), names) if drawing else ()
        parts[-1].append(Cell(_terms(terms, names), changes, marks, drawn))
    return tuple(map(tuple, parts))


def _choices(left: screen.Cell, right: tuple[screen.Term, ...], names: Names) -> tuple[Mapping[Plane, bool], ...]:
    """The changes of which one is drawn for a cell; () if nothing is drawn.

    Of the `random` objects one comes. It stands, unless the right side states a movement of its layer.
    """
    objects = dict.fromkeys(name for movement, name in right if movement == screen.RANDOM)
    turning = sum(movement == screen.RANDOM_DIRECTION for movement, _ in right)
    if not objects and not turning:
        return ()
    found = []
    for directions in product(screen.DIRECTIONS, repeat=turning):
        ways = iter(directions)
        terms = [
            screen.Term(next(ways), term.name) if term.movement == screen.RANDOM_DIRECTION else term
            for term in right
            if term.movement != screen.RANDOM
        ]
        for name in objects or [""]:
            more = [_drawn_object(name, terms, names)] if name else []
            found.append(_changes(left or (), [*terms, *more], names)[0])
    return tuple(found)


def _drawn_object(name: str, others: Iterable[screen.Term], names: Names) -> screen.Term:
    """The term of a drawn object. It stands, unless another term of its cell states a movement of its layer."""
    moving = {names.layer_of(other) for movement, other in others if movement not in ("", "no")}
    return screen.Term("" if names.layer[name] in moving else "stationary", name)


def _terms(given: Iterable[screen.Term], names: Names) -> tuple[Term, ...]:
    terms = list[Term]()
    for movement, name in given:
        layer = names.layer_of(name)
        terms.append(Term(frozenset(names.members(name)), movement != "no"))
        if movement == "stationary":
            terms.append(Term(frozenset(names.movements(layer)), holds=False))
        elif movement in MOVEMENTS:
            terms.append(Term(frozenset(((layer, movement),)), holds=True))
    return tuple(dict.fromkeys(terms))


def _changes(
    left: Iterable[screen.Term], right: Iterable[screen.Term], names: Names
) -> tuple[Mapping[Plane, bool], tuple[int, ...]]:
    """The changes of a cell with these terms on both sides, and the layers whose movement is replaced.

    An object takes the place of all others of its layer. A layer that only the left side names becomes empty. A
    movement on the right replaces that of its layer; one on the left alone is lost.
    """
    named_left, named_right = (
        {names.layer_of(name) for movement, name in side if movement != "no"} for side in (left, right)
    )
    found, added = dict[Plane, bool](), list[str]()
    replaced = named_left - named_right
    for layer in sorted(replaced):
        found |= dict.fromkeys((*names.layers[layer], *names.movements(layer)), False)
    for movement, name in right:
        layer, objects = names.layer_of(name), names.members(name)
        if movement == "no":
            found |= dict.fromkeys(sorted(objects), False)
            continue
        if movement:
            found |= {plane: plane == (layer, movement) for plane in names.movements(layer)}
            replaced.add(layer)
        if objects == {name}:
            found |= dict.fromkeys(names.layers[layer], False)
            added.append(name)
    found |= dict.fromkeys(added, True)
    for movement, name in left:
        if movement in MOVEMENTS and names.layer_of(name) not in replaced:
            found[names.layer_of(name), movement] = False
    return found, tuple(sorted(replaced))
