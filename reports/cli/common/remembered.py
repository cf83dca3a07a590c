"""A cache of results by the text of the level, so that only changed levels are solved again."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.cli.common.changes import Alarm
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result

Content: TypeAlias = tuple[object, ...]


class Remembered:
    """Solves levels like `solve_all`, except those solved before. The options must stay the same."""

    def __init__(self, alarm: Alarm) -> None:
        self.alarm = alarm
        self.solved: set[str] = set()  # the ids of the levels that were solved in the last run
        self._results: dict[Content, Result] = {}

    def solve_all(
        self,
        entries: Sequence[Entry],
        options: Options,
        workers: int | None = None,
        certificates: Path | None = None,
        heard: Callable[[str], None] = lambda _: None,
        left: dict[int, Result] | None = None,
    ) -> Generator[Result, None, None]:
        """Yield the results in order. Raises Changed if the alarm ends it; results so far are kept.

        `left` gets what `solve_all` leaves there.
        """
        contents = [_content(entry, certificates) for entry in entries]
        known = {content: self._results[content] for content in contents if content in self._results}
        self._results = dict(known)
        new = [entry for entry, content in zip(entries, contents, strict=True) if content not in known]
        self.solved = {entry.id for entry in new}
        places = [place for place, content in enumerate(contents) if content not in known]
        rest: dict[int, Result] = {}
        solved: Iterator[Result] = iter(())
        if new:
            solved = solve_all(new, options, workers, certificates, heard, rest)
        try:
            for entry, content in zip(entries, contents, strict=True):
                if content in known:
                    yield replace(known[content], id=entry.id, title=entry.title)
                    continue
                result = self.alarm.waiting(lambda: next(solved))
                if entry.part is not None and result.verdict != "error":  # errors name places in the file
                    self._results[content] = result
                yield result
        finally:
            if isinstance(solved, Generator):
                solved.close()  # kills its workers
            if left is not None:
                left |= {places[number]: result for number, result in rest.items()}


def _content(entry: Entry, certificates: Path | None) -> Content:
    """The key of a result. Solutions name their lines; files of certificates are named by the id."""
    part = entry.part
    text = (None, entry.id) if part is None else (part.text, part.title, part.author, part.solutions)
    return (entry.puzzle_name, *text, None if certificates is None else entry.id)
