"""Bounded model checking (Biere, Cimatti, Clarke and Zhu 1999): one more step at a time, until a goal fits.

It finds traces and proves bounds, never that there is no trace. Where all actions cost the same, the first trace
is a shortest one. Where they do not, it has the fewest steps, and is not claimed to be cheapest.
"""

from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Model, cost_of
from puzzlemc.mc.shared import run_to_goal, within_limits
from puzzlemc.mc.solvers import SOLVERS
from puzzlemc.mc.unroll import Unroller
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Verdict


def bmc(
    model: Model,
    metric: str,
    watch: Watch,
    diagrams: str = "",
    *,
    solver: str = "cadical",
    most_steps: int | None = None,
) -> Verdict:
    """Search for a trace by SAT, with `most_steps` steps at most. `diagrams` is not used.

    Under `any`, actions that do not interfere may share a step. Raises ModelError for an unknown metric.
    """
    prices = {cost_of(action, metric) for action in model.actions}
    least = min(prices, default=0)

    def attempt() -> Verdict:
        unroller = Unroller(model, parallel=metric == ANY)
        clauses = SOLVERS[solver](watch)
        clauses.add(unroller.frame(0))
        clauses.add([(unroller.init(0),)])
        time = 0
        while True:
            if clauses.solve([unroller.goal(time)]):
                true = clauses.solution()
                states, actions = [unroller.state(true, 0)], []
                for step in range(time):
                    for action in unroller.actions(true, step):
                        actions.append(action)
                        states.append(action.fire(states[-1]))
                trace = run_to_goal(model, states, actions)
                optimal = metric != ANY and (len(prices) <= 1 and (least > 0 or not actions))
                optimal |= metric != ANY and trace.cost(metric) == 0
                return Reachable(trace, trace.cost(metric), optimal, Statistics(time + 1))
            clauses.add([(-unroller.goal(time),)])
            if metric != ANY or not unroller.parallel:
                watch.prove(least * (time + 1))
            if not model.actions or time == most_steps:
                return Unknown("bound", watch.bound, Statistics(time + 1))
            clauses.add(unroller.step(time))
            clauses.add(unroller.frame(time + 1))
            time += 1

    return within_limits(watch, attempt)
