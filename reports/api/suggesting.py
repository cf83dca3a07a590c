"""`suggest`: the smallest changes of a level that reach a wish."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path as File
from typing import Any, Unpack

from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.api.arguments import CallOptions, limits_of, public
from puzzlemc.reports.api.asking import watch
from puzzlemc.reports.api.levels import Level, LevelLike, Path, entry_of, one
from puzzlemc.reports.api.results import Result
from puzzlemc.reports.output.files import make_folder
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.suggest.certified import certify_suggestions, without_certificates
from puzzlemc.reports.suggest.request import Request
from puzzlemc.reports.suggest.suggest import suggest as suggested
from puzzlemc.reports.suggest.suggestion import Suggestion as Found
from puzzlemc.reports.suggest.suggestion import Suggestions as Answer
from puzzlemc.reports.suggest.words import as_text, edits_in_words
from puzzlemc.reports.workers.worker import Worker


@dataclass(frozen=True)
class Suggestion:
    """A changed level.

    words   what was changed
    kind    the kinds of its edits
    level   the changed level
    result  its verdict, by an engine
    before  numbers of the level as it is: those that the wish is about
    after   the same numbers of the changed level
    best    is it proved that no change with as many edits does better, or, of a repair, that no smaller one does?
    """

    words: str
    kind: str
    level: Level
    result: Result
    before: Mapping[str, int | float | None]
    after: Mapping[str, int | float | None]
    best: bool


@dataclass(frozen=True)
class Suggestions:
    """The answer to a wish. `str` gives it in words, with each level before and after the change.

    found    the best of each kind of edit first
    reached  the level as it is does what is wished
    least    every change that reaches the wish has at least this number of edits
    total    how many changes with the fewest edits reach it; None if not all are known
    reason   the limit that came first; None if none did
    words    what was proved, and what is not known
    """

    found: tuple[Suggestion, ...]
    reached: bool
    least: int
    total: int | None
    reason: str | None
    words: tuple[str, ...]
    _answer: Answer = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """All fields; those of `puzzlemc suggest --json`."""
        return self._answer.as_json()

    def __str__(self) -> str:
        return as_text(self._answer)


@public(certificates="certificate")
def suggest(
    level: LevelLike,
    want: str = Request.want,
    *,
    edits: Iterable[str] = (),
    keep: Iterable[tuple[int, int]] = (),
    most: int = Request.most,
    by: str = Request.by,
    count: int = Request.count,
    certificate: Path | None = None,
    **given: Unpack[CallOptions],
) -> Suggestions:
    """Find the smallest changes of a level that reach a wish.

    want   the wish, as `puzzlemc suggest -h` lists them: `solvable`, `unique`, `longer=20`
    edits  the kinds of edits that may be made; none: those that are usual for the puzzle
    keep   cells that must look as they do: row and column from 1
    most   the most edits in one change; `lean` has no such limit
    by     what `harder` goes by: `changes`, `pushes` or `lost`
    count  the most suggestions
    certificate  a folder, made if needed, for certificates: that no smaller change is a repair, and one of each
                 suggested level. Each has the limits again; `words` say which are not there

    The other parameters are those of `solve`. Raises LevelError for a bad level, ModelError for a bad wish or
    edit, LimitReached if nothing was found within the limits, and Refuted.
    """
    kept = tuple(keep)
    if any(len(cell) != 2 or min(cell) < 1 for cell in kept):
        raise ModelError(f"keep: found {kept}, expected rows and columns from 1, such as [(3, 4)]")
    if isinstance(edits, str):
        raise ModelError(f"edits: found {edits!r}, expected several of them, such as ['{edits}']")
    cells = tuple((row - 1, column - 1) for row, column in kept)
    request = Request(want, tuple(edits), cells, most, count, by)
    request.check()
    chosen, limits, look = one(level, given.get("puzzle")), limits_of(given), watch(given.get("cancel"))
    options = Options(timeout=limits.seconds or 0.0, memory=limits.memory / GIB)
    if certificate is not None:
        make_folder(File(certificate))
    with Worker(limits.memory, ("puzzlemc.reports.suggest.suggest",)) as worker:
        asked = (suggested, entry_of(chosen), request, options)
        answer: Answer = worker.run(*asked, seconds=limits.seconds, look=look)
        if certificate is not None:
            wanted = (certify_suggestions, asked[1], request, options, answer, File(certificate))
            try:
                notes = worker.run(*wanted, seconds=limits.seconds, look=look)
            except LimitReached as limit:
                notes = (without_certificates(limit),)
            answer = replace(answer, words=(*answer.words, *notes))
    found = tuple(_suggestion(chosen, each) for each in answer.found)
    return Suggestions(found, answer.reached, answer.least, answer.total, answer.reason, answer.words, answer)


def _suggestion(level: Level, found: Found) -> Suggestion:
    changed = Level(found.level, level.puzzle.origin or level.puzzle.name)
    result = Result(changed, found.result)
    return Suggestion(
        edits_in_words(found.edits), found.kind, changed, result, found.before, found.after, found.best
    )
