"""The layouts better than a given one, as a model without actions: unreachable if that layout is the best.

A better layout has more output; or, by the criterion of the level, the same output with a shorter route or with
less loss. The clauses are those of a valid layout, and bounds on what output needs (`capacity.py`). The variable
`more output` says which of the two cases holds; it is false if the bound of `optimise.py` excludes more output.
Rates are lazy constraints: a layout that is not better violates a cut (`cuts.py`), which is true of every layout
with more output than the one that it was made from. Whoever checks a proof derives the cuts again.
"""

from collections.abc import Sequence

from puzzlemc.encodings.factorio.domain.rules import RULES, Measure, check
from puzzlemc.encodings.factorio.flow.network import Network, Program
from puzzlemc.encodings.factorio.model.clauses import Tag
from puzzlemc.encodings.factorio.model.constraint import Plan, plan
from puzzlemc.encodings.factorio.planner import cuts
from puzzlemc.encodings.factorio.planner.capacity import Capacity
from puzzlemc.encodings.factorio.planner.encodings import Holds, encoded
from puzzlemc.encodings.factorio.planner.optimise import Bounds
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.factorio import MINIMIZE_LOSS, MINIMIZE_ROUTE, Layout, Level

TAG = Tag("belt rate")


def surpass(level: Level, moves: Sequence[str], _: Budget) -> Encoded:
    """The model of the layouts that are better than the layout of a trace. Raises Refuted if that is not valid."""
    layout = RULES.read(level, moves)
    assert isinstance(layout, Layout)
    best = check(level, layout)
    constraints = plan(level, numbered=False)
    bounds = Bounds(level, proving=True)
    cnf, capacity = constraints.cnf, Capacity(constraints, bounds)
    more = cnf.new("more output")
    for clause in capacity.needed(best.output, more=False):
        cnf.add(TAG, *clause)
    for clause in capacity.needed(best.output, more=True):
        cnf.add(TAG, -more, *clause)
    if best.output >= bounds.greatest_output():
        cnf.add(TAG, -more)
    if level.optimize == MINIMIZE_ROUTE:
        pieces = list(constraints.pieces.values())
        cnf.add(TAG, more, -cnf.tally(Tag("route"), "route", pieces, best.route)[best.route - 1])
    elif level.optimize != MINIMIZE_LOSS or not best.loss:
        cnf.add(TAG, more)

    def violated(holds: Holds) -> list[list[int]]:
        return _cuts(constraints, best, more, holds)

    return encoded(constraints, violated)


def _cuts(constraints: Plan, best: Measure, more: int, holds: Holds) -> list[list[int]]:
    """Clauses that a layout violates unless it is better than the best; `more` is the variable `more output`."""
    level = constraints.level
    layout = constraints.layout(holds)
    program = Program(Network(level, layout))
    found = program.greatest()
    if found.value is not None and found.value > best.output:
        return []
    cut = cuts.better(constraints, program, found)
    if found.value != best.output:
        return [cut]
    if level.optimize == MINIMIZE_ROUTE and sum(map(holds, constraints.pieces.values())) < best.route:
        return []
    if level.optimize == MINIMIZE_LOSS:
        loss = program.least_loss(best.output).value
        if loss is not None and -loss < best.loss:
            return []
    clauses = [[-more, *cut]]
    if not holds(more):
        clauses.append([more, *(-literal for literal in constraints.stands(layout))])
    return clauses
