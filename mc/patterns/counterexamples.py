"""Patterns grown by counterexamples (Rovner, Sievers and Helmert 2019).

A cheapest plan in a projection may not be a plan of the task: it violates a precondition on a variable outside the
pattern, decides a condition otherwise, or misses another goal. One such variable joins the pattern, again and
again, while the projection stays small.
"""

import random
from collections.abc import Callable

import numpy as np

from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.database import Abstracted, Database
from puzzlemc.mc.tasks.semantics import applied, initial_state
from puzzlemc.mc.tasks.task import State, Task

Build = Callable[[tuple[int, ...]], Database | None]


def grow(abstracted: Abstracted, goal: int, build: Build, rnd: random.Random) -> Database | None:
    """The database of a pattern that grows from a variable of the goal; None if not even its own can be built.

    `build` builds the database of a pattern, or returns None if it is too large.
    """
    found = build((goal,))
    refused: set[int] = set(abstracted.task.derived)
    has_grown = True
    while found is not None and has_grown:
        has_grown = False
        variables = sorted(_flaws(abstracted, found, rnd) - refused)
        rnd.shuffle(variables)
        for variable in variables:
            larger = build(tuple(sorted((*found.variables, variable))))
            if larger is not None:
                found, has_grown = larger, True
                break
            refused.add(variable)
    return found


def _flaws(abstracted: Abstracted, found: Database, rnd: random.Random) -> set[int]:
    """The variables outside the pattern that show that a cheapest abstract plan is none of the task."""
    task, costs = abstracted.task, np.maximum(abstracted.costs, 1)  # so that each step comes nearer
    distances = found.distances(costs, abstracted.queue)
    state, at = initial_state(task), found.start
    if distances[at] >= INFINITE:
        return set()
    while distances[at] > 0:
        step = [
            (_unmet(task, number, state), rnd.random(), number, target)
            for number, target in found.steps(at)
            if distances[target] + costs[number] == distances[at]
        ]
        if not step:  # the distances are too large to be exact
            return set()
        unmet, _, number, at = min(step, key=lambda each: (len(each[0]), each[1]))
        if unmet:
            return unmet
        operator = task.operators[number]
        state = applied(task, operator, state)
        if found.index(state) != at:
            read = {variable for effect in operator.effects for variable in effect.condition}
            return read.difference(found.variables)
    return {variable for variable, value in task.goal.items() if state[variable] != value}


def _unmet(task: Task, operator: int, state: State) -> set[int]:
    """The variables that do not have the value that the operator requires."""
    required = task.operators[operator].precondition
    return {variable for variable, value in required.items() if state[variable] != value}
