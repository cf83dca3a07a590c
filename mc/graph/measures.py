"""How hard it is to find a way to the goal, in numbers about the states of a graph and the steps between them.

A *step* leads from a state to another one; several actions between two states are one step. A state is *lost* if
no goal state is reachable from it, and *plainly* lost if that is seen at once. A *solution* is a shortest
sequence of states from the start to a goal state. Means are over all solutions, each with the same weight.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.graph.paths import FAR, Adjacency, distances, turn
from puzzlemc.mc.graph.state_graph import StateGraph
from puzzlemc.mc.graph.traps import depth_of_traps
from puzzlemc.mc.limits import Budget

Indices = npt.NDArray[np.int32]
Truths = npt.NDArray[np.bool_]
Reals = npt.NDArray[np.float64]

MOST_ORDERS = 10**12  # solutions that are counted; larger numbers become this one
NEARER = 2.0  # the weight of a step that brings the goal nearer, for the random walk; that of others is 1
GIVES_UP = 0.1  # how probably the random walk goes back to the start, before a step in a lost state
PRECISION = 1e-9  # of the expected number of steps, relatively
MOST_WORK = 100_000_000  # steps of the random walk, over all states at once
LOOK = 256  # rounds between two looks at the clock


@dataclass(frozen=True)
class Steps:
    """The steps between the states; state 0 is the start.

    first    (states + 1,): the steps from state s are those from `first[s]` to before `first[s + 1]`
    targets  (steps,): the state after each step, all different for a state, and none the state itself
    left     (states,): the least number of steps to a goal state; FAR for a lost state
    plain    (states,): is the state plainly lost?
    """

    first: npt.NDArray[np.int64]
    targets: Indices
    left: Indices
    plain: Truths

    @property
    def lost(self) -> Truths:
        """Is each state lost? Shape (states,)."""
        lost: Truths = self.left == FAR
        return lost

    @property
    def sources(self) -> npt.NDArray[np.int64]:
        """The state before each step. Shape (steps,)."""
        return np.repeat(np.arange(len(self.left)), np.diff(self.first))

    @cached_property
    def layers(self) -> "list[Layer]":
        """The states on solutions by the number of steps before them; none without a solution."""
        if self.left[0] == FAR:
            return []
        found = [Layer(np.zeros(1, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64))]
        for left in range(int(self.left[0]) - 1, -1, -1):
            states = found[-1].states
            steps, source = self.steps_of(states)
            nearer = self.left[self.targets[steps]] == left
            targets, target = np.unique(self.targets[steps[nearer]], return_inverse=True)
            found[-1] = Layer(states, source[nearer], target)
            found.append(Layer(targets.astype(np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64)))
        return found

    def steps_of(self, states: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The numbers of the steps from these states, and the place in `states` of the state before each."""
        counts = self.first[states + 1] - self.first[states]
        source = np.repeat(np.arange(len(states)), counts)
        offsets = np.arange(len(source)) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.first[states][source] + offsets, source


def steps_of(graph: StateGraph) -> Steps:
    """The steps between the states of a complete graph with one initial state; stuck states are plainly lost."""
    states = len(graph)
    sources = np.repeat(np.arange(states, dtype=np.int64), np.diff(graph.forth.first))
    others = sources != graph.forth.other
    pairs = np.unique(sources[others] * states + graph.forth.other[others])
    sources, targets = pairs // max(states, 1), (pairs % max(states, 1)).astype(np.int32)
    first = np.zeros(states + 1, np.int64)
    np.cumsum(np.bincount(sources, minlength=states), out=first[1:])
    none = np.zeros(len(targets), np.int32)
    back = Adjacency(np.zeros_like(first), np.empty_like(targets), np.empty_like(none))
    turn(Adjacency(first, targets, none), back)
    goals = np.flatnonzero(graph.holds(graph.model.goal)).astype(np.int32)
    left = distances(back, np.ones(1, np.int32), goals)
    return Steps(first, targets, left, (left == FAR) & (np.diff(first) == 0))


class Layer(NamedTuple):
    """States on solutions with the same number of steps before them, and the steps of solutions from them.

    states  their numbers
    source  for each step, the place of the state before it in `states`
    target  for each step, the place of the state after it in the next layer
    """

    states: npt.NDArray[np.int64]
    source: npt.NDArray[np.int64]
    target: npt.NDArray[np.int64]


class Along(NamedTuple):
    """What one meets along a solution: means over all solutions.

    forced    steps in states without another step
    branches  states in which two steps or more keep a goal state reachable
    losing    steps that could be taken instead, and after which no goal state is reachable
    """

    forced: float
    branches: float
    losing: float


