"""What a task means: the states, which operators are applicable, and the successors. Plain Python, for reference.

States here are complete: derived variables have the values that follow from the axioms. Layer by layer, each
derived variable starts with its default value, then axioms fire until nothing changes (stratified fixpoint;
Thiébaux, Hoffmann and Nebel 2005).
"""

from collections.abc import Iterator, Sequence

from puzzlemc.mc.tasks.task import Axiom, Condition, Operator, State, Task


def initial_state(task: Task) -> State:
    """The initial state, with the values of derived variables."""
    return completed(task, task.initial)


def holds(condition: Condition, state: State) -> bool:
    """Does the state agree with the condition?"""
    return all(state[variable] == value for variable, value in condition.items())


def applied(task: Task, operator: Operator, state: State) -> State:
    """The successor of a state by an applicable operator."""
    values = list(state)
    for effect in operator.effects:
        if holds(effect.condition, state):
            values[effect.variable] = effect.value
    return completed(task, values)


def successors(task: Task, state: State) -> Iterator[tuple[int, State]]:
    """Yield the numbers of the applicable operators of a state with the states that they lead to."""
    for number, operator in enumerate(task.operators):
        if holds(operator.precondition, state):
            yield number, applied(task, operator, state)


def completed(task: Task, values: Sequence[int]) -> State:
    """The state with these values, in which derived variables have the values that follow from the others."""
    if not task.derived:
        return tuple(values)
    state = list(values)
    for variable in task.derived:
        state[variable] = task.initial[variable]
    by_layer: dict[int, list[Axiom]] = {}
    for axiom in task.axioms:
        by_layer.setdefault(task.variables[axiom.variable].layer or 0, []).append(axiom)
    for _, axioms in sorted(by_layer.items()):
        changed = True
        while changed:
            changed = False
            for axiom in axioms:
                fires = all(state[variable] == value for variable, value in axiom.condition.items())
                if fires and state[axiom.variable] != axiom.value:
                    state[axiom.variable] = axiom.value
                    changed = True
    return tuple(state)
