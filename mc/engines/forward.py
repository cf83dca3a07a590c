"""Forward reachability over sets of states, in layers of equal cost."""

from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Model
from puzzlemc.mc.sets.capacity import decide_with_capacity
from puzzlemc.mc.sets.deadness import dead_patterns
from puzzlemc.mc.sets.evidence import reached_or_dead, statistics
from puzzlemc.mc.sets.search import path, search
from puzzlemc.mc.sets.system import compile_system
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict, run_to_goal


def forward(model: Model, metric: str, watch: Watch, *, diagrams: str = "zdd") -> Verdict:
    """Decide reachability of the goal from the initial states on; states with a dead pattern are not entered.

    Raises ModelError for a metric that the model does not know.
    """

    def attempt(capacity: int) -> Verdict:
        system = compile_system(model, metric, diagrams, capacity)
        dead = dead_patterns(model, system, watch)
        progress, hit = search(system if dead is None else dead.prune(), watch)
        if not hit:
            return Unreachable(reached_or_dead(model, progress, dead), statistics(progress))
        states, actions = path(progress, system.pick(hit), progress.layers[-1].cost)
        trace = run_to_goal(model, states, actions)
        return Reachable(trace, trace.cost(metric), metric != ANY, statistics(progress))

    return decide_with_capacity(diagrams, watch, attempt)
