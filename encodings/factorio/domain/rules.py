"""The plain rules of Factorio layouts: the faults of a layout, and its measure.

Belts and inserters are *pieces*. A piece *passes on* items to the cell ahead of it; an inserter *takes* items from
the cell behind it. The rules follow Jimeno Roman's planner (PauJimeno/FactorioPlanner):

set collision         an assembler's nine cells are in the grid; nothing else is on them
link assembler collision
                      if the layout lists areas, they are the nine cells of each assembler
recipes               assemblers use recipes of the level, and each recipe has an assembler
conveyor input        a cell where an item comes in has a belt; any other belt has a piece that points at it from a
                      cell that is not ahead of the belt
conveyor output       a cell where an item goes out has a belt, which does not point at a belt; any other belt
                      points at a belt that does not point back, or at an inserter of the same direction
inserter input        the cell behind an inserter has an assembler, or a belt where no item goes out
inserter output       the cell ahead of it has an assembler, or a belt that does not point back
redundant inserter    no belt, inserter and belt in one line, the first belt pointing at the inserter
forward increment     pieces have route numbers from 1, other cells 0. The number increases from each piece to the
                      piece that it points at; so there are no cycles, and no piece points at an input
backward consistency  the number is 1 where an item comes in, and of inserters that take from an assembler; it is
                      above 1 where an item goes out; any other belt has a piece with a smaller number that points
                      at it, and any other inserter has a belt with a smaller number behind it
item input            the belt where an item comes in carries the item of the level
item output           the belt where an item goes out carries the item of the level
item carry            each piece carries one item, the same as the piece ahead; an inserter, as the belt behind it
assembler input       an assembler receives each ingredient of its recipe, and no other item
assembler output      at least one inserter takes the product of the recipe, and none takes another item

Rates are exact, in items a minute. A piece has an inflow and an outflow:

belt rate             the inflow of a belt is the sum of the outflows of the pieces that point at it; where an item
                      comes in, it is free. It is at most 450. The outflow is the inflow minus the inflow of
                      inserters that take from the belt, and at least 0
inserter rate         the outflow of an inserter is its inflow: above 0, at most 50; from a belt, at least 1/1000.
                      Without this minimum, some levels would have better and better layouts, but no best one. A
                      layout from a file may have any rate above 0
recipe ratio          an assembler works a part r of the time, 0 < r ≤ 1: it receives r times the rate of each
                      ingredient, and passes on r times the rate of its product, in equal shares to all inserters
                      that take from it

The *output* is the sum of the outflows of the belts where items go out. The *loss* is the sum of the outflows of
belts that point at an inserter: items that reach the end of the belt and that the inserter does not take. The
*route* is the number of pieces. This module shares no code with the clauses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from puzzlemc.encodings.factorio.flow.network import completed
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.rules.plain import Constraint
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.factorio import OPPOSITE, Cell, Layout, Level, area, blueprint, json_form, where

BELT_RATE = 450
INSERTER_RATE = 50
LEAST_RATE = Fraction(1, 1000)  # of an inserter that takes from a belt

METRICS = ("output", "loss", "route")


@dataclass(frozen=True, slots=True)
class Fault:
    """A rule that a layout violates, with a cell and a description; without a cell, the whole layout is meant."""

    cell: Cell | None
    rule: str
    words: str

    def __str__(self) -> str:
        about = f"{self.rule}: {self.words}"
        return about if self.cell is None else f"{where(self.cell)}: {about}"


@dataclass(frozen=True, slots=True)
class Measure:
    """The measure of a layout: total output, output by port, loss, and the number of pieces."""

    output: Fraction
    outputs: tuple[Fraction, ...]
    loss: Fraction
    route: int


def check(level: Level, layout: Layout) -> Measure:
    """The measure of a valid layout. Raises Refuted with the first fault if it is not valid.

    Missing routes, items and rates are computed: the rates have the greatest output, then the least loss.
    """
    found = faults(level, layout)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise Refuted(f"{found[0]}{more}")
    return measure(level, completed(level, layout))


def faults(level: Level, layout: Layout, least: Fraction = LEAST_RATE) -> list[Fault]:
    """All faults of a layout. The flow of items is checked only if the things on the grid have no faults.

    `least` is the minimal rate of an inserter that takes from a belt; with 0, any rate above 0 is allowed.
    """
    if (layout.width, layout.height) != (level.width, level.height):
        words = f"found {layout.width} × {layout.height} cells, expected {level.width} × {level.height}"
        return [Fault(None, "size", words)]
    grid = _Grid(level, layout)
    found = [*_collisions(grid)]
    if not found:
        found = [*_connections(grid)]
    if found:
        return found
    try:
        layout = completed(level, layout)
    except Refuted as error:
        return [Fault(None, "rates" if layout.items else "routes, items and rates", str(error))]
    grid = _Grid(level, layout)
    found = [*_routes(grid), *_items(grid)]
    return found or [*_rates(grid, least)]


def measure(level: Level, layout: Layout) -> Measure:
    """The measure of a valid layout that has rates."""
    outputs = tuple(layout.outflow[row][column] for row, column in (port.cell for port in level.outputs))
    grid = _Grid(level, layout)
    loss = Fraction(0)
    for cell, direction in grid.belts.items():
        ahead = level.ahead(cell, direction)
        if ahead is not None and grid.inserters.get(ahead) == direction:
            loss += layout.outflow[cell[0]][cell[1]]
    return Measure(sum(outputs, Fraction(0)), outputs, loss, len(grid.belts) + len(grid.inserters))


class _Grid:
    """A layout by cell, with the cells ahead of and behind its pieces."""

    def __init__(self, level: Level, layout: Layout) -> None:
        self.level, self.layout = level, layout
        self.belts = _by_cell(layout.belts)
        self.inserters = _by_cell(layout.inserters)
        self.pieces = self.belts | self.inserters
        self.inputs = {port.cell: port.item for port in level.inputs}
        self.outputs = {port.cell: port.item for port in level.outputs}

    @cached_property
    def assembler(self) -> dict[Cell, Cell]:
        """The centre of the assembler on a cell."""
        return {cell: centre for centre, _ in self.layout.assemblers for cell in area(centre)}

    def ahead(self, cell: Cell) -> Cell | None:
        return self.level.ahead(cell, self.pieces[cell])

    def behind(self, cell: Cell) -> Cell | None:
        return self.level.ahead(cell, OPPOSITE[self.pieces[cell]])

    def feeders(self, cell: Cell) -> list[Cell]:
        """The pieces that point at a belt; for an inserter, the belt behind it."""
        if cell in self.inserters:
            behind = self.behind(cell)
            return [behind] if behind in self.belts else []
        return [
            beside
            for direction in OPPOSITE
            if direction != self.belts[cell]
            and (beside := self.level.ahead(cell, direction)) is not None
            and self.pieces.get(beside) == OPPOSITE[direction]
        ]

    def takers(self, cell: Cell) -> list[Cell]:
        """The inserters that take from a belt."""
        around = (self.level.ahead(cell, direction) for direction in OPPOSITE)
        return [beside for beside in around if beside in self.inserters and self.behind(beside) == cell]

    def from_assembler(self, cell: Cell) -> bool:
        return cell in self.inserters and self.behind(cell) in self.assembler


def _by_cell(grid: Sequence[Sequence[str]]) -> dict[Cell, str]:
    return {(row, column): word for row, words in enumerate(grid) for column, word in enumerate(words) if word}


def _collisions(grid: _Grid) -> Iterator[Fault]:
    """The faults of assemblers, and of cells with more than one thing."""
    level, layout = grid.level, grid.layout
    recipes = [recipe.name for recipe in level.recipes]
    inside = set(level.cells())
    owner: dict[Cell, Cell] = {}
    for centre, name in layout.assemblers:
        if name not in recipes:
            yield Fault(centre, "recipes", f"found the recipe {name}, expected {' or '.join(recipes) or 'none'}")
        for cell in area(centre):
            if cell not in inside:
                yield Fault(centre, "set collision", "the assembler is not inside the grid")
                break
            if cell in owner:
                yield Fault(cell, "set collision", "two assemblers are on the cell")
            elif cell in grid.pieces:
                yield Fault(cell, "set collision", "an assembler is on the cell, and a belt or an inserter")
            owner[cell] = centre
    for name in recipes:
        if name not in dict(layout.assemblers).values() and all(found != name for _, found in layout.assemblers):
            yield Fault(None, "recipes", f"no assembler makes {name}")
    for cell in grid.belts:
        if cell in grid.inserters:
            yield Fault(cell, "set collision", "a belt and an inserter are on the cell")
    if layout.areas:
        names = dict(layout.assemblers)
        for cell in level.cells():
            expected = names[owner[cell]] if cell in owner else ""
            if layout.areas[cell[0]][cell[1]] != expected:
                words = f"found {layout.areas[cell[0]][cell[1]] or 'none'}, expected {expected or 'none'}"
                yield Fault(cell, "link assembler collision", words)


def _connections(grid: _Grid) -> Iterator[Fault]:
    """The faults of belts and inserters with respect to their neighbours."""
    for kind, cells in (("input", grid.inputs), ("output", grid.outputs)):
        for cell, item in cells.items():
            if cell not in grid.belts:
                which = "comes in" if kind == "input" else "goes out"
                yield Fault(cell, f"conveyor {kind}", f"{item} {which} here, but there is no belt")
    for cell, direction in grid.belts.items():
        ahead = grid.ahead(cell)
        if cell not in grid.inputs and not grid.feeders(cell):
            yield Fault(cell, "conveyor input", f"nothing gives to the belt to the {direction}")
        onward = ahead in grid.belts and grid.belts[ahead] != OPPOSITE[direction]
        if cell in grid.outputs:
            if ahead in grid.belts:
                yield Fault(cell, "conveyor output", "an item goes out here, but the belt points at another")
        elif not onward and (ahead is None or grid.inserters.get(ahead) != direction):
            words = f"the belt to the {direction} points at no belt that goes on, no inserter to the {direction}"
            yield Fault(cell, "conveyor output", words)
    for cell, direction in grid.inserters.items():
        ahead, behind = grid.ahead(cell), grid.behind(cell)
        if behind in grid.outputs:
            yield Fault(cell, "inserter input", "it takes from a belt where an item goes out")
        elif behind not in grid.belts and behind not in grid.assembler:
            yield Fault(cell, "inserter input", f"behind the inserter to the {direction} is nothing to take from")
        if ahead in grid.belts:
            if grid.belts[ahead] == OPPOSITE[direction]:
                yield Fault(cell, "inserter output", "the belt ahead points back at the inserter")
            elif behind in grid.belts and grid.belts[behind] == direction:
                yield Fault(cell, "redundant inserter", "between two belts in one line, where a belt does")
        elif ahead not in grid.assembler:
            yield Fault(
                cell, "inserter output", f"ahead of the inserter to the {direction} is nothing that takes items"
            )


def _routes(grid: _Grid) -> Iterator[Fault]:
    """The faults of route numbers."""
    numbers = {cell: grid.layout.routes[cell[0]][cell[1]] for cell in grid.level.cells()}
    for cell, number in numbers.items():
        if (number > 0) != (cell in grid.pieces):
            yield Fault(cell, "forward increment", f"found {number}, expected a route number where pieces are")
    for cell in grid.pieces:
        number = numbers[cell]
        ahead = grid.ahead(cell)
        if cell not in grid.outputs and ahead in grid.pieces and numbers[ahead] <= number:
            words = f"the route number goes from {number} to {numbers[ahead]} in {where(ahead)}"
            yield Fault(cell, "forward increment", words)
        if cell in grid.inputs or grid.from_assembler(cell):
            if number != 1:
                yield Fault(cell, "backward consistency", f"a route starts here, with {number} instead of 1")
        elif not any(0 < numbers[feeder] < number for feeder in grid.feeders(cell)):
            yield Fault(cell, "backward consistency", f"nothing that gives to it has a number below {number}")
        if cell in grid.outputs and number <= 1:
            yield Fault(cell, "backward consistency", f"a route ends here, with {number} instead of more than 1")


def _items(grid: _Grid) -> Iterator[Fault]:
    """The faults of the items that pieces carry."""
    items = {cell: grid.layout.items[cell[0]][cell[1]] for cell in grid.level.cells()}
    for cell, item in items.items():
        if bool(item) != (cell in grid.pieces):
            yield Fault(cell, "item carry", f"found {item or 'no item'}, expected an item just where pieces are")
    for rule, ports in (("item input", grid.inputs), ("item output", grid.outputs)):
        for cell, item in ports.items():
            if items[cell] != item:
                yield Fault(cell, rule, f"found {items[cell] or 'no item'}, expected {item}")
    for cell in grid.pieces:
        for other in (None if cell in grid.outputs else grid.ahead(cell), *grid.feeders(cell)):
            if other in grid.pieces and items[other] != items[cell]:
                words = f"{items[cell]} here, {items[other]} in {where(other)}"
                yield Fault(cell, "item carry", words)
    for centre, name in grid.layout.assemblers:
        recipe = grid.level.recipe(name)
        entering, leaving = _around(grid, centre)
        for item in {item for item, _ in recipe.takes} - {items[cell] for cell in entering}:
            yield Fault(centre, "assembler input", f"nothing brings {item} for {name}")
        for cell in entering:
            if not recipe.rate(items[cell]):
                yield Fault(cell, "assembler input", f"{items[cell]} is not of use for {name}")
        if not leaving:
            yield Fault(centre, "assembler output", f"nothing takes {recipe.gives[0]}")
        for cell in leaving:
            if items[cell] != recipe.gives[0]:
                yield Fault(cell, "assembler output", f"{items[cell]} taken where {name} is made")


def _around(grid: _Grid, centre: Cell) -> tuple[list[Cell], list[Cell]]:
    """The inserters that give to an assembler, and those that take from it."""
    cells = set(area(centre))
    entering = [cell for cell in grid.inserters if grid.ahead(cell) in cells]
    return entering, [cell for cell in grid.inserters if grid.behind(cell) in cells]


def _rates(grid: _Grid, least_taken: Fraction) -> Iterator[Fault]:
    """The faults of rates."""
    layout = grid.layout
    inflow = {cell: layout.inflow[cell[0]][cell[1]] for cell in grid.level.cells()}
    outflow = {cell: layout.outflow[cell[0]][cell[1]] for cell in grid.level.cells()}
    for cell in grid.level.cells():
        if cell not in grid.pieces and (inflow[cell] or outflow[cell]):
            yield Fault(cell, "belt rate", "found a rate where there is no belt and no inserter")
    for cell in grid.belts:
        if cell not in grid.inputs:
            given = sum((outflow[feeder] for feeder in grid.feeders(cell)), Fraction(0))
            if inflow[cell] != given:
                yield Fault(cell, "belt rate", f"the belt gets {given}, not {inflow[cell]}")
        if not 0 <= inflow[cell] <= BELT_RATE:
            yield Fault(cell, "belt rate", f"found {inflow[cell]} on a belt, expected at most {BELT_RATE}")
        left = inflow[cell] - sum((inflow[taker] for taker in grid.takers(cell)), Fraction(0))
        if outflow[cell] != left or left < 0:
            yield Fault(cell, "belt rate", f"the belt passes on {outflow[cell]}, and {left} is left")
    for cell in grid.inserters:
        least = least_taken if grid.behind(cell) in grid.belts else Fraction(0)
        if not (least <= inflow[cell] <= INSERTER_RATE and inflow[cell]):
            expected = f"at least {least}" if least else "more than 0"
            words = f"found {inflow[cell]} at an inserter, expected {expected} and at most {INSERTER_RATE}"
            yield Fault(cell, "inserter rate", words)
        if outflow[cell] != inflow[cell]:
            yield Fault(cell, "inserter rate", f"it takes {inflow[cell]} and passes on {outflow[cell]}")
    for centre, name in layout.assemblers:
        recipe = grid.level.recipe(name)
        entering, leaving = _around(grid, centre)
        item, rate = recipe.gives
        part = sum((inflow[cell] for cell in leaving), Fraction(0)) / rate
        if not 0 < part <= 1:
            yield Fault(centre, "recipe ratio", f"{part * rate} {item} made in a minute, expected at most {rate}")
        if len({inflow[cell] for cell in leaving}) > 1:
            yield Fault(centre, "recipe ratio", f"the inserters that take {item} do not take the same")
        for item, rate in recipe.takes:
            got = sum((outflow[cell] for cell in entering if layout.items[cell[0]][cell[1]] == item), Fraction(0))
            if got != part * rate:
                yield Fault(centre, "recipe ratio", f"gets {got} {item}, and {name} needs {part * rate}")


def _read(level: Level, moves: Sequence[str]) -> Layout:
    """The layout of a trace: one text, the layout as JSON. Raises Refuted."""
    text = "".join(moves)
    if blueprint.looks_like(text):
        message = "found a blueprint string, expected a layout as JSON"
        raise Refuted(f"{message}; `check LEVEL --layout FILE` reads both")
    try:
        return json_form.read_layout(text, "the layout")
    except LevelError as error:
        raise Refuted(str(error)) from None


def _check(level: Level, layout: Layout) -> None:
    check(level, layout)


RULES = Constraint(_read, _check)
