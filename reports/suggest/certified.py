"""Certificates of an answer: that no smaller change is a repair, and one of each suggested level."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached, Refuted, words_of
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.file_names import CERTIFICATE, REPAIRS, file_stems
from puzzlemc.reports.certify.repairs import certify_repairs
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import REFUTED, Result
from puzzlemc.reports.suggest.request import HARDER, INTENDED, LONGER, PUSHES, SHORTER, SOLVABLE, Request, parsed
from puzzlemc.reports.suggest.suggest import allowed_by, changes_of
from puzzlemc.reports.suggest.suggestion import Suggestions
from puzzlemc.reports.workers.worker import next_stage

_OF_COSTS = (SOLVABLE, INTENDED, LONGER, SHORTER)  # wishes that the verdict and the least cost of a level fulfil


def certify_suggestions(
    entry: Entry, request: Request, options: Options, found: Suggestions, folder: Path
) -> tuple[str, ...]:
    """Write the certificates of an answer to a folder, and check them; each has the limits of the answer again.

    Return what has none, in words. Raises OutputError, and Refuted.
    """
    stem = file_stems([entry.id])[entry.id]
    notes = list[str]()
    wish = parsed(request.want).name
    if wish == SOLVABLE and found.result.verdict == "unsolvable":
        allowed, budget = allowed_by(changes_of(entry), request), Budget(options.limits)
        why = certify_repairs(entry, allowed, found.least, found.cores, folder / (stem + REPAIRS), budget)
        if why:  # of the level as it is, at least
            notes += _of_level(entry, options, found.result, folder / (stem + CERTIFICATE))
            if found.least > 1:
                notes.append(f"no certificate that fewer edits do not suffice: {why}")
    for number, each in enumerate(found.found, 1):
        (level,) = entry.puzzle.screen.parse(each.level, entry.id)
        changed = Entry(f"{entry.id}, suggestion {number}", entry.title, entry.puzzle, level)
        notes += _of_level(changed, options, each.result, folder / f"{stem}.{number}{CERTIFICATE}")
    of_costs = wish in _OF_COSTS or (wish == HARDER and request.by == PUSHES)
    if found.found and not of_costs:
        notes.append("certificates are of the least costs alone: none shows that a level does what is wished")
    return tuple(notes)


def without_certificates(limit: LimitReached) -> str:
    """What is said if a limit ends `certify_suggestions`."""
    return f"not all certificates were written: {words_of(limit)}"


def _of_level(entry: Entry, options: Options, result: Result, path: Path) -> Iterator[str]:
    """Certify the verdict on a level; yield what is lacking. Raises OutputError, and Refuted."""
    next_stage()
    done = certify(entry, replace(options, prove=True), result, path)
    if done.code == REFUTED:
        raise Refuted(done.reason or "")
    if done.note:
        yield f"{path.name}: {done.note}"
