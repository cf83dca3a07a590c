"""Verdicts. Each carries its evidence; "not found" is never "impossible".

Reachable      with a trace, a run of the model from an initial state to a goal state
Unreachable    with an inductive invariant: it holds initially, every action keeps it, it excludes the goal
Unknown        with the limit that stopped the search, and the cost below which no solution exists
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from puzzlemc.mc.ends import Ends
from puzzlemc.mc.errors import LIMITS, Refuted, Unsuitable, reason_of
from puzzlemc.mc.formula import State, holds, literals
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Action, Model, cost_of
from puzzlemc.mc.proof import Proof


@dataclass(frozen=True)
class Trace:
    """A run: `states` has one state more than there are `actions`."""

    states: tuple[State, ...]
    actions: tuple[Action, ...]

    def cost(self, metric: str) -> int:
        """The sum of the costs of the actions."""
        return sum(cost_of(action, metric) for action in self.actions)

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
    """The run of these actions from the one initial state of a model. Raises Unsuitable if there are several."""
    states = [initial_state(model)]
    for action in actions:
        states.append(action.fire(states[-1]))
    return Trace(tuple(states), tuple(actions))


def run_to_goal(model: Model, states: Sequence[State], actions: Sequence[Action]) -> Trace:
    """The trace of a run, cut off at its first goal state: free actions behind it serve nothing."""
    last = next(number for number, state in enumerate(states) if holds(model.goal, state))
    return Trace(tuple(states[: last + 1]), tuple(actions[:last]))


def initial_state(model: Model) -> State:
    """The one initial state of a model. Raises Unsuitable if its initial condition is no cube over all bits."""
    cube = literals(model.init)
    if cube is None or cube.keys() != set(model.bits):
        raise Unsuitable("it has no single initial state")
    return frozenset(b for b, held in cube.items() if held)


@dataclass(frozen=True)
class Statistics:
    """What a search did: layers, states (exact; None where not counted), and diagram nodes at the end."""

    layers: int = 0
    states: int | None = None
    nodes: int | None = None


# Takes the proof of a verdict out of the search that gave it. Raises MemoryError.
Proving: TypeAlias = Callable[[], Ends | None]


def no_proof() -> Ends | None:
    """The proof of a verdict from an engine that has none at hand."""
    return None


def known(ends: Ends | None) -> Proving:
    """A proof that has been taken out of a search already."""
    return lambda: ends


@dataclass(frozen=True)
class Reachable:
    """The goal is reachable; `optimal` says that no cheaper trace exists, and `ends` may have the proof."""

    trace: Trace
    cost: int
    optimal: bool
    statistics: Statistics = field(default_factory=Statistics)
    ends: Proving = no_proof


@dataclass(frozen=True)
class Unreachable:
    """The goal is not reachable; `invariant` tells whether a state satisfies the inductive invariant.

    `proof` is the invariant to write down, from engines that have it at hand, `ends` may have another proof.
    """

    invariant: Callable[[State], bool]
    statistics: Statistics = field(default_factory=Statistics)
    proof: Proof | None = None
    ends: Proving = no_proof


@dataclass(frozen=True)
class Unknown:
    """A limit stopped the search. `reason`: timeout, memory or bound; no solution costs less than `bound`.

    `ends` may have the proof of that, or of a lower bound; `best` is the cheapest run that was found, if any.
    """

    reason: str
    bound: int
    statistics: Statistics = field(default_factory=Statistics)
    ends: Proving = no_proof
    best: Reachable | None = None


def cheapest(*runs: Reachable | None) -> Reachable | None:
    """The cheapest of the runs that there are, the first of equal ones."""
    return min((run for run in runs if run is not None), key=lambda run: run.cost, default=None)


Verdict: TypeAlias = Reachable | Unreachable | Unknown


def within_limits(watch: Watch, attempt: Callable[[], Verdict]) -> Verdict:
    """The verdict of `attempt`, *unknown* where it reaches a limit."""
    try:
        return attempt()
    except LIMITS as limit:
        return Unknown(reason_of(limit), watch.bound)
