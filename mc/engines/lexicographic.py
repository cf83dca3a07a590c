"""Two metrics in order, by two searches of any engine: see `mc/lexicographic.py`."""

from collections.abc import Callable
from dataclasses import replace

from puzzlemc.mc.ends import Ends
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.lexicographic import first, proving_scale, scale_for, second, weighed
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model
from puzzlemc.mc.verdict import Proving, Reachable, Unknown, Verdict, no_proof

MOST_WEIGHED = 1 << 23  # a search that is to prove its answer goes through weighed costs up to here


def lexicographic(
    decide: Callable[[Model, str, Watch], Verdict],
    model: Model,
    metric: str,
    watch: Watch,
    *,
    proving: bool = False,
) -> Verdict:
    """Decide reachability by two metrics in order; `decide` does so by one.

    The cost of a reachable goal, and any bound, is that by the first. Where the second search comes to no end, the
    run of the first is not said to be optimal. Raises Refuted where the searches contradict each other.
    """
    found = decide(model, first(metric), watch)
    if not isinstance(found, Reachable) or not found.optimal:
        return found
    scale = proving_scale(model, metric, found.trace)
    proving = proving and scale * found.cost <= MOST_WEIGHED
    if not proving:
        scale = scale_for(metric, found.trace)
    rest = decide(weighed(model, metric, scale), metric, watch.rest())
    if isinstance(rest, Unknown):
        return replace(found, optimal=False, ends=no_proof)
    if not isinstance(rest, Reachable):
        raise Refuted(f"there is a trace of cost {found.cost} {first(metric)}, and by {metric} none")
    cost, other = rest.trace.cost(first(metric)), rest.trace.cost(second(metric))
    if (cost, other) > (found.cost, found.trace.cost(second(metric))) or cost < found.cost:
        raise Refuted(f"a trace of cost {found.cost} {first(metric)} is a cheapest, and by {metric} one of {cost}")
    return replace(rest, cost=cost, ends=_scaled(rest.ends, scale) if proving else no_proof)


def _scaled(ends: Proving, scale: int) -> Proving:
    """The proof, which tells the scale of its costs."""

    def scaled() -> Ends | None:
        proof = ends()
        return None if proof is None else replace(proof, scale=scale)

    return scaled
