"""Landmarks of a task, and orders (Hoffmann, Porteous and Sebastia 2004; Richter and Westphal 2010).

A landmark is *greedy-necessary* for another one if each operator that makes the other one true for the first time
requires it. A *reasonable* order says which of two landmarks comes first, because otherwise the other one would
have to be made false and true again. Reasonable orders guide a search, and may be wrong.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.planning.relaxation import NONE, Relaxation
from puzzlemc.mc.planning.satisficing.fact_landmarks import FactLandmarks, propagate
from puzzlemc.mc.planning.satisficing.relaxed_plan import RelaxedPlan
from puzzlemc.mc.tasks.task import Fact, State, Task

Numbers: TypeAlias = npt.NDArray[Any]
WORK = 400_000_000  # words of sets: half a second
TURN = 2_000_000  # words between two checks of the budget
MOST_BYTES = 1 << 28  # of sets
MOST_LANDMARKS = 2_000


@dataclass(frozen=True)
class LandmarkGraph:
    """Landmarks by number.

    facts      the facts
    before     for each landmark those that should be reached before it
    necessary  for each landmark those for which it is greedy-necessary
    """

    facts: tuple[Fact, ...]
    before: tuple[tuple[int, ...], ...]
    necessary: tuple[tuple[int, ...], ...]


def goals_alone(task: Task) -> LandmarkGraph:
    """The facts of the goal as landmarks."""
    none = ((),) * len(task.goal)
    return LandmarkGraph(tuple(task.goal.items()), none, none)


def landmark_graph(
    task: Task, relaxed: Relaxation, arrays: RelaxedPlan, initial: State, budget: Budget
) -> LandmarkGraph | None:
    """The landmarks of the task from a state on, which has a relaxed plan; None if they take too much."""
    if relaxed.facts**2 // 8 > min(MOST_BYTES, budget.limits.memory // 2):
        return None
    found = FactLandmarks(arrays, initial)
    while not propagate(found, arrays, TURN):
        budget.check()
        if found.work > WORK:
            return None
    graph = _Graph(task, relaxed, found, initial)
    return graph.ordered() if len(graph.landmarks) <= MOST_LANDMARKS else None


def _listed(first: Numbers, rows: Numbers) -> tuple[Numbers, Numbers]:
    """The places of all elements of some rows, each with the number of its row among these."""
    lengths = first[rows + 1] - first[rows]
    owner = np.repeat(np.arange(len(rows)), lengths)
    return owner, np.arange(len(owner)) + (first[rows] - np.cumsum(lengths) + lengths)[owner]


def _first_achievers(relaxed: Relaxation, found: FactLandmarks, facts: list[int]) -> tuple[Numbers, Numbers]:
    """The nodes that can be the first one to make one of these facts true, each with the fact."""
    is_wanted = np.zeros(relaxed.facts, bool)
    is_wanted[facts] = True
    places = np.flatnonzero(is_wanted[np.asarray(relaxed.effect)])
    made = np.asarray(relaxed.effect)[places].astype(np.int64)
    nodes = np.searchsorted(np.asarray(relaxed.effect_first), places, side="right") - 1
    owner, at = _listed(np.asarray(relaxed.condition_first), nodes)
    needs = np.asarray(relaxed.condition)[at]
    bits = made[owner].astype(np.uint64) & np.uint64(63)
    comes_later = np.asarray(found.sets)[needs, made[owner] >> 6] >> bits & np.uint64(1) != 0
    excluded = np.zeros(len(nodes), bool)
    excluded[owner[comes_later | (np.asarray(found.is_reached)[needs] == 0)]] = True
    return nodes[~excluded], made[~excluded]


def _firsts(ascending: Numbers) -> Numbers:
    """The places of the first number of each value (`np.unique` loads masked arrays, which takes 30 ms)."""
    return np.flatnonzero(np.diff(ascending, prepend=-1))


def _shared(made: Numbers, owner: Numbers, facts: Numbers) -> dict[int, set[int]]:
    """For each fact that nodes make true, the facts that all of these nodes list; `owner` lists each fact."""
    nodes, base = np.bincount(made), 1 + int(facts.max(initial=0))
    listed = np.sort(owner * base + facts)
    listed = listed[_firsts(listed)]
    pairs = np.sort(made[listed // base] * base + listed % base)
    first = _firsts(pairs)
    counts, pairs = np.diff([*first, len(pairs)]), pairs[first]
    shared: dict[int, set[int]] = {}
    for pair in pairs[counts == nodes[pairs // base]].tolist():
        shared.setdefault(pair // base, set()).add(pair % base)
    return shared


class _Graph:
    """Landmarks, here as facts of the relaxation, while orders are found."""

    def __init__(self, task: Task, relaxed: Relaxation, found: FactLandmarks, initial: State) -> None:
        self.task = task
        first = [*relaxed.first, sum(task.domains)]
        self.named = [(v, value) for v, size in enumerate(task.domains) for value in range(size)]
        self.landmarks = sorted(fact for fact in found.of(relaxed.goal) if fact < first[-1])
        self.goals = {first[variable] + value for variable, value in task.goal.items()}
        self.earlier = {fact: found.of(fact) for fact in self.landmarks}
        true = {first[variable] + value for variable, value in enumerate(initial)}
        chosen = set(self.landmarks)
        nodes, made = _first_achievers(relaxed, found, sorted(chosen - true))
        owner, at = _listed(np.asarray(relaxed.condition_first), nodes)
        conditions = _shared(made, owner, np.asarray(relaxed.condition)[at].astype(np.int64))
        self.made = _shared(made, *self._unconditional(np.asarray(relaxed.operator)[nodes], np.array(first)))
        self.required = {fact: conditions.get(fact, set()) & chosen for fact in self.landmarks}
        self.groups: dict[int, set[int]] = {}
        for number, group in enumerate(task.mutexes):
            for variable, value in group:
                self.groups.setdefault(first[variable] + value, set()).add(number)

    def _unconditional(self, operators: Numbers, first: Numbers) -> tuple[Numbers, Numbers]:
        """The facts that some operators make true without a condition, each with the place of its operator."""
        arrays = self.task.arrays
        places = np.flatnonzero(operators != NONE)
        owner, at = _listed(arrays.effect_first, operators[places])
        plain = arrays.condition_first[at] == arrays.condition_first[at + 1]
        effects = arrays.effect[at[plain]]
        return places[owner[plain]], first[effects[:, 0]] + effects[:, 1]

    def ordered(self) -> LandmarkGraph:
        """The graph with the orders that have no cycle, the first of them."""
        number = {fact: place for place, fact in enumerate(self.landmarks)}
        necessary: list[list[int]] = [[] for _ in self.landmarks]
        for fact in self.landmarks:
            for need in sorted(self.required[fact]):
                necessary[number[need]].append(number[fact])
        before: list[list[int]] = [[] for _ in self.landmarks]
        above = [0] * len(self.landmarks)  # those that come before it, as bits
        for fact in self.landmarks:
            for other in self.earlier[fact]:
                if other != fact and other in number and fact not in self.earlier[other]:
                    above[number[fact]] |= 1 << number[other]
        for one, other in self._reasonable():
            first, second = number[one], number[other]
            if above[first] >> second & 1:
                continue
            before[second].append(first)
            new = above[first] | 1 << first
            for place in range(len(above)):
                if place == second or above[place] >> second & 1:
                    above[place] |= new
        facts = tuple(self.named[fact] for fact in self.landmarks)
        return LandmarkGraph(facts, tuple(map(tuple, before)), tuple(map(tuple, necessary)))

    def _reasonable(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of which the first should come before the second."""
        followers: dict[int, list[int]] = {}
        for fact, needs in self.required.items():
            for need in needs:
                followers.setdefault(need, []).append(fact)
        for later in self.landmarks:
            if later in self.goals:
                others = self.goals
            else:
                others = {
                    one for fact in followers.get(later, []) for one in self.earlier[fact] if one in self.earlier
                }
            for one in sorted(others):
                if one != later and self._destroys(one, later):
                    yield one, later

    def _destroys(self, one: int, other: int) -> bool:
        """Does making one landmark true mean that the other one is false at that time?"""
        beside = self.made.get(one, set()) | self.required[one] | {one}
        return any(fact != other and self._exclude(fact, other) for fact in beside)

    def _exclude(self, one: int, other: int) -> bool:
        """Can two facts not be true in the same state?"""
        if self.named[one][0] == self.named[other][0]:
            return one != other
        return not self.groups.get(one, set()).isdisjoint(self.groups.get(other, ()))
