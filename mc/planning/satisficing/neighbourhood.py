"""A cheaper plan among the states near a plan (plan neighbourhood graph search; Nakhost and Müller 2010).

The neighbourhood is a set of states: those of the plan, and others in the order of their distance from it, up to a
number. Dijkstra's algorithm finds a cheapest plan that stays inside.

Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np

from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.search.bucket_queue import BucketQueue
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
    from puzzlemc.mc.search.bucket_queue import dequeue, enqueue, has_room_for, least_key
    from puzzlemc.mc.search.state_table import ACTION, ENDED, FOUND, FULL, PARENT, PAUSED, find
    from puzzlemc.mc.words import Flag, Index, Numbers

    # Work, in units of about two nanoseconds.
    STATE = 20  # to read a state, beside its variables and axioms
    ENTRY = 20  # for a successor in the queue
    SUCCESSOR = 30  # beside effects and their conditions


class Neighbourhood(StateTree):
    """The states near a plan, first those of the plan.

    costs    (capacity,): the least cost from the first state so far, -1 before
    queue    the open states, by cost
    most     the number of states that are wanted
    grown    the number of states whose successors are in the neighbourhood
    goal     the number of the goal state that was found, -1 before
    work     so far, in units of about two nanoseconds
    """

    task: PackedTask  # readonly
    costs: Numbers  # readonly
    queue: BucketQueue  # readonly
    most: Index  # readonly
    grown: Index  # readonly
    goal: Index  # readonly
    work: Index  # readonly

    def __init__(self, task: PackedTask, initial: Sequence[int], plan: Sequence[int], most: int) -> None:
        """The states of a plan from a state on, with room for `most` further ones."""
        capacity = len(plan) + most + task.applicable.shape[0] + 2
        super().__init__(capacity, task.words, 2 * capacity)
        self.task, self.most = task, len(plan) + most
        self.costs = view(np.full(capacity, -1, np.int64))
        self.queue = BucketQueue(capacity)
        self.grown, self.goal, self.work = 0, -1, 0
        self.begin(task.pack(initial))
        _follow(self, task, view(np.array(plan, np.int64)))
        self.costs[0] = 0
        _open_first(self)


def grow(near: Neighbourhood, work: int) -> bool:
    """Add successors of states for about `work`; False if the neighbourhood does not grow further."""
    return _grow(near, near.task, near.work + work)


def advance(near: Neighbourhood, work: int) -> int:
    """Expand states for about `work`. Returns FOUND, PAUSED or FULL: the queue must grow."""
    return _advance(near, near.task, near.work + work)


def _open_first(near: Neighbourhood) -> None:
    enqueue(near.queue, 0, 0)


def _follow(near: Neighbourhood, task: PackedTask, plan: Numbers) -> None:
    """Add the states of a plan."""
    at: Index = 0
    i: Index
    for i in range(plan.shape[0]):
        read_state(task, near.rows, at)
        apply(task, plan[i])
        at = _added(near, task, at)


def _added(near: Neighbourhood, task: PackedTask, parent: Index) -> Index:
    """The number of the successor, which is added if it is new, and forgotten."""
    write_successor(task, near.rows, parent, near.used)
    forget_successor(task)
    slot: Index = find(near, near.rows, near.used)
    if near.slots[slot] < 0:
        near.slots[slot] = near.used
        near.used += 1
    return near.slots[slot]


def _work_of(task: PackedTask, successors: Index) -> Index:
    """The work for a state and its successors, by operators that are found."""
    i: Index
    work: Index = STATE + 2 * task.before.shape[0] + task.axiom_condition.shape[0]
    for i in range(successors):
        first: Index = task.operators.effect_first[task.applicable[i]]
        last: Index = task.operators.effect_first[task.applicable[i] + 1]
        conditions: Index = task.operators.condition_first[last] - task.operators.condition_first[first]
        work += SUCCESSOR + last - first + conditions
    return work


def _grow(near: Neighbourhood, task: PackedTask, last: Index) -> Flag:
    """Grow until `work` is `last`."""
    i: Index
    while near.grown < near.used and near.used < near.most:
        if near.work >= last:
            return True
        at: Index = near.grown
        near.grown += 1
        read_state(task, near.rows, at)
        count: Index = find_applicable(task)
        near.work += _work_of(task, count)
        for i in range(count):
            apply(task, task.applicable[i])
            _added(near, task, at)
    return False


def _advance(near: Neighbourhood, task: PackedTask, last: Index) -> Index:
    """Expand until `work` is `last`."""
    i: Index
    while near.queue.size:
        if near.work >= last:
            return PAUSED
        if not has_room_for(near.queue, task.applicable.shape[0]):
            return FULL
        cost: Index = least_key(near.queue)
        at: Index = dequeue(near.queue)
        if cost > near.costs[at]:
            continue
        read_state(task, near.rows, at)
        if is_goal(task):
            near.goal = at
            return FOUND
        count: Index = find_applicable(task)
        near.work += _work_of(task, count)
        for i in range(count):
            operator: Index = task.applicable[i]
            apply(task, operator)
            write_successor(task, near.rows, at, near.used)
            forget_successor(task)
            number: Index = near.slots[find(near, near.rows, near.used)]
            total: Index = cost + task.operators.costs[operator]
            if number >= 0 and (near.costs[number] < 0 or total < near.costs[number]):
                near.node_info[number, PARENT] = at
                near.node_info[number, ACTION] = operator
                near.costs[number] = total
                near.work += ENTRY
                enqueue(near.queue, total, number)
    return ENDED
