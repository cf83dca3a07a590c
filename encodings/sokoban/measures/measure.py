"""The measures of a level of Sokoban, each from all its positions or from all its shortest solutions.

A number that the limits do not allow is absent. If there are more positions than are listed, measures of shortest
solutions are still exact: all positions up to some number of pushes are listed, with all on these solutions.
"""

from collections.abc import Callable, Collection, Mapping

import numpy as np

from puzzlemc.encodings.puzzle.design.measures import Measure, Measuring, Number
from puzzlemc.encodings.sokoban.generate.shortest import (
    ShortestSolutions,
    count_orders,
    count_sets,
    least_boxes,
    least_changes,
)
from puzzlemc.encodings.sokoban.measures.push_graph import PushGraph, push_graph
from puzzlemc.mc.errors import LIMITS
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Level

MOST_VARIANTS = 200_000  # pairs of a position on a shortest solution and what was done before
DIGITS = 4  # of shares and means


def _lost_share(graph: PushGraph) -> float:
    """The share of lost positions."""
    return round(float(np.count_nonzero(graph.lost)) / len(graph.packed), DIGITS)


# Measures of shortest solutions.
_OF_SOLUTIONS: Mapping[str, Callable[[PushGraph, ShortestSolutions], Number]] = {
    "boxes_pushed": lambda graph, solutions: least_boxes(solutions, MOST_VARIANTS),
    "box_changes": lambda graph, solutions: least_changes(solutions),
    "solution_sets": lambda graph, solutions: count_sets(solutions, len(graph.near), MOST_VARIANTS),
    "solution_orders": lambda graph, solutions: count_orders(solutions),
}
# Measures of all positions.
_OF_POSITIONS: Mapping[str, Callable[[PushGraph], Number]] = {"lost_share": _lost_share}


def measure(level: Level, budget: Budget, names: Collection[str] = ()) -> dict[str, Number]:
    """The measures with these names, or all; what is not known within the limits is absent."""
    found: dict[str, Number] = {}
    try:
        graph = push_graph(level, budget)
        if graph is None:
            return found
        for measure in MEASURES:
            budget.check()
            value: Number = None
            if names and measure.name not in names:
                continue
            if measure.name in _OF_SOLUTIONS and graph.solutions is not None:
                value = _OF_SOLUTIONS[measure.name](graph, graph.solutions)
            elif measure.name in _OF_POSITIONS and graph.complete:
                value = _OF_POSITIONS[measure.name](graph)
            if value is not None:
                found[measure.name] = value
    except LIMITS:
        pass
    return found


MEASURES = (
    Measure(
        "boxes_pushed",
        "boxes pushed",
        "The least number of different boxes that a solution with the fewest pushes moves.",
    ),
    Measure(
        "box_changes",
        "changes of box",
        "The least number of changes of the pushed box, from a push to the next one, in a solution with the fewest"
        " pushes.",
    ),
    Measure(
        "solution_sets",
        "solutions by pushes",
        "The number of solutions with the fewest pushes; those with the same pushes in another order count once. "
        "A push is a cell and a direction.",
    ),
    Measure(
        "solution_orders",
        "solutions by order",
        "The number of solutions with the fewest pushes, as sequences of pushes, at most 10¹²; walks between "
        "pushes do not count.",
    ),
    Measure(
        "lost_share",
        "lost positions",
        "The share of the reachable positions from which there is no solution. A position is where the boxes are, "
        "and the region in which the player is.",
    ),
)
MEASURING = Measuring(MEASURES, measure)
