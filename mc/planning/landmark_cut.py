"""Landmark cut: a lower bound out of the relaxation of a task (Helmert and Domshlak 2009).

A cut is a set of operators of which each plan has one. The bound counts the least cost in the cut, which is then
taken from the costs of all its operators, and looks for the next cut, until the goal costs nothing. No operator
gives more than its cost to all cuts together, so the sum of the least costs is a lower bound.

A cut lies between the facts that reach the goal without cost and those that are reachable without the cut. Each
relaxed operator is represented by its dearest condition, its *supporter*, by the costs of facts in h^max. An
operator with conditional effects has several relaxed operators, one for each condition, which share its cost
(Röger, Pommerening and Helmert 2014).

Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.patterns.bucket_queue import BucketQueue
from puzzlemc.mc.patterns.estimate import Estimate
from puzzlemc.mc.patterns.operators import Operators, starts
from puzzlemc.mc.planning.relaxation import Relaxation
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.patterns.bucket_queue import clear, dequeue, enqueue, least_key
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Numbers

    # Zones of facts.
    ELSEWHERE = 0
    BEHIND = 1  # reach the goal without cost
    AHEAD = 2  # are reachable without the cut


class LandmarkCut(Estimate):
    """The relaxation in arrays, and its costs for the state of the last bound.

    first            (variables,): the first fact of each variable
    condition_first  (relaxed operators + 1,): where the condition of each relaxed operator starts
    condition        (facts of conditions,)
    effect_first     (relaxed operators + 1,): where the facts that it makes true start
    effect           (effects,)
    operator         (relaxed operators,): the operator of the task; the number of all of them for the goal
    user_first       (facts + 1,): where the relaxed operators with each fact in the condition start
    user             (facts of conditions,)
    adder_first      (facts + 1,): where those that make the fact true start
    adder            (effects,)
    part_first       (operators + 2,): where the relaxed operators of each operator start
    part             (relaxed operators,)
    costs            (operators + 1,): the costs of operators, 0 for the goal
    always           a fact that is always true
    goal             the fact that is reachable if the goal is
    left_over        (operators + 1,): the costs that no cut has taken
    fact_cost        (facts,): h^max of the fact, -1 if not reached
    missing          (relaxed operators,): the number of facts in the condition that are not reached
    supporter        (relaxed operators,): the dearest fact of the condition, -1 if not reached
    zone             (facts,): see above
    stack            (facts,)
    cut              (relaxed operators,): those in the cut, first
    stamps           (operators + 1,): the number of the last cut with each operator
    stamp            the number of cuts so far
    queue            facts, by their costs
    work             steps of all evaluations: relaxed operators looked at
    """

    first: Ints
    condition_first: Ints
    condition: Ints
    effect_first: Ints
    effect: Ints
    operator: Ints
    user_first: Ints
    user: Ints
    adder_first: Ints
    adder: Ints
    part_first: Ints
    part: Ints
    costs: Numbers
    always: Index
    goal: Index
    left_over: Numbers
    fact_cost: Numbers
    missing: Ints
    supporter: Ints
    zone: Bytes
    stack: Ints
    cut: Ints
    stamps: Numbers
    stamp: Index
    queue: BucketQueue
    work: Index

    def __init__(self, relaxed: Relaxation, operators: Operators) -> None:
        """The bound for a task without axioms, with the costs of these operators."""
        count, self.always, self.goal = operators.costs.shape[0], relaxed.facts, relaxed.goal
        together: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for unary in relaxed.operators:
            number = unary.operator if unary.operator >= 0 else count
            together.setdefault((number, unary.condition or (self.always,)), []).append(unary.fact)
        conditions, effects = [condition for _, condition in together], list(together.values())
        self.first = view(np.array(relaxed.first, np.int32))
        self.condition_first, self.condition, self.user_first, self.user = map(
            view, _both_ways(conditions, relaxed.facts + 1)
        )
        self.effect_first, self.effect, self.adder_first, self.adder = map(
            view, _both_ways(effects, relaxed.facts + 1)
        )
        numbers = [(number,) for number, _ in together]
        _, operator, part_first, part = _both_ways(numbers, count + 1)
        self.operator, self.part_first, self.part = view(operator), view(part_first), view(part)
        self.costs = view(np.append(np.asarray(operators.costs), 0))
        self.left_over = view(np.zeros(count + 1, np.int64))
        self.fact_cost = view(np.zeros(relaxed.facts + 1, np.int64))
        self.missing, self.supporter, self.cut = (view(np.zeros(len(together), np.int32)) for _ in range(3))
        self.zone, self.stack = (
            view(np.zeros(relaxed.facts + 1, np.uint8)),
            view(np.zeros(relaxed.facts + 1, np.int32)),
        )
        # A relaxed operator lowers the costs of its facts at most once for each condition, and once in a cut.
        most = relaxed.facts + 1 + sum((len(c) + 1) * len(e) for c, e in zip(conditions, effects, strict=True))
        keys = min(most, int(np.asarray(self.costs).sum()) + 2)
        self.queue = BucketQueue(most, 1 << keys.bit_length())
        self.stamps, self.stamp = view(np.zeros(count + 1, np.int64)), 0
        self.work = 0

    def enter(self, values: Numbers) -> Index:
        """The bound of a state, INFINITE if it cannot reach the goal even in the relaxation."""
        return _bound(self, values)

    def expand(self, values: Numbers) -> None:
        """Nothing to do: the bounds of successors do not depend on the parent."""

    def successor(self, before: Numbers, after: Numbers, changed: Numbers, count: Index) -> Index:
        """As `enter`, for a successor."""
        return _bound(self, after)


def _both_ways(
    lists: Sequence[Sequence[int]], size: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Lists of numbers below `size`, one after the other with their starts, and the lists with each number."""
    lengths = [len(each) for each in lists]
    items = np.array([item for each in lists for item in each], np.int64)
    owners = np.repeat(np.arange(len(lists)), lengths)[np.argsort(items, kind="stable")]
    first, inverse = starts(lengths), starts(np.bincount(items, minlength=size))
    return first.astype(np.int32), items.astype(np.int32), inverse.astype(np.int32), owners.astype(np.int32)


