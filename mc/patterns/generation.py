"""Which patterns to use: small ones that the causal graph connects with the goal.

A variable matters for another one if an operator that changes the other one reads it (causal graph; Helmert 2004).
Patterns grow from variables of the goal by variables that matter for one of theirs, or that are variables of the
goal and change together with one of theirs (interesting patterns; Pommerening, Röger and Helmert 2013).
"""

from collections.abc import Iterator

from puzzlemc.mc.tasks.task import Task


class CausalGraph:
    """The variables that an operator reads or changes together with each variable that it changes.

    read     for each variable, those that an operator reads which changes it
    changed  for each variable, those that an operator changes together with it
    """

    def __init__(self, task: Task) -> None:
        derived = set(task.derived)
        self.read: list[set[int]] = [set() for _ in task.variables]
        self.changed: list[set[int]] = [set() for _ in task.variables]
        for operator in task.operators:
            changed = {effect.variable for effect in operator.effects}
            for effect in operator.effects:
                self.read[effect.variable] |= operator.precondition.keys() | effect.condition.keys()
                self.changed[effect.variable] |= changed
        for variable in range(len(task.variables)):
            self.read[variable] -= {variable} | derived
            self.changed[variable] -= {variable}


def interesting_patterns(task: Task, largest: int) -> Iterator[tuple[int, ...]]:
    """Yield interesting patterns of up to `largest` variables, small ones first, each once."""
    graph = CausalGraph(task)
    derived = set(task.derived)
    level: set[tuple[int, ...]] = {(variable,) for variable in task.goal if variable not in derived}
    while level:
        yield from sorted(level)
        grown: set[tuple[int, ...]] = set()
        for pattern in level:
            if len(pattern) == largest:
                continue
            for variable in pattern:
                more = graph.read[variable] | (graph.changed[variable] & task.goal.keys())
                grown |= {tuple(sorted((*pattern, other))) for other in more.difference(pattern)}
        level = grown
