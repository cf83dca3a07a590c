"""The measures of a level of any puzzle, within limits."""

from collections.abc import Collection
from dataclasses import replace

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.measures import Measure, Number
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.limits import Budget, Limits

SHARE = 0.8  # of the time: a worker that is killed at the limit gives no numbers


def measures(puzzle: Puzzle) -> tuple[Measure, ...]:
    """The measures of a puzzle, in the order of columns; none of a puzzle whose levels ask for no moves."""
    if puzzle.measuring is not None:
        return puzzle.measuring().measures
    if puzzle.game is not None or puzzle.optimisation is not None:
        return ()
    from puzzlemc.reports.measures.positions import MEASURES

    return MEASURES


def measured_within(
    entry: Entry, limits: Limits, names: Collection[str] = (), passed: float = 0.0
) -> dict[str, Number]:
    """In a worker that is killed at the limits: what `measured` gives, in a share of the time that is left."""
    seconds = None if limits.seconds is None else SHARE * max(0.0, limits.seconds - passed)
    return measured(entry, Budget(replace(limits, seconds=seconds)), names)


def measured(entry: Entry, budget: Budget, names: Collection[str] = ()) -> dict[str, Number]:
    """The numbers of a level by the names of measures: of the given ones, or of all.

    A number that the limits do not allow is absent; no limit raises an error. Raises LevelError for a level that
    cannot be read.
    """
    if entry.puzzle.measuring is not None:
        return dict(entry.puzzle.measuring().measure(entry.level, budget, names))
    from puzzlemc.reports.measures.positions import measured_by_positions

    return measured_by_positions(entry, budget, names)
