"""The flow of items along a layout: route numbers, the item of each piece, and the best rates.

All of them follow from the belts, inserters and assemblers on the grid. Routes and items propagate forward from
inputs and assemblers. Rates are the solution of a linear program. Its variables are the inflow at each input,
the inflow of each inserter that takes from a belt, and the part of the time that each assembler works. The outflow
of a belt is a linear form of these variables.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from puzzlemc.encodings.factorio.flow.simplex import Form, Optimum, maximize
from puzzlemc.mc.errors import Refuted
from puzzlemc.screens.factorio import OPPOSITE, Cell, Layout, Level, Rates, Recipe, area, where

LEAST = Fraction(1, 1000)  # minimal rate of an inserter in a linear program, in items a minute
BELT, INSERTER = Fraction(450), Fraction(50)  # maximal rates, in items a minute


@dataclass(frozen=True)
class Machine:
    """An assembler with the inserters that give to it, by item, and those that take from it."""

    centre: Cell
    recipe: Recipe
    entering: dict[str, list[Cell]]
    leaving: list[Cell]


@dataclass(frozen=True)
class Row:
    """A constraint, form ≤ limit.

    `kind` names the rule; `cells` are the belts and `machines` the assemblers of the constraint. The kinds `spare`
    and `need` concern the first machine and its ingredient `about`; the other machines make that ingredient.
    """

    form: Form
    limit: Fraction
    kind: str
    cells: frozenset[Cell]
    machines: tuple[Machine, ...] = ()
    about: str = ""


@dataclass(frozen=True)
class Network:
    """The graph of pieces of a layout; the things on its grid must have no faults."""

    level: Level
    layout: Layout
    belts: dict[Cell, str] = field(init=False)
    inserters: dict[Cell, str] = field(init=False)

    def __post_init__(self) -> None:
        for name, grid in (("belts", self.layout.belts), ("inserters", self.layout.inserters)):
            found = {(i, j): word for i, row in enumerate(grid) for j, word in enumerate(row) if word}
            object.__setattr__(self, name, found)

    @cached_property
    def before(self) -> dict[Cell, list[Cell]]:
        """By piece, its predecessors: the pieces that point at it; for an inserter, the belt behind it."""
        pieces = self.belts | self.inserters
        found: dict[Cell, list[Cell]] = {cell: [] for cell in pieces}
        outputs = {port.cell for port in self.level.outputs}
        for cell, direction in pieces.items():
            ahead = self.level.ahead(cell, direction)
            if cell in self.inserters:
                behind = self.level.ahead(cell, OPPOSITE[direction])
                if behind in self.belts:
                    found[cell].append(behind)
            if ahead in self.belts and cell not in outputs:
                found[ahead].append(cell)
        return found

    @cached_property
    def order(self) -> list[Cell]:
        """The pieces in topological order. Raises Refuted for a cycle."""
        before = {cell: len(cells) for cell, cells in self.before.items()}
        after: dict[Cell, list[Cell]] = {cell: [] for cell in before}
        for cell, cells in self.before.items():
            for other in cells:
                after[other].append(cell)
        found = [cell for cell, many in before.items() if not many]
        for cell in found:
            for other in after[cell]:
                before[other] -= 1
                if not before[other]:
                    found.append(other)
        if len(found) < len(before):
            cell = min(cell for cell, many in before.items() if many)
            raise Refuted(f"a cycle: no route numbers rise from {where(cell)} back to it")
        return found

    @cached_property
    def centre(self) -> dict[Cell, Cell]:
        """The centre of the assembler on a cell."""
        return {cell: centre for centre, _ in self.layout.assemblers for cell in area(centre)}

    def source(self, cell: Cell) -> Cell | None:
        """The centre of the assembler that an inserter takes from."""
        if cell not in self.inserters:
            return None
        behind = self.level.ahead(cell, OPPOSITE[self.inserters[cell]])
        return None if behind is None else self.centre.get(behind)

    def target(self, cell: Cell) -> Cell | None:
        """The centre of the assembler that an inserter gives to."""
        ahead = self.level.ahead(cell, self.inserters[cell])
        return None if ahead is None else self.centre.get(ahead)

    def routes(self) -> dict[Cell, int]:
        """The least route numbers."""
        found: dict[Cell, int] = {}
        for cell in self.order:
            found[cell] = 1 + max((found[other] for other in self.before[cell]), default=0)
        return found

    def items(self) -> dict[Cell, str]:
        """The item of each piece: that of its predecessors."""
        recipes = dict(self.layout.assemblers)
        inputs = {port.cell: port.item for port in self.level.inputs}
        found: dict[Cell, str] = {}
        for cell in self.order:
            source = self.source(cell)
            if cell in inputs:
                found[cell] = inputs[cell]
            elif source is not None:
                found[cell] = self.level.recipe(recipes[source]).gives[0]
            else:
                found[cell] = next((found[other] for other in self.before[cell]), "")
        return found

    @cached_property
    def machines(self) -> list[Machine]:
        """All assemblers."""
        items = self.items()
        found = []
        for centre, name in self.layout.assemblers:
            recipe = self.level.recipe(name)
            entering: dict[str, list[Cell]] = {item: [] for item, _ in recipe.takes}
            for cell in self.inserters:
                if self.target(cell) == centre:
                    entering.setdefault(items[cell], []).append(cell)
            leaving = [cell for cell in self.inserters if self.source(cell) == centre]
            found.append(Machine(centre, recipe, entering, leaving))
        return found


class Program:
    """The linear program of a network. An inserter that takes from a belt has the inflow LEAST + its variable."""

    def __init__(self, network: Network) -> None:
        self.network = network
        level = network.level
        outputs = {port.cell for port in level.outputs}
        taking: dict[Cell, list[Cell]] = {cell: [] for cell in network.belts}
        for cell in network.inserters:
            for behind in network.before[cell]:
                taking[behind].append(cell)
        machine = {found.centre: found for found in network.machines}
        self._inflow: dict[Cell, dict[Hashable, Fraction]] = {}
        self._outflow: dict[Cell, dict[Hashable, Fraction]] = {}
        self.above: dict[Cell, frozenset[Cell]] = {}  # by piece: the belts upstream of it, and itself
        self._makers: dict[Cell, tuple[Machine, ...]] = {}
        self.rows: list[Row] = []
        inputs = {port.cell for port in level.inputs}
        for cell in network.order:
            above: frozenset[Cell] = frozenset()
            makers: dict[Cell, Machine] = {}
            got: dict[Hashable, Fraction] = {}
            source = network.source(cell)
            if cell in inputs:
                got[cell] = Fraction(1)
                self._row(got, BELT, "input")
            elif source is not None:
                made = machine[source]
                got[source] = made.recipe.gives[1] / len(made.leaving)
                makers[source] = made
                self._row(got, INSERTER, "leaving", machines=(made,))
            elif cell in network.inserters:
                got = {cell: Fraction(1), None: LEAST}
                self._row(got, INSERTER, "inserter")
            else:
                for other in network.before[cell]:
                    _sum(got, self._outflow[other], 1)
                    if other in network.belts:
                        above |= self.above[other]
                    makers |= {found.centre: found for found in self._makers[other]}
            self._inflow[cell], self._outflow[cell] = got, got
            if cell in network.belts:
                above |= {cell}
            self.above[cell], self._makers[cell] = above, tuple(makers.values())
            if cell in network.belts:
                if len(network.before[cell]) > 1:
                    self._row(got, BELT, "belt", above, self._makers[cell])
                if taking[cell]:
                    self._outflow[cell] = dict(got)
                    for taker in taking[cell]:
                        _sum(self._outflow[cell], {taker: Fraction(1), None: LEAST}, -1)
                    negative = {name: -value for name, value in self._outflow[cell].items()}
                    self._row(negative, Fraction(0), "left", above, self._makers[cell])
        for made in network.machines:
            self._row({made.centre: Fraction(1)}, Fraction(1), "work")
            for item, cells in made.entering.items():
                got = {made.centre: -made.recipe.rate(item)}
                for cell in cells:
                    _sum(got, self._outflow[cell], 1)
                makers = {found.centre: found for cell in cells for found in self._makers[cell]}
                self._row(got, Fraction(0), "spare", machines=(made, *makers.values()), about=item)
                negative = {name: -value for name, value in got.items()}
                self._row(negative, Fraction(0), "need", machines=(made, *makers.values()), about=item)
        self.output: dict[Hashable, Fraction] = {}
        self.output_cells: frozenset[Cell] = frozenset()
        makers = {}
        for cell in outputs:
            _sum(self.output, self._outflow[cell], 1)
            self.output_cells |= self.above[cell]
            makers |= {found.centre: found for found in self._makers[cell]}
        self.output_machines = tuple(makers.values())
        self.loss: dict[Hashable, Fraction] = {}
        for cell, direction in network.belts.items():
            ahead = level.ahead(cell, direction)
            if cell not in outputs and ahead is not None and network.inserters.get(ahead) == direction:
                _sum(self.loss, self._outflow[cell], 1)

    def _row(
        self,
        form: Form,
        limit: Fraction,
        kind: str,
        cells: frozenset[Cell] = frozenset(),
        machines: tuple[Machine, ...] = (),
        about: str = "",
    ) -> None:
        self.rows.append(Row(form, limit, kind, cells, machines, about))

    def greatest(self) -> Optimum:
        """The greatest output."""
        return self._best(self.output, [(row.form, row.limit) for row in self.rows])

    def least_loss(self, output: Fraction) -> Optimum:
        """The least loss with at least that output. The value is the negative loss, which is maximized."""
        rows = [(row.form, row.limit) for row in self.rows]
        rows.append(({name: -value for name, value in self.output.items()}, -output))
        return self._best({name: -value for name, value in self.loss.items()}, rows)

    @staticmethod
    def _best(objective: Form, rows: list[tuple[Form, Fraction]]) -> Optimum:
        def split(form: Form) -> tuple[Form, Fraction]:
            return {name: v for name, v in form.items() if name is not None}, form.get(None, Fraction(0))

        plain, constant = split(objective)
        made = [(part, limit - shift) for form, limit in rows for part, shift in [split(form)]]
        found = maximize(plain, made)
        return replace(found, value=None if found.value is None else found.value + constant)

    def rates(self, best: Optimum) -> tuple[Rates, Rates]:
        """Inflow and outflow by cell at the point of an optimum."""
        level = self.network.level
        point = {**best.point, None: Fraction(1)}

        def grid(forms: dict[Cell, dict[Hashable, Fraction]]) -> Rates:
            values = {
                cell: sum((value * point.get(name, 0) for name, value in form.items()), Fraction(0))
                for cell, form in forms.items()
            }
            return tuple(
                tuple(values.get((row, column), Fraction(0)) for column in range(level.width))
                for row in range(level.height)
            )

        return grid(self._inflow), grid(self._outflow)


def _sum(form: dict[Hashable, Fraction], other: Form, times: int) -> None:
    for name, value in other.items():
        form[name] = form.get(name, Fraction(0)) + times * value


def completed(level: Level, layout: Layout) -> Layout:
    """A layout with its missing parts computed: areas, routes, items and rates.

    The rates have the greatest output, and with that the least loss. Raises Refuted if there are no rates or no
    route numbers. The things on the grid must have no faults.
    """
    network = Network(level, layout)
    if not layout.areas:
        recipes = dict(layout.assemblers)
        areas = {cell: recipes[centre] for cell, centre in network.centre.items()}
        layout = replace(layout, areas=_words(level, areas))
    if not layout.routes:
        routes = network.routes()
        rows = range(level.height)
        numbers = tuple(tuple(routes.get((row, column), 0) for column in range(level.width)) for row in rows)
        layout = replace(layout, routes=numbers)
    if not layout.items:
        layout = replace(layout, items=_words(level, network.items()))
    if not layout.inflow:
        network.order  # noqa: B018 - raises for a cycle
        if any(set(made.entering) != {item for item, _ in made.recipe.takes} for made in network.machines):
            # The plain rules report the faults of the items.
            nothing: Rates = ((Fraction(0),) * level.width,) * level.height
            return replace(layout, inflow=nothing, outflow=nothing)
        if any(not made.leaving for made in network.machines):
            nothing = ((Fraction(0),) * level.width,) * level.height
            return replace(layout, inflow=nothing, outflow=nothing)
        inflow, outflow = best_rates(network)
        layout = replace(layout, inflow=inflow, outflow=outflow)
    return layout


def best_rates(network: Network) -> tuple[Rates, Rates]:
    """Inflow and outflow with the greatest output, then the least loss. Raises Refuted if there are none."""
    program = Program(network)
    best = program.greatest()
    if best.value is None:
        raise Refuted("no rates fit: what recipes, belts and inserters ask for contradicts itself")
    if program.loss:
        best = program.least_loss(best.value)
    return program.rates(best)


def _words(level: Level, words: dict[Cell, str]) -> tuple[tuple[str, ...], ...]:
    rows: Iterator[tuple[str, ...]] = (
        tuple(words.get((row, column), "") for column in range(level.width)) for row in range(level.height)
    )
    return tuple(rows)
