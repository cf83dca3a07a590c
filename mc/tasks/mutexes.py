"""Groups of facts of which at most one holds in each reachable state, by induction over the operators.

A task may come with groups from elsewhere. A group is used only if it holds in the initial state and each operator
keeps it, whatever else is known. So a wrong group is ignored. Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np

from puzzlemc.mc.tasks.operators import OperatorArrays, starts
from puzzlemc.mc.tasks.task import Fact, Task
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Numbers, Numbers2


class MutexGroups:
    """Groups by number, and scratch space for one operator. Facts have numbers.

    first           (variables,): the first fact of each variable
    group_first     (facts + 1,): where the groups of each fact start
    group           groups
    variable_first  (groups + 1,): where the variables of each group start
    variable        variables, for each group each of them once
    kept            (groups,): whether all operators so far keep the group
    required        (groups,): the facts that the operator requires
    changed         (groups,): of these, those whose variable the operator sets
    added           (groups,): the facts that hold after the operator by effects without condition
    doubtful        (groups,): whether an effect with a condition adds a fact
    touched         the groups of which the operator may add a fact
    is_touched      (groups,)
    after           (variables,): the last effect without condition on each variable, counted from 1
    named           (variables,): the last operator that sets or requires each variable, counted from 1
    """

    first: Numbers
    group_first: Ints
    group: Ints
    variable_first: Ints
    variable: Ints
    kept: Bytes
    required: Ints
    changed: Ints
    added: Ints
    doubtful: Bytes
    touched: Ints
    is_touched: Bytes
    after: Numbers
    named: Numbers
    precondition_first: Numbers
    precondition: Numbers2
    effect_first: Numbers
    effect: Numbers2
    condition_first: Numbers

    def __init__(
        self, domains: Sequence[int], groups: Sequence[frozenset[Fact]], operators: OperatorArrays
    ) -> None:
        first = np.cumsum([0, *domains], dtype=np.int64)
        facts = np.array([first[variable] + value for group in groups for variable, value in group], np.int64)
        owners = np.repeat(np.arange(len(groups), dtype=np.int32), [len(group) for group in groups])
        variables = [sorted({variable for variable, _ in group}) for group in groups]
        self.first = view(first)
        self.group_first = view(starts(np.bincount(facts, minlength=int(first[len(domains)]))).astype(np.int32))
        self.group = view(owners[np.argsort(facts, kind="stable")])
        self.variable_first = view(starts(map(len, variables)).astype(np.int32))
        self.variable = view(np.array([variable for each in variables for variable in each], np.int32))
        self.kept = view(np.ones(len(groups), np.uint8))
        self.doubtful, self.is_touched = (view(np.zeros(len(groups), np.uint8)) for _ in range(2))
        self.required, self.changed = (view(np.zeros(len(groups), np.int32)) for _ in range(2))
        self.added, self.touched = (view(np.zeros(len(groups), np.int32)) for _ in range(2))
        self.after, self.named = (view(np.zeros(len(domains), np.int64)) for _ in range(2))
        self.precondition_first, self.precondition = (
            view(operators.precondition_first),
            view(operators.precondition),
        )
        self.effect_first, self.effect = view(operators.effect_first), view(operators.effect)
        self.condition_first = view(operators.condition_first)


def inductive_groups(task: Task) -> list[frozenset[Fact]]:
    """The groups of the task that are inductive."""
    derived, initial = set(task.derived), set(enumerate(task.initial))
    groups = [
        group
        for group in map(frozenset, task.mutexes)
        if len({variable for variable, _ in group}) > 1
        and len(group & initial) <= 1
        and not any(variable in derived for variable, _ in group)
    ]
    if not groups:
        return []
    found = MutexGroups(task.domains, groups, task.arrays)
    _check_all(found)
    return [group for group, is_kept in zip(groups, np.asarray(found.kept), strict=True) if is_kept]


def _check_all(groups: MutexGroups) -> None:
    """Find the groups that all operators keep."""
    operator: Index
    for operator in range(groups.effect_first.shape[0] - 1):
        touched: Index = _add_effects(groups, operator)
        if touched:
            _add_precondition(groups, operator)
        _decide(groups, operator, touched)


def _add_effects(groups: MutexGroups, operator: Index) -> Index:
    """Count the facts that an operator adds; return the number of groups that it touches."""
    i: Index
    k: Index
    touched: Index = 0
    begin: Index = groups.effect_first[operator]
    end: Index = groups.effect_first[operator + 1]
    for i in range(begin, end):
        if groups.condition_first[i] == groups.condition_first[i + 1]:
            groups.after[groups.effect[i, 0]] = i + 1
            groups.named[groups.effect[i, 0]] = operator + 1
    for i in range(begin, end):
        fact: Index = groups.first[groups.effect[i, 0]] + groups.effect[i, 1]
        for k in range(groups.group_first[fact], groups.group_first[fact + 1]):
            number: Index = groups.group[k]
            if not groups.is_touched[number]:
                groups.is_touched[number] = True
                groups.touched[touched] = number
                touched += 1
            if groups.condition_first[i] < groups.condition_first[i + 1]:
                groups.doubtful[number] = True
            elif groups.after[groups.effect[i, 0]] == i + 1:
                groups.added[number] += 1
    return touched


def _add_precondition(groups: MutexGroups, operator: Index) -> None:
    """Count the facts that an operator requires."""
    i: Index
    k: Index
    for i in range(groups.precondition_first[operator], groups.precondition_first[operator + 1]):
        variable: Index = groups.precondition[i, 0]
        fact: Index = groups.first[variable] + groups.precondition[i, 1]
        is_set: Flag = groups.named[variable] == operator + 1
        for k in range(groups.group_first[fact], groups.group_first[fact + 1]):
            groups.required[groups.group[k]] += 1
            groups.changed[groups.group[k]] += is_set
        if not is_set:
            groups.named[variable] = operator + 1


def _decide(groups: MutexGroups, operator: Index, touched: Index) -> None:
    """Decide which of the touched groups an operator keeps, and clear what was counted."""
    i: Index
    k: Index
    for i in range(touched):
        number: Index = groups.touched[i]
        if not _keeps(groups, operator, number):
            groups.kept[number] = False
        groups.is_touched[number] = False
        groups.doubtful[number] = False
        groups.added[number] = 0
    if touched:
        for i in range(groups.precondition_first[operator], groups.precondition_first[operator + 1]):
            fact: Index = groups.first[groups.precondition[i, 0]] + groups.precondition[i, 1]
            for k in range(groups.group_first[fact], groups.group_first[fact + 1]):
                groups.required[groups.group[k]] = 0
                groups.changed[groups.group[k]] = 0


def _keeps(groups: MutexGroups, operator: Index, number: Index) -> Flag:
    """Does at most one fact hold after the operator if at most one holds before? False if that is not evident."""
    i: Index
    if groups.required[number] > 1:
        return True  # it is not applicable
    if groups.doubtful[number]:
        return False
    left: Index = groups.required[number] - groups.changed[number]
    if groups.required[number] == 0:  # some fact may hold of a variable that the operator does not mention
        for i in range(groups.variable_first[number], groups.variable_first[number + 1]):
            if groups.named[groups.variable[i]] != operator + 1:
                left = 1
                break
    return groups.added[number] + left <= 1
