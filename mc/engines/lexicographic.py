"""Lexicographic optimisation: the least cost under a first metric, and then the least cost under a second one.

A first search finds the least cost P under the first metric, with a plan that costs S under the second. In a
second search, the *scalarised* cost of an action is its first cost times a *scale*, plus its second cost. If the
scale is greater than S, every plan that costs more than P under the first metric has a greater scalarised cost
than the known plan. So a plan of least scalarised cost is optimal in the lexicographic order. Engines need no
change for this.
"""

from collections.abc import Callable
from dataclasses import replace

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.lexicographic import COMMA, first, second
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import cost_of
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.proof import Proof
from puzzlemc.mc.verdict import LazyProof, Reachable, Unknown, Verdict, resolved

MOST_SCALARISED = 1 << 23  # the largest scalarised cost that a search with proof accepts


def lexicographic(
    decide: Callable[[Model, str, Budget], Verdict],
    model: Model,
    metric: str,
    budget: Budget,
    *,
    proving: bool = False,
) -> Verdict:
    """Decide reachability under two metrics in order; `decide` does so under one metric.

    The cost of the verdict, every bound, and the bounds reported to the budget are those of the first metric. If a
    limit ends the second search, the verdict is not optimal. Raises Refuted if the searches contradict each other.
    """
    found = decide(model, first(metric), budget)
    if not isinstance(found, Reachable) or not found.optimal:
        return found
    budget.record_bound(found.cost)
    if found.cost == found.trace.cost(second(metric)) == 0:  # cost 0 is optimal without a search
        return replace(found, proof=_in_order(found.proof, metric, 1))
    scale = proving_scale(model, metric, found.trace)
    proving = proving and scale * found.cost <= MOST_SCALARISED
    if not proving:
        scale = scale_for(metric, found.trace)
    first_run = found
    budget.record_plan(found.cost, lambda: first_run)
    later = budget.rest()
    later.found = budget.found
    rest = decide(scalarised(model, metric, scale), metric, later)
    if isinstance(rest, Unknown):
        runs = [found] if rest.best is None else [found, rest.best]
        best = min(runs, key=lambda run: [run.trace.cost(name) for name in metric.split(COMMA)])
        return Reachable(best.trace, found.cost, False, rest.statistics.after(found.statistics))
    if not isinstance(rest, Reachable):
        raise Refuted(f"{first(metric)} has a trace of cost {found.cost}, but {metric} has none")
    cost, other = rest.trace.cost(first(metric)), rest.trace.cost(second(metric))
    if (cost, other) > (found.cost, found.trace.cost(second(metric))) or cost < found.cost:
        raise Refuted(f"the least cost is {found.cost} {first(metric)}, but the trace under {metric} costs {cost}")

    statistics = rest.statistics.after(found.statistics)
    proof = _in_order(rest.proof, metric, scale) if proving else None
    return replace(rest, cost=cost, statistics=statistics, proof=proof)


def _in_order(proof: Proof | LazyProof | None, metric: str, scale: int) -> LazyProof:
    """The proof with the scale of its costs; None unless it is a bidirectional proof, which alone may have one."""

    def scaled() -> BidirectionalProof | None:
        found = resolved(proof)
        return replace(found, metric=metric, scale=scale) if isinstance(found, BidirectionalProof) else None

    return scaled


def in_two_searches(model: Model, metric: str) -> bool:
    """Are these two metrics in order, and does the model lack the scalarised costs?"""
    return COMMA in metric and not (model.actions and all(metric in action.costs for action in model.actions))


def scalarised(model: Model, metric: str, scale: int) -> Model:
    """The model with scalarised costs for two metrics. Raises ModelError if it has no costs for one of them."""
    one, other = first(metric), second(metric)
    actions = tuple(
        replace(action, costs={**action.costs, metric: scale * cost_of(action, one) + cost_of(action, other)})
        for action in model.actions
    )
    return replace(model, actions=actions)


def scale_for(metric: str, trace: Trace) -> int:
    """A scale for the second search. The trace is optimal under the first metric."""
    return trace.cost(second(metric)) + 1


def proving_scale(model: Model, metric: str, trace: Trace) -> int:
    """A scale with which a lower bound on the scalarised cost also proves that the first cost is optimal.

    Such a bound excludes a plan with a smaller first cost only if the second cost of that plan is bounded. It is
    bounded if the second cost of an action is never greater than its first cost, or if only walks cost nothing
    under the first metric: between two other actions, a plan needs at most as many walks as the location has
    values. The checker of the proof verifies this condition.
    """
    most = trace.cost(first(metric))
    step_costs = [(cost_of(action, first(metric)), cost_of(action, second(metric))) for action in model.actions]
    if any(other > one for one, other in step_costs):
        location = model.hints.location
        most *= max(other for _, other in step_costs) * (1 if location is None else len(location.values))
    return max(most + 1, scale_for(metric, trace))
