"""The plain rules of single items that move along a layout. They share no code with the models in `transport.py`.

A *place* is a position of an item: waiting at an input, on a piece, in an assembler as an ingredient, made by an
assembler, or gone through an output. A step moves one item:

- from outside, where the supply is unlimited, onto the belt of an input
- from a belt to the belt that it points at, unless that belt points back
- from a belt into an inserter that takes from it. An inserter that points at an assembler takes only ingredients
  of its recipe, as in the game
- from an inserter to the belt ahead, unless that belt points back, or into the assembler ahead
- from an assembler that has made it into an inserter that takes from the assembler
- out of the level, from a belt where this item goes out

A piece holds at most one item. An assembler holds at most one item of each ingredient, and one product.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from puzzlemc.screens.factorio import OPPOSITE, Cell, Layout, Level, area, place_name

WAITS, ON, IN, MADE, GONE = "waits", "on", "in", "made", "gone"


class Place(NamedTuple):
    """The position of an item. For the kinds `in` and `made`, `cell` is the centre of an assembler."""

    kind: str
    cell: Cell
    item: str


class Move(NamedTuple):
    """One item moves to another place. If an assembler works, `worker` is its centre and `before` is None."""

    name: str
    before: Place | None
    after: Place | None
    worker: Cell | None = None


@dataclass(frozen=True)
class Yard:
    """A level with a layout along which items move."""

    level: Level
    belts: dict[Cell, str]
    inserters: dict[Cell, str]
    assemblers: dict[Cell, str]  # by centre: the recipe
    covered: dict[Cell, Cell]  # by cell: the centre of the assembler on it


def yard(level: Level, layout: Layout) -> Yard:
    """The yard of any layout that is as large as the level, even if it violates the rules.

    If a cell has several things, a belt hides an inserter, and both hide an assembler. Assemblers whose recipe is
    not in the level are ignored.
    """
    belts, inserters = (
        {cell: grid[cell[0]][cell[1]] for cell in level.cells() if grid[cell[0]][cell[1]]}
        for grid in (layout.belts, layout.inserters)
    )
    for cell in belts:
        inserters.pop(cell, None)
    names = {recipe.name for recipe in level.recipes}
    assemblers = {centre: name for centre, name in layout.assemblers if name in names}
    covered = {cell: centre for centre in assemblers for cell in area(centre) if cell not in belts}
    return Yard(level, belts, inserters, assemblers, covered)


def starts(yard: Yard) -> list[Place]:
    """The places where items come from."""
    level = yard.level
    brought = [Place(WAITS, port.cell, port.item) for port in level.inputs]
    return brought + [Place(MADE, centre, level.recipe(name).gives[0]) for centre, name in yard.assemblers.items()]


def ways(yard: Yard, place: Place) -> Iterator[Place]:
    """The places that an item can reach from a place in one step, if they are empty."""
    level, cell, item = yard.level, place.cell, place.item
    if place.kind == WAITS and cell in yard.belts:
        yield Place(ON, cell, item)
    elif place.kind == ON and cell in yard.belts:
        if any(port.cell == cell and port.item == item for port in level.outputs):
            yield Place(GONE, cell, item)
        ahead = level.ahead(cell, yard.belts[cell])
        if ahead in yard.belts and yard.belts[ahead] != OPPOSITE[yard.belts[cell]]:
            yield Place(ON, ahead, item)
        for side in OPPOSITE:
            beside = level.ahead(cell, side)
            if beside is not None and yard.inserters.get(beside) == side and wanted(yard, beside, item):
                yield Place(ON, beside, item)
    elif place.kind == ON:
        ahead = level.ahead(cell, yard.inserters[cell])
        if ahead in yard.belts and yard.belts[ahead] != OPPOSITE[yard.inserters[cell]]:
            yield Place(ON, ahead, item)
        elif ahead in yard.covered and wanted(yard, cell, item):
            yield Place(IN, yard.covered[ahead], item)
    elif place.kind == MADE:
        for beside, direction in yard.inserters.items():
            behind = level.ahead(beside, OPPOSITE[direction])
            if behind is not None and yard.covered.get(behind) == cell and wanted(yard, beside, item):
                yield Place(ON, beside, item)


def wanted(yard: Yard, inserter: Cell, item: str) -> bool:
    """Does an inserter take the item? An inserter that points at an assembler takes only its ingredients."""
    ahead = yard.level.ahead(inserter, yard.inserters[inserter])
    if ahead not in yard.covered:
        return True
    return yard.level.recipe(yard.assemblers[yard.covered[ahead]]).rate(item) > 0


Held = frozenset[Place]  # the places of all items; not those that wait, whose number is unlimited, or are gone


def moves(yard: Yard, held: Held) -> Iterator[tuple[Move, Held]]:
    """All enabled steps, each with its successor state."""
    found = [
        Move(move_name(place, after), place, after)
        for place in [*(place for place in starts(yard) if place.kind == WAITS), *sorted(held)]
        for after in ways(yard, place)
    ]
    for centre, name in yard.assemblers.items():
        made = Place(MADE, centre, yard.level.recipe(name).gives[0])
        found.append(Move(work_name(centre, name), None, made, centre))
    for move in found:
        after = follow(yard, held, move)
        if after is not None:
            yield move, after


def follow(yard: Yard, held: Held, move: Move) -> Held | None:
    """The state after a step; None if the step is not enabled."""
    before, after = move.before, move.after
    if after is None or after in held:
        return None
    if move.worker is not None:
        recipe = yard.level.recipe(yard.assemblers[move.worker])
        needs = {Place(IN, move.worker, item) for item, _ in recipe.takes}
        made = Place(MADE, move.worker, recipe.gives[0])
        return held - needs | {made} if needs <= held and made == after else None
    if before is None or after not in ways(yard, before):
        return None
    if before not in held and (before.kind != WAITS or before not in starts(yard)):
        return None
    if after.kind == ON and any(place.kind == ON and place.cell == after.cell for place in held):
        return None
    return held - {before} if after.kind == GONE else held - {before} | {after}


def move_name(before: Place, after: Place) -> str:
    """The name of a move."""
    if before.kind == WAITS:
        return f"{before.item} comes in at {_at(before)}"
    if after.kind == GONE:
        return f"{before.item} goes out at {_at(before)}"
    return f"{before.item} {_at(before)}-{_at(after)}"


def work_name(centre: Cell, recipe: str) -> str:
    """The name of the step in which an assembler works."""
    return f"{recipe} works at {place_name(centre)}"


def _at(place: Place) -> str:
    cell = place_name(place.cell)
    return f"assembler {cell}" if place.kind in (IN, MADE) else cell
