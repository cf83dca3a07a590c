"""A Factorio level as a model without actions: the clauses of a valid layout, and rates as lazy constraints.

Rates are exact, and no reasonable number of clauses describes them. They are lazy constraints of the goal: if the
linear program of a layout has no solution, `cuts.py` makes a clause that says why. Every layout with rates
satisfies this clause, so whoever checks a proof can derive it again.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction

from puzzlemc.encodings.factorio.flow.network import Network, Program, completed
from puzzlemc.encodings.factorio.flow.simplex import maximize
from puzzlemc.encodings.factorio.model.clauses import Tag
from puzzlemc.encodings.factorio.model.constraint import Plan, plan
from puzzlemc.encodings.factorio.model.planar import crossing
from puzzlemc.encodings.factorio.planner import cuts
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Clauses, State
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.sat.refinement import PAUSE_SECONDS, Refinement
from puzzlemc.mc.sat.solvers import Assignment, Cadical
from puzzlemc.screens.factorio import DIRECTIONS, Layout, Level, json_form

MOST_CELLS = 49  # up to this size, clauses alone refute routes that must cross; the proof then needs no planarity
WORDED = ("belt", "inserter", "points")

Holds = Callable[[int], bool]  # which variables hold in a solution
Violated = Callable[[Holds], Sequence[Sequence[int]]]


def constraint(level: Level) -> Encoded:
    """The model whose goal states are the valid layouts, with their route numbers and items."""
    constraints = plan(level)
    _forbid_the_impossible(constraints)

    def violated(holds: Holds) -> list[list[int]]:
        cut = rates_cut(constraints, holds)
        return [] if cut is None else [cut]

    return encoded(constraints, violated)


def encoded(constraints: Plan, violated: Violated) -> Encoded:
    """The model of the clauses of a plan with lazy constraints; `violated` is that of `Clauses`."""
    level = constraints.level
    names = _names(level, constraints.cnf.variables)
    variables = []
    for number in range(1, constraints.cnf.top + 1):
        name, indices = names.get(number, ("other", (number,)))
        variables.append(boolean(name, *indices))
    bits = tuple(b for variable in variables for b in variable.bits)
    goal = Clauses(bits, constraints.cnf.rows, violated)
    number_of = {b: number for number, b in enumerate(bits, 1)}

    def decode(state: State) -> Layout:
        held = {number_of[b] for b in state}
        return completed(level, constraints.layout(held.__contains__))

    def moves(trace: Trace) -> list[str]:
        return [json_form.write_layout(decode(trace.states[-1]))]

    # Layouts with few pieces are easier to find than others.
    model = Model(tuple(variables), {}, (), goal, {"solved": goal}, Hints(sparse=True))
    return Encoded(model, decode, moves)


def rates_cut(constraints: Plan, holds: Holds) -> list[int] | None:
    """A clause that a layout without rates violates; None if the layout has rates."""
    program = Program(Network(constraints.level, constraints.layout(holds)))
    best = program.greatest()
    return None if best.value is not None else cuts.better(constraints, program, best)


def has_layout(constraints: Plan, budget: Budget) -> bool:
    """Is there a layout with rates? The clauses that decide it are added to the plan. Raises LimitReached."""
    _forbid_the_impossible(constraints)
    cnf = constraints.cnf

    def judge(solution: Assignment) -> Assignment | None:
        cut = rates_cut(constraints, solution.__contains__)
        if cut is None:
            return solution
        cnf.add(Tag("recipe ratio"), *cut)
        return None

    return bool(Refinement(cnf.rows, Cadical(budget, pause=PAUSE_SECONDS)).find(judge))


def _forbid_the_impossible(constraints: Plan) -> None:
    """Add clauses without solutions if the level has no layout for a reason that clauses show too late."""
    if not can_work(constraints.level) or must_cross(constraints.level):
        never = constraints.cnf.new(("rates",))
        constraints.cnf.add(Tag("recipe ratio"), never)
        constraints.cnf.add(Tag("recipe ratio"), -never)


def must_cross(level: Level) -> bool:
    """Must two routes cross, on a grid that is too large for clauses alone to show it in reasonable time?"""
    return level.width * level.height > MOST_CELLS and crossing(level) is not None


def can_work(level: Level) -> bool:
    """Can assemblers of all recipes work at the same time on any grid: is the supply of each item sufficient?"""
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


def _names(level: Level, variables: Mapping[Hashable, int]) -> dict[int, tuple[str, tuple[int, ...]]]:
    """By variable: a name, and the indices row and column, and the number of an item or recipe."""
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
