"""Bounded model checking (Biere, Cimatti, Clarke and Zhu 1999): one more step at a time, until a goal is
reachable.

It finds traces and proves bounds. It proves unreachability only for a model without actions or with the goal
*false*. If all actions cost the same, except walks without cost, the first trace is a cheapest one. Otherwise the
first trace has the fewest steps and is not claimed to be cheapest.
"""

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, cost_of
from puzzlemc.mc.model.formula import constant
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace, run_to_goal
from puzzlemc.mc.passes.free_moves import with_walks
from puzzlemc.mc.sat.solutions import satisfy
from puzzlemc.mc.sat.solvers import SOLVERS, Assignment
from puzzlemc.mc.sat.unroll import Unroller, free_walks
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Unreachable, Verdict, within_limits


def bmc(
    model: Model,
    metric: str,
    budget: Budget,
    *,
    solver: str = "cadical",
    most_steps: int | None = None,
) -> Verdict:
    """Search for a trace of at most `most_steps` steps by SAT.

    Under `any`, independent actions may share a step. Under a metric in which walks cost nothing, a step includes
    the walks before it. Raises ModelError for an unknown metric.
    """
    if not model.actions:
        return satisfy(model, metric, budget)
    if constant(model.goal) is False:
        return Unreachable(lambda _: True)
    walks = frozenset[int]() if metric == ANY else free_walks(model, metric)
    step_costs = {cost_of(action, metric) for number, action in enumerate(model.actions) if number not in walks}
    least = min(step_costs, default=0)

    def attempt() -> Verdict:
        unroller = Unroller(model, parallel=metric == ANY, walks=walks)
        clauses = SOLVERS[solver](budget)
        clauses.add(unroller.frame(0))
        clauses.add([(unroller.init(0),)])
        steps = 0
        while True:
            if clauses.solve([unroller.goal(steps)]):
                trace = trace_of(unroller, clauses.solution(), steps, walks)
                cost = trace.cost(metric)
                optimal = metric != ANY and (cost == 0 or (len(step_costs) == 1 and least > 0))
                return Reachable(trace, cost, optimal, Statistics(steps + 1))
            clauses.add([(-unroller.goal(steps),)])
            if not unroller.parallel:
                budget.record_bound(least * (steps + 1))
            if not step_costs or steps == most_steps:
                return Unknown("bound", budget.bound, Statistics(steps + 1))
            clauses.add(unroller.step(steps))
            clauses.add(unroller.frame(steps + 1))
            steps += 1

    return within_limits(budget, attempt)


def trace_of(unroller: Unroller, true: Assignment, steps: int, walks: frozenset[int] = frozenset()) -> Trace:
    """The trace of a satisfying assignment over `steps` steps, completed by walks."""

    actions = [action for step in range(steps) for action in unroller.actions(true, step)]
    run = with_walks(unroller.model, walks, actions, unroller.state(true, 0))
    return run_to_goal(unroller.model, run.states, run.actions)
