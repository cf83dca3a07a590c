"""Which rules can ever apply in a level, and which objects can ever change: upper bounds by a relaxation.

The relaxation forgets places and removals: a plane that some rule fills stays possible, and a rule can apply if
each of its terms has a possible plane.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.patterns.rules import Cell, Names, Plane, Planes, Rule
from puzzlemc.screens.puzzlescript.game import DIRECTIONS, Game

# The commands that decide whether a round counts, and wins. A message is one if some rule wins.
DECISIVE = frozenset(("win", "cancel", "restart"))


class Activity(NamedTuple):
    """What can happen in a level.

    possible  the planes that some cell can have
    active    for each movement of the players, the numbers of the rules that can apply in that round
    """

    possible: Planes
    active: tuple[tuple[int, ...], ...]


def activity(
    game: Game, rules: Sequence[Rule], candidates: Iterable[int], present: Iterable[str], given: Sequence[str]
) -> Activity:
    """What can happen if these objects are present.

    candidates  the numbers of rules that are not known to be without matches
    given       the movements of the players, "" for none
    """
    names = Names(game)
    early = [number for number in candidates if not rules[number].late]
    late = [number for number in candidates if rules[number].late]
    objects, before = frozenset[Plane](present), None
    while objects != before:
        before, everything, active = objects, objects, list[tuple[int, ...]]()
        for movement in given:
            moved = {(names.layer[name], movement) for name in game.players & objects} if movement else set()
            able, planes = closure(rules, early, objects | moved)
            able_late, planes_late = closure(rules, late, _objects(planes))
            active.append(tuple(sorted((*able, *able_late))))
            everything |= planes | planes_late
        objects = _objects(everything)
    return Activity(everything, tuple(active))


def changing(game: Game, rules: Iterable[Rule], possible: Planes) -> frozenset[str]:
    """The objects that one of these rules can add, remove or set in motion, and the players."""
    names = Names(game)
    found = {plane for plane in game.players & possible if isinstance(plane, str)}
    for rule in rules:
        for cell in rule.cells:
            found |= _changed(cell, names, possible)
    return frozenset(found)


def cone_of_influence(
    game: Game, rules: Sequence[Rule], numbers: Collection[int], possible: Planes, precise: bool = False
) -> tuple[frozenset[int], frozenset[int]] | None:
    """The layers and the rules on which it depends whether and when a level is won. None if everything may matter.

    A layer matters if a win condition names an object of it, or if a rule reads it that ends rounds or changes a
    layer that matters. The other objects of a layer block its movements, so layers matter as a whole. All layers
    may matter with `again`, loops, and rigid rules, which depend on every change. If `precise`, an object on both
    sides of a cell is no change.
    """
    active = {number: rules[number] for number in numbers}
    if game.loops or game.late_loops or any(rule.rigid or "again" in rule.commands for rule in active.values()):
        return None
    deciding = DECISIVE | {"message"} if any("win" in rule.commands for rule in active.values()) else DECISIVE
    names = Names(game)
    players = {names.layer[name] for name in game.players}
    layers = {names.layer[name] for win in game.wins for name in win.subject | (win.on or frozenset())}
    if game.require_player_movement:
        layers |= players
    found, before = set[int](), -1
    while before != len(layers):
        before = len(layers)
        if game.players_all and not players.isdisjoint(layers):
            layers |= players
        found = {
            number
            for number, rule in active.items()
            if not rule.commands.isdisjoint(deciding)
            or any(
                plane in possible and names.layer_of_plane(plane) in layers
                for cell in rule.cells
                for plane in (_true_changes(cell, names) if precise else cell.changes)
            )
        }
        read = (term for number in found for cell in active[number].cells for term in cell.terms)
        layers |= {names.layer_of_plane(plane) for term in read for plane in term.planes}
    return frozenset(layers), frozenset(found)


def _true_changes(cell: Cell, names: Names) -> Iterator[Plane]:
    """Yield the planes that a cell of a rule may change, if no other cell of the rule changes their layers."""
    there = {plane for term in cell.terms if term.holds and len(term.planes) == 1 for plane in term.planes}
    for plane, comes in cell.changes.items():
        if plane not in there if comes else names.others(plane).isdisjoint(there):
            yield plane


def restricted(rule: Rule, names: Names, layers: Collection[int]) -> Rule:
    """The rule without its changes of other layers."""
    rows = tuple(
        tuple(
            tuple(
                cell._replace(
                    changes=_within(cell.changes, names, layers),
                    marks=(),
                    drawn=tuple(_within(changes, names, layers) for changes in cell.drawn),
                )
                for cell in part
            )
            for part in row
        )
        for row in rule.rows
    )
    return rule._replace(rows=rows)


def _within(changes: Mapping[Plane, bool], names: Names, layers: Collection[int]) -> dict[Plane, bool]:
    return {plane: comes for plane, comes in changes.items() if names.layer_of_plane(plane) in layers}


def _possible_cell(cell: Cell, possible: Collection[Plane]) -> bool:
    """Can each term of the cell hold if only these planes are possible?"""
    return all(not term.holds or not term.planes.isdisjoint(possible) for term in cell.terms)


def closure(rules: Sequence[Rule], numbers: Iterable[int], planes: Planes) -> tuple[list[int], Planes]:
    """The rules that can apply from these planes on, and the planes that are possible then."""
    waiting, able, possible = list(numbers), list[int](), set(planes)
    progress = True
    while progress:
        progress, left = False, []
        for number in waiting:
            cells = rules[number].cells
            if all(_possible_cell(cell, possible) for cell in cells):
                able.append(number)
                possible |= {plane for cell in cells for plane, comes in cell.changes.items() if comes}
                progress = True
            else:
                left.append(number)
        waiting = left
    return able, frozenset(possible)


def _objects(planes: Planes) -> Planes:
    return frozenset(plane for plane in planes if isinstance(plane, str))


def _changed(cell: Cell, names: Names, possible: Planes) -> set[str]:
    """The objects that a cell of a rule can add, remove or set in motion."""
    found = set[str]()
    layers = {names.layer_of_plane(plane) for plane in cell.changes}
    for layer in layers:
        here: set[Plane | None] = {None, *(names.objects[layer] & possible)}
        for term in cell.terms:
            if not term.holds:
                here -= term.planes
            elif term.planes <= names.objects[layer] and layer not in names.crowded:
                here &= term.planes
        after = {plane for plane in here if plane is not None and cell.changes.get(plane) is not False}
        found |= {plane for plane in here - after if isinstance(plane, str)}
        added = {plane for plane in names.objects[layer] if cell.changes.get(plane)}
        if here != added:
            found |= {plane for plane in added if isinstance(plane, str)}
        if any(cell.changes.get((layer, movement)) for movement in DIRECTIONS):
            found |= {plane for plane in added or after if isinstance(plane, str)}
    return found
