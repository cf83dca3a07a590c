"""The measures of a level of any puzzle, within limits."""

from collections.abc import Collection

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.measures import Measure, Number
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.limits import Budget


def measures(puzzle: Puzzle) -> tuple[Measure, ...]:
    """The measures of a puzzle, in the order of columns; none of a puzzle whose levels ask for no moves."""
    if puzzle.measuring is not None:
        return puzzle.measuring().measures
    if puzzle.game is not None or puzzle.optimisation is not None:
        return ()
    from puzzlemc.reports.measures.positions import MEASURES

    return MEASURES


def measured(entry: Entry, budget: Budget, names: Collection[str] = ()) -> dict[str, Number]:
    """The numbers of a level by the names of measures: of the given ones, or of all.

    A number that the limits do not allow is absent; no limit raises an error. Raises LevelError for a level that
    cannot be read.
    """
    if entry.puzzle.measuring is not None:
        return dict(entry.puzzle.measuring().measure(entry.level, budget, names))
    from puzzlemc.reports.measures.positions import measured_by_positions

    return measured_by_positions(entry, budget, names)
