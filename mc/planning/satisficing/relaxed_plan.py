"""The cost of a relaxed plan, and preferred operators (FF; Hoffmann and Nebel 2001).

The cost of a fact is estimated by the sum of the costs of the conditions of its cheapest supporter (additive
heuristic; Bonet and Geffner 2001). The relaxed plan consists of these supporters (Keyder and Geffner 2008). An
operator of it is preferred if it applies, and if an effect that the plan needs happens in the state. If no relaxed
plan exists, the state has no plan.

The queue of facts is an array of buckets, one for each cost. So large costs are rounded up to a multiple of a unit
there; the cost of the relaxed plan is exact.

Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np

from puzzlemc.mc.planning.relaxation import Relaxation
from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Ints2, Numbers, left

    DEAD = -1  # no relaxed plan
    BUCKETS = 1 << 16
    LAST = BUCKETS - 1  # larger costs of facts count as this one
    UNITS = 1 << 8  # the costs of operators are at most this number of units
    MOST = 1 << 30  # larger costs of operators count as this one
    COSTS = 40  # the number of bits of costs in `node`: enough for 2^24 facts


class RelaxedPlan:
    """The relaxation in arrays, and the last relaxed plan. Costs of facts and nodes are in units.

    first            (variables,): the first fact of each variable
    goal             the fact that the relaxed plan is for
    operator         (nodes,): the operator of the task, -1 if there is none
    cost             (nodes,): its exact cost
    condition_first  (nodes + 1,): where the condition of each node starts
    condition        facts
    effect_first     (nodes + 1,): where the effects of each node start
    effect           facts
    user_first       (facts + 1,): where the nodes with each fact in their condition start
    user             nodes
    free             the nodes without condition
    fresh            (nodes,): the number of facts in the condition, above COSTS bits for the cost of the operator
    node             (nodes,): the number of those not reached, above the costs of the others and of the operator
    fact_count       the number of facts
    fact_cost        (facts,): the estimate of a state, -1 if not reached
    supporter        (facts,): the node that makes the fact true at this cost, -1 if it is true in the state
    bucket           (BUCKETS,): the first entry of each cost, -1 if there is none
    entry            (entries, 2): a fact, and the next entry of its bucket, -1 at the end
    entry_count      the number of entries so far
    highest          the largest cost of an entry so far
    needed           the facts that the last relaxed plan needs, first the goal; `needed_count` of them
    is_needed        (facts,): whether the fact is among these
    stamps           (operators,): the number of the last relaxed plan with each operator
    preferred        (operators,): the number of the last relaxed plan for which each operator was preferred
    stamp            the number of the relaxed plan
    work             steps of all evaluations, about 2 ns each
    """

    first: Ints  # readonly
    goal: Index  # readonly
    operator: Ints  # readonly
    cost: Numbers  # readonly
    condition_first: Ints  # readonly
    condition: Ints  # readonly
    effect_first: Ints  # readonly
    effect: Ints  # readonly
    user_first: Ints  # readonly
    user: Ints  # readonly
    free: Ints  # readonly
    fresh: Numbers
    node: Numbers
    fact_count: Index  # readonly
    fact_cost: Ints  # readonly
    supporter: Ints  # readonly
    bucket: Ints
    entry: Ints2
    entry_count: Index
    highest: Index
    needed: Ints  # readonly
    needed_count: Index  # readonly
    is_needed: Bytes
    stamps: Numbers  # readonly
    preferred: Numbers  # readonly
    stamp: Index  # readonly
    work: Index  # readonly

    def __init__(self, relaxed: Relaxation, costs: Sequence[int]) -> None:
        """`costs` are those of the operators of the task."""
        operators, facts = np.asarray(relaxed.operator), relaxed.facts
        condition_first, condition = np.asarray(relaxed.condition_first), np.asarray(relaxed.condition)
        sizes = np.diff(condition_first)
        nodes = len(operators)
        order = np.argsort(condition, kind="stable")
        exact = np.minimum([*costs, 0], MOST)
        unit = max(1, -(-int(exact.max()) // UNITS))
        cost = exact[operators]  # -1 is the last one
        self.first, self.goal, self.fact_count = view(np.array(relaxed.first, np.int32)), relaxed.goal, facts
        self.operator, self.cost = view(operators), view(cost)
        self.condition_first, self.condition = view(condition_first), view(condition)
        self.effect_first = view(np.asarray(relaxed.effect_first))
        self.effect = view(np.asarray(relaxed.effect))
        self.user_first = view(starts(np.bincount(condition, minlength=facts)).astype(np.int32))
        self.user = view(np.repeat(np.arange(nodes, dtype=np.int32), sizes)[order])
        self.free = view(np.flatnonzero(sizes == 0).astype(np.int32))
        self.fresh = view((sizes.astype(np.int64) << COSTS) - (-cost // unit))
        self.node = view(np.zeros(nodes, np.int64))
        self.fact_cost, self.supporter, self.needed = (view(np.zeros(facts, np.int32)) for _ in range(3))
        self.bucket, self.highest = view(np.full(BUCKETS, -1, np.int32)), -1
        self.entry, self.entry_count = view(np.zeros((facts + len(np.asarray(relaxed.effect)), 2), np.int32)), 0
        self.needed_count, self.is_needed = 0, view(np.zeros(facts, np.uint8))
        self.stamps, self.preferred = (view(np.zeros(len(costs), np.int64)) for _ in range(2))
        self.stamp = self.work = 0

    def estimate(self, state: Sequence[int]) -> int:
        """The cost of a relaxed plan for a state, DEAD if there is none."""
        return evaluate(self, view(np.array(state, np.int64)))


def evaluate(plan: RelaxedPlan, values: Numbers) -> Index:
    """The cost of a relaxed plan for a state, DEAD if there is none."""
    _start(plan, values)
    _propagate(plan)
    if plan.fact_cost[plan.goal] < 0:
        return DEAD
    return _extract(plan)


def _start(plan: RelaxedPlan, values: Numbers) -> None:
    """Enqueue the facts of the state, and those that need no condition."""
    i: Index
    plan.work += (plan.node.shape[0] + plan.fact_cost.shape[0]) // 4 + plan.highest
    for i in range(plan.fact_cost.shape[0]):
        plan.fact_cost[i] = -1
    for i in range(plan.node.shape[0]):
        plan.node[i] = plan.fresh[i]
    for i in range(plan.highest + 1):
        plan.bucket[i] = -1
    plan.entry_count = 0
    plan.highest = -1
    for i in range(values.shape[0]):
        _reach(plan, plan.first[i] + values[i], 0, -1)
    for i in range(plan.free.shape[0]):
        _support(plan, plan.free[i])


def _reach(plan: RelaxedPlan, fact: Index, cost: Index, by: Index) -> None:
    """Note that a fact can be made true at this cost."""
    if plan.fact_cost[fact] < 0 or cost < plan.fact_cost[fact]:
        plan.fact_cost[fact] = cost
        plan.supporter[fact] = by
        plan.entry[plan.entry_count, 0] = fact
        plan.entry[plan.entry_count, 1] = plan.bucket[cost]
        plan.bucket[cost] = plan.entry_count
        plan.entry_count += 1
        plan.highest = max(plan.highest, cost)


def _support(plan: RelaxedPlan, by: Index) -> None:
    """Note that the effects of a node can be made true: its condition is reached."""
    i: Index
    cost: Index = min(LAST, plan.node[by])
    plan.work += 1 + plan.effect_first[by + 1] - plan.effect_first[by]
    for i in range(plan.effect_first[by], plan.effect_first[by + 1]):
        _reach(plan, plan.effect[i], cost, by)


def _propagate(plan: RelaxedPlan) -> None:
    """Find the costs of facts, until that of the goal is known (generalised Dijkstra)."""
    i: Index
    cost: Index = 0
    one: Index = left(1, COSTS)
    while cost <= plan.highest:
        at: Index = plan.bucket[cost]
        if at < 0:
            cost += 1
            continue
        plan.bucket[cost] = plan.entry[at, 1]
        fact: Index = plan.entry[at, 0]
        if cost > plan.fact_cost[fact]:
            continue
        if fact == plan.goal:
            return
        plan.work += plan.user_first[fact + 1] - plan.user_first[fact]
        less: Index = cost - one
        for i in range(plan.user_first[fact], plan.user_first[fact + 1]):
            by: Index = plan.user[i]
            plan.node[by] += less
            if plan.node[by] < one:
                _support(plan, by)


def _extract(plan: RelaxedPlan) -> Index:
    """Collect the supporters that the goal needs; return the sum of the costs of their operators."""
    length: Index = 0
    at: Index = 0
    i: Index
    for i in range(plan.needed_count):
        plan.is_needed[plan.needed[i]] = False
    plan.stamp += 1
    plan.needed_count = 0
    _need(plan, plan.goal)
    while at < plan.needed_count:
        by: Index = plan.supporter[plan.needed[at]]
        at += 1
        if by < 0:
            continue
        happens: Flag = True
        for i in range(plan.condition_first[by], plan.condition_first[by + 1]):
            _need(plan, plan.condition[i])
            happens = happens and plan.supporter[plan.condition[i]] < 0
        operator: Index = plan.operator[by]
        if operator < 0:
            continue
        if plan.stamps[operator] != plan.stamp:
            plan.stamps[operator] = plan.stamp
            length += plan.cost[by]
        if happens:
            plan.preferred[operator] = plan.stamp
    plan.work += plan.needed_count
    return length


def _need(plan: RelaxedPlan, fact: Index) -> None:
    """Note that the relaxed plan needs a fact."""
    if not plan.is_needed[fact]:
        plan.is_needed[fact] = True
        plan.needed[plan.needed_count] = fact
        plan.needed_count += 1