def lost_share(steps: Steps) -> float:
    """The share of lost states."""
    return float(np.count_nonzero(steps.lost)) / len(steps.left)


def count_orders(steps: Steps) -> int:
    """The number of solutions, at most MOST_ORDERS."""
    ways = np.ones(1)
    for layer, following in zip(steps.layers, steps.layers[1:], strict=False):
        ways = _summed(layer.target, ways[layer.source], len(following.states)).clip(max=MOST_ORDERS)
    return min(MOST_ORDERS, int(ways.sum())) if steps.layers else 0


def along(steps: Steps) -> Along:
    """What one meets along a solution; there must be one."""
    degree = np.diff(steps.first)
    live = _summed(steps.sources, ~steps.lost[steps.targets], len(steps.left))
    found = np.zeros(3)
    for layer, weights in zip(steps.layers[:-1], _weights(steps.layers), strict=True):
        of_layer, kept = degree[layer.states], live[layer.states]
        found += [weights[of_layer == 1].sum(), weights[kept > 1].sum(), (weights * (of_layer - kept)).sum()]
    return Along(*found.tolist())


def _summed(places: npt.NDArray[Any], weights: npt.NDArray[Any], size: int) -> Reals:
    """The sums of the weights by place, for `size` places."""
    return np.asarray(np.bincount(places, weights, size), np.float64)


def _weights(layers: list[Layer]) -> list[Reals]:
    """For each layer but the last, the share of solutions through each of its states."""
    shares: list[Reals] = []  # of the solutions through the state before each step, those with the step
    after = np.ones(len(layers[-1].states))
    for layer in reversed(layers[:-1]):
        sums = _summed(layer.source, after[layer.target], len(layer.states))
        shares.append(after[layer.target] / sums[layer.source])
        after = sums / sums.max()  # the numbers of solutions may exceed those of floating point
    weights: list[Reals] = [np.ones(1)]
    for layer, following, share in zip(layers, layers[1:], reversed(shares), strict=False):
        weights.append(_summed(layer.target, weights[-1][layer.source] * share, len(following.states)))
    return weights[:-1]


def unnoticed(steps: Steps, budget: Budget) -> int | None:
    """How long a mistake on a solution can go unnoticed, at most; None if that takes too much work to find.

    A mistake is a step from a state on a solution to a lost one. It goes unnoticed for 0 steps if that state is
    plainly lost. Else steps may go on through states that are not plainly lost: it goes unnoticed for one
    step more than the farthest of them is away. Raises LimitReached.
    """
    on_solutions = np.concatenate([np.zeros(0, np.int64), *(layer.states for layer in steps.layers[:-1])])
    after = steps.targets[steps.steps_of(on_solutions)[0]]
    mistakes = np.unique(after[steps.lost[after] & ~steps.plain[after]])
    return depth_of_traps(steps.first, steps.targets, steps.plain, mistakes, budget)


def random_walk(steps: Steps, budget: Budget) -> float | None:
    """The expected number of steps of a random walk to a goal; None if that takes too much work to find.

    The walk makes no step to a plainly lost state, and prefers a step that brings the goal nearer: it has twice
    the weight of others. In a lost state, it goes back to the start with a probability of 1/10 before each
    step, and always if there is no step left. The steps of all attempts count. Raises LimitReached.

    The distribution over the states is computed step by step until it has left all states but for a negligible
    part: one attempt takes `taken` steps in the mean, and ends at the goal with probability `won`.
    """
    if steps.left[0] in (0, FAR):
        return 0.0 if steps.left[0] == 0 else None
    sources, targets = steps.sources, steps.targets
    allowed = ~steps.plain[targets] & ~steps.plain[sources] & (steps.left[sources] > 0)
    sources, targets = sources[allowed], targets[allowed].astype(np.int64)
    nearer = ~steps.lost[sources] & (steps.left[targets] == steps.left[sources] - 1)
    weight = np.where(nearer, NEARER, 1.0)
    total = _summed(sources, weight, len(steps.left))
    goes_on = np.where(steps.lost, 1 - GIVES_UP, 1.0) * (total > 0)
    share = weight / total[sources] * goes_on[sources]
    at: Reals = np.zeros(len(steps.left))
    at[0] = 1.0
    taken = won = 0.0
    goal = steps.left == 0
    for number in range(1 + MOST_WORK // max(1, len(targets))):
        if number % LOOK == 0:
            budget.check()
        going = float((at * goes_on).sum())
        if going < PRECISION * won:
            return taken / won
        taken += going
        at = _summed(targets, at[sources] * share, len(at))
        won += float(at[goal].sum())
        at[goal] = 0.0
    return None
