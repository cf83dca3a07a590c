"""Two metrics in order: the least cost under the first, and of the runs that have it, the least under the second.

They are asked for as `pushes,moves`. A first search finds the least cost P under the first metric, with a run that
costs S under the second. In a second search an action costs its first cost times a *scale*, and its second cost
besides. With a scale above S no run that costs more than P under the first metric is as cheap as the one that is
known, so a cheapest run is a least one in order. Any engine takes such costs; none knows of them.
"""

from dataclasses import replace

from puzzlemc.mc.model import Model, cost_of
from puzzlemc.mc.verdict import Trace

COMMA = ","


def first(metric: str) -> str:
    """The metric that comes first; a single one is that itself."""
    return metric.partition(COMMA)[0]


def second(metric: str) -> str:
    """The metric that comes second, empty for a single one."""
    return metric.partition(COMMA)[2]


def pairs(metrics: tuple[str, ...]) -> tuple[str, ...]:
    """All orders of two of the metrics."""
    return tuple(f"{one}{COMMA}{other}" for one in metrics for other in metrics if one != other)


def in_two_searches(model: Model, metric: str) -> bool:
    """Is it an order of two metrics by which the model's actions have no weighed costs yet?"""
    return COMMA in metric and any(metric not in action.costs for action in model.actions)


def weighed(model: Model, metric: str, scale: int) -> Model:
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
    prices = [(cost_of(action, first(metric)), cost_of(action, second(metric))) for action in model.actions]
    if any(other > one for one, other in prices):
        location = model.hints.location
        most *= max(other for _, other in prices) * (1 if location is None else len(location.values))
    return max(most + 1, scale_for(metric, trace))
