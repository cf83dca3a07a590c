"""Images of sets of states by the operators of a task: the protocol `Images`. Labels are numbers of operators."""

import operator
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.semantics import applied, holds
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet
from puzzlemc.mc.tasks.symbolic.constraints import MOST_NODES, NODES
from puzzlemc.mc.tasks.symbolic.relations import Relation
from puzzlemc.mc.tasks.task import State, Task

RELATION_NODES = 500  # an image by one relation takes as long as this many nodes of it, beside those that it has
# A constraint is left out for the rest of a search if an image within it has more than MOST_GROWTH times the nodes
# of the image alone, or if the nodes of the image times those of the constraint are more than MOST_PRODUCT.
MOST_GROWTH = 2
MOST_PRODUCT = 1 << 32

RelationsByCost: TypeAlias = Mapping[int, Sequence[Relation]]


class OperatorFinder:
    """Finds the operator between two states. Operators are listed by one fact of their preconditions."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._by_fact: dict[tuple[int, int] | None, list[int]] = defaultdict(list)
        for number, each in enumerate(task.operators):
            self._by_fact[next(iter(each.precondition.items()), None)].append(number)

    def number(self, source: State, target: State, cost: int) -> int:
        """The first operator of this cost that leads from one state to the other."""
        task = self._task
        candidates = sorted(
            number for fact in (None, *enumerate(source)) for number in self._by_fact.get(fact, ())
        )
        return next(
            number
            for number in candidates
            if task.operators[number].cost == cost
            and holds(task.operators[number].precondition, source)
            and applied(task, task.operators[number], source) == target
        )


@dataclass
class TaskImages:
    """The steps of a task in one direction: from before to after if `forth`; images are within `constraints`."""

    coding: Coding
    finder: OperatorFinder
    relations: RelationsByCost
    start: StateSet
    forth: bool
    constraints: Sequence[StateSet] = ()  # those that have made no image much larger
    work: int = 0

    @property
    def empty(self) -> StateSet:
        """The empty set."""
        return self.coding.empty

    @cached_property
    def costs(self) -> Sequence[int]:
        """The costs of operators, ascending."""
        return sorted(self.relations)

    def reverse(self) -> "TaskImages":
        """The steps in the other direction."""
        return replace(self, forth=not self.forth, constraints=(), work=0)

    def image(self, states: StateSet, cost: int, budget: Budget) -> StateSet:
        """The states after all operators of this cost, in this direction. Raises LimitReached."""
        parts = []
        for relation in self.relations[cost]:
            part = relation.image(states) if self.forth else relation.preimage(states)
            self.work += RELATION_NODES + len(part)
            parts.append(part)
            budget.check()
            self.coding.check_nodes()
        found = self.coding.union(parts)
        for constraint in self.constraints:
            budget.check()
            size = len(found)
            is_small = size * len(constraint) <= MOST_PRODUCT
            if is_small:
                found &= constraint
                self.work += len(found) // NODES
            if not is_small or len(found) > max(MOST_GROWTH * size, MOST_NODES):
                self.constraints = [each for each in self.constraints if each is not constraint]
        return found

    def closure(self, states: StateSet, closed: StateSet, budget: Budget) -> StateSet:
        """The states themselves: operators without cost are followed ring by ring."""
        return states

    def before(self, state: State, cost: int, states: StateSet) -> tuple[State, int] | None:
        """One of the states before `state` by an operator of this cost, and the number of the operator."""
        single = self.coding.single(state)
        for relation in self.relations[cost]:
            met = states & (relation.preimage(single) if self.forth else relation.image(single))
            if met != self.empty:
                found = self.coding.pick(met)
                return found, self.finder.number(*((found, state) if self.forth else (state, found)), cost)
        return None

    def is_empty(self, f: StateSet, /) -> bool:
        """Is the set empty?"""
        return bool(f == self.coding.empty)

    union = staticmethod(operator.or_)
    intersection = staticmethod(operator.and_)

    def difference(self, f: StateSet, g: StateSet, /) -> StateSet:
        """States in f but not in g."""
        return f & ~g

    def single(self, state: State, /) -> StateSet:
        """The set of one state."""
        return self.coding.single(state)

    def contains(self, f: StateSet, state: State, /) -> bool:
        """Is the state in the set?"""
        return self.coding.contains(f, state)

    def pick(self, f: StateSet, /) -> State:
        """Some state of a set that is not empty; the same one in each run."""
        return self.coding.pick(f)

    size = staticmethod(len)