def _bound(cut: LandmarkCut, values: Numbers) -> Index:
    """The sum of the least costs of all cuts."""
    total: Index = 0
    _explore(cut, values)
    if cut.fact_cost[cut.goal] < 0:
        return INFINITE
    while cut.fact_cost[cut.goal] > 0:
        _mark_behind(cut)
        size: Index = _find_cut(cut, values)
        total += _take(cut, size)
        _propagate(cut)
    return min(total, INFINITE - 1)


def _explore(cut: LandmarkCut, values: Numbers) -> None:
    """Find the costs of all facts, and the supporters (Dijkstra)."""
    i: Index
    for i in range(cut.fact_cost.shape[0]):
        cut.fact_cost[i] = -1
    for i in range(cut.missing.shape[0]):
        cut.missing[i] = cut.condition_first[i + 1] - cut.condition_first[i]
        cut.supporter[i] = -1
    for i in range(cut.costs.shape[0]):
        cut.left_over[i] = cut.costs[i]
    clear(cut.queue)
    for i in range(values.shape[0]):
        _reach(cut, cut.first[i] + values[i], 0)
    _reach(cut, cut.always, 0)
    while cut.queue.size:
        cost: Index = least_key(cut.queue)
        fact: Index = dequeue(cut.queue)
        if cost > cut.fact_cost[fact]:
            continue
        cut.work += cut.user_first[fact + 1] - cut.user_first[fact]
        for i in range(cut.user_first[fact], cut.user_first[fact + 1]):
            by: Index = cut.user[i]
            cut.missing[by] -= 1
            if cut.missing[by] == 0:
                cut.supporter[by] = fact
                _use(cut, by)


def _reach(cut: LandmarkCut, fact: Index, cost: Index) -> None:
    """Note that a fact can be made true at this cost."""
    if cut.fact_cost[fact] < 0 or cost < cut.fact_cost[fact]:
        cut.fact_cost[fact] = cost
        enqueue(cut.queue, cost, fact)


def _use(cut: LandmarkCut, by: Index) -> None:
    """Note what a relaxed operator makes true."""
    cost: Index = cut.fact_cost[cut.supporter[by]] + cut.left_over[cut.operator[by]]
    i: Index
    for i in range(cut.effect_first[by], cut.effect_first[by + 1]):
        _reach(cut, cut.effect[i], cost)


