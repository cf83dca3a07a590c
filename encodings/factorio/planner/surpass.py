"""What would be better than a layout, as a model without actions: unsolvable just where the layout is the best.

The clauses are those of a valid layout, and that it has more output, which no layout has where the bound of
`optimise.py` says so; or, by the criterion of the level, as much
with a shorter route or with less loss. What rates say of that joins them as in `model.py`, layout by layout: a cut
is true of every layout with more output than the one that it was made from. Whoever checks that the clauses
contradict themselves finds the cuts again.
"""

from collections.abc import Sequence

from puzzlemc.encodings.factorio.domain.rules import RULES, check
from puzzlemc.encodings.factorio.flow.network import Network, Program
from puzzlemc.encodings.factorio.model.clauses import Tag
from puzzlemc.encodings.factorio.model.constraint import plan
from puzzlemc.encodings.factorio.planner import cuts
from puzzlemc.encodings.factorio.planner.capacity import Capacity
from puzzlemc.encodings.factorio.planner.encodings import encoded
from puzzlemc.encodings.factorio.planner.optimise import greatest_output
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.sat.solvers import Cadical
from puzzlemc.screens.factorio import MINIMIZE_LOSS, MINIMIZE_ROUTE, Layout, Level

PAUSE_SECONDS = 0.5


def surpass(level: Level, moves: Sequence[str], budget: Budget) -> Encoded:
    """The model of the layouts that are better than the one of a trace.

    Raises Refuted where that is not valid, and LimitReached.
    """
    layout = RULES.read(level, moves)
    assert isinstance(layout, Layout)
    best = check(level, layout)
    constraints = plan(level, numbered=False)
    cnf, capacity = constraints.cnf, Capacity(constraints)
    more = cnf.new("more output")
    tag = Tag("belt rate")
    for clause in capacity.needed(best.output, more=False):
        cnf.add(tag, *clause)
    for clause in capacity.needed(best.output, more=True):
        cnf.add(tag, -more, *clause)
    if best.output >= greatest_output(level):
        cnf.add(tag, -more)
    pieces = list(constraints.pieces.values())
    if level.optimize == MINIMIZE_ROUTE:
        cnf.add(tag, more, -cnf.tally(Tag("route"), "route", pieces, best.route)[best.route - 1])
    elif level.optimize != MINIMIZE_LOSS or not best.loss:
        cnf.add(tag, more)
    solver, sent = Cadical(budget, sparse=True, pause=PAUSE_SECONDS), 0
    while True:
        solver.add(cnf.rows[sent:])
        sent = len(cnf.rows)
        if not solver.solve():
            return encoded(level, constraints, None)
        solution = solver.solution()
        layout = constraints.layout(solution.__contains__)
        program = Program(Network(level, layout))
        found = program.greatest()
        surpasses = found.value is not None and found.value > best.output
        if found.value == best.output:
            if level.optimize == MINIMIZE_ROUTE:
                surpasses = sum(piece in solution for piece in pieces) < best.route
            elif level.optimize == MINIMIZE_LOSS:
                loss = program.least_loss(best.output).value
                surpasses = loss is not None and -loss < best.loss
        if surpasses:
            variables = range(1, cnf.top + 1)
            return encoded(level, constraints, [v if v in solution else -v for v in variables])
        cut = cuts.better(constraints, program, found)
        if found.value != best.output:
            cnf.add(tag, *cut)
        else:
            cnf.add(tag, -more, *cut)
            if more not in solution:
                cnf.add(tag, more, *(-literal for literal in constraints.stands(layout)))
