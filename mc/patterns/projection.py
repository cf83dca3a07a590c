"""The projection of a task to a pattern: abstract operators, and the transitions between abstract states.

An *abstract state* has a value for each variable of the pattern. Its number is the sum of the values, each
multiplied by the factor of its variable (mixed radix). An *abstract operator* is a partial abstract state in which
it is applicable, and the difference between the numbers of the states after and before.

An operator of the task has an abstract operator for each way in which it may change the variables of the pattern:
for each value that the projection does not know, and for each effect whose condition it cannot decide, with the
effect and without. So each transition of the task has its image in the projection, and distances are lower bounds.

Compiled: see `mc/words.py`.
"""

import math
from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.patterns.shared_steps import SharedSteps
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Numbers, Numbers2

    # Does the condition of an effect hold?
    NO, YES, PERHAPS = 0, 1, 2


class Pattern:
    """A set of variables, and scratch space for the projection of one operator.

    variables       (k,): the variables of the pattern
    domains         (k,): their numbers of values
    factors         (k,): what each is multiplied by in the number of an abstract state
    size            the number of abstract states
    place           (variables of the task,): the place of a variable in `variables`, -1 if it is not there
    required        (variables of the task,): the value that the operator requires, -1 if it requires none
    before          (k,): the values of an abstract state
    after           (k,): the number of the possible value after the operator
    is_read         (k,): does the value before the operator matter?
    possible        (k, values): the possible values after the operator
    possible_count  (k,): the number of these
    """

    variables: Numbers  # readonly
    domains: Numbers  # readonly
    factors: Numbers  # readonly
    size: Index  # readonly
    place: Numbers
    required: Numbers
    before: Numbers
    after: Numbers
    is_read: Bytes
    possible: Numbers2
    possible_count: Numbers

    def __init__(self, variables: Sequence[int], domains: Sequence[int]) -> None:
        """The pattern of these variables; `domains` are the numbers of values of all variables."""
        count = len(variables)
        own = [domains[variable] for variable in variables]
        factors = [math.prod(own[:place]) for place in range(count)]
        self.size = math.prod(own)
        self.variables, self.domains = view(np.array(variables, np.int64)), view(np.array(own, np.int64))
        self.factors = view(np.array(factors, np.int64))
        place = np.full(len(domains), -1, np.int64)
        place[list(variables)] = np.arange(count)
        self.place, self.required = view(place), view(np.full(len(domains), -1, np.int64))
        self.before, self.after = view(np.zeros(count, np.int64)), view(np.zeros(count, np.int64))
        self.is_read, self.possible_count = view(np.zeros(count, np.uint8)), view(np.zeros(count, np.int64))
        self.possible = view(np.zeros((count, max(own)), np.int64))


class AbstractOperators:
    """Abstract operators. The array has a fixed capacity: see `project`.

    rows   (capacity, 4): the set of variables that it reads, as a word; the number of the abstract state in which
           these have the values that it requires, and the others are 0; the difference that it makes; the number
           of the operator
    count  the number of rows in use
    """

    rows: Numbers2  # readonly
    count: Index  # readonly

    def __init__(self, capacity: int) -> None:
        self.rows, self.count = view(np.zeros((capacity, 4), np.int64)), 0

    def enlarge(self) -> None:  # interpreted
        """Double the capacity."""
        rows = np.zeros((2 * self.rows.shape[0], 4), np.int64)
        rows[: self.count] = np.asarray(self.rows)[: self.count]
        self.rows = view(rows)


def project(
    operators: Operators, chosen: npt.NDArray[np.int64], pattern: Pattern, most: int
) -> npt.NDArray[np.int64] | None:
    """The rows of the abstract operators of the chosen operators; None if there are more than `most`."""
    found, done = AbstractOperators(256), 0
    while done < len(chosen):
        done = _project(operators, view(chosen), done, pattern, found)
        if found.count > most:
            return None
        found.enlarge()
    return np.asarray(found.rows)[: found.count]


