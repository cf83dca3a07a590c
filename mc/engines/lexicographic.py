"""Two metrics in order: the least cost under the first, and of the runs that have it, the least under the second.

A first search finds the least cost P under the first metric, with a run that costs S under the second. In a
second search an action costs its first cost times a *scale*, plus its second cost. With a scale above S no
run that costs more than P under the first metric is as cheap as the one that is known, so a cheapest run is one
that is asked for. Any engine takes such costs; none knows of them.
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
from puzzlemc.mc.verdict import LazyProof, Reachable, Unknown, Verdict, no_proof

MOST_SCALARISED = 1 << 23  # a search that is to prove its answer goes through weighed costs up to here


def lexicographic(
    decide: Callable[[Model, str, Budget], Verdict],
    model: Model,
    metric: str,
    budget: Budget,
    *,
    proving: bool = False,
) -> Verdict:
    """Decide reachability by two metrics in order; `decide` does so by one.

    The cost of a reachable goal, and any bound, is that by the first, also the bound that the budget gets. Where
    the second search comes to no end, the run of the first is not said to be optimal. Raises Refuted where the
    searches contradict each other.
    """
    found = decide(model, first(metric), budget)
    if not isinstance(found, Reachable) or not found.optimal:
        return found
    budget.prove(found.cost)
    if found.cost == found.trace.cost(second(metric)) == 0:  # nothing costs less, and that needs no states to show
        return replace(found, ends=_in_order(found.ends, metric, 1))
    scale = proving_scale(model, metric, found.trace)
    proving = proving and scale * found.cost <= MOST_SCALARISED
    if not proving:
        scale = scale_for(metric, found.trace)
    first_run = found
    budget.find(found.cost, lambda: first_run)
    later = budget.rest()
    later.found = budget.found
    rest = decide(scalarised(model, metric, scale), metric, later)
    if isinstance(rest, Unknown):
        runs = [found] if rest.best is None else [found, rest.best]
        best = min(runs, key=lambda run: [run.trace.cost(name) for name in metric.split(COMMA)])
        return Reachable(best.trace, found.cost, False, found.statistics)
    if not isinstance(rest, Reachable):
        raise Refuted(f"there is a trace of cost {found.cost} {first(metric)}, and by {metric} none")
    cost, other = rest.trace.cost(first(metric)), rest.trace.cost(second(metric))
    if (cost, other) > (found.cost, found.trace.cost(second(metric))) or cost < found.cost:
        raise Refuted(f"a trace of cost {found.cost} {first(metric)} is a cheapest, and by {metric} one of {cost}")
    return replace(rest, cost=cost, ends=_in_order(rest.ends, metric, scale) if proving else no_proof)


def _in_order(ends: LazyProof, metric: str, scale: int) -> LazyProof:
    """The proof, with the scale of its costs."""

    def scaled() -> BidirectionalProof | None:
        proof = ends()
        return None if proof is None else replace(proof, metric=metric, scale=scale)

    return scaled


def in_two_searches(model: Model, metric: str) -> bool:
    """Is it an order of two metrics by which the model's actions have no weighed costs yet?"""
    return COMMA in metric and not (model.actions and all(metric in action.costs for action in model.actions))


def scalarised(model: Model, metric: str, scale: int) -> Model:
    """The model with costs by an order of metrics. Raises ModelError where it has no costs for one of them."""
    one, other = first(metric), second(metric)
    actions = tuple(
        replace(action, costs={**action.costs, metric: scale * cost_of(action, one) + cost_of(action, other)})
        for action in model.actions
    )
    return replace(model, actions=actions)


def scale_for(metric: str, trace: Trace) -> int:
    """A scale for the second search, when the first has found a run that is a cheapest one by the first metric."""
    return trace.cost(second(metric)) + 1


def proving_scale(model: Model, metric: str, trace: Trace) -> int:
    """A scale with which a bound on weighed costs shows that no run costs less by the first metric, too.

    A run that did would have to cost so much more by the second. It need not, where the second cost of an action
    is never above the first, or where walks are all that the first does not count: between two other actions a
    run needs no more of them than there are values of the location. Whoever checks such a proof looks at that.
    """
    most = trace.cost(first(metric))
    step_costs = [(cost_of(action, first(metric)), cost_of(action, second(metric))) for action in model.actions]
    if any(other > one for one, other in step_costs):
        location = model.hints.location
        most *= max(other for _, other in step_costs) * (1 if location is None else len(location.values))
    return max(most + 1, scale_for(metric, trace))
