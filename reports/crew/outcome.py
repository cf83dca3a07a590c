"""What every crew says of a level that its worker could not finish: results and notes without an engine.

`in_order` and `chunk` both use it, and `reports.solve.attempt` for the best solution so far. They differ in how
they call workers. `in_order` makes one call per level and one per certificate; its results carry proofs and state
spaces, come in order, and show progress. `chunk` makes one call for many small levels, because a call costs as
much as a small level; it sends results without proofs, and certificates as bytes, also across machines.
"""

from pathlib import Path

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.solve.attempt import INTERRUPTED
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, Effort, Result, Search
from puzzlemc.reports.workers.worker import Worker, WorkerDied
from puzzlemc.screens.base.errors import LevelError

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


def complete(entry: Entry, options: Options, result: Result, limit: str | None, *, certified: bool) -> Result:
    """The result with a remark for each answer that was asked for and that it does not have.

    A second worker may give the verdict: it only looks for a solution.

    limit      why the first worker, which was asked for all answers, ended; None if it came to its end
    certified  a certificate was asked for
    """
    if result.verdict == "error" or entry.puzzle_name is None:
        return result
    why = limit or "the search has ended"
    if (options.count or options.every) and result.count is None and "not counted" not in result.note:
        result = result.noted(f"its solutions were not counted: {why}")
    is_listed = result.plans is not None or "its best plans" in result.note or "it has no plans" in result.note
    if options.plans != Options.plans and result.verdict == "solvable" and not is_listed:
        result = result.noted(f"its best plans are not listed: {why}")
    is_explained = result.why is not None or result.reason or "why" in result.note
    if options.why and result.verdict == "unsolvable" and not is_explained:
        result = result.noted(f"why was not found: {why}")
    if certified and result.verdict == "unknown" and not result.checked and not result.uncertified:
        result = result.without_certificate("no certificate: nothing is proved")
    if certified and result.reason == INTERRUPTED and not result.uncertified:
        result = result.without_certificate(f"no certificate: {INTERRUPTED}")
    return result


def uncertified(result: Result, reason: object, exit_code: int | None = None) -> Result:
    """The result with a note that its certificate was not made; keeps its own exit code by default."""
    return result.without_certificate(f"no certificate: {reason}", exit_code)


def trace_certified(
    worker: Worker, entry: Entry, options: Options, result: Result, path: Path, limit: LimitReached
) -> Result:
    """The result after an attempt to certify its trace alone, as the worker was killed at a limit before."""
    from puzzlemc.reports.certify.certify import TRACE_SECONDS, certify_trace

    if result.verdict != "solvable":
        return uncertified(result, limit.reason)
    seconds = max(options.timeout, TRACE_SECONDS) if options.timeout else None
    try:
        certified: Result = worker.run(certify_trace, entry, result.light, path, limit.reason, seconds=seconds)
    except LimitReached:
        path.unlink(missing_ok=True)
        return uncertified(result, limit.reason)
    except (OutputError, LevelError) as error:
        return uncertified(result, error, BAD_INPUT)
    except ModelError as error:
        return uncertified(result, error)
    except WorkerDied as death:
        path.unlink(missing_ok=True)
        return uncertified(result, death, REFUTED)
    return certified