def transitions(
    pattern: Pattern,
    rows: npt.NDArray[np.int64],
    allowed: npt.NDArray[np.uint8],
    stored: npt.NDArray[np.uint8],
    count: int,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The transitions between allowed states: their sources, targets, and the numbers of their rows.

    stored  (rows,): those whose transitions are wanted
    count   the number of these transitions, with those of all states
    """
    source, target, by = (np.empty(count, np.int32) for _ in range(3))
    count = _transitions(
        pattern,
        view(np.ascontiguousarray(rows)),
        view(allowed),
        view(stored),
        view(source),
        view(target),
        view(by),
    )
    return source[:count], target[:count], by[:count]


def counts(pattern: Pattern, rows: npt.NDArray[np.int64]) -> dict[int, int]:
    """For each set of variables that a row reads, the number of transitions, with those of all states."""
    sizes = np.asarray(pattern.domains)
    found = {}
    for read, times in zip(*np.unique(rows[:, 0], return_counts=True), strict=True):
        free = [size for place, size in enumerate(sizes) if not read >> place & 1]
        found[int(read)] = int(times) * int(np.prod(free, dtype=np.int64))
    return found


def reach(
    start: int,
    source: npt.NDArray[np.int32],
    target: npt.NDArray[np.int32],
    shared: SharedSteps,
    allowed: npt.NDArray[np.uint8],
) -> npt.NDArray[np.uint8]:
    """Which states can be reached from a state by transitions, and by shared steps between allowed states?"""
    states = len(allowed)
    first, order = sort(source, states)
    reached, queue = np.zeros(states, np.uint8), np.zeros(states, np.int32)
    _reach(start, view(first), view(order), view(target), shared, view(allowed), view(queue), view(reached))
    return reached


def sort(keys: npt.NDArray[np.int32], states: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """The positions of keys in the order of the keys, and where those of each key start (states + 1,)."""
    first, order = np.zeros(states + 1, np.int64), np.zeros(len(keys), np.int32)
    _sort(view(keys), len(keys), view(first), view(order))
    return first, order


def _project(
    operators: Operators, chosen: Numbers, start: Index, pattern: Pattern, found: AbstractOperators
) -> Index:
    """Append the rows of the chosen operators from number `start` on; return the first one without room."""
    i: Index
    for i in range(start, chosen.shape[0]):
        count: Index = found.count
        if not _project_one(operators, chosen[i], pattern, found):
            found.count = count
            return i
    return chosen.shape[0]


def _project_one(operators: Operators, operator: Index, pattern: Pattern, found: AbstractOperators) -> Flag:
    """Append the rows of one operator; False if there is no room."""
    i: Index
    place: Index
    has_room: Flag = True
    for place in range(pattern.variables.shape[0]):
        pattern.before[place] = 0
        pattern.is_read[place] = False
    for i in range(operators.precondition_first[operator], operators.precondition_first[operator + 1]):
        pattern.required[operators.precondition[i, 0]] = operators.precondition[i, 1]
    _find_read(operators, operator, pattern)
    for place in range(pattern.variables.shape[0]):
        pattern.before[place] = max(0, pattern.required[pattern.variables[place]])
    while has_room:
        _find_possible(operators, operator, pattern)
        has_room = _add_rows(operator, pattern, found)
        if not _next_before(pattern):
            break
    for i in range(operators.precondition_first[operator], operators.precondition_first[operator + 1]):
        pattern.required[operators.precondition[i, 0]] = -1
    return has_room


def _find_read(operators: Operators, operator: Index, pattern: Pattern) -> None:
    """Find the variables of the pattern that the operator requires, changes, or has in a condition."""
    i: Index
    j: Index
    place: Index
    for i in range(operators.precondition_first[operator], operators.precondition_first[operator + 1]):
        place = pattern.place[operators.precondition[i, 0]]
        if place >= 0:
            pattern.is_read[place] = True
    for i in range(operators.effect_first[operator], operators.effect_first[operator + 1]):
        place = pattern.place[operators.effect[i, 0]]
        if place < 0:
            continue
        pattern.is_read[place] = True
        for j in range(operators.condition_first[i], operators.condition_first[i + 1]):
            place = pattern.place[operators.condition[j, 0]]
            if place >= 0:
                pattern.is_read[place] = True


def _truth(operators: Operators, effect: Index, pattern: Pattern) -> Index:
    """Does the condition of an effect hold in the abstract state `before`, if the operator is applicable?"""
    truth: Index = YES
    i: Index
    for i in range(operators.condition_first[effect], operators.condition_first[effect + 1]):
        variable: Index = operators.condition[i, 0]
        place: Index = pattern.place[variable]
        value: Index = pattern.required[variable] if place < 0 else pattern.before[place]
        if value < 0:
            truth = PERHAPS
        elif value != operators.condition[i, 1]:
            return NO
    return truth


def _find_possible(operators: Operators, operator: Index, pattern: Pattern) -> None:
    """Find the values that each variable of the pattern may have after the operator."""
    place: Index
    i: Index
    k: Index
    for place in range(pattern.variables.shape[0]):
        pattern.possible[place, 0] = pattern.before[place]
        pattern.possible_count[place] = 1
    for i in range(operators.effect_first[operator], operators.effect_first[operator + 1]):
        place = pattern.place[operators.effect[i, 0]]
        if place < 0:
            continue
        truth: Index = _truth(operators, i, pattern)
        if truth == NO:
            continue
        if truth == YES:
            pattern.possible_count[place] = 0
        is_new: Flag = True
        for k in range(pattern.possible_count[place]):
            is_new = is_new and pattern.possible[place, k] != operators.effect[i, 1]
        if is_new:
            pattern.possible[place, pattern.possible_count[place]] = operators.effect[i, 1]
            pattern.possible_count[place] += 1


def _add_rows(operator: Index, pattern: Pattern, found: AbstractOperators) -> Flag:
    """Append a row for each combination of possible values; False if there is no room."""
    place: Index
    read: Index = 0
    number: Index = 0
    for place in range(pattern.variables.shape[0]):
        pattern.after[place] = 0
        if pattern.is_read[place]:
            read |= 1 << place
            number += pattern.before[place] * pattern.factors[place]
    while True:
        difference: Index = 0
        for place in range(pattern.variables.shape[0]):
            value: Index = pattern.possible[place, pattern.after[place]]
            difference += (value - pattern.before[place]) * pattern.factors[place]
        if found.count >= found.rows.shape[0]:
            return False
        found.rows[found.count, 0] = read
        found.rows[found.count, 1] = number
        found.rows[found.count, 2] = difference
        found.rows[found.count, 3] = operator
        found.count += 1
        if not _next_after(pattern):
            return True


def _next_before(pattern: Pattern) -> Flag:
    """Go to the next values of the variables that are read and not required; False after the last ones."""
    place: Index
    for place in range(pattern.variables.shape[0]):
        if pattern.is_read[place] and pattern.required[pattern.variables[place]] < 0:
            pattern.before[place] += 1
            if pattern.before[place] < pattern.domains[place]:
                return True
            pattern.before[place] = 0
    return False


def _next_after(pattern: Pattern) -> Flag:
    """Go to the next combination of possible values; False after the last one."""
    place: Index
    for place in range(pattern.variables.shape[0]):
        pattern.after[place] += 1
        if pattern.after[place] < pattern.possible_count[place]:
            return True
        pattern.after[place] = 0
    return False


def _transitions(
    pattern: Pattern, rows: Numbers2, allowed: Bytes, stored: Bytes, source: Ints, target: Ints, by: Ints
) -> Index:
    """Write the transitions between allowed states by rows that are stored; return their number."""
    count: Index = 0
    row: Index
    place: Index
    for row in range(rows.shape[0]):
        if not stored[row]:
            continue
        state: Index = rows[row, 1]
        for place in range(pattern.variables.shape[0]):
            pattern.before[place] = 0
        while True:
            if allowed[state] and allowed[state + rows[row, 2]]:
                source[count] = state
                target[count] = state + rows[row, 2]
                by[count] = row
                count += 1
            is_last: Flag = True
            for place in range(pattern.variables.shape[0]):
                if rows[row, 0] >> place & 1:
                    continue
                pattern.before[place] += 1
                state += pattern.factors[place]
                if pattern.before[place] < pattern.domains[place]:
                    is_last = False
                    break
                pattern.before[place] = 0
                state -= pattern.domains[place] * pattern.factors[place]
            if is_last:
                break
    return count


def _reach(
    start: Index,
    first: Numbers,
    order: Ints,
    target: Ints,
    shared: SharedSteps,
    allowed: Bytes,
    queue: Ints,
    reached: Bytes,
) -> Index:
    """Mark the states that can be reached; return their number. `queue` (states,) is scratch space."""
    reached[start] = True
    queue[0] = start
    done: Index = 0
    count: Index = 1
    i: Index
    k: Index
    while done < count:
        state: Index = queue[done]
        done += 1
        for i in range(first[state], first[state + 1]):
            other: Index = target[order[i]]
            if not reached[other]:
                reached[other] = True
                queue[count] = other
                count += 1
        if not allowed[state]:
            continue
        for k in range(shared.group.shape[1]):
            group: Index = shared.group[state, k]
            for i in range(shared.first[group], shared.first[group + 1]):
                other = state + shared.other[i]
                if allowed[other] and not reached[other]:
                    reached[other] = True
                    queue[count] = other
                    count += 1
    return count


def _sort(keys: Ints, count: Index, first: Numbers, order: Ints) -> None:
    """Counting sort. `first` (states + 1,) is 0."""
    states: Index = first.shape[0] - 1
    i: Index
    for i in range(count):
        first[keys[i] + 1] += 1
    for i in range(states):
        first[i + 1] += first[i]
    for i in range(count):
        order[first[keys[i]]] = i
        first[keys[i]] += 1
    for i in range(states, 0, -1):
        first[i] = first[i - 1]
    first[0] = 0
