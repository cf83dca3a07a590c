"""The delete relaxation of a task. A *node* has facts as a condition, and facts that it can make true.

An operator has a node for each different condition of its effects, together with its precondition. An axiom is a
node without an operator. What the goal does not need is left out (relevance; Nebel, Dimopoulos and Koehler 1997).

A derived variable can get its default value again: if each of its axioms has a condition that may be false, which
an additional fact says. For axioms that depend on each other, that is always possible: false before false would
have no beginning. A fact that the goal needs and that is reachable in the task is reachable in the relaxation.

Facts are numbers: those of the variables, in their order, then additional ones. The last one is the goal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.operator_nodes import OperatorNodes, relevant
from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.tasks.task import Fact, Task

NONE = -1  # the operator of an axiom and of the goal
Ints: TypeAlias = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Relaxation:
    """The nodes that the goal may need, in arrays. A node has a condition and at least one effect.

    first            (variables,): the first fact of each variable
    facts            the number of facts
    operator         (nodes,): the operator of the task, NONE if there is none
    condition_first  (nodes + 1,): where the condition of each node starts
    condition        facts, in ascending order for each node
    effect_first     (nodes + 1,): where the effects of each node start
    effect           facts, none of them in the condition, each of them once for each node
    """

    first: Ints
    facts: int
    operator: Ints
    condition_first: Ints
    condition: Ints
    effect_first: Ints
    effect: Ints

    @property
    def goal(self) -> int:
        """The fact that is reachable if the goal is."""
        return self.facts - 1


def relaxation(task: Task) -> Relaxation:
    """The relaxation of a task."""
    return _Relaxing(task).relaxed()


class _Relaxing:
    """The nodes without an operator so far: conditions, and the fact that each makes true."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.first = [0]
        for size in task.domains:
            self.first.append(self.first[-1] + size)
        self.facts = self.first.pop()
        self.conditions: list[tuple[int, ...]] = []
        self.effects: list[int] = []

    def relaxed(self) -> Relaxation:
        """The relaxation."""
        for axiom in self.task.axioms:
            self._add(self._facts(axiom.condition.items()), self.first[axiom.variable] + axiom.value)
        self._add_defaults()
        self._add(self._facts(self.task.goal.items()), self._new_fact())
        found = OperatorNodes(Operators(self.task), np.array(self.task.domains, np.int64))
        operator = np.asarray(found.operator)[: found.count]
        conditions = _joined(found.condition_first, found.condition, found.count, self.conditions)
        effects = _joined(found.effect_first, found.effect, found.count, [(fact,) for fact in self.effects])
        operator = np.append(operator, np.full(len(self.effects), NONE, np.int32))
        first = np.array(self.first, np.int32)
        return _without_irrelevant(Relaxation(first, self.facts, operator, *conditions, *effects))

    def _add(self, condition: tuple[int, ...], fact: int) -> None:
        """Add a node that makes a fact true, unless it needs the fact."""
        if fact not in condition:
            self.conditions.append(condition)
            self.effects.append(fact)

    def _facts(self, facts: Iterable[Fact]) -> tuple[int, ...]:
        """Their numbers, in ascending order."""
        return tuple(sorted(self.first[variable] + value for variable, value in facts))

    def _new_fact(self) -> int:
        self.facts += 1
        return self.facts - 1

    def _add_defaults(self) -> None:
        """Add nodes for the default values of derived variables."""
        reads = _dependencies(self.task)
        denied: dict[int, list[int]] = {variable: [] for variable in self.task.derived}
        for axiom in self.task.axioms:
            is_false = self._new_fact()
            denied[axiom.variable].append(is_false)
            for variable, value in axiom.condition.items():
                if reads.get(variable, 0) >> axiom.variable & 1:
                    self._add((), is_false)
                else:
                    self._deny(is_false, variable, value)
        for variable, facts in sorted(denied.items()):
            self._add(tuple(facts), self.first[variable] + self.task.initial[variable])

    def _deny(self, is_false: int, variable: int, value: int) -> None:
        """A condition is false if the variable has another value."""
        for other in range(self.task.domains[variable]):
            if other != value:
                self._add((self.first[variable] + other,), is_false)


def _joined(first: Any, numbers: Any, count: int, more: Sequence[Sequence[int]]) -> tuple[Ints, Ints]:
    """Lists, of which `count` are in arrays: where each list starts, and all numbers one after the other."""
    first, numbers = np.asarray(first)[: count + 1], np.asarray(numbers)
    lengths = np.append(np.diff(first), [len(each) for each in more])
    values = np.append(numbers[: first[-1]], [number for each in more for number in each])
    return starts(lengths).astype(np.int32), values.astype(np.int32)


def _without_irrelevant(whole: Relaxation) -> Relaxation:
    """The relaxation without effects that the goal does not need, and without nodes that have no others."""
    is_needed = relevant(whole.condition_first, whole.condition, whole.effect_first, whole.effect, whole.facts)
    is_kept = is_needed[whole.effect]
    node = np.repeat(np.arange(len(whole.operator)), np.diff(whole.effect_first))
    effects = np.bincount(node[is_kept], minlength=len(whole.operator))
    conditions = np.diff(whole.condition_first)
    return Relaxation(
        whole.first,
        whole.facts,
        whole.operator[effects > 0],
        starts(conditions[effects > 0]).astype(np.int32),
        whole.condition[np.repeat(effects > 0, conditions)],
        starts(effects[effects > 0]).astype(np.int32),
        whole.effect[is_kept],
    )


def _dependencies(task: Task) -> dict[int, int]:
    """For each derived variable those on which it depends, also through others, as bits."""
    reads = dict.fromkeys(task.derived, 0)
    for axiom in task.axioms:
        for variable in axiom.condition:
            reads[axiom.variable] |= 1 << variable
    for between in task.derived:  # transitive closure (Warshall 1962)
        for variable in task.derived:
            if reads[variable] >> between & 1:
                reads[variable] |= reads[between]
    return reads
