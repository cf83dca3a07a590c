"""Strong stubborn sets: operators of which one begins a cheapest plan from a state (Alkhazraji, Wehrle, Mattmüller
and Helmert 2012, after Valmari 1989). The other operators need not be applied there.

A set is stubborn in a state that is no goal state if it has

- all operators that achieve some fact of the goal that the state does not have;
- for each of its operators that is not applicable, all that achieve some fact which its precondition lacks;
- for each of its operators that is applicable, all that interfere with it: one of the two makes a fact of the
  other's precondition false, or both change a variable to different values. Operators whose preconditions exclude
  each other are never applicable in the same state, and do not interfere.

The first operator of the set in a cheapest plan then can be the first of the plan. Of cheapest plans, a shortest
one has to be taken if operators without cost exist. Only tasks without axioms and conditional effects have sets.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Numbers, Numbers2

    NONE = -1
    TRIED = 1000  # states after which it is seen whether the sets are worth their time:
    WORTH = 5  # they are if they have left out one of this many applicable operators
    # Work after which the same is seen: in a large task, one set may take as long as thousands of expansions.
    TRIED_WORK = 1 << 24
    DEAR = 4000  # work for each operator that is left out, with which sets are not worth their time

SHARE = 16  # operators that interfere take at most this part of the free memory


class StubbornSets:
    """The stubborn set of one state after the other.

    is_on           whether operators are left out
    fact_first      (variables + 1,): the first fact of each variable
    required_first  (facts + 1,): where the operators start that require a fact
    requiring       operators
    achieved_first  (facts + 1,): where the operators start that achieve a fact
    achieving       operators
    place           (operators,): where the operators start that interfere with each; NONE before they are
                    looked for
    count           (operators,): the number of them
    interfering     operators
    used            the number of entries there
    value           (variables,): the values that an operator requires, NONE if it requires none
    member          (operators,): `stamp` if the operator is in the set
    applicable      (operators,): `stamp` if it is applicable
    achieved        (facts,): `stamp` if all operators that achieve the fact are in the set
    compared        (operators,): the operator that each was last compared with, counted from 1
    stamp           the number of the state
    stack           (operators,): operators of the set of which nothing follows so far
    height          the number of them
    states          the number of states so far
    found           the number of operators that were applicable in them
    kept            the number of those in the sets
    work            the number of operators that were looked at
    """

    is_on: Flag  # readonly
    fact_first: Numbers
    required_first: Numbers
    requiring: Ints
    achieved_first: Numbers
    achieving: Ints
    place: Numbers
    count: Ints
    interfering: Ints
    used: Index
    value: Numbers
    member: Numbers
    applicable: Numbers
    achieved: Numbers
    compared: Ints
    stamp: Index
    stack: Ints
    height: Index
    states: Index  # readonly
    found: Index  # readonly
    kept: Index  # readonly
    work: Index  # readonly

    def __init__(self, task: Task, *, is_on: bool) -> None:
        """The sets of a task. They are off, and stay so, unless the task has no axioms and conditional effects."""
        operators, facts = len(task.operators), sum(task.domains)
        self.is_on = is_on and task.is_plain
        first = starts(task.domains)
        arrays = task.arrays
        self.fact_first = view(first)
        required = np.repeat(np.arange(operators), np.diff(arrays.precondition_first))
        places, owners = _lists(arrays.precondition, required, first, facts)
        self.required_first, self.requiring = view(places), view(owners)
        places, owners = _lists(arrays.effect, arrays.effect_owner, first, facts)
        self.achieved_first, self.achieving = view(places), view(owners)
        self.place = view(np.full(operators, NONE, np.int64))
        self.count, self.compared, self.stack = (view(np.zeros(operators, np.int32)) for _ in range(3))
        self.member, self.applicable = (view(np.zeros(operators, np.int64)) for _ in range(2))
        self.achieved = view(np.zeros(facts, np.int64))
        self.value = view(np.full(len(task.domains), NONE, np.int64))
        self.interfering, self.used = view(np.zeros(operators, np.int32)), 0
        self.stamp = self.height = self.states = self.found = self.kept = self.work = 0

    @property
    def bytes(self) -> int:
        """The size of the array that grows."""
        return np.asarray(self.interfering).nbytes

    def make_room(self, free: int) -> None:
        """Make room for operators that interfere with a further one; or end the use of the sets, if that takes
        more than a part of `free` further bytes.
        """
        if not (self.is_on and is_full(self)):
            return
        before = np.asarray(self.interfering)
        if before.nbytes > free // SHARE:
            self.is_on = False
        else:
            self.interfering = view(np.concatenate([before, np.zeros_like(before)]))


def _lists(
    rows: npt.NDArray[np.int64], owners: npt.NDArray[np.int64], first: npt.NDArray[np.int64], facts: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """The owners of facts in rows, fact by fact: where those of each start, and all one after the other."""
    numbers = first[rows[:, 0]] + rows[:, 1]
    order = np.argsort(numbers, kind="stable")
    return starts(np.bincount(numbers, minlength=facts)), owners[order].astype(np.int32)


def is_full(sets: StubbornSets) -> Flag:
    """Is there no room for all operators that may interfere with a further one?"""
    return sets.used + sets.place.shape[0] > sets.interfering.shape[0]


def leave_out(sets: StubbornSets, task: PackedTask, count: Index) -> Index:  # public
    """Leave applicable operators out that are not in the stubborn set of the state, which is no goal state.

    The first `count` of `task.applicable` are applicable; return the number of those that stay, which come first.
    All stay if there is no room to find the set.
    """
    i: Index
    kept: Index = 0
    sets.stamp += 1
    sets.height = 0
    for i in range(count):
        sets.applicable[task.applicable[i]] = sets.stamp
    _achieve(sets, task.before, task.goal, 0, task.goal.shape[0])
    while sets.height and kept < count:
        sets.height -= 1
        operator: Index = sets.stack[sets.height]
        if sets.applicable[operator] != sets.stamp:
            _achieve(
                sets,
                task.before,
                task.operators.precondition,
                task.operators.precondition_first[operator],
                task.operators.precondition_first[operator + 1],
            )
            continue
        kept += 1
        if sets.place[operator] < 0:
            if is_full(sets):
                return count
            _find_interfering(sets, task.operators, operator)
        for i in range(sets.place[operator], sets.place[operator] + sets.count[operator]):
            _add(sets, sets.interfering[i])
        sets.work += sets.count[operator]
    sets.states += 1
    sets.found += count
    if kept < count:
        kept = 0
        for i in range(count):
            operator = task.applicable[i]
            if sets.member[operator] == sets.stamp:
                task.applicable[kept] = operator
                kept += 1
    sets.kept += kept
    _judge(sets)
    return kept


def _judge(sets: StubbornSets) -> None:
    """End the use of the sets if they are not worth their time."""
    less: Index = sets.found - sets.kept
    if sets.states == TRIED or (sets.states < TRIED and sets.work > TRIED_WORK):
        sets.is_on = WORTH * less >= sets.found and DEAR * less >= sets.work


def _add(sets: StubbornSets, operator: Index) -> None:
    if sets.member[operator] != sets.stamp:
        sets.member[operator] = sets.stamp
        sets.stack[sets.height] = operator
        sets.height += 1


def _achieve(sets: StubbornSets, state: Numbers, facts: Numbers2, first: Index, last: Index) -> None:
    """Add all operators that achieve one of the facts that the state does not have.

    If those of one of them are in the set, nothing is added; else the fact is taken that fewest achieve.
    """
    i: Index
    best: Index = NONE
    for i in range(first, last):
        if state[facts[i, 0]] == facts[i, 1]:
            continue
        fact: Index = sets.fact_first[facts[i, 0]] + facts[i, 1]
        if sets.achieved[fact] == sets.stamp:
            return
        count: Index = sets.achieved_first[fact + 1] - sets.achieved_first[fact]
        if best < 0 or count < sets.achieved_first[best + 1] - sets.achieved_first[best]:
            best = fact
    sets.achieved[best] = sets.stamp
    for i in range(sets.achieved_first[best], sets.achieved_first[best + 1]):
        _add(sets, sets.achieving[i])
    sets.work += sets.achieved_first[best + 1] - sets.achieved_first[best]


def _find_interfering(sets: StubbornSets, operators: Operators, operator: Index) -> None:
    """Look for the operators that interfere with one."""
    i: Index
    first: Index = operators.precondition_first[operator]
    last: Index = operators.precondition_first[operator + 1]
    sets.place[operator] = sets.used
    sets.compared[operator] = operator + 1
    for i in range(first, last):
        sets.value[operators.precondition[i, 0]] = operators.precondition[i, 1]
    for i in range(first, last):
        _compare(sets, operators, operator, operators.precondition[i, 0], operators.precondition[i, 1], False)
    for i in range(operators.effect_first[operator], operators.effect_first[operator + 1]):
        _compare(sets, operators, operator, operators.effect[i, 0], operators.effect[i, 1], True)
    for i in range(first, last):
        sets.value[operators.precondition[i, 0]] = NONE
    sets.count[operator] = sets.used - sets.place[operator]


def _compare(
    sets: StubbornSets, operators: Operators, operator: Index, variable: Index, value: Index, requiring: Flag
) -> None:
    """Take the operators that achieve another value of a variable, if so also those that require another one."""
    i: Index
    fact: Index
    for fact in range(sets.fact_first[variable], sets.fact_first[variable + 1]):
        if fact == sets.fact_first[variable] + value:
            continue
        for i in range(sets.achieved_first[fact], sets.achieved_first[fact + 1]):
            _take(sets, operators, operator, sets.achieving[i])
        sets.work += sets.achieved_first[fact + 1] - sets.achieved_first[fact]
        if requiring:
            for i in range(sets.required_first[fact], sets.required_first[fact + 1]):
                _take(sets, operators, operator, sets.requiring[i])
            sets.work += sets.required_first[fact + 1] - sets.required_first[fact]


def _take(sets: StubbornSets, operators: Operators, operator: Index, other: Index) -> None:
    """Take one that interferes with an operator, unless it was taken before, or their preconditions exclude it."""
    i: Index
    if sets.compared[other] == operator + 1:
        return
    sets.compared[other] = operator + 1
    for i in range(operators.precondition_first[other], operators.precondition_first[other + 1]):
        value: Index = sets.value[operators.precondition[i, 0]]
        if value >= 0 and value != operators.precondition[i, 1]:
            return
    sets.interfering[sets.used] = other
    sets.used += 1
