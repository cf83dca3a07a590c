"""Combinatorial Benders cuts (Codato and Fischetti 2006): clauses that every layout with better rates satisfies.

The proof that a linear program has no greater value is a sum of its rows. A row holds for another layout, too,
unless that layout has something that gives more to the cells of the row: another piece that points at these belts,
another inserter that gives to this assembler, and so on. So every better layout has one of these changes. The cut
is the disjunction of the literals that stand for them.
"""

from collections.abc import Iterator

from puzzlemc.encodings.factorio.flow.network import Machine, Program
from puzzlemc.encodings.factorio.flow.simplex import Optimum
from puzzlemc.encodings.factorio.model.constraint import Plan, around, enters
from puzzlemc.screens.factorio import DIRECTIONS, OPPOSITE, Cell


def better(plan: Plan, program: Program, best: Optimum) -> list[int]:
    """The cut of a layout: each layout with a greater output satisfies one of these literals.

    If the layout has no rates, the cut holds for each layout that has.
    """
    found = set(_rows(plan, program, best))
    if best.value is not None:
        found |= {*_feeds(plan, program, program.output_cells)}
        for machine in program.output_machines:
            found |= {*_less(plan, program, program.output_cells, machine)}
    return sorted(found)


def _rows(plan: Plan, program: Program, best: Optimum) -> Iterator[int]:
    """Literals of the changes after which a row of the proof need not hold."""
    network = program.network
    for name in best.bounds:
        if name in network.inserters:
            yield -plan.inserter[name, network.inserters[name]]
    for index in best.rows:
        row = program.rows[index]
        if row.kind == "leaving":
            yield from _leaving(plan, row.machines[0])
        elif row.kind == "belt":
            for cell in row.cells:
                yield -plan.belt[cell, network.belts[cell]]
                for word in DIRECTIONS:
                    beside = plan.level.ahead(cell, word)
                    if beside is not None and network.inserters.get(beside) != word:
                        yield plan.inserter[beside, word]
            for machine in row.machines:
                yield from _same(plan, program, machine)
        elif row.kind == "left":
            yield from _feeds(plan, program, row.cells)
            for machine in row.machines:
                yield from _less(plan, program, row.cells, machine)
        elif row.kind == "spare":
            machine, *makers = row.machines
            yield -plan.assembler[machine.centre, machine.recipe.name]
            for maker in makers:
                yield from _same(plan, program, maker)
        elif row.kind == "need":
            machine, *makers = row.machines
            for cell, away in around(plan.level, machine.centre):
                if cell not in machine.entering[row.about]:
                    yield enters(plan, cell, OPPOSITE[away], row.about)
            for maker in makers:
                yield from _less(plan, program, frozenset(), maker)


def _feeds(plan: Plan, program: Program, cells: frozenset[Cell]) -> Iterator[int]:
    """Literals of the missing pieces that could bring more to some belts."""
    network = program.network
    inputs = {port.cell for port in plan.level.inputs}
    for cell in cells - inputs:
        for side in DIRECTIONS:
            beside = plan.level.ahead(cell, side)
            if beside is None:
                continue
            word = OPPOSITE[side]
            if beside not in cells and network.belts.get(beside) != word:
                yield plan.belt[beside, word]
            if network.inserters.get(beside) != word:
                yield plan.inserter[beside, word]


def _leaving(plan: Plan, machine: Machine) -> Iterator[int]:
    """Literals of the missing inserters that could take from an assembler."""
    for cell, away in around(plan.level, machine.centre):
        if cell not in machine.leaving:
            yield plan.inserter[cell, away]


def _less(plan: Plan, program: Program, cells: frozenset[Cell], machine: Machine) -> Iterator[int]:
    """Literals of the changes that could give some belts a greater share of the product of an assembler."""
    network = program.network
    yield -plan.assembler[machine.centre, machine.recipe.name]
    ahead = {plan.level.ahead(cell, network.inserters[cell]) for cell in machine.leaving}
    if not ahead <= cells:
        for cell in machine.leaving:
            yield -plan.inserter[cell, network.inserters[cell]]


def _same(plan: Plan, program: Program, machine: Machine) -> Iterator[int]:
    """Literals of the changes that could alter the shares of the product of an assembler."""
    yield -plan.assembler[machine.centre, machine.recipe.name]
    for cell in machine.leaving:
        yield -plan.inserter[cell, program.network.inserters[cell]]
    yield from _leaving(plan, machine)
