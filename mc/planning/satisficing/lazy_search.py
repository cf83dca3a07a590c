"""Lazy greedy best-first search with preferred operators (Helmert 2006; Richter and Helmert 2009).

A state is generated and evaluated only when it leaves an open list, where it stands under the estimate of its
parent. There are two estimates, the relaxed plan and the landmarks that are left, and two open lists for each: one
for all successors, one for those by preferred operators. After progress in one of the estimates, the lists of
preferred operators come first for some time. A fifth list is by types, which leaves plateaus of both estimates: it
picks a random pair of an estimate and a depth, of this type a random state, and a successor of it that it has not
yet picked (Xie, Müller, Holte and Imai 2014).

A state without relaxed plan has no plan: it is never expanded. So if the lists are empty, there is no plan.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.satisficing.landmark_count import LandmarkCount
from puzzlemc.mc.planning.satisficing.relaxed_plan import RelaxedPlan
from puzzlemc.mc.search.open_lists import OpenLists
from puzzlemc.mc.search.state_table import StateTree
from puzzlemc.mc.search.type_list import TypeList
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
    from puzzlemc.mc.planning.satisficing.landmark_count import count_landmarks
    from puzzlemc.mc.planning.satisficing.relaxed_plan import evaluate
    from puzzlemc.mc.search.open_lists import insert, next_list, remove
    from puzzlemc.mc.search.state_table import ACTION, ENDED, FOUND, FULL, PARENT, PAUSED, find, has_room, hash_of
    from puzzlemc.mc.search.type_list import draw_item, insert_item, remove_drawn
    from puzzlemc.mc.words import Flag, Index, Words2

    # Open lists: relaxed plans are even numbers, landmarks odd ones.
    PREFERRED = 2  # the first list of preferred operators
    LISTS = 4
    BOOST = 1000
    # Further columns of `node_info`.
    DEPTH = 2  # the number of steps from the start
    PICKED = 3  # the number of successors that were picked by type
    COLUMNS = 4
    # Work that takes as long, in units of about 2 ns.
    STATE = 60  # to write a state and to look it up, without its variables
    VARIABLE = 2  # to read a value
    FOUND_OPERATOR = 4  # to find an applicable operator
    SUCCESSOR = 20  # to insert a pair into the lists


class LazySearch(StateTree):
    """The states of a search.

    reached    (capacity, words): the landmarks that were reached on the way
    lists      the open lists by estimates
    types      the states whose successors were not all picked by type
    parent     the state of the successor that comes next
    least_...  the least estimates so far
    evaluated  the number of evaluations
    work       steps so far, about 2 ns each
    goal       the number of the goal state that was found, -1 before
    """

    task: PackedTask  # readonly
    relaxed: RelaxedPlan  # readonly
    landmarks: LandmarkCount  # readonly
    reached: Words2  # public
    lists: OpenLists  # readonly
    types: TypeList  # readonly
    parent: Index
    least_plan: Index  # readonly
    least_landmarks: Index  # readonly
    evaluated: Index  # readonly
    work: Index  # readonly
    goal: Index  # readonly

    def __init__(
        self,
        task: PackedTask,
        relaxed: RelaxedPlan,
        landmarks: LandmarkCount,
        initial: tuple[int, ...],
        capacity: int,
    ) -> None:
        """A search from `initial`, with room for `capacity` states, a power of two."""
        super().__init__(capacity, task.words, 2 * capacity, COLUMNS)
        self.task, self.relaxed, self.landmarks = task, relaxed, landmarks
        self.reached = view(np.zeros((capacity, landmarks.words), np.uint64))
        self.lists = OpenLists(LISTS, LISTS * (capacity + task.applicable.shape[0]))
        self.types, self.parent = TypeList(capacity), -1
        self.evaluated, self.work, self.goal = 0, 0, -1
        self.least_plan = self.least_landmarks = 1 << 60
        self.begin(task.pack(initial))
        _start(self)

    def columns(self) -> list[str]:
        """The names of the arrays that have an entry for each state."""
        return ["rows", "node_info", "reached"]

    @property
    def bytes(self) -> int:
        """The size of the arrays of states and of the lists."""
        lists = self.lists
        return super().bytes + lists.entries.shape[0] * lists.bytes_of("entries") + self.types.bytes

    def enlarge(self, memory: int) -> None:
        """Make room for a state and its successors, and more, in `memory` bytes. Raises LimitReached."""
        self.make_room(1, memory - self.bytes)
        needed = self.lists.entry_count + LISTS * self.task.applicable.shape[0]
        if needed > self.lists.entries.shape[0]:
            self.lists.grow(needed, memory - self.bytes, "entries")
        if self.types.insertions == self.types.blocks.shape[0]:
            self.types.grow(self.types.insertions + 1, memory - self.bytes, "blocks")


def advance(search: LazySearch, memory: int, work: int) -> int:
    """Search until `work` steps are made or more, in `memory` bytes; return the status. Raises LimitReached.

    ENDED: there is no plan. FOUND: `goal` is a goal state.
    """
    last = search.work + work
    while (status := _advance(search, search.task, search.lists, last)) == FULL:
        search.enlarge(memory)
    return status


def _start(search: LazySearch) -> None:
    """Expand the initial state."""
    read_state(search.task, search.rows, 0)
    if is_goal(search.task):
        search.goal = 0
    _expand(search, search.task, 0)


def _has_room(search: LazySearch) -> Flag:
    """Is there room for a state and its successors?"""
    more: Index = search.task.applicable.shape[0]
    return (
        has_room(search, 1)
        and search.lists.entry_count + LISTS * more <= search.lists.entries.shape[0]
        and search.types.insertions < search.types.blocks.shape[0]
    )


def _advance(search: LazySearch, task: PackedTask, lists: OpenLists, last: Index) -> Index:
    """Search until `work` is `last` or more."""
    if search.goal >= 0:
        return FOUND
    while True:
        if search.work >= last:
            return PAUSED
        if not _has_room(search):
            return FULL
        operator: Index = _next_successor(search, task, lists)
        if operator < 0:
            return ENDED
        parent: Index = search.parent
        new: Index = search.used
        search.work += STATE + VARIABLE * task.before.shape[0]
        read_state(task, search.rows, parent)
        apply(task, operator)
        write_successor(task, search.rows, parent, new)
        forget_successor(task)
        slot: Index = find(search, search.rows, new)
        if search.slots[slot] >= 0:
            continue
        search.slots[slot] = new
        search.used += 1
        search.node_info[new, PARENT] = parent
        search.node_info[new, ACTION] = operator
        read_state(task, search.rows, new)
        if is_goal(task):
            search.goal = new
            return FOUND
        _expand(search, task, new)


def _next_successor(search: LazySearch, task: PackedTask, lists: OpenLists) -> Index:
    """The operator of the successor that comes next, and its parent in `parent`; -1 if all lists are empty."""
    number: Index = next_list(lists)
    if number < 0:
        return -1
    if search.types.type_count and search.types.draws < lists.priority[number]:
        return _pick_by_type(search, task)
    entry: Index = remove(lists, number)
    search.parent = lists.entries[entry, 0]
    return lists.entries[entry, 1]


def _pick_by_type(search: LazySearch, task: PackedTask) -> Index:
    """The operator of a successor of a state of a random type, and the state in `parent`."""
    at: Index = draw_item(search.types)
    search.parent = at
    read_state(task, search.rows, at)
    successors: Index = find_applicable(task)
    search.work += STATE + VARIABLE * task.before.shape[0] + FOUND_OPERATOR * successors
    picked: Index = search.node_info[at, PICKED]
    search.node_info[at, PICKED] = picked + 1
    if picked + 1 >= successors:
        remove_drawn(search.types)
    first: Index = hash_of(search.rows, at) >> 33  # another one for each state
    return task.applicable[(first + picked) % successors]


def _expand(search: LazySearch, task: PackedTask, at: Index) -> None:
    """Evaluate a state, which is read, and open its successors, unless it has no plan."""
    i: Index
    number: Index
    search.evaluated += 1
    before: Index = search.relaxed.work
    plan: Index = evaluate(search.relaxed, task.before)
    search.work += search.relaxed.work - before + VARIABLE * task.before.shape[0]
    if plan < 0:
        return
    parent: Index = search.node_info[at, PARENT]
    if parent >= 0:
        search.node_info[at, DEPTH] = search.node_info[parent, DEPTH] + 1
    left: Index = count_landmarks(search.landmarks, search.reached, parent, at, task.before)
    if plan < search.least_plan or left < search.least_landmarks:
        search.least_plan = min(search.least_plan, plan)
        search.least_landmarks = min(search.least_landmarks, left)
        for number in range(PREFERRED, LISTS):
            search.lists.priority[number] -= BOOST
    successors: Index = find_applicable(task)
    search.work += search.landmarks.is_goal.shape[0] + SUCCESSOR * successors
    for i in range(successors):
        operator: Index = task.applicable[i]
        insert(search.lists, 0, plan, at, operator)
        insert(search.lists, 1, left, at, operator)
        if search.relaxed.preferred[operator] == search.relaxed.stamp:
            insert(search.lists, PREFERRED, plan, at, operator)
            insert(search.lists, PREFERRED + 1, left, at, operator)
    if successors:
        insert_item(search.types, plan, search.node_info[at, DEPTH], at)
