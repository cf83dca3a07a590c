"""The cost of a relaxed plan, and preferred operators (FF; Hoffmann and Nebel 2001).

The cost of a fact is estimated by the sum of the costs of the conditions of its cheapest supporter (additive
heuristic; Bonet and Geffner 2001). The relaxed plan consists of these supporters (Keyder and Geffner 2008). Its
operators that are applicable in the state are preferred. If no relaxed plan exists, the state has no plan.

Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np

from puzzlemc.mc.planning.relaxation import Relaxation
from puzzlemc.mc.search.bucket_queue import BucketQueue
from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.search.bucket_queue import clear, dequeue, enqueue, least_key
    from puzzlemc.mc.words import Bytes, Index, Ints, Numbers

    DEAD = -1  # no relaxed plan
    MOST = 1 << 29  # larger costs of facts count as this one


class RelaxedPlan:
    """The relaxation in arrays, and the last relaxed plan. Unary operators have numbers.

    first            (variables,): the first fact of each variable
    condition_first  (unary operators + 1,): where the condition of each unary operator starts
    condition        (facts of conditions,)
    fact             (unary operators,): the fact that it makes true
    cost             (unary operators,)
    operator         (unary operators,): the operator of the task, -1 if there is none
    user_first       (facts + 1,): where the unary operators with each fact in the condition start
    user             (facts of conditions,)
    free             the unary operators without condition
    sizes            (unary operators,): the number of facts in the condition
    fact_count       the number of facts
    goal             the fact that the relaxed plan is for
    fact_cost        (facts,): the estimate of a state, -1 if not reached
    supporter        (facts,): the unary operator that makes the fact true at this cost, -1 if it is true
    missing          (unary operators,): the number of facts in the condition that are not reached
    total            (unary operators,): its cost and those of its condition
    queue            reached facts, by their costs
    stack            (facts,): facts that the relaxed plan needs
    is_needed        (facts,): whether the fact was on the stack
    stamps           (operators,): the number of the last relaxed plan with each operator
    stamp            the number of the relaxed plan
    work             steps of all evaluations: unary operators looked at
    """

    first: Ints  # readonly
    condition_first: Ints  # readonly
    condition: Ints  # readonly
    fact: Ints  # readonly
    cost: Ints  # readonly
    operator: Ints  # readonly
    user_first: Ints  # readonly
    user: Ints  # readonly
    free: Ints  # readonly
    sizes: Ints  # readonly
    fact_count: Index  # readonly
    goal: Index  # readonly
    fact_cost: Ints
    supporter: Ints
    missing: Ints
    total: Ints
    queue: BucketQueue
    stack: Ints
    is_needed: Bytes
    stamps: Numbers  # readonly
    stamp: Index  # readonly
    work: Index  # readonly

    def __init__(self, relaxed: Relaxation, costs: Sequence[int]) -> None:
        """`costs` are those of the operators of the task."""
        unary, count = relaxed.operators, len(costs)
        conditions = [fact for each in unary for fact in each.condition]
        by = np.repeat(np.arange(len(unary)), [len(each.condition) for each in unary])
        order = np.argsort(conditions, kind="stable").astype(np.int64)
        users = np.bincount(np.array(conditions, np.int64), minlength=relaxed.facts)
        operators = np.array([each.operator for each in unary], np.int32)
        self.first = view(np.array(relaxed.first, np.int32))
        sizes = np.array([len(each.condition) for each in unary], np.int32)
        self.condition_first = view(starts(sizes).astype(np.int32))
        self.condition = view(np.array(conditions, np.int32))
        self.fact = view(np.array([each.fact for each in unary], np.int32))
        self.operator = view(operators)
        self.cost = view(np.where(operators < 0, 0, np.array([*costs, 0], np.int32)[operators]).astype(np.int32))
        self.user_first, self.user = view(starts(users).astype(np.int32)), view(by[order].astype(np.int32))
        self.free, self.sizes = view(np.flatnonzero(sizes == 0).astype(np.int32)), view(sizes)
        self.fact_count, self.goal = relaxed.facts, relaxed.goal
        self.fact_cost, self.supporter = (view(np.zeros(relaxed.facts, np.int32)) for _ in range(2))
        self.missing, self.total = (view(np.zeros(len(unary), np.int32)) for _ in range(2))
        entries = relaxed.facts + len(unary) + 1
        self.queue = BucketQueue(entries, 1 << entries.bit_length())
        self.stack, self.is_needed = (
            view(np.zeros(relaxed.facts, np.int32)),
            view(np.zeros(relaxed.facts, np.uint8)),
        )
        self.stamps, self.stamp = view(np.zeros(count + 1, np.int64)), 0
        self.work = 0

    def estimate(self, state: Sequence[int]) -> int:
        """The cost of a relaxed plan for a state, DEAD if there is none."""
        return evaluate(self, view(np.array(state, np.int64)))

    def operators(self) -> list[int]:
        """The operators of the last relaxed plan."""
        return np.flatnonzero(np.asarray(self.stamps) == self.stamp).tolist()


def evaluate(plan: RelaxedPlan, values: Numbers) -> Index:
    """The cost of a relaxed plan for a state, DEAD if there is none."""
    _start(plan, values)
    _propagate(plan)
    if plan.fact_cost[plan.goal] < 0:
        return DEAD
    return _extract(plan)


def _start(plan: RelaxedPlan, values: Numbers) -> None:
    """Enqueue the facts of the state, and those that need no condition."""
    fact: Index
    i: Index
    for fact in range(plan.fact_cost.shape[0]):
        plan.fact_cost[fact] = -1
        plan.is_needed[fact] = False
    for i in range(plan.missing.shape[0]):
        plan.missing[i] = plan.sizes[i]
        plan.total[i] = plan.cost[i]
    clear(plan.queue)
    for i in range(values.shape[0]):
        _reach(plan, plan.first[i] + values[i], 0, -1)
    for i in range(plan.free.shape[0]):
        _reach(plan, plan.fact[plan.free[i]], plan.cost[plan.free[i]], plan.free[i])


def _reach(plan: RelaxedPlan, fact: Index, cost: Index, by: Index) -> None:
    """Note that a fact can be made true at this cost."""
    if plan.fact_cost[fact] < 0 or cost < plan.fact_cost[fact]:
        plan.fact_cost[fact] = cost
        plan.supporter[fact] = by
        enqueue(plan.queue, cost, fact)


def _propagate(plan: RelaxedPlan) -> None:
    """Find the costs of facts, until that of the goal is known (generalised Dijkstra)."""
    i: Index
    while plan.queue.size:
        cost: Index = least_key(plan.queue)
        fact: Index = dequeue(plan.queue)
        if cost > plan.fact_cost[fact]:
            continue
        if fact == plan.goal:
            return
        plan.work += plan.user_first[fact + 1] - plan.user_first[fact]
        for i in range(plan.user_first[fact], plan.user_first[fact + 1]):
            by: Index = plan.user[i]
            plan.missing[by] -= 1
            plan.total[by] = min(MOST, plan.total[by] + cost)
            if plan.missing[by] == 0:
                _reach(plan, plan.fact[by], plan.total[by], by)


def _extract(plan: RelaxedPlan) -> Index:
    """Collect the supporters that the goal needs; return the sum of the costs of their operators."""
    length: Index = 0
    waiting: Index = 1
    i: Index
    plan.stamp += 1
    plan.stack[0] = plan.goal
    plan.is_needed[plan.goal] = True
    while waiting:
        waiting -= 1
        by: Index = plan.supporter[plan.stack[waiting]]
        if by < 0:
            continue
        for i in range(plan.condition_first[by], plan.condition_first[by + 1]):
            fact: Index = plan.condition[i]
            if not plan.is_needed[fact]:
                plan.is_needed[fact] = True
                plan.stack[waiting] = fact
                waiting += 1
        operator: Index = plan.operator[by]
        if operator >= 0 and plan.stamps[operator] != plan.stamp:
            plan.stamps[operator] = plan.stamp
            length = min(MOST, length + plan.cost[by])
    return length