def _mark_behind(cut: LandmarkCut) -> None:
    """Mark the facts that reach the goal without cost, from supporter to effect."""
    i: Index
    for i in range(cut.zone.shape[0]):
        cut.zone[i] = ELSEWHERE
    waiting: Index = 1
    cut.stack[0] = cut.goal
    cut.zone[cut.goal] = BEHIND
    while waiting:
        waiting -= 1
        fact: Index = cut.stack[waiting]
        cut.work += cut.adder_first[fact + 1] - cut.adder_first[fact]
        for i in range(cut.adder_first[fact], cut.adder_first[fact + 1]):
            by: Index = cut.adder[i]
            supporter: Index = cut.supporter[by]
            if supporter >= 0 and cut.left_over[cut.operator[by]] == 0 and cut.zone[supporter] == ELSEWHERE:
                cut.zone[supporter] = BEHIND
                cut.stack[waiting] = supporter
                waiting += 1


def _find_cut(cut: LandmarkCut, values: Numbers) -> Index:
    """Collect the relaxed operators from facts ahead to facts behind; return their number."""
    size: Index = 0
    waiting: Index = 0
    i: Index
    k: Index
    for i in range(values.shape[0]):
        cut.stack[waiting] = cut.first[i] + values[i]
        waiting += 1
    cut.stack[waiting] = cut.always
    waiting += 1
    for i in range(waiting):
        cut.zone[cut.stack[i]] = AHEAD
    while waiting:
        waiting -= 1
        fact: Index = cut.stack[waiting]
        cut.work += cut.user_first[fact + 1] - cut.user_first[fact]
        for i in range(cut.user_first[fact], cut.user_first[fact + 1]):
            by: Index = cut.user[i]
            if cut.supporter[by] != fact:
                continue
            crosses: Flag = False
            for k in range(cut.effect_first[by], cut.effect_first[by + 1]):
                crosses = crosses or cut.zone[cut.effect[k]] == BEHIND
            if crosses:
                cut.cut[size] = by
                size += 1
                continue
            for k in range(cut.effect_first[by], cut.effect_first[by + 1]):
                if cut.zone[cut.effect[k]] == ELSEWHERE:
                    cut.zone[cut.effect[k]] = AHEAD
                    cut.stack[waiting] = cut.effect[k]
                    waiting += 1
    return size


def _take(cut: LandmarkCut, size: Index) -> Index:
    """Take the least cost in the cut from each of its operators, once; note what becomes cheaper."""
    least: Index = INFINITE
    i: Index
    k: Index
    for i in range(size):
        least = min(least, cut.left_over[cut.operator[cut.cut[i]]])
    clear(cut.queue)
    cut.stamp += 1
    for i in range(size):
        operator: Index = cut.operator[cut.cut[i]]
        if cut.stamps[operator] == cut.stamp:
            continue
        cut.stamps[operator] = cut.stamp
        cut.left_over[operator] -= least
        cut.work += cut.part_first[operator + 1] - cut.part_first[operator]
        for k in range(cut.part_first[operator], cut.part_first[operator + 1]):
            if cut.supporter[cut.part[k]] >= 0:
                _use(cut, cut.part[k])
    return least


def _propagate(cut: LandmarkCut) -> None:
    """Lower the costs of facts and change supporters, after operators have become cheaper."""
    i: Index
    k: Index
    while cut.queue.size:
        cost: Index = least_key(cut.queue)
        fact: Index = dequeue(cut.queue)
        if cost > cut.fact_cost[fact]:
            continue
        cut.work += cut.user_first[fact + 1] - cut.user_first[fact]
        for i in range(cut.user_first[fact], cut.user_first[fact + 1]):
            by: Index = cut.user[i]
            if cut.supporter[by] != fact:
                continue
            for k in range(cut.condition_first[by], cut.condition_first[by + 1]):
                if cut.fact_cost[cut.condition[k]] > cut.fact_cost[cut.supporter[by]]:
                    cut.supporter[by] = cut.condition[k]
            _use(cut, by)
