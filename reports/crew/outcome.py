"""What every crew says of a level that its worker could not finish: results and notes without an engine.

`in_order` and `chunk` both use it, and `reports.solve.attempt` for the best solution so far. They differ in how
they call workers. `in_order` makes one call per level and one per certificate; its results carry proofs and state
spaces, come in order, and show progress. `chunk` makes one call for many small levels, because a call costs as
much as a small level; it sends results without proofs, and certificates as bytes, also across machines.
"""

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Effort, Result, Search

PRELOAD = ("puzzlemc.reports.solve.solve",)  # modules that workers of levels have from the start


def unanswered(entry: Entry, options: Options, seconds: float, wall: float | None = None) -> Result:
    """The result of a level whose worker is gone, without verdict and reason.

    `seconds` is processor time, `wall` is seconds of wall clock.
    """
    rules = entry.puzzle if entry.puzzle_name is not None else None
    modelled = rules is None or rules.game is None
    means = (options.diagrams, options.encoding) if modelled else (None, None)
    return Result(
        entry.id,
        entry.title,
        entry.puzzle_name,
        metric=options.metric or (rules.metrics[0] if rules else None),
        metrics=tuple(rules.metrics) if rules else (),
        search=Search(options.engine, *means),
        effort=Effort(seconds, wall),
    )


def uncertified(result: Result, reason: object, exit_code: int | None = None) -> Result:
    """The result with a note that its certificate was not made; keeps its own exit code by default."""
    return result.noted(f"no certificate: {reason}", exit_code)
