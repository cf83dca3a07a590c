"""Uniform-cost search (Dijkstra 1959) over a task, as in a textbook, and a check of plans."""

import heapq
from collections.abc import Sequence

from puzzlemc.mc.errors import LIMITS, LimitReached, Refuted, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.semantics import applied, holds, initial_state, successors
from puzzlemc.mc.tasks.task import Searched, State, Task

STATE_BYTES = 400  # of memory for a state of a small task, with its entries in the open and closed lists
VALUE_BYTES = 8


def uniform_cost(task: Task, budget: Budget) -> Searched:
    """A cheapest plan; of several the first in the order of costs and of operators."""
    start = initial_state(task)
    costs: dict[State, int] = {start: 0}
    parents: dict[State, tuple[State, int]] = {}
    heap: list[tuple[int, int, State]] = [(0, 0, start)]
    expanded = bound = 0
    most = budget.limits.memory // (STATE_BYTES + VALUE_BYTES * len(task.variables))
    try:
        while heap:
            cost, _, state = heapq.heappop(heap)
            if cost > costs[state]:
                continue
            bound = cost
            if holds(task.goal, state):
                return Searched(_plan(parents, state), expanded, cost)
            budget.check()
            if len(costs) + len(heap) > most:
                raise LimitReached("memory")
            expanded += 1
            for number, successor in successors(task, state):
                total = cost + task.operators[number].cost
                if successor not in costs or total < costs[successor]:
                    costs[successor] = total
                    parents[successor] = state, number
                    heapq.heappush(heap, (total, len(parents), successor))
    except LIMITS as limit:
        return Searched(None, expanded, bound, reason_of(limit))
    return Searched(None, expanded, bound)


def _plan(parents: dict[State, tuple[State, int]], state: State) -> tuple[int, ...]:
    """The numbers of the operators on the way from the initial state."""
    plan = []
    while state in parents:
        state, number = parents[state]
        plan.append(number)
    return tuple(reversed(plan))


def check_plan(task: Task, plan: Sequence[int]) -> int:
    """The cost of a plan, given by the numbers of its operators.

    Raises Refuted unless it leads from the initial state to the goal.
    """
    state = initial_state(task)
    operators = [task.operators[number] for number in plan]
    for number, operator in enumerate(operators, 1):
        if not holds(operator.precondition, state):
            raise Refuted(f"step {number}: {operator.name} is not applicable")
        state = applied(task, operator, state)
    if not holds(task.goal, state):
        raise Refuted("the last state of the plan does not satisfy the goal")
    return sum(operator.cost for operator in operators)
