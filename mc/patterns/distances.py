"""Distances to the goal in a projection, and the costs of operators that they need. Compiled: see `mc/words.py`.

Some transitions are stored by their targets, others are steps that many states share (`shared_steps`). Operators
with the same abstract operator share a *row*, and its transitions. The cost of a row is the least cost of its
operators.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.patterns.shared_steps import SharedSteps
from puzzlemc.mc.search.bucket_queue import BucketQueue
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.search.bucket_queue import clear, dequeue, enqueue, has_room_for, least_key
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Numbers

SHARED = 4  # as many shared steps take as long as a transition that is stored: they lie one after the other,
GROUP = 4  # and to look up a group of them takes as long as some transitions


class Transitions:
    """The transitions of a projection, by their targets.

    source          (transitions,): the abstract state before
    row             (transitions,): the row of abstract operators
    into            (states + 1,): the transitions to state s are those from `into[s]` to before `into[s + 1]`
    shared          further steps, by their targets
    is_source       (states,): the states from which shared steps lead
    goals           (goals,): the goal states
    operator_first  (rows + 1,): likewise, the operators of each row
    operators       (operators of rows,)
    row_values      (rows,): scratch space
    most            the most transitions and shared steps to one state
    work            the number of steps of a search backward, each as long as a transition that is stored
    """

    source: Ints  # readonly
    row: Ints  # readonly
    into: Numbers  # readonly
    shared: SharedSteps  # readonly
    is_source: Bytes
    goals: Ints  # readonly
    operator_first: Numbers  # readonly
    operators: Ints  # readonly
    row_values: Numbers
    most: Index  # readonly
    work: Index  # readonly

    def __init__(
        self,
        source: npt.NDArray[np.int32],
        row: npt.NDArray[np.int32],
        into: npt.NDArray[np.int64],
        shared: SharedSteps,
        is_source: npt.NDArray[np.uint8],
        goals: npt.NDArray[np.int32],
        operator_first: npt.NDArray[np.int64],
        operators: npt.NDArray[np.int32],
    ) -> None:
        self.source, self.row, self.into, self.goals = view(source), view(row), view(into), view(goals)
        self.shared, self.is_source = shared, view(is_source)
        self.operator_first, self.operators = view(operator_first), view(operators)
        self.row_values = view(np.zeros(len(operator_first) - 1, np.int64))
        steps = np.diff(into) + shared.sizes()
        self.most = int(steps.max(initial=0))
        groups = np.asarray(shared.group).size
        self.work = len(into) + len(source) + GROUP * groups + int(steps.sum() - len(source)) // SHARED

    @property
    def bytes(self) -> int:
        """The size of the arrays."""
        numbers = self.source.shape[0] + self.into.shape[0] + 2 * self.row_values.shape[0]
        return 8 * numbers + 4 * self.operators.shape[0] + self.shared.bytes


def distances(transitions: Transitions, costs: npt.NDArray[np.int64], queue: BucketQueue) -> npt.NDArray[np.int32]:
    """The least cost from each state to a goal state, INFINITE if there is no way (Dijkstra 1959).

    `costs` are those of all operators, from 0. `queue` is empty, before and after.
    """
    found = np.full(transitions.into.shape[0] - 1, INFINITE, np.int32)
    queue.make_room(transitions.goals.shape[0])
    _begin(transitions, view(costs), queue, view(found))
    while not _go_on(transitions, transitions.shared, queue, view(found)):
        queue.make_room(transitions.most)
    return found


def saturate(transitions: Transitions, distances: npt.NDArray[np.int32], saturated: npt.NDArray[np.int64]) -> None:
    """Raise the saturated cost of each operator to the most by which it decreases the distance."""
    _saturate(transitions, transitions.shared, view(distances), view(saturated))


def _begin(transitions: Transitions, costs: Numbers, queue: BucketQueue, distances: Ints) -> None:
    """Find the costs of rows, and write the distances of goal states."""
    i: Index
    row: Index
    for row in range(transitions.row_values.shape[0]):
        least: Index = INFINITE
        for i in range(transitions.operator_first[row], transitions.operator_first[row + 1]):
            least = min(least, costs[transitions.operators[i]])
        transitions.row_values[row] = least
    for i in range(transitions.goals.shape[0]):
        distances[transitions.goals[i]] = 0
        enqueue(queue, 0, transitions.goals[i])


def _go_on(transitions: Transitions, shared: SharedSteps, queue: BucketQueue, distances: Ints) -> Flag:
    """Write further distances. False: the queue has no room for the states before the next one."""
    i: Index
    k: Index
    while queue.size:
        if not has_room_for(queue, transitions.most):
            return False
        now: Index = least_key(queue)
        state: Index = dequeue(queue)
        if distances[state] != now:
            continue
        for i in range(transitions.into[state], transitions.into[state + 1]):
            source: Index = transitions.source[i]
            # A bound that stops growing there is still consistent.
            cost: Index = min(now + transitions.row_values[transitions.row[i]], INFINITE - 1)
            if cost < distances[source]:
                distances[source] = cost
                enqueue(queue, cost, source)
        for k in range(shared.group.shape[1]):
            group: Index = shared.group[state, k]
            for i in range(shared.first[group], shared.first[group + 1]):
                source = state + shared.other[i]
                cost = min(now + transitions.row_values[shared.row[i]], INFINITE - 1)
                if cost < distances[source] and transitions.is_source[source]:
                    distances[source] = cost
                    enqueue(queue, cost, source)
    clear(queue)
    return True


def _saturate(transitions: Transitions, shared: SharedSteps, distances: Ints, saturated: Numbers) -> None:
    i: Index
    k: Index
    row: Index
    state: Index
    for row in range(transitions.row_values.shape[0]):
        transitions.row_values[row] = -INFINITE
    for state in range(distances.shape[0]):
        if distances[state] >= INFINITE:
            continue
        for i in range(transitions.into[state], transitions.into[state + 1]):
            before: Index = distances[transitions.source[i]]
            row = transitions.row[i]
            if before < INFINITE and before - distances[state] > transitions.row_values[row]:
                transitions.row_values[row] = before - distances[state]
        for k in range(shared.group.shape[1]):
            group: Index = shared.group[state, k]
            for i in range(shared.first[group], shared.first[group + 1]):
                before = distances[state + shared.other[i]]
                row = shared.row[i]
                if before < INFINITE and before - distances[state] > transitions.row_values[row]:
                    transitions.row_values[row] = before - distances[state]
    for row in range(transitions.row_values.shape[0]):
        for i in range(transitions.operator_first[row], transitions.operator_first[row + 1]):
            if transitions.row_values[row] > saturated[transitions.operators[i]]:
                saturated[transitions.operators[i]] = transitions.row_values[row]
