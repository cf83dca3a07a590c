"""A plan from the layers of two searches that met: states along the layers to both ends, and operators."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from puzzlemc.mc.tasks.semantics import applied, holds
from puzzlemc.mc.tasks.symbolic.coding import StateSet
from puzzlemc.mc.tasks.symbolic.layers import Layers
from puzzlemc.mc.tasks.symbolic.relations import Step
from puzzlemc.mc.tasks.task import State, Task


def path(layers: Layers, back: Step, state: State, cost: int) -> Iterator[tuple[State, int]]:
    """Yield the states of a path from the start to the state, last first: each with the cost of the step after it.

    The state itself is left out. `cost` is that of a set in which the search found it; `back` leads to the start.
    """
    by_cost = {layer.cost: layer for layer in layers.layers}
    while True:
        layer = by_cost.get(cost)
        rings = layer.rings if layer is not None else ()
        ring = next((number for number, some in enumerate(rings) if layers.coding.contains(some, state)), 0)
        if ring:
            step, found = 0, _before(layers, back, state, 0, rings[ring - 1])
        elif cost == 0:
            return
        else:
            costs = (step for step in layers.relations if step and cost - step in by_cost)
            step, found = next(
                (step, found)
                for step in costs
                if (found := _before(layers, back, state, step, by_cost[cost - step].states)) is not None
            )
        assert found is not None, "no layer holds a state before"
        state, cost = found, cost - step
        yield state, step


def _before(layers: Layers, back: Step, state: State, cost: int, states: StateSet) -> State | None:
    """One of the states, from which a step of this cost leads to the state; None: there is none."""
    coding = layers.coding
    single = coding.single(state)
    for relation in layers.relations[cost]:
        met = back(relation, single) & states
        if met != coding.empty:
            return coding.pick(met)
    return None


class OperatorFinder:
    """Finds the operator between two states. Operators are listed by one fact of their preconditions."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._by_fact: dict[tuple[int, int] | None, list[int]] = defaultdict(list)
        for number, operator in enumerate(task.operators):
            self._by_fact[next(iter(operator.precondition.items()), None)].append(number)

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


def operators_between(task: Task, states: list[State], costs: list[int]) -> tuple[int, ...]:
    """The numbers of operators of these costs, each between two states that follow one another."""
    finder = OperatorFinder(task)
    steps = zip(pairwise(states), costs, strict=True)
    return tuple(finder.number(source, target, cost) for (source, target), cost in steps)
