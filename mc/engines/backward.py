"""Backward reachability over sets of states: a forward search in the reversed system."""

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_to_goal
from puzzlemc.mc.symbolic.capacity import decide_with_capacity
from puzzlemc.mc.symbolic.evidence import never_reaches, statistics
from puzzlemc.mc.symbolic.search import path, search
from puzzlemc.mc.symbolic.system import compile_system
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict


def backward(model: Model, metric: str, budget: Budget, *, diagrams: str = "zdd") -> Verdict:
    """Decide reachability of the goal backward, from the goal to the initial states.


    Raises ModelError for a metric that the model does not know.
    """

    def attempt(capacity: int) -> Verdict:
        system = compile_system(model, metric, diagrams, capacity).reverse()
        progress, hit = search(system, budget)
        if not hit:
            return Unreachable(never_reaches(model, progress), statistics(progress))
        states, actions = path(progress, system.pick(hit), progress.layers[-1].cost)
        trace = run_to_goal(model, states[::-1], actions[::-1])
        return Reachable(trace, trace.cost(metric), metric != ANY, statistics(progress))

    return decide_with_capacity(diagrams, budget, attempt)
