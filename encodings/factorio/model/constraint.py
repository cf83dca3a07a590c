"""The valid layouts of a level as clauses, without rates.

Each cell has a variable for a belt and for an inserter of each direction, for each item that it carries, and for
each lower bound of its route number (order encoding). Each possible centre of an assembler has a variable for each
recipe. Assemblers have no numbers, so there is no symmetry between them: each layout with its route numbers is one
solution.

The rules are those of `domain/rules.py`, written again independently, by topic: assemblers, belts, inserters,
routes, items.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from puzzlemc.encodings.factorio.model.acyclic import forbid_cycles
from puzzlemc.encodings.factorio.model.clauses import Cnf, Tag
from puzzlemc.screens.factorio import DIRECTIONS, OPPOSITE, Cell, Layout, Level, area


@dataclass
class Plan:
    """The clauses of a level, and the variables that describe a layout.

    belt, inserter  by cell and direction
    assembler       by centre and recipe
    belts, pieces, covered  by cell: a belt of any direction, a belt or an inserter, an assembler
    points          by cell and direction: a belt or an inserter
    item            by cell and item
    least           by cell and number from 1: the route number is at least this; empty without route numbers
    """

    level: Level
    cnf: Cnf
    belt: dict[tuple[Cell, str], int]
    inserter: dict[tuple[Cell, str], int]
    assembler: dict[tuple[Cell, str], int]
    belts: dict[Cell, int]
    pieces: dict[Cell, int]
    covered: dict[Cell, int]
    points: dict[tuple[Cell, str], int]
    item: dict[tuple[Cell, str], int]
    least: dict[tuple[Cell, int], int]

    def layout(self, holds: Callable[[int], bool]) -> Layout:
        """The belts, inserters and assemblers of a solution; `holds` says which variables hold in it."""

        def words(variables: dict[tuple[Cell, str], int]) -> tuple[tuple[str, ...], ...]:
            found = {cell: word for (cell, word), variable in variables.items() if holds(variable)}
            rows = range(self.level.height)
            return tuple(tuple(found.get((i, j), "") for j in range(self.level.width)) for i in rows)

        assemblers = tuple(key for key, variable in self.assembler.items() if holds(variable))
        return Layout(words(self.belt), words(self.inserter), assemblers)

    def stands(self, layout: Layout) -> list[int]:
        """Literals that all hold in this layout, and in no other valid one."""
        found = [self.assembler[key] for key in layout.assemblers]
        for cell in self.level.cells():
            belt, inserter = (grid[cell[0]][cell[1]] for grid in (layout.belts, layout.inserters))
            if belt:
                found.append(self.belt[cell, belt])
            elif inserter:
                found.append(self.inserter[cell, inserter])
            else:
                found.append(-self.pieces[cell])
        return found


def around(level: Level, centre: Cell) -> list[tuple[Cell, str]]:
    """The cells beside an assembler, each with the direction that leads away from it."""
    cells = set(area(centre))
    return [
        (beside, direction)
        for cell in area(centre)
        for direction in DIRECTIONS
        if (beside := level.ahead(cell, direction)) is not None and beside not in cells
    ]


def plan(level: Level, *, numbered: bool = True) -> Plan:
    """The clauses of a level without rates: with route numbers, or with cycles forbidden (`acyclic.py`)."""
    cnf = Cnf()
    belt = {(cell, word): cnf.new(("belt", cell, word)) for cell in level.cells() for word in DIRECTIONS}
    inserter = {(cell, word): cnf.new(("inserter", cell, word)) for cell in level.cells() for word in DIRECTIONS}
    names = [recipe.name for recipe in level.recipes]
    assembler = {(cell, name): cnf.new(("assembler", cell, name)) for cell in level.centres() for name in names}
    constraints = Plan(level, cnf, belt, inserter, assembler, {}, {}, {}, {}, {}, {})
    _assemblers(constraints)
    _cells(constraints)
    _belts(constraints)
    _inserters(constraints)
    (_routes if numbered else _no_cycles)(constraints)
    _items(constraints)
    return constraints


def _assemblers(plan: Plan) -> None:
    """Set collision, link assembler collision, and recipes: each recipe has an assembler."""
    level, cnf = plan.level, plan.cnf
    names = [recipe.name for recipe in level.recipes]
    centres = {
        cell: cnf.either(
            Tag("set collision", cell), ("centre", cell), [plan.assembler[cell, name] for name in names]
        )
        for cell in level.centres()
    }
    for cell in level.centres():
        cnf.at_most_one(Tag("set collision", cell), [plan.assembler[cell, name] for name in names])
        for other in level.centres():
            if cell < other and max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) < 3:
                cnf.add(Tag("set collision", cell), -centres[cell], -centres[other])
    for cell in level.cells():
        tag = Tag("link assembler collision", cell)
        beside = [centres[centre] for centre in area(cell) if centre in centres]
        plan.covered[cell] = cnf.either(tag, ("covered", cell), beside)
    for name in names:
        cnf.add(Tag("recipes", None, name), *(plan.assembler[cell, name] for cell in level.centres()))


def _cells(plan: Plan) -> None:
    """Set collision: at most one thing on a cell."""
    cnf = plan.cnf
    for cell in plan.level.cells():
        tag = Tag("set collision", cell)
        belts = [plan.belt[cell, word] for word in DIRECTIONS]
        inserters = [plan.inserter[cell, word] for word in DIRECTIONS]
        cnf.at_most_one(tag, [*belts, *inserters, plan.covered[cell]])
        plan.belts[cell] = cnf.either(tag, ("belts", cell), belts)
        plan.pieces[cell] = cnf.either(tag, ("pieces", cell), [plan.belts[cell], *inserters])
        for word in DIRECTIONS:
            both = [plan.belt[cell, word], plan.inserter[cell, word]]
            plan.points[cell, word] = cnf.either(tag, ("points", cell, word), both)


def _belts(plan: Plan) -> None:
    """Conveyor input and conveyor output."""
    level, cnf = plan.level, plan.cnf
    inputs, outputs = {port.cell for port in level.inputs}, {port.cell for port in level.outputs}
    for cell in inputs:
        cnf.add(Tag("conveyor input", cell), plan.belts[cell])
    for cell in outputs:
        cnf.add(Tag("conveyor output", cell), plan.belts[cell])
    for (cell, word), belt in plan.belt.items():
        if cell not in inputs:
            feeders = [
                plan.points[beside, OPPOSITE[side]]
                for side in DIRECTIONS
                if side != word and (beside := level.ahead(cell, side)) is not None
            ]
            cnf.add(Tag("conveyor input", cell), -belt, *feeders)
        tag = Tag("conveyor output", cell)
        ahead = level.ahead(cell, word)
        if cell in outputs:
            if ahead is not None:
                cnf.add(tag, -belt, -plan.belts[ahead])
        elif ahead is None:
            cnf.add(tag, -belt)
        else:
            cnf.add(tag, -belt, plan.belts[ahead], plan.inserter[ahead, word])
            cnf.add(tag, -belt, -plan.belt[ahead, OPPOSITE[word]])


def _inserters(plan: Plan) -> None:
    """Inserter input, inserter output, and redundant inserters."""
    level, cnf = plan.level, plan.cnf
    outputs = {port.cell for port in level.outputs}
    for (cell, word), inserter in plan.inserter.items():
        ahead, behind = level.ahead(cell, word), level.ahead(cell, OPPOSITE[word])
        if behind is None or behind in outputs:
            cnf.add(Tag("inserter input", cell), -inserter)
            continue
        if ahead is None:
            cnf.add(Tag("inserter output", cell), -inserter)
            continue
        cnf.add(Tag("inserter input", cell), -inserter, plan.belts[behind], plan.covered[behind])
        cnf.add(Tag("inserter output", cell), -inserter, plan.belts[ahead], plan.covered[ahead])
        cnf.add(Tag("inserter output", cell), -inserter, -plan.belt[ahead, OPPOSITE[word]])
        cnf.add(Tag("redundant inserter", cell), -inserter, -plan.belt[behind, word], -plan.belts[ahead])


def _routes(plan: Plan) -> None:
    """Forward increment and backward consistency, by order encoding: the number of a piece is at least 1.

    No clause says that a belt has a feeder with a smaller number, because that follows: conveyor input requires a
    feeder, and the number of each feeder is smaller.
    """
    level, cnf = plan.level, plan.cnf
    inputs, outputs = {port.cell for port in level.inputs}, {port.cell for port in level.outputs}
    most = max(2, level.width * level.height - 9 * len(level.recipes))
    for cell in level.cells():
        tag = Tag("forward increment", cell)
        plan.least[cell, 1] = plan.pieces[cell]
        for number in range(2, most + 1):
            plan.least[cell, number] = cnf.new(("least", cell, number))
            cnf.add(tag, -plan.least[cell, number], plan.least[cell, number - 1])
    for cell in inputs:
        cnf.add(Tag("backward consistency", cell), -plan.least[cell, 2])
    for cell in outputs:
        cnf.add(Tag("backward consistency", cell), plan.least[cell, 2])

    def rises(tag: Tag, given: list[int], one: Cell, other: Cell) -> None:
        for number in range(1, most):
            cnf.add(tag, *given, -plan.least[one, number], plan.least[other, number + 1])
        cnf.add(tag, *given, -plan.least[one, most])

    for (cell, word), points in plan.points.items():
        ahead = level.ahead(cell, word)
        if ahead is not None and cell not in outputs:
            rises(Tag("forward increment", cell), [-points, -plan.pieces[ahead]], cell, ahead)
    for (cell, word), inserter in plan.inserter.items():
        behind = level.ahead(cell, OPPOSITE[word])
        if behind is not None:
            tag = Tag("backward consistency", cell)
            rises(tag, [-inserter, -plan.belts[behind]], behind, cell)
            cnf.add(tag, -inserter, -plan.covered[behind], -plan.least[cell, 2])


def _no_cycles(plan: Plan) -> None:
    """Route numbers exist: no piece points at a cell where an item comes in, and pieces form no cycle."""
    level, cnf = plan.level, plan.cnf
    inputs, outputs = {port.cell for port in level.inputs}, {port.cell for port in level.outputs}
    arcs: dict[tuple[Cell, Cell], int] = {}
    for (cell, word), points in plan.points.items():
        ahead = level.ahead(cell, word)
        if ahead is None or cell in outputs:
            continue
        tag = Tag("forward increment", cell)
        if ahead in inputs:
            cnf.add(tag, -points)
            continue
        arcs[cell, ahead] = cnf.new(("arc", cell, ahead))
        cnf.add(tag, -points, -plan.pieces[ahead], arcs[cell, ahead])
        cnf.add(tag, -plan.inserter[ahead, word], -plan.belts[cell], arcs[cell, ahead])
    forbid_cycles(cnf, level, arcs, Tag("forward increment"))


def _items(plan: Plan) -> None:
    """Item input, output and carry; assembler input and output."""
    level, cnf = plan.level, plan.cnf
    items = level.items
    outputs = {port.cell for port in level.outputs}
    for cell in level.cells():
        tag = Tag("item carry", cell)
        held = [cnf.new(("item", cell, item)) for item in items]
        plan.item.update({(cell, item): variable for item, variable in zip(items, held, strict=True)})
        cnf.at_most_one(tag, held)
        cnf.add(tag, -plan.pieces[cell], *held)
        for variable in held:
            cnf.add(tag, -variable, plan.pieces[cell])
    for rule, ports in (("item input", level.inputs), ("item output", level.outputs)):
        for port in ports:
            cnf.add(Tag(rule, port.cell, port.item), plan.item[port.cell, port.item])
    for (cell, word), points in plan.points.items():
        ahead = level.ahead(cell, word)
        if ahead is not None and cell not in outputs:
            for item in items:
                given = (-points, -plan.pieces[ahead], -plan.item[cell, item])
                cnf.add(Tag("item carry", cell, item), *given, plan.item[ahead, item])
    for (cell, word), inserter in plan.inserter.items():
        behind = level.ahead(cell, OPPOSITE[word])
        if behind is not None:
            for item in items:
                here, there = plan.item[cell, item], plan.item[behind, item]
                cnf.add(Tag("item carry", cell, item), -inserter, -there, here)
    for (centre, name), assembler in plan.assembler.items():
        recipe = level.recipe(name)
        taken = [item for item, _ in recipe.takes]
        beside = around(level, centre)
        leaving = [plan.inserter[cell, away] for cell, away in beside]
        cnf.add(Tag("assembler output", centre, name), -assembler, *leaving)
        for cell, away in beside:
            tag = Tag("assembler output", centre, name)
            cnf.add(tag, -assembler, -plan.inserter[cell, away], plan.item[cell, recipe.gives[0]])
            held = [plan.item[cell, item] for item in taken]
            tag = Tag("assembler input", centre, name)
            cnf.add(tag, -assembler, -plan.inserter[cell, OPPOSITE[away]], *held)
        for item in taken:
            tag = Tag("assembler input", centre, name)
            cnf.add(tag, -assembler, *(enters(plan, cell, OPPOSITE[away], item) for cell, away in beside))


def enters(plan: Plan, cell: Cell, word: str, item: str) -> int:
    """The variable for: an inserter of that direction is on the cell and carries that item."""
    name: Hashable = ("enters", cell, word, item)
    if name in plan.cnf.variables:
        return plan.cnf.variables[name]
    made = plan.cnf.new(name)
    inserter, carried = plan.inserter[cell, word], plan.item[cell, item]
    tag = Tag("item carry", cell, item)
    plan.cnf.add(tag, -made, inserter)
    plan.cnf.add(tag, -made, carried)
    plan.cnf.add(tag, made, -inserter, -carried)
    return made
