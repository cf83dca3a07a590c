"""The measures of a level of Sokoban, each from all its positions or from all its shortest solutions.

A number that the limits do not allow is absent. If there are more positions than are listed, measures of shortest
solutions are still exact: all positions up to some number of pushes are listed, from the start or from the goals,
with all on these solutions.
"""

from collections.abc import Callable, Collection, Mapping

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzle.design.measures import Measure, Measuring, Number
from puzzlemc.encodings.sokoban.board.floor import PUSH
from puzzlemc.encodings.sokoban.board.lone_box import NEVER, LoneBox, distances
from puzzlemc.encodings.sokoban.generate.shortest import (
    ShortestSolutions,
    count_orders,
    count_sets,
    least_boxes,
    least_changes,
    least_marked,
)
from puzzlemc.encodings.sokoban.measures.push_graph import PushGraph, push_graph
from puzzlemc.encodings.sokoban.measures.runs import fewest_runs
from puzzlemc.mc.errors import LIMITS
from puzzlemc.mc.graph.measures import lost_share, random_walk, unnoticed
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Level

MOST_VARIANTS = 200_000  # pairs of a position on a shortest solution and what was done before
DIGITS = 4  # of shares and means, after the point
PLACES = 6  # of the pushes of the random player


def counter_intuitive(graph: PushGraph) -> npt.NDArray[np.uint8]:
    """By 4 * cell + direction: is a push of a box from the cell counter-intuitive?

    It takes the box off a goal to a cell without one, or farther from every goal that a lone box could reach.
    """
    near, wall = graph.near[:-1].astype(np.int64), len(graph.near) - 1
    is_goal = np.zeros(wall + 1, np.bool_)
    is_goal[graph.goals] = True
    possible, away = np.zeros((wall, 4), np.bool_), np.ones((wall, 4), np.bool_)
    lone = LoneBox(graph.near, PUSH)
    for goal in graph.goals:
        pushes = distances(lone, np.array([goal], np.int32))
        reached = (pushes[:-1] < NEVER)[:, None]
        possible |= reached
        away &= ~reached | (pushes[near] > pushes[:-1, None])
    off = is_goal[:-1, None] & ~is_goal[near]
    marked = np.where(is_goal[:-1, None], off, possible & away)
    return np.concatenate([marked, np.zeros((1, 4), np.bool_)]).astype(np.uint8).ravel()


def _along(graph: PushGraph, name: str) -> float:
    """A mean over all shortest solutions of what one meets along them."""
    return round(float(getattr(graph.along, name)), DIGITS)


def _random_player(graph: PushGraph, budget: Budget) -> float | None:
    """The expected number of pushes of a random player."""
    found = random_walk(graph.as_steps, budget)
    return None if found is None else float(f"{found:.{PLACES}g}")


def _decomposition(graph: PushGraph) -> int | None:
    """The least number of runs."""
    boxes = graph.packed.shape[1] - 1
    return fewest_runs(graph.first, graph.targets, graph.moved, graph.solved, boxes)


# Measures of shortest solutions.
_OF_SOLUTIONS: Mapping[str, Callable[[PushGraph, ShortestSolutions], Number]] = {
    "boxes_pushed": lambda graph, solutions: least_boxes(solutions, MOST_VARIANTS),
    "box_changes": lambda graph, solutions: least_changes(solutions),
    "solution_sets": lambda graph, solutions: count_sets(solutions, len(graph.near), MOST_VARIANTS),
    "solution_orders": lambda graph, solutions: count_orders(solutions),
    "counter_intuitive": lambda graph, solutions: least_marked(solutions, counter_intuitive(graph)),
}
# Measures of all positions; those but the first need a solution.
_OF_POSITIONS: Mapping[str, Callable[[PushGraph, Budget], Number]] = {
    "lost_share": lambda graph, budget: round(lost_share(graph.as_steps), DIGITS),
    "forced_moves": lambda graph, budget: _along(graph, "forced"),
    "branch_points": lambda graph, budget: _along(graph, "branches"),
    "losing_moves": lambda graph, budget: _along(graph, "losing"),
    "unnoticed": lambda graph, budget: unnoticed(graph.as_steps, budget),
    "decomposition": lambda graph, budget: _decomposition(graph),
    "random_player": _random_player,
}


def measure(level: Level, budget: Budget, names: Collection[str] = ()) -> dict[str, Number]:
    """The measures with these names, or all; what is not known within the limits is absent."""
    found: dict[str, Number] = {}
    try:
        graph = push_graph(level, budget)
        if graph is None:
            return found
        for name in (each.name for each in MEASURES if not names or each.name in names):
            budget.check()
            value: Number = None
            if name in _OF_SOLUTIONS and graph.solutions is not None:
                value = _OF_SOLUTIONS[name](graph, graph.solutions)
            elif name in _OF_POSITIONS and graph.complete and (graph.is_solvable or name == "lost_share"):
                value = _OF_POSITIONS[name](graph, budget)
            if value is not None:
                found[name] = value
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
        "sets of pushes",
        "The number of solutions with the fewest pushes; those with the same pushes in another order count once. "
        "A push is a cell and a direction.",
    ),
    Measure(
        "solution_orders",
        "orders of pushes",
        "The number of solutions with the fewest pushes, as sequences of pushes, at most 10¹²; walks between "
        "pushes do not count.",
    ),
    Measure(
        "forced_moves",
        "forced pushes",
        "The pushes in whose place no other push is possible; the mean over all solutions with the fewest pushes.",
    ),
    Measure(
        "branch_points",
        "branch points",
        "The positions in which two or more of the possible pushes keep the level solvable; the mean over all "
        "solutions with the fewest pushes.",
    ),
    Measure(
        "losing_moves",
        "losing pushes",
        "The pushes that are possible along the solution and after which no solution is left; the mean over all "
        "solutions with the fewest pushes.",
    ),
    Measure(
        "lost_share",
        "lost positions",
        "The share of the reachable positions from which there is no solution. A position is where the boxes are, "
        "and the region in which the player is.",
    ),
    Measure(
        "unnoticed",
        "mistakes unnoticed",
        "How long a losing push along a solution with the fewest pushes goes unnoticed, at most: 0 if the "
        "position after it is plainly lost, else one push more than the farthest position is away that is reached "
        "through positions that are not. Plainly lost: no push is possible, or too few boxes for the goals are on "
        "goals, or neither stuck nor on cells from which no goal is reached.",
    ),
    Measure(
        "counter_intuitive",
        "counter-intuitive pushes",
        "The least number of pushes, in a solution with the fewest pushes, that take a box off a goal to a cell "
        "without one, or farther from every goal that a lone box could reach.",
    ),
    Measure(
        "decomposition",
        "runs of one box",
        "The least number of runs of any solution: a run is pushes of one box, one after another. Follows the "
        "idea of problem decomposition of Jarušek and Pelánek (2010).",
    ),
    Measure(
        "random_player",
        "random player",
        "The expected number of pushes of a player who chooses at random, prefers pushes that bring a solution "
        "nearer, and begins again when lost. Follows the idea of the computational model of Jarušek and Pelánek "
        "(2010).",
    ),
)
MEASURING = Measuring(MEASURES, measure)
