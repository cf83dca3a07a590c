"""A cheaper plan out of a plan: without redundant operators, and by search near it, again and again.

A neighbourhood without gain makes the next one larger, until the work is used up. All is counted work.
"""

from collections.abc import Sequence

from puzzlemc.mc.errors import LIMITS
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.satisficing.elimination import without_redundant
from puzzlemc.mc.planning.satisficing.neighbourhood import Neighbourhood, advance, grow
from puzzlemc.mc.search.growing import UNLIMITED
from puzzlemc.mc.search.state_table import FULL, PAUSED
from puzzlemc.mc.tasks.task import State

FIRST_SIZE = 1_000  # states near the first plan
GROWTH = 2
TURN = 10_000_000  # work between two checks of the budget
GROWING = 3  # a neighbourhood grows for this part of the work; the search inside takes about twice as much
ELIMINATION = 2  # part of the work for operators that are left out, which is quadratic in the length of the plan
STATE_BYTES = 100  # of a state in a neighbourhood, without its packed state


def shortened(task: PackedTask, initial: State, plan: Sequence[int], budget: Budget, work: int) -> list[int]:
    """A plan that costs at most as much, after about `work` (units of two nanoseconds); earlier at a limit."""
    best = [*plan]
    if _cost(task, best) >= UNLIMITED:
        return best  # compiled code has no room for such a sum
    try:
        best, used = without_redundant(task, initial, best, work // ELIMINATION, budget.check)
        work -= used
        size = FIRST_SIZE
        while work > 0:
            most = min(size, budget.limits.memory // (STATE_BYTES + 8 * task.words) - len(best))
            if most <= 0:
                break
            near = Neighbourhood(task, initial, best, most)
            found = _cheapest(near, budget, work // GROWING)
            work -= near.work
            if _cost(task, found) < _cost(task, best):
                best, used = without_redundant(task, initial, found, work // ELIMINATION, budget.check)
                work -= used
            elif near.used < near.most or most < size:
                break
            else:
                size *= GROWTH
    except LIMITS:
        pass
    return best


def _cheapest(near: Neighbourhood, budget: Budget, work: int) -> list[int]:
    """A cheapest plan in a neighbourhood that grows for about `work`. Raises LimitReached."""
    while near.work < work and grow(near, min(TURN, work - near.work)):
        budget.check()
    while (status := advance(near, TURN)) in (PAUSED, FULL):
        budget.check()
        if status == FULL:
            near.queue.make_room(near.task.applicable.shape[0])
    return near.path(near.goal)


def _cost(task: PackedTask, plan: Sequence[int]) -> int:
    """The cost of a plan."""
    return sum(task.operators.costs[operator] for operator in plan)
