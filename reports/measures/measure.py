"""The measures of a level of any puzzle, within limits."""

from collections.abc import Collection

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.measures import Measure, Number
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.limits import Budget


def measures(puzzle: Puzzle) -> tuple[Measure, ...]:
    """The measures of a puzzle, in the order of columns."""
    return () if puzzle.measuring is None else puzzle.measuring().measures


def measured(entry: Entry, budget: Budget, names: Collection[str] = ()) -> dict[str, Number]:
    """The numbers of a level by the names of measures: of the given ones, or of all.

    A number that the limits do not allow is absent; no limit raises an error. Raises LevelError for a level that
    cannot be read.
    """
    if entry.puzzle.measuring is None:
        return {}
    return dict(entry.puzzle.measuring().measure(entry.level, budget, names))
