"""What is asked of a task: a sum against each of its goals; and what all searches for one need, found once.

An operator is looked at by cases: the values of the variables that it reads or sets.
"""

from collections import Counter
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.sums import Beside, completed
from puzzlemc.mc.tasks.task import Condition, Operator, State, Task

MOST_CASES = 4096  # of an operator
ALIKE = 2  # operators that are asked before others that do the same


@dataclass(frozen=True)
class Case:
    """An operator in states with the facts `known`: it changes the value of each variable in `old` to that in
    `new`."""

    known: Condition
    old: Condition
    new: Condition


class Question:
    """Is there a sum that differs between the initial state of a task and all states of each goal?

    kinds  the kind of each variable: variables of one kind share their weights
    beside  what the exclusions of the task say
    """

    def __init__(self, task: Task, kinds: Sequence[int], goals: Sequence[Condition]) -> None:
        self.task, self.kinds, self.goals = task, kinds, goals
        self.beside = Beside(task)
        self._cases: dict[int, tuple[int, list[Case]]] = {}  # by the identity of the operator

    def at(self, initial: State) -> "Question":
        """The question about another initial state."""
        other = copy(self)
        other.task = replace(self.task, initial=initial)
        return other

    @cached_property
    def left(self) -> list[dict[int, list[int]]]:
        """For each goal, the values that each variable may have in its states."""
        return [completed(self.task, goal, self.beside) for goal in self.goals]

    @cached_property
    def unlike(self) -> tuple[list[Operator], list[Operator]]:
        """Two operators of each that do the same to variables of the same kinds, and all others.

        Most equations are those of the first ones. If these have no solution, then all have none.
        """
        seen: Counter[object] = Counter()
        first: list[Operator] = []
        rest: list[Operator] = []
        for operator in self.task.operators:
            effects = sorted(
                (self.kinds[e.variable], e.value, self._by_kind(e.condition)) for e in operator.effects
            )
            form = self._by_kind(operator.precondition), tuple(effects)
            seen[form] += 1
            (first if seen[form] <= ALIKE else rest).append(operator)
        return first, rest

    def cases(self, operator: Operator) -> tuple[int, list[Case]]:
        """The number of cases of an operator of the task, and those in which it changes something.

        Raises Unsuitable if they are too many.
        """
        if id(operator) not in self._cases:
            self._cases[id(operator)] = self._found(operator)
        return self._cases[id(operator)]

    def _found(self, operator: Operator) -> tuple[int, list[Case]]:
        read = {variable for effect in operator.effects for variable in effect.condition}
        free = sorted((read | {effect.variable for effect in operator.effects}) - operator.precondition.keys())
        count = 1
        for variable in free:
            count *= self.task.domains[variable]
        if count > MOST_CASES:
            raise Unsuitable(f"operator {operator.name} has more than {MOST_CASES} cases")
        known = [dict(operator.precondition)]
        for variable in free:
            known = [
                {**facts, variable: value} for facts in known for value in self.beside.values(facts, variable)
            ]
        cases = []
        for facts in known:
            new: dict[int, int] = {}
            for effect in operator.effects:
                if all(facts[variable] == value for variable, value in effect.condition.items()):
                    new[effect.variable] = effect.value  # the last one counts
            old = {variable: facts[variable] for variable in sorted(new) if facts[variable] != new[variable]}
            if old:
                cases.append(Case(facts, old, {variable: new[variable] for variable in old}))
        return len(known), cases

    def _by_kind(self, condition: Condition) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((self.kinds[variable], value) for variable, value in condition.items()))
