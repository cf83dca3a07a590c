"""Restarting weighted A* (Richter, Thayer and Ruml, *The joy of forgetting*, ICAPS 2010), with lazy evaluation.

Open states are ordered by g + weight · h. After a plan, a search with a smaller weight begins at the initial state
again: the earlier one has a bias, from which it would recover late. Estimates of states, their preferred operators
and the cheapest way to each stay known. A state that costs as much as the cheapest plan so far is not opened.

A state is evaluated when it leaves the queue; before, the estimate of its parent stands for its own. The estimate
is the cost of a relaxed plan, which may exceed the cost of a plan. So it prunes nothing: when no state is open,
each state that costs less than the best plan has been expanded on a cheapest way, and no plan is cheaper.

`order` has the costs for g and h, which may differ from those of the task.

Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np

from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.satisficing.relaxed_plan import RelaxedPlan
from puzzlemc.mc.search.bucket_queue import BucketQueue
from puzzlemc.mc.search.growing import CAPACITY, UNLIMITED
from puzzlemc.mc.search.state_table import StateTree
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.planning.packed_task import (
        apply,
        find_applicable,
        forget_successor,
        is_goal,
        read_state,
        write_successor,
    )
    from puzzlemc.mc.planning.satisficing.relaxed_plan import evaluate
    from puzzlemc.mc.search.bucket_queue import clear, dequeue, enqueue, has_room_for
    from puzzlemc.mc.search.state_table import ACTION, ENDED, FOUND, FULL, PARENT, PAUSED, find, has_room
    from puzzlemc.mc.words import Flag, Index, Numbers, Words, bit

    # Columns of WeightedSearch.node_info.
    ESTIMATE = 2  # h; UNKNOWN before the evaluation; less than 0 if the state has no plan
    OPENED = 3  # the number of the last search that has opened the state
    CLOSED = 4  # the number of the last search that has expanded it, 0 if it was reached at a lower cost since
    UNKNOWN = 1 << 30

    MASK = 64  # the first applicable operators, of which a word says whether they are preferred
    BOOST = 1000  # states by preferred operators that come first after progress

    # Work, in units of about two nanoseconds.
    STATE = 40  # to read a state and to find its operators, beside its variables and axioms
    SUCCESSOR = 60


class WeightedSearch(StateTree):
    """The states of all searches, and the queues of the present one.

    node_info  (capacity, 5): further columns are ESTIMATE, OPENED and CLOSED
    costs      (capacity,): the least cost of a way to each state so far
    ordered    (capacity,): the cost of this way by `order`
    preferred  (capacity,): which of the first MASK applicable operators are preferred, as bits
    order      (operators,): the costs that order the search
    all        the open states
    favoured   those that a preferred operator has opened
    priority   how often `all` was used more often than `favoured`, and its boosts
    weight     of the estimate
    number     of the search, from 1
    best       the cost of the cheapest plan that is known; states of this cost are pruned
    least      the least estimate in this search
    evaluated  the number of evaluations
    goal       the number of the goal state that was found last, -1 before
    work       so far, in units of about two nanoseconds
    """

    task: PackedTask  # readonly
    relaxed: RelaxedPlan  # readonly
    costs: Numbers  # public
    ordered: Numbers  # public
    preferred: Words  # public
    order: Numbers
    all: BucketQueue  # readonly
    favoured: BucketQueue  # readonly
    priority: Index
    weight: Index  # readonly
    number: Index  # readonly
    best: Index  # public
    least: Index
    evaluated: Index  # readonly
    goal: Index  # readonly
    work: Index  # readonly

    def __init__(
        self, task: PackedTask, relaxed: RelaxedPlan, order: Sequence[int], initial: Sequence[int]
    ) -> None:
        """No search has begun. `relaxed` has the costs `order`."""
        super().__init__(CAPACITY, task.words, 2 * CAPACITY, 5)
        self.task, self.relaxed, self.order = task, relaxed, view(np.array(order, np.int64))
        self.costs, self.ordered = (view(np.zeros(CAPACITY, np.int64)) for _ in range(2))
        self.preferred = view(np.zeros(CAPACITY, np.uint64))
        self.all, self.favoured = BucketQueue(CAPACITY), BucketQueue(CAPACITY)
        self.priority = self.weight = self.number = 0
        self.best, self.least = UNLIMITED, UNKNOWN
        self.evaluated, self.goal, self.work = 0, -1, 0
        self.begin(task.pack(initial))
        self.node_info[0, ESTIMATE] = UNKNOWN

    def columns(self) -> list[str]:
        """The names of the arrays that have an entry for each state."""
        return ["rows", "node_info", "costs", "ordered", "preferred"]

    @property
    def bytes(self) -> int:
        """The size of the arrays that grow."""
        return super().bytes + self.all.bytes + self.favoured.bytes

    def enlarge(self, memory: int) -> None:
        """Make room for the successors of a state, and more, in `memory` bytes. Raises LimitReached."""
        more = self.task.applicable.shape[0]
        self.make_room(more, memory - self.bytes)
        self.all.make_room(more, memory - self.bytes)
        self.favoured.make_room(more, memory - self.bytes)


def restart(search: WeightedSearch, weight: int) -> None:
    """Begin a search at the initial state."""
    _restart(search, weight)


def advance(search: WeightedSearch, memory: int, work: int) -> int:
    """Search for about `work`, in `memory` bytes; return the status. Raises LimitReached.

    FOUND: the way to `goal` is a plan that costs less than `best`. ENDED: there is none.
    """
    last = search.work + work
    while (status := _advance(search, search.task, last)) == FULL:
        search.enlarge(memory)
    return status


def _restart(search: WeightedSearch, weight: Index) -> None:
    clear(search.all)
    clear(search.favoured)
    search.weight = weight
    search.number += 1
    search.priority = 0
    search.least = UNKNOWN
    search.node_info[0, OPENED] = search.number
    enqueue(search.all, 0, 0)


def _has_room(search: WeightedSearch) -> Flag:
    """Is there room for all successors of a state?"""
    more: Index = search.task.applicable.shape[0]
    return has_room(search, more) and has_room_for(search.all, more) and has_room_for(search.favoured, more)


def _next(search: WeightedSearch) -> Index:
    """Remove a state from the queue that comes next; return its number."""
    if search.favoured.size and (search.priority > 0 or search.all.size == 0):
        search.priority -= 1
        return dequeue(search.favoured)
    search.priority += 1
    return dequeue(search.all)


def _advance(search: WeightedSearch, task: PackedTask, last: Index) -> Index:
    while search.all.size or search.favoured.size:
        if search.work >= last:
            return PAUSED
        if not _has_room(search):
            return FULL
        number: Index = _next(search)
        search.work += 1
        if search.node_info[number, CLOSED] == search.number or search.costs[number] >= search.best:
            continue
        search.node_info[number, CLOSED] = search.number
        read_state(task, search.rows, number)
        search.work += STATE + 2 * task.before.shape[0] + task.axiom_condition.shape[0]
        if is_goal(task):
            search.goal = number
            return FOUND
        is_new: Flag = search.node_info[number, ESTIMATE] == UNKNOWN
        if is_new:
            before: Index = search.relaxed.work
            search.node_info[number, ESTIMATE] = min(UNKNOWN - 1, evaluate(search.relaxed, task.before))
            search.work += search.relaxed.work - before
            search.evaluated += 1
        if search.node_info[number, ESTIMATE] >= 0:
            _expand(search, task, number, is_new)
    return ENDED


def _expand(search: WeightedSearch, task: PackedTask, at: Index, is_new: Flag) -> None:
    """Open the successors of a state, which is read and evaluated, if it is new just now."""
    i: Index
    estimate: Index = search.node_info[at, ESTIMATE]
    if estimate < search.least:
        search.least = estimate
        search.priority += BOOST
    count: Index = find_applicable(task)
    search.work += SUCCESSOR * count
    if is_new:
        search.preferred[at] = 0
        for i in range(min(count, MASK)):
            if search.relaxed.preferred[task.applicable[i]] == search.relaxed.stamp:
                search.preferred[at] |= bit(i)
    for i in range(count):
        operator: Index = task.applicable[i]
        cost: Index = search.costs[at] + task.operators.costs[operator]
        if cost >= search.best:
            continue
        new: Index = search.used
        apply(task, operator)
        write_successor(task, search.rows, at, new)
        forget_successor(task)
        slot: Index = find(search, search.rows, new)
        number: Index = search.slots[slot]
        if number < 0:
            number = new
            search.slots[slot] = new
            search.used += 1
            search.node_info[number, ESTIMATE] = UNKNOWN
        elif cost >= search.costs[number]:
            if search.node_info[number, OPENED] != search.number:  # on the way that an earlier search has found
                _open(search, number, estimate, i < MASK and search.preferred[at] & bit(i) != 0)
            continue
        search.node_info[number, PARENT] = at
        search.node_info[number, ACTION] = operator
        search.node_info[number, CLOSED] = 0
        search.costs[number] = cost
        search.ordered[number] = search.ordered[at] + search.order[operator]
        _open(search, number, estimate, i < MASK and search.preferred[at] & bit(i) != 0)


def _open(search: WeightedSearch, number: Index, estimate: Index, is_preferred: Flag) -> None:
    """Insert a state into the queues, unless it has no plan; `estimate` is that of its parent."""
    if search.node_info[number, ESTIMATE] < 0:
        return
    if search.node_info[number, ESTIMATE] != UNKNOWN:
        estimate = search.node_info[number, ESTIMATE]
    search.node_info[number, OPENED] = search.number
    key: Index = search.ordered[number] + search.weight * estimate
    enqueue(search.all, key, number)
    if is_preferred:
        enqueue(search.favoured, key, number)
