"""Derived variables as formulas over the others, by the fixpoint of the axioms over all states at once."""

from collections import defaultdict

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.symbolic.coding import Coding
from puzzlemc.mc.tasks.task import Axiom, Task


def define_derived(task: Task, coding: Coding, budget: Budget) -> None:
    """Give the coding the set of states, over the other variables, of each fact of a derived variable.

    Raises LimitReached; Unsuitable if the axioms of a variable give it different values.
    """
    _check_heads(task)
    for variable in task.derived:
        for value in range(task.domains[variable]):
            coding.derived[variable, value] = coding.empty
        coding.derived[variable, task.initial[variable]] = coding.universe
    by_layer: dict[int, list[Axiom]] = defaultdict(list)
    for axiom in task.axioms:
        by_layer[task.variables[axiom.variable].layer or 0].append(axiom)
    for _, axioms in sorted(by_layer.items()):
        while sum(_fire(task, coding, axiom) for axiom in axioms):
            budget.check()
            coding.check_nodes()


def _fire(task: Task, coding: Coding, axiom: Axiom) -> bool:
    """Add the states in which the axiom fires to those in which its head holds. Are there new ones?"""
    head, default = (axiom.variable, axiom.value), (axiom.variable, task.initial[axiom.variable])
    before = coding.derived[head]
    coding.derived[head] = before | coding.condition(axiom.condition)
    coding.derived[default] = ~coding.derived[head]
    return bool(coding.derived[head] != before)


def _check_heads(task: Task) -> None:
    heads: dict[int, int] = {}
    for axiom in task.axioms:
        if heads.setdefault(axiom.variable, axiom.value) != axiom.value:
            name = task.variables[axiom.variable].name
            raise Unsuitable(f"axioms give the derived variable {name} different values; diagrams take only one")
