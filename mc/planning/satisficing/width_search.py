"""Best-first width search, BFWS(f5) (Lipovetzky and Geffner 2017).

States come in the order of their novelty, then of the landmarks (or goals alone) that are left. Novelty is judged
among states with equally many of them left, and equally many facts made true of the relaxed plan of the last state
on the way at which they became fewer. Relaxed plans are computed there alone, and not before such a state is to be
expanded: so a state costs little, and of many states with fewer goals left only the most novel have one. A state
without a relaxed plan has no plan: it is never expanded. So if the list is empty, there is no plan.

Of states that are equal in novelty and landmarks left, the earliest come first: BROAD. Or those with more facts of
the relaxed plan made true, and of these the earliest, GUIDED, or the latest, DEEP, which finds longer plans. Each
order finds plans that the others do not find for long.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.satisficing.landmark_count import LandmarkCount
from puzzlemc.mc.planning.satisficing.relaxed_plan import RelaxedPlan
from puzzlemc.mc.search.bucket_queue import BucketQueue
from puzzlemc.mc.search.novelty import Novelty
from puzzlemc.mc.search.state_table import StateTree
from puzzlemc.mc.words import view

NOVELTY_BYTES = 1 << 30  # the most for novelty
NOVELTY_SHARE = 2  # it takes at most half of the memory

if not cython.compiled:
    from puzzlemc.mc.planning.packed_task import (
        apply,
        enter_successor,
        find_applicable,
        forget_successor,
        is_goal,
        read_state,
        write_successor,
    )
    from puzzlemc.mc.planning.satisficing.landmark_count import count_landmarks
    from puzzlemc.mc.planning.satisficing.relaxed_plan import evaluate
    from puzzlemc.mc.search.bucket_queue import dequeue, enqueue, enqueue_last, has_room_for
    from puzzlemc.mc.search.novelty import rate
    from puzzlemc.mc.search.state_table import ACTION, ENDED, FOUND, FULL, PARENT, PAUSED, find, has_room
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Numbers, Word, Words, Words2, bit, left

    # Orders of states that are equal in novelty and landmarks left.
    BROAD = 0
    GUIDED = 1
    DEEP = 2
    # Further columns of StateTree.node_info.
    LEFT = 2  # the landmarks left
    MARKED = 3  # the facts of the relaxed plan that were made true
    PLAN = 4  # the number of the relaxed plan, -1 if the state needs one of its own before it is expanded
    COLUMNS = 5
    MARKS = 256  # the most facts of a relaxed plan that are looked at
    MARK_WORDS = 4
    STATE = 60  # work for a state, beside what grows with the task


class WidthSearch(StateTree):
    """The states of a search.

    reached     (capacity, words): the landmarks that were reached on the way
    marks       (capacity, MARK_WORDS): the facts of the relaxed plan that were made true, as bits
    open        the open list
    order       of equal states: BROAD, GUIDED or DEEP
    novelty     the facts and pairs of facts so far; bits are facts that are in conditions
    bit_of      (facts,): the bit of each fact, -1 if it has none
    plan_first  (plans + 1,): where the facts of each relaxed plan start
    plan_facts  the facts of each relaxed plan that are not true in its state
    plans       the number of relaxed plans
    loaded      the relaxed plan whose facts `mark_of` has, -1 if there is none
    mark_of     (facts,): the bit of each fact in `marks`, -1 if it has none
    at          the state that is being expanded, -1 if there is none
    successors  the number of operators that apply in it
    done        the number of these that were looked at
    values      (variables,): its values
    bits        (words,): the bits of its facts
    changed     (variables,): the variables that a step has changed, first
    evaluated   the number of relaxed plans that were computed
    expanded    the number of states that were expanded
    work        steps so far, of about 2 ns each
    goal        the number of the goal state that was found, -1 before
    """

    task: PackedTask  # readonly
    relaxed: RelaxedPlan  # readonly
    landmarks: LandmarkCount  # readonly
    reached: Words2  # public
    marks: Words2  # public
    open: BucketQueue  # readonly
    order: Index
    novelty: Novelty  # readonly
    bit_of: Ints
    plan_first: Ints  # public
    plan_facts: Ints  # public
    plans: Index
    loaded: Index
    mark_of: Ints
    at: Index
    successors: Index  # readonly
    done: Index
    values: Numbers
    bits: Words
    changed: Numbers
    evaluated: Index  # readonly
    expanded: Index  # readonly
    work: Index  # readonly
    goal: Index  # readonly

    def __init__(
        self,
        task: PackedTask,
        relaxed: RelaxedPlan,
        landmarks: LandmarkCount,
        initial: tuple[int, ...],
        capacity: int,
        memory: int,
        order: int,
    ) -> None:
        """A search from `initial`, with room for `capacity` states, a power of two, in `memory` bytes."""
        super().__init__(capacity, task.words, 2 * capacity, COLUMNS)
        self.task, self.relaxed, self.landmarks = task, relaxed, landmarks
        self.reached = view(np.zeros((capacity, landmarks.words), np.uint64))
        self.marks = view(np.zeros((capacity, MARK_WORDS), np.uint64))
        self.open, self.order = BucketQueue(capacity), order
        is_used = np.diff(np.asarray(relaxed.user_first)) > 0
        count = int(is_used.sum())
        parts = (landmarks.is_goal.shape[0] + 1) * (MARKS + 1)
        self.novelty = Novelty(count, parts, min(NOVELTY_BYTES, memory // NOVELTY_SHARE))
        self.bit_of = view(np.where(is_used, np.cumsum(is_used) - 1, -1).astype(np.int32))
        self.bits = view(np.zeros(self.novelty.now.shape[0], np.uint64))
        self.plan_first = view(np.zeros(capacity, np.int32))
        self.plan_facts = view(np.zeros(MARKS, np.int32))
        self.plans, self.loaded = 0, -1
        self.mark_of = view(np.full(len(np.asarray(relaxed.fact_cost)), -1, np.int32))
        self.at, self.successors, self.done, self.goal = -1, 0, 0, -1
        self.values, self.changed = (view(np.zeros(len(initial), np.int64)) for _ in range(2))
        self.evaluated = self.expanded = self.work = 0
        self.begin(task.pack(initial))
        _start(self, task)

    def columns(self) -> list[str]:
        """The names of the arrays that have an entry for each state."""
        return ["rows", "node_info", "reached", "marks"]

    @property
    def bytes(self) -> int:
        """The size of the arrays that grow."""
        plans = 4 * (self.plan_first.shape[0] + self.plan_facts.shape[0])
        return super().bytes + self.novelty.bytes + self.open.bytes + plans

    def enlarge(self, memory: int) -> None:
        """Make room for the successors of a state, and more, in `memory` bytes. Raises LimitReached."""
        more = self.successors - self.done
        self.make_room(more, memory - self.bytes)
        self.open.make_room(more, memory - self.bytes)
        if self.plans + 1 >= self.plan_first.shape[0]:
            self.grow(self.plans + 2, memory - self.bytes, "plan_first")
        facts = self.plan_first[self.plans] + MARKS
        if facts > self.plan_facts.shape[0]:
            self.grow(facts, memory - self.bytes, "plan_facts")


def advance(search: WidthSearch, memory: int, work: int) -> int:
    """Go on for about `work` steps, in `memory` bytes; return the status. Raises LimitReached.

    ENDED: there is no plan. FOUND: `goal` is a goal state.
    """
    last = search.work + work
    search.novelty.allow(memory - search.bytes + search.novelty.bytes)
    while (status := _advance(search, search.task, last)) == FULL:
        search.enlarge(memory)
        search.novelty.allow(memory - search.bytes + search.novelty.bytes)
    return status


def _start(search: WidthSearch, task: PackedTask) -> None:
    """Open the initial state."""
    read_state(task, search.rows, 0)
    if is_goal(task):
        search.goal = 0
    _note_state(search, task)
    _open(search, task, -1, 0, 0)


def _advance(search: WidthSearch, task: PackedTask, last: Index) -> Index:
    if search.goal >= 0:
        return FOUND
    while search.work < last:
        if search.at < 0:
            if search.open.size == 0:
                return ENDED
            search.at = dequeue(search.open)
            search.done = 0
            search.work += STATE + 4 * search.values.shape[0]
        read_state(task, search.rows, search.at)
        search.successors = find_applicable(task)
        if not _has_room(search, search.successors - search.done):
            return FULL
        if search.node_info[search.at, PLAN] < 0 and not _finds_plan(search, task):
            search.at = -1
            continue
        if search.done == 0:
            search.expanded += 1
        _expand(search, task, search.at, last)
        if search.goal >= 0:
            return FOUND
        if search.done == search.successors:
            search.at = -1
    return PAUSED


def _has_room(search: WidthSearch, more: Index) -> Flag:
    """Is there room for `more` further states, and for a relaxed plan?"""
    return (
        has_room(search, more)
        and has_room_for(search.open, more)
        and search.plans + 1 < search.plan_first.shape[0]
        and search.plan_first[search.plans] + MARKS <= search.plan_facts.shape[0]
    )


def _note_state(search: WidthSearch, task: PackedTask) -> None:
    """Note the values and bits of the state to expand, which is read."""
    w: Index
    variable: Index
    for w in range(search.bits.shape[0]):
        search.bits[w] = 0
    for variable in range(search.values.shape[0]):
        search.values[variable] = task.before[variable]
        number: Index = search.bit_of[search.relaxed.first[variable] + task.before[variable]]
        if number >= 0:
            search.bits[number >> 6] |= bit(number & 63)


def _expand(search: WidthSearch, task: PackedTask, at: Index, last: Index) -> None:
    """Open successors of the state that was read, at least one, until the work is `last`.

    If one of them is a goal state, it is the last one.
    """
    i: Index
    k: Index
    _note_state(search, task)
    for i in range(search.done, search.successors):
        if i > search.done and search.work >= last:
            search.done = i
            return
        operator: Index = task.applicable[i]
        new: Index = search.used
        search.work += STATE + task.operators.effect_first[operator + 1] - task.operators.effect_first[operator]
        apply(task, operator)
        write_successor(task, search.rows, at, new)
        slot: Index = find(search, search.rows, new)
        if search.slots[slot] >= 0:
            forget_successor(task)
            continue
        search.slots[slot] = new
        search.used += 1
        search.node_info[new, PARENT] = at
        search.node_info[new, ACTION] = operator
        count: Index = task.changed_count
        for k in range(count):
            search.changed[k] = task.changed[k]
        enter_successor(task)
        if is_goal(task):
            search.goal = new
            return
        for k in range(task.defaults.shape[0]):
            if task.before[task.defaults[k, 0]] != search.values[task.defaults[k, 0]]:
                search.changed[count] = task.defaults[k, 0]
                count += 1
        _open(search, task, at, new, count)
        for k in range(count):
            task.before[search.changed[k]] = search.values[search.changed[k]]
            task.after[search.changed[k]] = search.values[search.changed[k]]
    search.done = search.successors


def _open(search: WidthSearch, task: PackedTask, parent: Index, at: Index, count: Index) -> None:
    """Insert a state into the open list. `count` variables were changed."""
    w: Index
    k: Index
    unreached: Index = count_landmarks(search.landmarks, search.reached, parent, at, task.before)
    search.node_info[at, LEFT] = unreached
    search.work += STATE + search.landmarks.is_goal.shape[0]
    if parent >= 0 and unreached >= search.node_info[parent, LEFT]:
        _mark(search, task, parent, at, count)
    else:
        search.node_info[at, PLAN] = -1
        search.node_info[at, MARKED] = 0
        for w in range(MARK_WORDS):
            search.marks[at, w] = 0
    marked: Index = search.node_info[at, MARKED]
    is_elsewhere: Flag = (
        parent < 0 or unreached != search.node_info[parent, LEFT] or marked != search.node_info[parent, MARKED]
    )
    for w in range(search.bits.shape[0]):
        search.novelty.now[w] = search.bits[w]
        search.novelty.fresh[w] = 0
    for k in range(count):
        variable: Index = search.changed[k]
        first: Index = search.relaxed.first[variable]
        number: Index = search.bit_of[first + search.values[variable]]
        if number >= 0:
            search.novelty.now[number >> 6] &= ALL ^ bit(number & 63)
        number = search.bit_of[first + task.before[variable]]
        if number >= 0:
            search.novelty.now[number >> 6] |= bit(number & 63)
            search.novelty.fresh[number >> 6] |= bit(number & 63)
    if is_elsewhere:
        for w in range(search.bits.shape[0]):
            search.novelty.fresh[w] = search.novelty.now[w]
    looked: Index = search.novelty.work
    novelty: Index = rate(search.novelty, unreached * (MARKS + 1) + marked)
    search.work += search.novelty.work - looked
    key: Word = left(left(novelty, 32) + unreached, 16)
    if search.order != BROAD:
        key += MARKS - marked
    if search.order == DEEP:
        enqueue(search.open, key, at)
    else:
        enqueue_last(search.open, key, at)


def _mark(search: WidthSearch, task: PackedTask, parent: Index, at: Index, count: Index) -> None:
    """Mark the facts of the relaxed plan of the parent that a step has made true."""
    w: Index
    i: Index
    k: Index
    plan: Index = search.node_info[parent, PLAN]
    if search.loaded != plan:
        if search.loaded >= 0:
            for i in range(search.plan_first[search.loaded], search.plan_first[search.loaded + 1]):
                search.mark_of[search.plan_facts[i]] = -1
        for i in range(search.plan_first[plan], search.plan_first[plan + 1]):
            search.mark_of[search.plan_facts[i]] = i - search.plan_first[plan]
        search.work += search.plan_first[plan + 1] - search.plan_first[plan]
        search.loaded = plan
    search.node_info[at, PLAN] = plan
    marked: Index = search.node_info[parent, MARKED]
    for w in range(MARK_WORDS):
        search.marks[at, w] = search.marks[parent, w]
    for k in range(count):
        variable: Index = search.changed[k]
        mark: Index = search.mark_of[search.relaxed.first[variable] + task.before[variable]]
        if mark >= 0 and search.marks[at, mark >> 6] & bit(mark & 63) == 0:
            search.marks[at, mark >> 6] |= bit(mark & 63)
            marked += 1
    search.node_info[at, MARKED] = marked


def _finds_plan(search: WidthSearch, task: PackedTask) -> Flag:
    """Give the state to expand a relaxed plan of its own: its facts that are not true. False if it has none."""
    i: Index
    before: Index = search.relaxed.work
    cost: Index = evaluate(search.relaxed, task.before)
    search.evaluated += 1
    search.work += search.relaxed.work - before
    if cost < 0:
        return False
    first: Index = search.plan_first[search.plans]
    end: Index = first
    for i in range(search.relaxed.needed_count):
        fact: Index = search.relaxed.needed[i]
        if search.relaxed.supporter[fact] >= 0 and end < first + MARKS:
            search.plan_facts[end] = fact
            end += 1
    search.node_info[search.at, PLAN] = search.plans
    search.plans += 1
    search.plan_first[search.plans] = end
    return True
