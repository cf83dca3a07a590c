"""A* over packed states (Hart, Nilsson and Raphael 1968). Compiled: see `mc/words.py`.

Open states are ordered by f = g + h, then by h, then the latest first. A state whose bound is infinite is stored,
and never opened. A closed state that is reached at a lower cost is opened again; with a consistent bound that does
not happen.
"""

import cython
import numpy as np

from puzzlemc.mc.patterns.bucket_queue import BucketQueue
from puzzlemc.mc.patterns.estimate import Estimate
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.patterns.bucket_queue import dequeue, enqueue, has_room_for, least_key
    from puzzlemc.mc.planning.packed_task import (
        apply,
        find_applicable,
        forget_successor,
        is_goal,
        read_state,
        write_successor,
    )
    from puzzlemc.mc.search.state_table import find
    from puzzlemc.mc.words import Flag, Index, Ints2, Word, left

    # Columns of Search.node_info. BOUND is h, or -1 - h after the expansion.
    PARENT, OPERATOR, COST, BOUND = 0, 1, 2, 3
    # What `advance` returns.
    ENDED = 0  # no state is open: there is no plan
    FOUND = 1  # `goal` is a goal state of the least cost
    PAUSED = 2
    FULL = 3  # the arrays must grow before the next state can be expanded
    TOO_LARGE = 4  # f is at least MOST_COST
    MOST_COST = 1 << 30


class Search(StateTable):
    """The states of a search. The arrays have a fixed capacity: their owner enlarges them.

    node_info  (capacity, 4): the parent (-1 for the start), the operator that leads there, g, and BOUND, see above
    queue      the open states, by f and h; with states that are closed
    expanded   the number of expansions
    bound      no plan costs less
    goal       the number of the goal state that was found, -1 before
    """

    task: PackedTask  # readonly
    estimate: Estimate  # readonly
    node_info: Ints2  # public
    queue: BucketQueue  # readonly
    expanded: Index  # readonly
    bound: Index  # readonly
    goal: Index  # readonly

    def __init__(self, task: PackedTask, estimate: Estimate, initial: tuple[int, ...], capacity: int) -> None:
        """A search from a state, with room for that many states, a power of two."""
        super().__init__(capacity, task.words, 2 * capacity)
        self.task, self.estimate = task, estimate
        self.node_info = view(np.zeros((capacity, 4), np.int32))
        self.queue = BucketQueue(capacity)
        np.asarray(self.rows)[0] = task.pack(initial)
        self.used, self.expanded, self.bound, self.goal = 1, 0, 0, -1
        self.resize(2 * capacity)
        _start(self)


def advance(search: Search, expansions: int) -> int:
    """Expand at most that many states. Returns ENDED, FOUND, PAUSED, FULL or TOO_LARGE."""
    return _advance(search, expansions)


def _start(search: Search) -> None:
    """Open the initial state."""
    search.node_info[0, PARENT] = -1
    search.node_info[0, OPERATOR] = -1
    search.node_info[0, COST] = 0
    read_state(search.task, search.rows, 0)
    search.node_info[0, BOUND] = search.estimate.enter(search.task.before)
    _open(search, 0)


def _has_room(search: Search) -> Flag:
    """Is there room for all successors of a state?"""
    more: Index = search.task.applicable.shape[0]
    return (
        search.used + more <= search.rows.shape[0]
        and 2 * (search.used + more) <= search.slots.shape[0]
        and has_room_for(search.queue, more)
    )


def _advance(search: Search, expansions: Index) -> Index:
    while search.queue.size:
        f: Index = least_key(search.queue) >> 32
        if f > search.bound:
            search.bound = f
        if expansions == 0:
            return PAUSED
        if not _has_room(search):
            return FULL
        if f >= MOST_COST:
            return TOO_LARGE
        number: Index = dequeue(search.queue)
        if search.node_info[number, BOUND] < 0:
            continue
        read_state(search.task, search.rows, number)
        if is_goal(search.task):
            search.goal = number
            return FOUND
        expansions -= 1
        search.expanded += 1
        search.node_info[number, BOUND] = -1 - search.node_info[number, BOUND]
        _expand(search, search.task, number)
    return ENDED


def _expand(search: Search, task: PackedTask, at: Index) -> None:
    """Open the successors of a state, which is read."""
    is_entered: Flag = False  # by the estimate
    i: Index
    for i in range(find_applicable(task)):
        operator: Index = task.applicable[i]
        cost: Index = search.node_info[at, COST] + task.operators.costs[operator]
        new: Index = search.used
        apply(task, operator)
        write_successor(task, search.rows, at, new)
        slot: Index = find(search, search.rows, new)
        number: Index = search.slots[slot]
        if number < 0:
            if not is_entered:
                search.estimate.expand(task.before)
                is_entered = True
            number = new
            search.slots[slot] = new
            search.used += 1
            search.node_info[number, BOUND] = search.estimate.successor(
                task.before, task.after, task.changed, task.changed_count
            )
        elif cost >= search.node_info[number, COST]:
            forget_successor(task)
            continue
        forget_successor(task)
        search.node_info[number, PARENT] = at
        search.node_info[number, OPERATOR] = operator
        search.node_info[number, COST] = cost
        if search.node_info[number, BOUND] < 0:
            search.node_info[number, BOUND] = -1 - search.node_info[number, BOUND]
        _open(search, number)


def _open(search: Search, number: Index) -> None:
    """Insert a state into the queue, unless its bound is infinite."""
    bound: Index = search.node_info[number, BOUND]
    if bound < INFINITE:
        f: Word = search.node_info[number, COST] + bound
        enqueue(search.queue, left(f, 32) | bound, number)
