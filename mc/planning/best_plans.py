"""The best plans of a task, the cheapest first (Katz, Sohrabi, Udrea and Winterer 2018).

A* goes on beyond the first goal state. The steps between the states that it has expanded say how far each of them
is from the goal. With these distances, the shortest paths from the initial state are found, in which only states
on plans occur. All plans are there that cost less than the least f of an open state, and some of those that cost
as much. If they are too few, A* goes on again. Where no state is left to expand, all plans are there. Operators
that A* has left out are in none of them.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.distances import Transitions, distances
from puzzlemc.mc.patterns.projection import sort
from puzzlemc.mc.patterns.shared_steps import NO_STEPS
from puzzlemc.mc.planning.known_steps import KnownSteps, expanded, list_more
from puzzlemc.mc.planning.optimal import PatternSearch
from puzzlemc.mc.planning.shortest_paths import END, Arc, Path, shortest_paths
from puzzlemc.mc.search.bucket_queue import BucketQueue
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Task

CAPACITY = 1 << 10  # of a queue at first
FIRST = 1 << 10  # expansions behind the first plan, before it is seen whether there are enough plans
MOST = 1 << 30  # more than the cost of a plan that A* finds
NONE = -1  # the label of an operator that is no step for readers
SHARE = 4  # distances and paths each take at most this part of the memory
STEP_BYTES = 80  # of a step, for distances


def best_plans(
    task: Task, labels: Sequence[int], budget: Budget, *, loops: bool = False, is_least: bool = False
) -> Iterator[Path]:
    """Yield the plans of a task, the cheapest first.

    labels    of the operators, from 0: plans whose operators have the same labels are one. An operator with the
              label NONE only says that the goal is reached, and is no step of a plan
    loops     all sequences of steps to the goal; else a plan visits no state twice, and ends with the first goal
              state. A step that changes nothing is never part of a plan
    is_least  plans of the least cost alone

    Ends if there are no more plans. Raises LimitReached, Unsuitable.
    """
    # Without symmetries: states that are alike may have different representatives, and then what leads on from one
    # is not known from the other.
    search = PatternSearch(task, budget, reduces=True)
    for _ in search.turns():
        budget.check()
    if search.plan() is None:
        return
    task, labels = search.reduced.task, [labels[operator] for operator in search.reduced.numbers]
    most, step, expansions = search.search.bound, 1, FIRST
    seen = set[Path]()
    while True:
        is_paused, rest = search.go_on(most, expansions)
        is_whole = rest is None
        # A plan that is not there yet costs at least `rest`: those that cost as much are the best ones left, too.
        limit = rest if is_paused and rest is not None else most
        ahead = _distances(search, task, budget, MOST if is_whole else limit)
        arcs = _Arcs(search, task, labels, ahead, loops=loops)
        step *= 2  # fewer and longer turns, as long as they have no new plans
        for path in shortest_paths(arcs, 0, budget.check, budget.limits.memory // SHARE, loops=loops):
            if path.cost > limit and (is_least or not is_whole):
                break
            if path not in seen:
                seen.add(path)
                step = 1
                yield Path(tuple(label for label in path.labels if label != NONE), path.cost * search.unit)
        if is_paused:
            expansions *= 2
        elif rest is None or is_least:
            return
        else:
            most = max(rest, most + step)


def _distances(search: PatternSearch, task: Task, budget: Budget, most: int) -> npt.NDArray[np.int32]:
    """The least cost to the goal by known steps from each state on plans that cost at most `most`.

    INFINITE if none is known. Raises LimitReached.
    """
    known = KnownSteps(search.search)
    parts, goals, used, is_more = [], [], 0, True
    while is_more:
        budget.check()
        is_more = list_more(known, search.search, most)
        used += known.used
        if STEP_BYTES * used > budget.limits.memory // SHARE:
            raise LimitReached("memory")
        parts.append(np.asarray(known.steps)[: known.used].copy())
        goals.append(np.asarray(known.goals)[: known.found].copy())
    steps = np.concatenate(parts)
    into, order = sort(np.ascontiguousarray(steps[:, 2]), search.search.used)
    operators = len(task.operators)
    backward = Transitions(
        steps[order, 0],
        steps[order, 1],
        into,
        NO_STEPS,
        np.zeros(0, np.uint8),
        np.concatenate(goals),
        np.arange(operators + 1),
        np.arange(operators, dtype=np.int32),
    )
    return distances(backward, task.arrays.costs // search.unit, BucketQueue(CAPACITY))


class _Arcs:
    """The steps from a state to states that lead to the goal. Nodes are states, numbered as they are met."""

    def __init__(
        self,
        search: PatternSearch,
        task: Task,
        labels: Sequence[int],
        ahead: npt.NDArray[np.int32],
        *,
        loops: bool,
    ) -> None:
        self._search, self._labels, self._ahead, self._loops = search, labels, ahead, loops
        self._costs: list[int] = (task.arrays.costs // search.unit).tolist()
        self._has_goal_steps = NONE in labels
        initial = search.search.task.pack(initial_state(task)).tobytes()
        self._numbers, self._states = {initial: 0}, [initial]
        self._known: dict[int, list[Arc]] = {}

    def __call__(self, node: int) -> list[Arc]:
        """The steps from a node."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._found(node)
        return found

    def _found(self, node: int) -> list[Arc]:
        state = self._states[node]
        is_goal, steps = expanded(self._search.search, np.frombuffer(state, np.uint64))
        arcs: dict[tuple[int, bytes], Arc] = {}
        for operator, number, successor in steps:
            label, ahead = self._labels[operator], int(self._ahead[number]) if number >= 0 else INFINITE
            if successor != state and ahead < INFINITE and (label, successor) not in arcs:
                arcs[label, successor] = Arc(label, self._number(successor), self._costs[operator], ahead)
        every = list(arcs.values())
        reaching = [arc for arc in every if arc.label == NONE]
        if is_goal and (self._has_goal_steps or not self._loops):
            every = []
        elif reaching and not self._loops:
            every = reaching
        return [Arc(END, END, 0, 0), *every] if is_goal else every

    def _number(self, state: bytes) -> int:
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
        return number
