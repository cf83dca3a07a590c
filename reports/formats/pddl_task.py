"""A finite-domain task in PDDL. Everything is grounded: an operator is an action without parameters.

A variable of two values, one of which is the absence of the other, is the fact `(holds fact)`. A variable of other
values has a fact `(is value)` for each, exactly one of which holds. Each effect deletes the value that its
condition names, or is written once for each value before, so translators find these mutex groups again.
"""

from collections.abc import Iterator, Mapping

from puzzlemc.mc.tasks.task import Condition, Effect, Operator, Task
from puzzlemc.reports.formats.legend import plain
from puzzlemc.reports.formats.pddl import conjunction, texts, word


def write(task: Task, name: str) -> tuple[str, str]:
    """The domain and the problem, both under that name, of a task without axioms."""
    assert not task.axioms
    facts = _Facts(task)
    requirements = ":strips :negative-preconditions :action-costs"
    if not task.is_plain or any("(when" in effect for each in task.operators for effect in facts.effects(each)):
        requirements += " :conditional-effects"
    actions = [facts.action(number, each) for number, each in enumerate(task.operators)]
    start = [fact for fact in facts.literals(dict(enumerate(task.initial))) if not fact.startswith("(not")]
    goal = conjunction(facts.literals(task.goal))
    return texts(name, requirements, (facts.constants, facts.predicates), actions, start, goal)


class _Facts:
    """The literals of the values of variables."""

    def __init__(self, task: Task) -> None:
        self.predicates = ["(holds ?fact)"]
        self.constants: list[str] = []
        self._values: list[list[str]] = []  # of each variable: the literal of each value
        self._single = set[int]()  # the variables of one fact
        for number, variable in enumerate(task.variables):
            off, on = (*variable.values, "")[:2]
            if len(variable.values) == 2 and off == f"not {on}":
                self.constants.append(word(f"b{number}", on))
                self._single.add(number)
                fact = f"(holds {self.constants[-1]})"
                self._values.append([f"(not {fact})", fact])
                continue
            predicate = word(f"is{number}", variable.name)
            constants = [word(f"v{number}-{at}", value) for at, value in enumerate(variable.values)]
            self.predicates.append(f"({predicate} ?value)")
            self.constants += constants
            self._values.append([f"({predicate} {each})" for each in constants])

    def literals(self, condition: Condition) -> list[str]:
        """A condition as literals."""
        return [self._values[variable][value] for variable, value in sorted(condition.items())]

    def action(self, number: int, operator: Operator) -> str:
        """An operator as an action."""
        effects = [*self.effects(operator), f"(increase (total-cost) {operator.cost})"]
        return (
            f"(:action {word(f'a{number}', operator.name)} ; {plain(operator.name)}\n"
            " :parameters ()\n"
            f" :precondition {conjunction(self.literals(operator.precondition))}\n"
            f" :effect {conjunction(effects)})"
        )

    def effects(self, operator: Operator) -> Iterator[str]:
        """The effects of an operator; of those that contradict each other, the last one counts."""
        for number, effect in enumerate(operator.effects):
            later = [
                each
                for each in operator.effects[number + 1 :]
                if each.variable == effect.variable and each.value != effect.value and _together(each, effect)
            ]
            known = operator.precondition.get(effect.variable, effect.condition.get(effect.variable))
            values = self._values[effect.variable]
            if effect.variable in self._single:
                yield self._when(effect.condition, later, [values[effect.value]])
                continue
            for before in range(len(values)) if known is None else [known]:
                if before != effect.value:
                    condition = effect.condition
                    if known is None:
                        condition = {**condition, effect.variable: before}
                    yield self._when(condition, later, [values[effect.value], f"(not {values[before]})"])

    def _when(self, condition: Mapping[int, int], later: list[Effect], literals: list[str]) -> str:
        """These literals under a condition, unless a later effect fires."""
        needed = self.literals(condition)
        needed += [f"(not {conjunction(self.literals(each.condition))})" for each in later]
        return f"(when {conjunction(needed)} {conjunction(literals)})" if needed else " ".join(literals)


def _together(one: Effect, other: Effect) -> bool:
    """May both effects fire?"""
    return all(other.condition.get(variable, value) == value for variable, value in one.condition.items())
