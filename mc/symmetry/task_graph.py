"""The graph of a task, whose automorphisms are its symmetries (problem description graph; Pochter, Zohar and
Rosenschein 2011): variables, their values, operators and axioms, each connected with what belongs to it.

A *symmetry* maps variables to variables and facts to facts, so that the goal and the set of operators stay what
they are. Costs to the goal stay the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.tasks.operators import Integers, starts
from puzzlemc.mc.tasks.task import Fact, Task

Facts: TypeAlias = frozenset[int]
Form: TypeAlias = tuple[Facts, frozenset[tuple[int, Facts, int]], int]


def fact_starts(task: Task) -> list[int]:
    """The number of the first fact of each variable, and the number of all facts."""
    first: list[int] = starts(task.domains).tolist()
    return first


def _numbered(first: Sequence[int], condition: Iterable[Fact]) -> Facts:
    return frozenset(first[variable] + value for variable, value in condition)


def forms(task: Task) -> list[Form]:
    """What each operator does: its precondition, its effects and its cost.

    An effect is a fact, its condition, and a rank: where several effects may fire that give a variable different
    values, the last one counts, and then each has its place among them.
    """
    arrays, first = task.arrays, np.array(fact_starts(task), np.int64)
    preconditions = _sets(arrays.precondition_first, _numbers(first, arrays.precondition))
    conditions = _sets(arrays.condition_first, _numbers(first, arrays.condition))
    facts, variables = _numbers(first, arrays.effect).tolist(), arrays.effect[:, 0].tolist()
    owner = np.repeat(np.arange(len(task.domains)), task.domains).tolist()
    found = []
    for precondition, (start, end), cost in zip(
        preconditions, pairwise(arrays.effect_first.tolist()), arrays.costs.tolist(), strict=True
    ):
        ranks = [0] * (end - start)
        if len(set(variables[start:end])) < end - start:
            ranks = _ranks(facts[start:end], variables[start:end], conditions[start:end], owner)
        found.append(
            (precondition, frozenset(zip(facts[start:end], conditions[start:end], ranks, strict=True)), cost)
        )
    return found


def _numbers(first: Integers, facts: Integers) -> Integers:
    numbers: Integers = first[facts[:, 0]] + facts[:, 1]
    return numbers


def _sets(first: Integers, facts: Integers) -> list[Facts]:
    values = facts.tolist()
    return [frozenset(values[start:end]) for start, end in pairwise(first.tolist())]


def _ranks(
    facts: Sequence[int], variables: Sequence[int], conditions: Sequence[Facts], owner: Sequence[int]
) -> list[int]:
    """The rank of each effect; 0 where the order does not matter."""
    ranks, places = [0] * len(facts), dict[int, list[int]]()
    for place, variable in enumerate(variables):
        places.setdefault(variable, []).append(place)
    for own in places.values():
        same_fact = len({facts[place] for place in own}) == 1
        if not same_fact and not _exclude_each_other([conditions[place] for place in own], owner):
            for rank, place in enumerate(own):
                ranks[place] = rank
    return ranks


def _exclude_each_other(conditions: Sequence[Facts], owner: Sequence[int]) -> bool:
    """Does one variable have another value in each of the conditions?"""
    common = set.intersection(*({owner[fact] for fact in condition} for condition in conditions))
    values = {v: {fact for condition in conditions for fact in condition if owner[fact] == v} for v in common}
    return any(len(facts) == len(conditions) for facts in values.values())


@dataclass
class TaskGraph:
    """The vertices are the variables, the facts, and what operators and axioms need, in this order.

    kinds  of the vertices, from 0 on
    edges    each once
    """

    task: Task
    kinds: list[int] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._kind: dict[object, int] = {}
        first = fact_starts(self.task)
        self._fact = len(self.task.domains)  # the vertex of the first fact
        for variable in self.task.variables:
            self._add(("variable", variable.layer is None))
        derived = set(self.task.derived)
        for v, size in enumerate(self.task.domains):
            for value in range(size):
                is_default = v in derived and self.task.initial[v] == value
                vertex = self._add(("fact", self.task.goal.get(v) == value, is_default))
                self.edges.append((v, vertex))
        for form in sorted(set(forms(self.task)), key=_order):
            self._add_operator(form)
        axioms = (
            (_numbered(first, each.condition.items()), first[each.variable] + each.value)
            for each in self.task.axioms
        )
        for condition, head in dict.fromkeys(axioms):
            self._add_rule("axiom", condition, head)

    def arrays(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The kinds, and the edges of shape (edges, 2)."""
        return np.array(self.kinds, np.int64), np.array(self.edges, np.int64).reshape(-1, 2)

    def _add(self, kind: object) -> int:
        """Add a vertex; return its number."""
        self.kinds.append(self._kind.setdefault(kind, len(self._kind)))
        return len(self.kinds) - 1

    def _connect(self, vertex: int, facts: Iterable[int]) -> None:
        self.edges += [(vertex, self._fact + fact) for fact in facts]

    def _add_rule(self, kind: object, condition: Iterable[int], fact: int) -> int:
        """Add vertices for a condition and the fact that it makes true; return the first one."""
        before, after = self._add((kind, "before")), self._add((kind, "after"))
        self.edges.append((before, after))
        self._connect(before, condition)
        self._connect(after, [fact])
        return before

    def _add_operator(self, form: Form) -> None:
        precondition, effects, cost = form
        before, after = self._add(("before", cost)), self._add(("after", cost))
        self.edges.append((before, after))
        self._connect(before, precondition)
        for fact, condition, rank in sorted(effects, key=lambda each: (each[0], sorted(each[1]), each[2])):
            if condition or rank:
                self.edges.append((after, self._add_rule(("effect", rank), condition, fact)))
            else:
                self._connect(after, [fact])


def _order(form: Form) -> tuple[list[int], list[tuple[int, list[int], int]], int]:
    precondition, effects, cost = form
    return sorted(precondition), sorted((fact, sorted(condition), rank) for fact, condition, rank in effects), cost


def size_of(task: Task) -> int:
    """About the number of edges of the graph."""
    arrays = task.arrays
    return len(arrays) + len(arrays.precondition) + len(arrays.effect) + len(arrays.condition) + sum(task.domains)
