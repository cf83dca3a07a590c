"""The delete relaxation of a task, in unary operators, which have facts as a condition and make one fact true.

An operator has a unary operator for each of its effects, with the condition of the effect. An axiom is a unary
operator without cost. A derived variable can get its default value again: if each of its axioms has a condition
that may be false, which an additional fact says. For axioms that depend on each other, that is always possible:
false before false would have no beginning. A fact that is reachable in the task is reachable in the relaxation.

Facts are numbers: those of the variables, in their order, then additional ones. The last one is the goal.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from puzzlemc.mc.tasks.task import Fact, Task

NONE = -1  # the operator of an axiom and of the goal


@dataclass(frozen=True)
class UnaryOperator:
    """If all facts of `condition` are true, `fact` can be made true by `operator`."""

    condition: tuple[int, ...]
    fact: int
    operator: int = NONE


@dataclass(frozen=True)
class Relaxation:
    """The unary operators of a task. `first` has the first fact of each variable; `facts` is their number."""

    first: tuple[int, ...]
    facts: int
    operators: tuple[UnaryOperator, ...]

    @property
    def goal(self) -> int:
        """The fact that is reachable if the goal is."""
        return self.facts - 1


def relaxation(task: Task) -> Relaxation:
    """The relaxation of a task."""
    return _Relaxing(task).relaxed()


class _Relaxing:
    """The unary operators so far."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.first = [0]
        for size in task.domains:
            self.first.append(self.first[-1] + size)
        self.facts = self.first.pop()
        self.unary: list[UnaryOperator] = []

    def relaxed(self) -> Relaxation:
        """The relaxation."""
        for number, operator in enumerate(self.task.operators):
            known: set[tuple[int, tuple[int, ...]]] = set()
            condition = self._facts(operator.precondition.items())
            for effect in operator.effects:
                given = condition
                if effect.condition:
                    if any(operator.precondition.get(v, value) != value for v, value in effect.condition.items()):
                        continue
                    given = self._facts({**operator.precondition, **effect.condition}.items())
                fact = self.first[effect.variable] + effect.value
                if fact not in given and (fact, given) not in known:
                    known.add((fact, given))
                    self.unary.append(UnaryOperator(given, fact, number))
        for axiom in self.task.axioms:
            fact = self.first[axiom.variable] + axiom.value
            self.unary.append(UnaryOperator(self._facts(axiom.condition.items()), fact))
        self._add_defaults()
        self.unary.append(UnaryOperator(self._facts(self.task.goal.items()), self._new_fact()))
        return Relaxation(tuple(self.first), self.facts, tuple(self.unary))

    def _facts(self, facts: Iterable[Fact]) -> tuple[int, ...]:
        """Their numbers, in ascending order."""
        return tuple(sorted(self.first[variable] + value for variable, value in facts))

    def _new_fact(self) -> int:
        self.facts += 1
        return self.facts - 1

    def _add_defaults(self) -> None:
        """Add unary operators for the default values of derived variables."""
        reads = _dependencies(self.task)
        denied: dict[int, list[int]] = {variable: [] for variable in self.task.derived}
        for axiom in self.task.axioms:
            is_false = self._new_fact()
            denied[axiom.variable].append(is_false)
            for variable, value in axiom.condition.items():
                if reads.get(variable, 0) >> axiom.variable & 1:
                    self.unary.append(UnaryOperator((), is_false))
                else:
                    self._deny(is_false, variable, value)
        for variable, facts in sorted(denied.items()):
            default = self.first[variable] + self.task.initial[variable]
            self.unary.append(UnaryOperator(tuple(facts), default))

    def _deny(self, is_false: int, variable: int, value: int) -> None:
        """A condition is false if the variable has another value."""
        for other in range(self.task.domains[variable]):
            if other != value:
                self.unary.append(UnaryOperator((self.first[variable] + other,), is_false))


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
