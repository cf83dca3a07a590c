"""Forward reachability over sets of states, in layers of equal cost."""

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_to_goal
from puzzlemc.mc.symbolic.capacity import decide_with_capacity
from puzzlemc.mc.symbolic.dead_patterns import dead_patterns
from puzzlemc.mc.symbolic.evidence import reached_or_dead, statistics
from puzzlemc.mc.symbolic.search import path, search
from puzzlemc.mc.symbolic.system import compile_system
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict


def forward(model: Model, metric: str, budget: Budget, *, diagrams: str = "zdd") -> Verdict:
    """Decide reachability of the goal forward from the initial states; states with a dead pattern are pruned.


    Raises ModelError for a metric that the model does not know.
    """

    def attempt(capacity: int) -> Verdict:
        system = compile_system(model, metric, diagrams, capacity)
        dead = dead_patterns(model, system, budget)
        progress, hit = search(system if dead is None else dead.prune(), budget)
        if not hit:
            return Unreachable(reached_or_dead(model, progress, dead), statistics(progress))
        states, actions = path(progress, system.pick(hit), progress.layers[-1].cost)
        trace = run_to_goal(model, states, actions)
        return Reachable(trace, trace.cost(metric), metric != ANY, statistics(progress))

    return decide_with_capacity(diagrams, budget, attempt)
