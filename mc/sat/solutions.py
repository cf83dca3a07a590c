"""Constraint models, whose traces have length 0: a solution is an initial state that is a goal state.

A SAT solver decides them without any steps. To list all solutions, a clause blocks each one that was found.
"""

from collections.abc import Iterator
from dataclasses import replace

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import TRUE, Clauses, State, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.sat.refinement import written_out
from puzzlemc.mc.sat.solvers import Cadical
from puzzlemc.mc.sat.unroll import Unroller
from puzzlemc.mc.verdict import Reachable, Statistics, Unreachable, Verdict, within_limits


def satisfy(model: Model, metric: str, budget: Budget) -> Verdict:
    """The verdict on a model without actions: a solution, or the initial condition as invariant."""

    def attempt() -> Verdict:
        written = written_out(model, budget)
        found = _solution_found(written, budget)
        if found is not None and holds(model.init, found) and holds(model.goal, found):
            return Reachable(Trace((found,), ()), 0, optimal=metric != ANY, statistics=Statistics(1))
        for state in solutions(written, budget):
            return Reachable(Trace((state,), ()), 0, optimal=metric != ANY, statistics=Statistics(1))
        circuit = Circuit([str(b) for b in model.bits])
        proof = LayeredProof(circuit, (circuit.formula(model.init),))
        return Unreachable(lambda state: holds(model.init, state), Statistics(1), proof)

    return within_limits(budget, attempt)


def _solution_found(model: Model, budget: Budget) -> State | None:
    """What the model's solution finder finds in half of the time. SAT may prove sooner that there is none."""
    if model.hints.solution_finder is None:
        return None
    half = None if budget.left is None else budget.left / 2
    try:
        return model.hints.solution_finder(budget.part(replace(budget.limits, seconds=half)))
    except LimitReached:
        return None


def solutions(model: Model, budget: Budget) -> Iterator[State]:
    """Yield all initial states that are goal states, each once, as they are found. Raises LimitReached."""
    model = written_out(model, budget)
    # Clauses go to the solver directly, other formulas through the unroller.
    ends = (model.init, model.goal)
    init, goal = (TRUE if isinstance(end, Clauses) else end for end in ends)
    unroller, solver = Unroller(replace(model, init=init, goal=goal)), Cadical(budget)
    solver.add([*unroller.frame(0), (unroller.init(0),), (unroller.goal(0),)])
    for end in ends:
        if isinstance(end, Clauses):
            solver.add(_numbered(end, unroller))
    # Every bit must be a variable of the solver, even if no formula mentions it.
    solver.add([(unroller.bit(b, 0), -unroller.bit(b, 0)) for b in model.bits])
    while solver.solve():
        state = unroller.state(solver.solution(), 0)
        yield state
        solver.add([[-unroller.bit(b, 0) if b in state else unroller.bit(b, 0) for b in model.bits]])


def _numbered(formula: Clauses, unroller: Unroller) -> Iterator[list[int]]:
    """The clauses with the variables of an unroller."""

    number = [unroller.bit(b, 0) for b in formula.bits]
    for row in formula.rows:
        yield [number[v - 1] if v > 0 else -number[-v - 1] for v in row]
