"""The states that respect the mutex groups of a task: a set, as a conjunction of diagrams. Reachable states do."""

from collections import defaultdict
from collections.abc import Sequence

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet
from puzzlemc.mc.tasks.task import Fact, Task

MERGED_NODES = 100_000  # of a conjunction


def allowed_states(task: Task, coding: Coding, budget: Budget) -> Sequence[StateSet]:
    """Sets of at most MERGED_NODES nodes, or of one group, whose intersection respects all groups. Raises LimitReached."""
    found: list[StateSet] = []
    for group in task.mutexes:
        states = _at_most_one(coding, group)
        budget.check()
        if found and len(both := found[-1] & states) <= MERGED_NODES:
            found[-1] = both
        elif states != coding.universe:
            found.append(states)
    return found


def _at_most_one(coding: Coding, group: Sequence[Fact]) -> StateSet:
    """The states in which at most one fact of the group holds. Facts of one variable exclude each other anyway."""
    by_variable: dict[int, list[Fact]] = defaultdict(list)
    for fact in group:
        by_variable[fact[0]].append(fact)
    if len(by_variable) < 2:
        return coding.universe
    none, one = coding.universe, coding.empty
    for facts in by_variable.values():
        some = coding.union([coding.condition({variable: value}) for variable, value in facts])
        one = (one & ~some) | (none & some)
        none &= ~some
    return none | one
