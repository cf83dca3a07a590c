"""Suggestions for a level: which of its smallest changes reach a wish."""

from collections.abc import Callable, Mapping
from threading import Event

from puzzlemc.encodings.puzzle.design.changes import Allowed, Changes
from puzzlemc.encodings.puzzles import Entry, puzzles
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.nearest import nearest
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.suggest.asked import Asked, limits_of
from puzzlemc.reports.suggest.better import harder, longer, shorter, unique
from puzzlemc.reports.suggest.intended import intended, only
from puzzlemc.reports.suggest.lean import lean
from puzzlemc.reports.suggest.request import (
    HARDER,
    INTENDED,
    LEAN,
    LONGER,
    ONLY,
    SHORTER,
    SOLVABLE,
    THROUGH,
    UNIQUE,
    Request,
    parsed,
)
from puzzlemc.reports.suggest.solvable import solvable
from puzzlemc.reports.suggest.suggestion import Suggestions
from puzzlemc.reports.suggest.through import through
from puzzlemc.reports.workers.worker import elapsed

ANSWERS: Mapping[str, Callable[[Asked], Suggestions]] = {
    HARDER: harder,
    INTENDED: intended,
    LEAN: lean,
    LONGER: longer,
    ONLY: only,
    SHORTER: shorter,
    SOLVABLE: solvable,
    THROUGH: through,
    UNIQUE: unique,
}  # by the name of the wish


def suggest(entry: Entry, request: Request, options: Options, cancelled: Event | None = None) -> Suggestions:
    """Answer a request about a level within the limits of time and memory; a limit is in the answer.

    cancelled  ends the search when it is set

    Raises ModelError for a wish or an edit that there is not, LevelError for a bad level, and Refuted.
    """
    request.check()
    if entry.error is not None:
        raise entry.error
    changes = changes_of(entry)
    left = options.limits.seconds
    left = None if left is None else max(0.0, left - elapsed())
    _check_cells(entry, request)
    allowed = allowed_by(changes, request)
    cancelled = cancelled or Event()
    budget = Budget(limits_of(left, options.memory), None, 0, cancelled)
    wish = parsed(request.want)
    asked = Asked(entry, wish, request, changes, allowed, options, budget, cancelled=cancelled)
    return ANSWERS[wish.name](asked)


def _check_cells(entry: Entry, request: Request) -> None:
    """Raise ModelError if a cell to keep is outside the level."""
    puzzle, level = entry.puzzle, entry.level
    picture = puzzle.picture(level, puzzle.rules.start(level)) if request.keep else None
    for row, column in request.keep:
        assert picture is not None
        if row >= picture.height or column >= picture.width:
            size = f"{picture.height:g} rows and {picture.width:g} columns"
            raise ModelError(f"keep: found row {row + 1}, column {column + 1}, but the level has {size}")


def changes_of(entry: Entry) -> Changes:
    """How levels of the puzzle are changed. Raises ModelError if they cannot."""
    if entry.puzzle.changes is None:
        able = ", ".join(name for name, each in puzzles().items() if each.changes is not None)
        raise ModelError(f"no edits of levels of {entry.puzzle.name} are known, expected a level of {able}")
    return entry.puzzle.changes()


def allowed_by(changes: Changes, request: Request) -> Allowed:
    """The edits that a request allows. Raises ModelError."""
    return Allowed(_kinds(changes, request.edits), frozenset(request.keep), request.most)


def _kinds(changes: Changes, chosen: tuple[str, ...]) -> frozenset[str]:
    """The kinds of edits that are chosen, or those that are usual. Raises ModelError."""
    for kind in chosen:
        if kind not in changes.kinds:
            expected = f"expected some of {', '.join(changes.kinds)}{nearest(kind, changes.kinds)}"
            raise ModelError(f"edits: found {kind!r}, {expected}")
    return frozenset(chosen or changes.usual or changes.kinds)
