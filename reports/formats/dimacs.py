"""A bounded reachability question for SAT solvers in the DIMACS format: is there a solution of at most K steps?

The clauses are satisfiable exactly if there is one. A step is an action; under a metric in which walks are free,
it is an action after any number of walks. So if all other actions cost 1, K bounds the cost. Comments name the bit
or action and the time of each variable.
"""

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.action import ANY, cost_of
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.sat.unroll import Unroller, free_walks

MOST_CLAUSES = 20_000_000


def write(model: Model, metric: str, bound: int) -> str:
    """The question as text.

    Raises ModelError for an unknown metric, and if there would be more than `MOST_CLAUSES` clauses.
    """
    walks = frozenset[int]() if metric == ANY else free_walks(model, metric)
    for action in model.actions:
        cost_of(action, metric)
    unroller = Unroller(model, walks=walks)
    frame, step = len(list(unroller.frame(0))), len(list(unroller.step(0)))
    if (frame + step) * (bound + 1) > MOST_CLAUSES:
        raise ModelError(f"{bound} steps make more than {MOST_CLAUSES} clauses")
    done = [unroller.stride * (bound + 1) + 1 + time for time in range(bound + 1)]
    lines = []
    count = 0

    def clause(*literals: int) -> None:
        nonlocal count
        count += 1
        lines.append(f"{' '.join(map(str, literals))} 0")

    clause(unroller.init(0))
    for time in range(bound + 1):
        for literals in unroller.frame(time):
            clause(*literals)
        # The goal holds now or held before; after that, no further steps are required.
        clause(-done[time], unroller.goal(time), *done[time - 1 : time])
        if time < bound:
            for literals in unroller.step(time):
                clause(done[time], *literals)
    clause(done[bound])
    head = [
        f"c Is there a solution of at most {bound} steps? Satisfiable exactly if there is.",
        f"c A step is an action{' with any number of walks before it' if walks else ''}.",
        *_names(model, unroller, walks, bound, done),
        f"p cnf {done[-1]} {count}",
    ]
    return "\n".join([*head, *lines, ""])


def _names(model: Model, unroller: Unroller, walks: frozenset[int], bound: int, done: list[int]) -> list[str]:
    """Comments with the meaning of each named variable."""
    lines = []
    for time in range(bound + 1):
        lines += [f"c {unroller.bit(b, time)} = {b} after {time} steps" for b in model.bits]
        lines.append(f"c {done[time]} = solved after {time} steps at most")
        if time < bound:
            lines += [
                f"c {unroller.action(number, time)} = step {time + 1} is {action.name}"
                for number, action in enumerate(model.actions)
                if number not in walks
            ]
    return lines
