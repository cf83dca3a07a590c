"""Bidirectional symbolic reachability: a forward and a backward search that meet.

In each turn, the side whose last layer has fewer nodes computes its next layer; a choice by time would not be
reproducible. Let F and B be the least open costs of the two sides, and w the largest cost of an action. A plan
that costs less than F + B - w passes through a state that both sides have reached: the cost of its last state that
the forward side has reached is at least F - w. So the cheapest meeting is optimal once it costs at most F + B - w
(Pohl 1971, for sets of states).
"""

from functools import partial
from typing import Any, NamedTuple

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_to_goal
from puzzlemc.mc.symbolic.capacity import decide_with_capacity
from puzzlemc.mc.symbolic.dead_patterns import dead_patterns
from puzzlemc.mc.symbolic.evidence import never_reaches, reached_or_dead, statistics
from puzzlemc.mc.symbolic.search import Layer, Search, free_path, path
from puzzlemc.mc.symbolic.system import compile_system
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict


def bidirectional(model: Model, metric: str, budget: Budget, *, diagrams: str = "zdd") -> Verdict:
    """Decide reachability from both ends; states with a dead pattern are pruned.

    Raises ModelError for a metric that the model does not know.
    """

    def attempt(capacity: int) -> Verdict:
        system = compile_system(model, metric, diagrams, capacity)
        dead = dead_patterns(model, system, budget)
        pruned = system if dead is None else dead.prune()
        widest = max((arc.cost for arc in system.arcs), default=0)
        forward, backward = Search(pruned), Search(pruned.reverse())
        nodes = {forward: 0, backward: 0}  # of the last layer of each
        best: Meeting | None = None
        # Each side computes its first layer in any case; otherwise a side could end before the sides have met.
        for side, other in ((forward, backward), (backward, forward)):
            best = _turn(side, other, best, nodes, budget)
        while forward.cost is not None and backward.cost is not None:
            settled = forward.cost + backward.cost - widest
            if best is not None and best.cost <= settled:
                break
            budget.prove(settled if best is None else min(settled, best.cost))
            ahead = nodes[forward] <= nodes[backward]
            side, other = (forward, backward) if ahead else (backward, forward)
            best = _turn(side, other, best, nodes, budget)
            if best is not None and metric != ANY:
                budget.find(best.cost, partial(_through, model, metric, forward, backward, best, optimal=False))
        if best is None:
            if forward.cost is None:
                return Unreachable(reached_or_dead(model, forward, dead), statistics(forward))
            return Unreachable(never_reaches(model, backward), statistics(backward))
        return _through(model, metric, forward, backward, best, optimal=metric != ANY)

    return decide_with_capacity(diagrams, budget, attempt)


def _through(
    model: Model, metric: str, forward: Search[Any], backward: Search[Any], best: "Meeting", *, optimal: bool
) -> Reachable:
    """The verdict of the plan through a meeting of both sides."""
    states, actions = path(forward, best.state, best.of[forward])
    back_states, back_actions = path(backward, best.state, best.of[backward])
    _straighten(forward, best, states, actions, back_states, back_actions)
    trace = run_to_goal(model, [*states, *back_states[-2::-1]], [*actions, *back_actions[::-1]])
    return Reachable(trace, trace.cost(metric), optimal, statistics(forward))


def _straighten(
    forward: Search[Any],
    best: "Meeting",
    states: list[State],
    actions: list[Action],
    back_states: list[State],
    back_actions: list[Action],
) -> None:
    """Replace the free actions around the meeting by a shortest path of free actions, in place."""
    cost_by_action = {id(arc.action): arc.cost for arc in forward.system.arcs}
    while actions and not cost_by_action[id(actions[-1])]:
        states.pop()
        actions.pop()
    while back_actions and not cost_by_action[id(back_actions[-1])]:
        back_states.pop()
        back_actions.pop()
    layer = next(layer for layer in forward.layers if layer.cost == best.of[forward])
    near = Layer(layer.cost, forward.system.single(states[-1]), layer.states)
    links = free_path(forward.system, near, back_states[-1])
    last = states.pop()
    states += [state for state, _ in reversed(links)]
    actions += [action for _, action in reversed(links)]
    states.append(back_states[-1] if links else last)


class Meeting(NamedTuple):
    """A state that both sides have reached, its cost on each side, and the sum of both."""

    cost: int
    of: dict[Search[Any], int]
    state: State


def _turn(
    side: Search[Any],
    other: Search[Any],
    best: Meeting | None,
    nodes: dict[Search[Any], int],
    budget: Budget,
) -> Meeting | None:
    """Compute the next layer of one side. Returns the cheaper of `best` and the best meeting in that layer."""

    cost = side.cost
    assert cost is not None
    states = side.enter(budget)
    met = side.system.intersection(states, other.reached)
    for layer in other.layers if met else ():
        if best is not None and cost + layer.cost >= best.cost:
            break
        if common := side.system.intersection(met, layer.states):
            best = Meeting(cost + layer.cost, {side: cost, other: layer.cost}, side.system.pick(common))
            break
    if states:
        side.expand(budget)
    nodes[side] = side.system.size(states)
    return best
