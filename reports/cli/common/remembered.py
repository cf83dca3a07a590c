"""A cache of results by the text of the level, so that only changed levels are solved again."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TypeAlias

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.cli.common.changes import Alarm
from puzzlemc.reports.solve.result import Result

Content: TypeAlias = tuple[object, ...]


class Remembered:
    """Has levels solved, except those solved before. The options must stay the same."""

    def __init__(self, alarm: Alarm) -> None:
        self.alarm = alarm
        self.solved: set[str] = set()  # the ids of the levels that were solved in the last run
        self._results: dict[Content, Result] = {}

    def results(
        self,
        entries: Sequence[Entry],
        solve: Callable[[Sequence[Entry]], Generator[Result, None, None]],
        *,
        certified: bool,
    ) -> Generator[Result, None, None]:
        """Yield the results in order; `solve` yields those of new levels. Raises what `solve` raises.

        Results so far are kept. A result that is `certified` is kept for the same id alone.
        """
        contents = [_content(entry, certified=certified) for entry in entries]
        known = {content: self._results[content] for content in contents if content in self._results}
        self._results = dict(known)
        new = [entry for entry, content in zip(entries, contents, strict=True) if content not in known]
        self.solved = {entry.id for entry in new}
        with closing(solve(new)) as solved:  # at the end, its workers are killed
            for entry, content in zip(entries, contents, strict=True):
                if content in known:
                    yield replace(known[content], id=entry.id, title=entry.title)
                    continue
                result = next(solved)
                if entry.part is not None and result.verdict != "error":  # errors name places in the file
                    self._results[content] = result
                yield result


def _content(entry: Entry, *, certified: bool) -> Content:
    """The key of a result. Solutions name their lines; files of certificates are named by the id."""
    part = entry.part
    text = (None, entry.id) if part is None else (part.text, part.title, part.author, part.solutions)
    return (entry.puzzle_name, *text, entry.id if certified else None)
