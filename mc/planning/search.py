"""A* over packed states (Hart, Nilsson and Raphael 1968). Compiled: see `mc/words.py`.

Open states are ordered by f = g + h, then by h, then the latest first. A state whose bound is infinite is stored,
and never opened. A closed state that is reached at a lower cost is opened again; with a consistent bound that does
not happen. A state whose f is at least the cost of a known plan is stored, and not opened.

With symmetries, a state that has the representative of a known one counts as that one (Domshlak, Katz and
Shleyfman 2015). The states themselves are stored, too: successors and bounds are theirs, as databases know only
states that the initial state leads to. If a closed state is reached at a lower cost through a state that is like
it, this one gets an entry of its own: the entries after the old one follow from the old state.
"""

from collections.abc import Iterable

import cython
import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.patterns.estimate import Estimate
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.stubborn_sets import StubbornSets
from puzzlemc.mc.search.bucket_queue import BucketQueue
from puzzlemc.mc.search.growing import CAPACITY, UNLIMITED
from puzzlemc.mc.search.state_table import StateTree
from puzzlemc.mc.symmetry.representatives import Symmetries
from puzzlemc.mc.tasks.task import State
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.planning.packed_task import (
        apply,
        find_applicable,
        forget_successor,
        is_goal,
        read_state,
        write_successor,
        write_values,
    )
    from puzzlemc.mc.planning.stubborn_sets import is_full, leave_out
    from puzzlemc.mc.search.bucket_queue import dequeue, enqueue, has_room_for, least_key
    from puzzlemc.mc.search.state_table import ACTION, ENDED, FOUND, FULL, PARENT, PAUSED, find, has_room
    from puzzlemc.mc.symmetry.representatives import begin_successor, change, represent, represent_successor
    from puzzlemc.mc.words import Flag, Index, Words2, left

    # Columns of Search.node_info. BOUND is h, or -1 - h after the expansion.
    COST, BOUND = 2, 3
    TOO_LARGE = 4  # what `_advance` returns if f is at least MOST_COST
    MOST_COST = 1 << 30
    EXPANSION_BITS = 9  # an expansion takes as long as 1 << EXPANSION_BITS steps of symmetries or stubborn sets,
    FEW, SUCCESSOR_WORK = 32, 16  # with FEW successors at most; each further one takes as long as some steps


class Search(StateTree):
    """The states of a search.

    rows       (capacity, words): the representatives
    reached    (capacity, words): the states themselves, if there are symmetries
    node_info  (capacity, 4): further columns are COST, which is g, and BOUND, see above
    stubborn   the stubborn set of a state, whose operators alone are applied
    queue      the open states, by f and h; with states that are closed
    expanded   the number of expansions
    further    the number of successors beyond the first FEW of each state
    bound      no plan costs less
    upper      the cost of the best plan that is known: only a cheaper one is searched for
    goal       the number of the goal state that was found, -1 before
    last       if it is not negative, the search goes on beyond goal states, until f is greater
    """

    task: PackedTask  # readonly
    estimate: Estimate  # readonly
    symmetries: Symmetries  # readonly
    stubborn: StubbornSets  # readonly
    reached: Words2  # public
    queue: BucketQueue  # readonly
    expanded: Index  # readonly
    further: Index
    bound: Index  # readonly
    upper: Index  # public
    goal: Index  # readonly
    last: Index  # readonly

    def __init__(
        self, task: PackedTask, estimate: Estimate, initial: State, symmetries: Symmetries, stubborn: StubbornSets
    ) -> None:
        """A search from a state."""
        super().__init__(CAPACITY, task.words, 2 * CAPACITY, 4)
        self.task, self.estimate, self.symmetries, self.stubborn = task, estimate, symmetries, stubborn
        self.queue = BucketQueue(CAPACITY)
        self.expanded = self.further = 0
        self.bound, self.upper, self.goal, self.last = 0, UNLIMITED, -1, -1
        self.reached = view(np.zeros((CAPACITY, task.words), np.uint64))
        np.asarray(self.reached)[0] = task.pack(initial)
        self.begin(task.pack(symmetries.representative(initial)))
        _start(self)

    def columns(self) -> list[str]:
        """The names of the arrays that have an entry for each state."""
        return [*super().columns(), "reached"] if self.symmetries.count else super().columns()

    @property
    def work(self) -> int:
        """The expansions, and as many more as representatives of states and stubborn sets took the time of."""
        return _work(self)

    @property
    def bytes(self) -> int:
        """The size of the arrays that grow."""
        return super().bytes + self.queue.bytes + self.stubborn.bytes

    def enlarge(self, memory: int) -> None:
        """Make room for the successors of a state, and more, in `memory` bytes. Raises LimitReached."""
        more = self.task.applicable.shape[0]
        self.stubborn.make_room(memory - self.bytes)
        self.make_room(more, memory - self.bytes)
        self.queue.make_room(more, memory - self.bytes)

    def states(self, count: int) -> list[State]:
        """At most `count` of the states, spread over the order of their discovery."""
        return self._unpacked(dict.fromkeys(np.linspace(0, self.used - 1, count).astype(np.int64).tolist()))

    def first_states(self, count: int) -> list[State]:
        """At most `count` of the states, in the order of their discovery."""
        return self._unpacked(range(min(count, self.used)))

    @property
    def least_open(self) -> int | None:
        """The least f of an open state; None if no state is open."""
        return (least_key(self.queue) >> 32) if self.queue.size else None

    def _unpacked(self, numbers: Iterable[int]) -> list[State]:
        """The states with these numbers."""
        rows = np.asarray(self.reached if self.symmetries.count else self.rows)
        return [self.task.unpack(rows[number]) for number in numbers]

    @property
    def first_bound(self) -> int:
        """The bound of the initial state."""
        bound: int = self.node_info[0, BOUND]
        return bound if bound >= 0 else -1 - bound

    def holds(self, state: State) -> bool:
        """Has the search, which has no symmetries, seen the state?"""
        return self.number_of(self.task.pack(state)) >= 0


