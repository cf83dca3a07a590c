"""The causal graph of a task: which variables the changes of a variable depend on (Helmert 2004)."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from puzzlemc.mc.tasks.task import Condition, Task


def causal_graph(task: Task) -> Mapping[int, Mapping[int, int]]:
    """variable -> the variables that its changes depend on -> the number of operators and axioms that say so.

    An operator that sets v depends on the variables that it reads for that, and on those that it sets besides. No
    variable depends on itself.
    """
    found: dict[int, dict[int, int]] = {variable: {} for variable in range(len(task.variables))}
    for changed, read in _dependences(task):
        for u in read - {changed}:
            found[changed][u] = found[changed].get(u, 0) + 1
    return found


def relevant(task: Task) -> set[int]:
    """The variables that the goal depends on, directly or by way of others; its own among them.

    Changes of all other variables change nothing in the goal, and no operator that sets one of these reads them.
    """
    read_for: dict[int, set[int]] = defaultdict(set)
    for operator in task.operators:
        for effect in operator.effects:
            read_for[effect.variable].update(operator.precondition, effect.condition)
    for axiom in task.axioms:
        read_for[axiom.variable].update(axiom.condition)
    found: set[int] = set()
    waiting = list(task.goal)
    while waiting:
        variable = waiting.pop()
        if variable not in found:
            found.add(variable)
            waiting += read_for[variable] - found
    return found


def _dependences(task: Task) -> Iterator[tuple[int, set[int]]]:
    """Yield each variable that an operator or an axiom sets, with all variables that go with it."""
    for operator in task.operators:
        conditions: dict[int, list[Condition]] = defaultdict(list)
        for effect in operator.effects:
            conditions[effect.variable].append(effect.condition)
        for variable, some in conditions.items():
            yield variable, {*operator.precondition, *conditions}.union(*some)
    for axiom in task.axioms:
        yield axiom.variable, set(axiom.condition)
