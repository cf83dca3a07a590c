"""Reachability over sets of states: forward, backward, or from both ends.

Forward and from both ends, states with a dead pattern are pruned. From both ends, the side whose last layer has
fewer nodes computes its next one; a choice by time would not be reproducible.
"""

from functools import partial
from itertools import chain, takewhile
from typing import Any

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_to_goal
from puzzlemc.mc.symbolic.capacity import decide_with_capacity
from puzzlemc.mc.symbolic.dead_patterns import dead_patterns
from puzzlemc.mc.symbolic.evidence import never_reaches, reached_or_dead, statistics
from puzzlemc.mc.symbolic.meeting import FixedSide, Search, joined
from puzzlemc.mc.symbolic.side import Side, Step, free_path
from puzzlemc.mc.symbolic.system import Split, compile_system
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict


def forward(model: Model, metric: str, budget: Budget, *, diagrams: str = "zdd") -> Verdict:
    """Decide reachability from the initial states. Raises ModelError for a metric that the model does not know."""
    return _decide(model, metric, budget, diagrams, ahead=True, behind=False)


def backward(model: Model, metric: str, budget: Budget, *, diagrams: str = "zdd") -> Verdict:
    """Decide reachability from the goal. Raises ModelError for a metric that the model does not know."""
    return _decide(model, metric, budget, diagrams, ahead=False, behind=True)


def bidirectional(model: Model, metric: str, budget: Budget, *, diagrams: str = "zdd") -> Verdict:
    """Decide reachability from both ends. Raises ModelError for a metric that the model does not know."""
    return _decide(model, metric, budget, diagrams, ahead=True, behind=True)


def _decide(model: Model, metric: str, budget: Budget, diagrams: str, *, ahead: bool, behind: bool) -> Verdict:
    """Decide reachability; `ahead` and `behind` say which sides search."""

    def attempt(capacity: int) -> Verdict:
        system = compile_system(model, metric, diagrams, capacity)
        dead = dead_patterns(model, system, budget) if ahead else None
        pruned = system if dead is None else dead.prune()
        forward, backward = Side(pruned, budget), Side(pruned.reverse(), budget)
        search = Search(
            forward if ahead else FixedSide(pruned, pruned.first.meet),
            backward if behind else FixedSide(pruned, pruned.finish.meet),
            budget,
        )

        def run(*, optimal: bool) -> Reachable:
            trace = run_to_goal(model, *_plan(search))
            return Reachable(trace, trace.cost(metric), optimal, statistics(forward if ahead else backward))

        for _ in chain(search.turns(), [None]):  # the last plan is found in the last turn
            if search.meeting is not None and metric != ANY:
                budget.record_plan(search.meeting.cost, partial(run, optimal=False))
        if search.meeting is not None:
            return run(optimal=metric != ANY)
        if forward.is_over:
            return Unreachable(reached_or_dead(model, forward, dead), statistics(forward))
        return Unreachable(never_reaches(model, backward), statistics(backward))

    return decide_with_capacity(diagrams, budget, attempt)


def _plan(search: Search[Split[Any], State, Action]) -> tuple[list[State], list[Action]]:
    """The states and actions of the plan found. Those without cost around the meeting are a shortest path."""
    assert search.meeting is not None
    before, state, after = search.halves()
    layers = search.ahead.layers if isinstance(search.behind, Side) else ()
    for layer in layers:
        if layer.cost == search.meeting.ahead:
            first, before = _without_free(state, before)
            state, after = _without_free(state, after)
            images = search.ahead.images
            before = free_path(images, images.single(first), layer.states, state) + before
    return joined(before, state, after)


def _without_free(state: State, steps: list[Step[State, Action]]) -> tuple[State, list[Step[State, Action]]]:
    """The state before the first steps without cost, and the other steps."""
    free = list(takewhile(lambda step: not step.cost, steps))
    return (free[-1].state if free else state), steps[len(free) :]
