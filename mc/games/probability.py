"""The best probability of winning: Storm computes it, and Bellman inequalities confirm it, without trust in Storm.

Nodes that win with probability 1 and nodes that cannot win are found in the graph, and the others are given to
Storm. From its values comes a strategy that takes only ways with (about) the best value, and in each node the one
that may lead nearest to a win: a way that is best but leads in a circle for ever wins nothing.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

from puzzlemc.mc.errors import LIMITS, LimitReached, Refuted, reason_of
from puzzlemc.mc.games import storm
from puzzlemc.mc.games.bounds import (
    UNIT,
    Strategy,
    Value,
    are_lower_bounds,
    are_upper_bounds,
    lowered,
    raised,
    total,
)
from puzzlemc.mc.games.decisions import Graph, Predecessors, Way, explore
from puzzlemc.mc.games.lucky import Found
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.decisions import DecisionProcess

MOST_NODES = 1_000_000
MOST_EXACT = 1_000  # nodes of a process that is solved in rational numbers
MOST_BITS = 64  # of the total of shares of a way, likewise
MOST_ROUNDS = 500  # of a turn in which nothing is drawn
SLACK = UNIT >> 30  # by which bounds of Storm are widened, against errors of rounding
TOLERANCES = (
    UNIT >> 40,
    UNIT >> 33,
    UNIT >> 26,
    UNIT >> 20,
)  # by which a way of a strategy may miss the best value
UNCONFIRMED = "the probabilities that Storm computes converge too slowly to be confirmed"


@dataclass
class Probable(Found):
    """What is found: the probability is from `low` to `high`, and `strategy` wins with at least `low`.

    The strategy has an input for each unsolved node from which it may win. `graph` and `ways` have it by numbers.
    """

    low: Fraction = Fraction(0)
    high: Fraction = Fraction(1)
    strategy: Mapping[Hashable, str] = field(default_factory=dict)
    graph: Graph = field(default_factory=Graph)
    ways: Strategy = field(default_factory=dict)


def probability(process: DecisionProcess, level: Any, budget: Budget) -> Probable:
    """Find the best probability of winning, with its strategy. Raises ModelError without Storm, Refuted."""
    storm.require()
    found = Probable()
    try:
        explore(process, level, budget, found.graph, MOST_NODES)
        if found.graph.open:
            raise LimitReached("bound", found.graph.words)
        _solve(found, budget)
    except LIMITS as limit:
        found.reason, found.words = reason_of(limit), limit.words if isinstance(limit, LimitReached) else ""
        found.low, found.high, found.ways = Fraction(0), Fraction(1), {}
    found.states = len(found.graph.nodes)
    found.strategy = {found.graph.nodes[number]: way.name for number, way in found.ways.items() if way is not None}
    return found


def _solve(found: Probable, budget: Budget) -> None:
    graph, into = found.graph, Predecessors(found.graph)
    sure, able = into.almost_sure(graph.solved), into.attracted(graph.solved)
    nodes = range(len(graph.nodes))
    if 0 in sure or 0 not in able:
        _conclude(
            found, sure, [int(number in sure) for number in nodes], [int(number in able) for number in nodes]
        )
        return
    maybe = [number for number in able if number not in sure]
    places = {number: place for place, number in enumerate(maybe)}
    goal, lost = len(maybe), len(maybe) + 1
    place_of = [places.get(number, goal if number in sure else lost) for number in nodes]
    asked = [[_merged(way, place_of) for way in graph.ways[number]] for number in maybe]
    asked += [[{goal: 1}], [{lost: 1}]]
    is_small = all(sum(way.shares).bit_length() <= MOST_BITS for number in maybe for way in graph.ways[number])
    exact = storm.exact(asked, goal, places[0]) if is_small and len(maybe) <= MOST_EXACT else None
    if exact is not None:
        values = [exact[place] for place in place_of]
        _conclude(found, {**_best_ways(into, sure, values, 0), **sure}, values, values)
        return
    lower, upper = storm.bounded(asked, goal, places[0])
    lower[goal:] = upper[goal:] = [1.0, 0.0]
    low = [max(0, floor(lower[place] * UNIT)) for place in place_of]
    high = [ceil(upper[place] * UNIT) + SLACK * (place < goal) for place in place_of]
    high = [min(UNIT, value) for value in high]
    ways = next(filter(lambda found: 0 in found, (_best_ways(into, sure, low, each) for each in TOLERANCES)), {})
    won = [max(0, low[number] - SLACK * (number in places)) if number in ways else 0 for number in nodes]
    ways = {**ways, **sure}
    if not raised(graph, high, budget) or not lowered(ways, won, budget):
        raise LimitReached("bound", UNCONFIRMED)
    _conclude(found, ways, won, high, UNIT)


def _merged(way: Way, place_of: Sequence[int]) -> dict[int, int]:
    """The shares of what may follow a way, by place."""
    merged: dict[int, int] = {}
    for number, share in zip(way.after, way.shares, strict=True):
        merged[place_of[number]] = merged.get(place_of[number], 0) + share
    return merged


def _best_ways(
    into: Predecessors, goal: Iterable[int], values: Sequence[Value], tolerance: int
) -> dict[int, Way | None]:
    """For each node, a way to the goal whose expected value is that of the node, but for the tolerance."""
    return into.attracted(
        goal, lambda number, way: total(way, values) >= (values[number] - tolerance) * sum(way.shares)
    )


def _conclude(found: Probable, ways: Strategy, low: Sequence[Value], high: Sequence[Value], one: int = 1) -> None:
    """Keep bounds of the probability, which are checked here. Raises Refuted."""
    if not are_upper_bounds(found.graph, high, one) or not are_lower_bounds(found.graph, ways, low, one):
        raise Refuted("the probabilities that Storm has computed are wrong")
    found.low, found.high, found.ways = Fraction(low[0], one), Fraction(high[0], one), ways


def confirm(process: DecisionProcess, level: Any, found: Probable, budget: Budget) -> int:
    """Check by the plain rules what may follow the ways of a strategy. Returns the number of its positions.

    The rules may have nodes in between from which one node follows for certain. Raises Refuted, LimitReached.
    """
    graph, choosing = found.graph, 0
    waiting, seen = [0], {0}
    for number in waiting:
        budget.check()
        way, node = found.ways.get(number), graph.nodes[number]
        if number in graph.solved:
            if not process.solved(level, node):
                raise Refuted("the strategy ends where nothing is won")
            continue
        if way is None:
            continue  # it counts as lost
        choosing += bool(way.name)
        wanted = {
            graph.nodes[after]: Fraction(share, sum(way.shares))
            for after, share in zip(way.after, way.shares, strict=True)
        }
        after = process.after(level, node, way.name)
        for _ in range(MOST_ROUNDS):
            if after.keys() == wanted.keys() or len(after) > 1 or len(process.inputs(level, *after)) > 1:
                break
            after = process.after(level, *after, *process.inputs(level, *after))
        if after != wanted:
            raise Refuted(f"the strategy is wrong about what may follow {way.name or 'a round'}")
        new = [each for each in way.after if each not in seen]
        seen.update(new)
        waiting += new
    return choosing
