"""The order of the variables of a task in diagrams: variables that depend on each other are near."""

from collections.abc import Iterator

from puzzlemc.mc.tasks.symbolic.arrangement import arranged
from puzzlemc.mc.tasks.task import Task


def variable_order(task: Task) -> list[int]:
    """The variables of a task that are not derived, top first."""
    derived = set(task.derived)
    return [v for v in arranged(len(task.variables), set(_dependences(task))) if v not in derived]


def _dependences(task: Task) -> Iterator[tuple[int, int]]:
    """Yield the edges of the causal graph: a variable that is changed, and one that is read or changed with it."""
    for operator in task.operators:
        changed = {effect.variable for effect in operator.effects}
        for effect in operator.effects:
            for other in {*operator.precondition, *effect.condition, *changed} - {effect.variable}:
                yield min(effect.variable, other), max(effect.variable, other)
    for axiom in task.axioms:
        for other in axiom.condition.keys() - {axiom.variable}:
            yield min(axiom.variable, other), max(axiom.variable, other)
