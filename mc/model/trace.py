"""Traces of a model, and their check against the model alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.model.action import Action, LazyActions, step_costs
from puzzlemc.mc.model.formula import State, holds, literals
from puzzlemc.mc.model.lazy import LazySequence
from puzzlemc.mc.model.model import Model


@dataclass(frozen=True)
class Trace:
    """A run of the model: `states` has one state more than there are `actions`."""

    states: Sequence[State]
    actions: Sequence[Action]
    _costs: dict[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def cost(self, metric: str) -> int:
        """The sum of the costs of the actions."""
        if metric not in self._costs:
            self._costs[metric] = sum(step_costs(self.actions, metric))
        return self._costs[metric]

    def check(self, model: Model) -> None:
        """Raise Refuted unless this is a run of the model from an initial state to a goal state."""
        if len(self.states) != len(self.actions) + 1:
            raise Refuted(f"{len(self.states)} states do not fit {len(self.actions)} actions")
        if not holds(model.init, self.states[0]):
            raise Refuted("the first state of the trace is not initial")
        for number, action in enumerate(self.actions):
            before, after = self.states[number], self.states[number + 1]
            if not action.enabled(before):
                raise Refuted(f"step {number + 1}: {action.name} is not enabled")
            if action.fire(before) != after:
                raise Refuted(f"step {number + 1}: {action.name} leads to another state")
        if not holds(model.goal, self.states[-1]):
            raise Refuted("the last state of the trace is no goal state")


def run_of(model: Model, actions: Sequence[Action]) -> Trace:
    """The trace of these actions from the initial state of a model. Raises Unsuitable if it has several."""
    initial = initial_state(model)
    actions = actions if isinstance(actions, LazyActions) else tuple(actions)

    def states() -> Iterator[State]:
        yield (state := initial)
        for action in actions:
            yield (state := action.fire(state))

    return Trace(LazySequence(states), actions)


def run_to_goal(model: Model, states: Sequence[State], actions: Sequence[Action]) -> Trace:
    """The trace of a run up to its first goal state; a search may append free actions behind it."""
    last = next(number for number, state in enumerate(states) if holds(model.goal, state))
    return Trace(tuple(states[: last + 1]), tuple(actions[:last]))


def initial_state(model: Model) -> State:
    """The initial state of a model. Raises Unsuitable if the initial condition is not a cube over all bits."""

    cube = literals(model.init)
    if cube is None or cube.keys() != set(model.bits):
        raise Unsuitable("it has no single initial state")
    return frozenset(b for b, held in cube.items() if held)