def advance(search: Search, memory: int, most: int) -> int:
    """Expand states until that is `most` work, in `memory` bytes; return the status. Raises LimitReached.

    ENDED: no plan costs less than `upper`, or each open state has a greater f than `last`. FOUND: `goal` is a goal
    state of the least cost.
    """
    end = search.work + most
    while (status := _advance(search, end)) == FULL:
        search.enlarge(memory)
    if status == TOO_LARGE:
        raise LimitReached("bound")
    return status


def go_on(search: Search, most: int) -> None:
    """Let a search that has found a goal go on from there, and beyond others, until f is greater than `most`."""
    search.last = most
    if search.node_info[search.goal, BOUND] >= 0:
        _open(search, search.goal)


def _start(search: Search) -> None:
    """Open the initial state."""
    search.node_info[0, COST] = 0
    read_entry(search, 0)
    search.node_info[0, BOUND] = search.estimate.enter(search.task.before)
    _open(search, 0)


def _has_room(search: Search) -> Flag:
    """Is there room for all successors of a state?"""
    more: Index = search.task.applicable.shape[0]
    if search.stubborn.is_on and is_full(search.stubborn):
        return False
    return has_room(search, more) and has_room_for(search.queue, more)


def _work(search: Search) -> Index:
    more: Index = search.symmetries.work + search.stubborn.work + SUCCESSOR_WORK * search.further
    return search.expanded + (more >> EXPANSION_BITS)


def _advance(search: Search, end: Index) -> Index:
    while search.queue.size:
        f: Index = least_key(search.queue) >> 32
        if f >= search.upper or (search.last >= 0 and f > search.last):
            return ENDED
        if f > search.bound:
            search.bound = f
        if _work(search) >= end:
            return PAUSED
        if not _has_room(search):
            return FULL
        if f >= MOST_COST:
            return TOO_LARGE
        number: Index = dequeue(search.queue)
        if search.node_info[number, BOUND] < 0:
            continue
        read_entry(search, number)
        if search.symmetries.count and _is_raised(search, number):
            _open(search, number)
            continue
        if search.last < 0 and is_goal(search.task):
            search.goal = number
            return FOUND
        search.expanded += 1
        search.node_info[number, BOUND] = -1 - search.node_info[number, BOUND]
        _expand(search, search.task, number)
    return ENDED


def _is_raised(search: Search, number: Index) -> Flag:
    """Raise the bound of a state, which may be that of another one with its representative; must it wait?"""
    bound: Index = search.estimate.enter(search.task.before)
    if bound <= search.node_info[number, BOUND] and bound < INFINITE:
        return False
    search.node_info[number, BOUND] = bound
    return True


def _expand(search: Search, task: PackedTask, at: Index) -> None:
    """Open the successors of a state, which is read."""
    is_entered: Flag = False  # by the estimate
    i: Index
    count: Index = find_applicable(task)
    if search.stubborn.is_on:
        count = leave_out(search.stubborn, task, count)
    if count > FEW:
        search.further += count - FEW
    if search.symmetries.count:
        _find_representative(search)
    for i in range(count):
        operator: Index = task.applicable[i]
        cost: Index = search.node_info[at, COST] + task.operators.costs[operator]
        new: Index = search.used
        apply(task, operator)
        write_entry(search, task, at, search.used)
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
        elif search.symmetries.count:
            number = _replace(search, number, slot)
        forget_successor(task)
        search.node_info[number, PARENT] = at
        search.node_info[number, ACTION] = operator
        search.node_info[number, COST] = cost
        if search.node_info[number, BOUND] < 0:
            search.node_info[number, BOUND] = -1 - search.node_info[number, BOUND]
        _open(search, number)


def read_entry(search: Search, number: Index) -> None:
    """Take a state as the parent of successors."""
    if search.symmetries.count:
        read_state(search.task, search.reached, number)
    else:
        read_state(search.task, search.rows, number)


def write_entry(search: Search, task: PackedTask, at: Index, to: Index) -> None:
    """Write the successor of state `at` to place `to`, and its representative if there are symmetries."""
    k: Index
    if search.symmetries.count:
        write_successor(task, search.reached, at, to)
        begin_successor(search.symmetries)
        for k in range(task.changed_count):
            change(search.symmetries, task.changed[k], task.after[task.changed[k]])
        represent_successor(search.symmetries)
        write_values(task, search.rows, search.symmetries.values, to)
    else:
        write_successor(task, search.rows, at, to)


def _find_representative(search: Search) -> None:
    """Find the representative of the parent, from which those of successors follow."""
    variable: Index
    for variable in range(search.task.before.shape[0]):
        search.symmetries.values[variable] = search.task.before[variable]
    represent(search.symmetries)


def _replace(search: Search, number: Index, slot: Index) -> Index:
    """Replace a known state by the one behind the last, which is like it; return the number of its entry."""
    k: Index
    new: Index = search.used
    if search.node_info[number, BOUND] < 0:
        search.node_info[new, BOUND] = search.node_info[number, BOUND]
        search.slots[slot] = new
        search.used += 1
        return new
    for k in range(search.task.words):
        search.reached[number, k] = search.reached[new, k]
    return number


def _open(search: Search, number: Index) -> None:
    """Insert a state into the queue, if a plan through it may cost less than `upper`."""
    bound: Index = search.node_info[number, BOUND]
    f: Index = search.node_info[number, COST] + bound
    if bound < INFINITE and f < search.upper:
        enqueue(search.queue, left(f, 32) | bound, number)
