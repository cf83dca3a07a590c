"""Measures of a level of a puzzle that has none of its own: from its positions and the steps between them."""

from collections.abc import Callable, Collection, Mapping

from puzzlemc.encodings.puzzle.design.measures import Measure, Number
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, ModelError
from puzzlemc.mc.graph.measures import (
    Steps,
    along,
    count_orders,
    lost_share,
    random_walk,
    steps_of,
    unnoticed,
)
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget

MOST_POSITIONS = 100_000  # of a level that is measured
DIGITS = 4  # of shares and means, after the point
PLACES = 6  # of the steps of the random player


def is_measured(entry: Entry) -> bool:
    """Does the level ask for moves to a solved position? Raises LevelError."""
    rules, level = entry.puzzle, entry.level
    has_moves = rules.game is None and rules.optimisation is None and rules.chance(level) is None
    return has_moves and (rules.constraint is None or rules.constraint(level) is None)


def measured_by_positions(entry: Entry, budget: Budget, names: Collection[str]) -> dict[str, Number]:
    """The measures with these names, or all; what is not known within the limits is absent. Raises LevelError."""
    found: dict[str, Number] = {}
    if not is_measured(entry):
        return found
    try:
        model = entry.puzzle.encode_faithfully(entry.level).model
        graph = explore(model, budget.rest(), most=MOST_POSITIONS)
        if graph.reason is not None or graph.initial != 1:
            return found
        steps = steps_of(graph)
        for name, function in _FUNCTIONS.items():
            budget.check()
            if (not names or name in names) and (steps.layers or name == "lost_share"):
                value = function(steps, budget)
                if value is not None:
                    found[name] = value
    except (*LIMITS, ModelError):
        pass
    return found


def _rounded_player(steps: Steps, budget: Budget) -> float | None:
    expected = random_walk(steps, budget)
    return None if expected is None else float(f"{expected:.{PLACES}g}")


_FUNCTIONS: Mapping[str, Callable[[Steps, Budget], Number]] = {
    "solution_orders": lambda steps, budget: count_orders(steps),
    "forced_moves": lambda steps, budget: round(along(steps).forced, DIGITS),
    "branch_points": lambda steps, budget: round(along(steps).branches, DIGITS),
    "losing_moves": lambda steps, budget: round(along(steps).losing, DIGITS),
    "lost_share": lambda steps, budget: round(lost_share(steps), DIGITS),
    "unnoticed": unnoticed,
    "random_player": _rounded_player,
}
MEASURES = (
    Measure(
        "solution_orders",
        "shortest solutions",
        "The number of solutions with the fewest steps, as sequences of positions, at most 10¹². A step leads to "
        "another position; moves that lead to one position are one step.",
    ),
    Measure(
        "forced_moves",
        "forced steps",
        "The steps in whose place no other step is possible; the mean over all solutions with the fewest steps.",
    ),
    Measure(
        "branch_points",
        "branch points",
        "The positions in which two or more of the possible steps keep the level solvable; the mean over all "
        "solutions with the fewest steps.",
    ),
    Measure(
        "losing_moves",
        "losing steps",
        "The steps that are possible along the solution and after which no solution is left; the mean over all "
        "solutions with the fewest steps.",
    ),
    Measure(
        "lost_share",
        "lost positions",
        "The share of the reachable positions from which there is no solution.",
    ),
    Measure(
        "unnoticed",
        "mistakes unnoticed",
        "How long a losing step along a solution with the fewest steps goes unnoticed, at most: 0 if the position "
        "after it has no further step, else one step more than the farthest position is away that is reached "
        "through positions with further steps.",
    ),
    Measure(
        "random_player",
        "random player",
        "The expected number of steps of a player who chooses at random, prefers steps that bring a solution "
        "nearer, and begins again when lost. Follows the idea of the computational model of Jarušek and Pelánek "
        "(2010).",
    ),
)
