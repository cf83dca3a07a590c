"""A Factorio level as a model without actions: the clauses of a valid layout, rates included.

Rates are exact, and no clauses could say all of them. So where a layout that the clauses allow has no rates at
all, a clause that says why joins them (`cuts.py`), until there is a layout with rates, or none is left. Clauses
that come so are true of every layout that has rates, and whoever checks a proof finds them again.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

from pysat.solvers import Solver

from puzzlemc.encodings.factorio.flow.network import Network, Program, told
from puzzlemc.encodings.factorio.flow.simplex import maximize
from puzzlemc.encodings.factorio.model.clauses import Tag
from puzzlemc.encodings.factorio.model.constraint import Plan, plan
from puzzlemc.encodings.factorio.model.planar import crossing
from puzzlemc.encodings.factorio.planner import cuts
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, Clauses, State
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.model.variables import boolean
from puzzlemc.screens.factorio import DIRECTIONS, Layout, Level, json_form

MOST_CELLS = 49  # on which clauses alone show that ways cross, for a proof that knows nothing of planes
WORDED = ("belt", "inserter", "points")


def constraint(level: Level) -> Encoded:
    """The clauses that a valid layout satisfies; a solution is a layout, with its route numbers and items."""
    constraints = plan(level)
    return encoded(level, constraints, rated(level, constraints))


def encoded(level: Level, constraints: Plan, found: Sequence[int] | None) -> Encoded:
    """The model of some clauses; `found` are the literals of a solution, None where there is none."""
    names = _names(level, constraints.cnf.variables)
    variables = []
    for number in range(1, constraints.cnf.top + 1):
        name, indices = names.get(number, ("other", (number,)))
        variables.append(boolean(name, *indices))
    bits = tuple(b for variable in variables for b in variable.bits)
    goal = Clauses(bits, constraints.cnf.rows)
    number_of = {b: number for number, b in enumerate(bits, 1)}

    def guess(_: object) -> State | None:
        return None if found is None else _state(bits, found)

    def decode(state: State) -> Layout:
        held = {number_of[b] for b in state}
        return told(level, constraints.layout(held.__contains__))

    def moves(trace: Trace) -> list[str]:
        return [json_form.write_layout(decode(trace.states[-1]))]

    model = Model(tuple(variables), {}, (), goal, {"solved": goal}, Hints(guess=guess))
    return Encoded(model, decode, moves)


def rated(level: Level, constraints: Plan, budget: Budget | None = None) -> Sequence[int] | None:
    """The literals of a layout that has rates; None where there is none. Clauses that it takes are added.

    Raises LimitReached.
    """
    cnf = constraints.cnf
    if not can_work(level) or must_cross(level):
        never = cnf.new(("rates",))
        cnf.add(Tag("recipe ratio"), never)
        cnf.add(Tag("recipe ratio"), -never)
    sent = 0
    with Solver("cadical195") as solver:
        while True:
            if budget is not None:
                budget.check()
            for row in cnf.rows[sent:]:
                solver.add_clause(row)
            sent = len(cnf.rows)
            if not solver.solve():
                return None
            literals: list[int] = solver.get_model()
            held = {number for number in literals if number > 0}
            program = Program(Network(level, constraints.layout(held.__contains__)))
            best = program.greatest()
            if best.value is not None:
                return literals
            cnf.add(Tag("recipe ratio"), *cuts.better(constraints, program, best))


def must_cross(level: Level) -> bool:
    """Is the grid so large that solvers do not find out in time that ways cannot but cross, and do they?"""
    return level.width * level.height > MOST_CELLS and crossing(level) is not None


def can_work(level: Level) -> bool:
    """Can assemblers of all recipes work at a time, whatever the grid: is enough brought and made of each item?"""
    least, one = "least", Fraction(1)
    rows: list[tuple[dict[Hashable, Fraction], Fraction]] = [({least: one}, one)]
    balance: dict[str, dict[Hashable, Fraction]] = {item: {} for item in level.items}
    for recipe in level.recipes:
        rows.append(({least: one, recipe: -one}, Fraction(0)))
        balance[recipe.gives[0]][recipe] = -recipe.gives[1]
        for item, rate in recipe.takes:
            balance[item][recipe] = rate
    for port in level.inputs:
        balance[port.item][port] = -one
    rows += [(form, Fraction(0)) for form in balance.values() if form]
    best = maximize({least: one}, rows).value
    return best is None or best > 0


def _state(bits: Sequence[Bit], literals: Sequence[int]) -> State:
    """The state of a solver's literals; variables that it does not tell are free, and clear."""
    held = {number for number in literals if number > 0}
    return frozenset(b for number, b in enumerate(bits, 1) if number in held)


def _names(level: Level, variables: Mapping[Hashable, int]) -> dict[int, tuple[str, tuple[int, ...]]]:
    """By variable a name and indices: row and column of what it is about, and the number of an item or recipe."""
    recipes = [recipe.name for recipe in level.recipes]
    found: dict[int, tuple[str, tuple[int, ...]]] = {}
    for name, number in variables.items():
        match name:
            case (str(kind), (int(row), int(column)), str(word)) if kind in WORDED and word in DIRECTIONS:
                found[number] = f"{kind}_{word}", (row, column)
            case ("assembler", (int(row), int(column)), str(word)):
                found[number] = "assembler", (row, column, recipes.index(word))
            case ("item", (int(row), int(column)), str(word)):
                found[number] = "item", (row, column, level.items.index(word))
            case ("least", (int(row), int(column)), int(least)):
                found[number] = "route", (row, column, least)
            case (("centre" | "covered" | "belts" | "pieces") as kind, (int(row), int(column))):
                found[number] = kind, (row, column)
    return found
