"""The levels of a run of `batch`, as cases: from its store, with what the run has met besides."""

from collections.abc import Iterator
from dataclasses import replace

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.batch.expect import Expectation, Expected
from puzzlemc.reports.batch.rows import Row, rows_of_run
from puzzlemc.reports.batch.store import Store, storable
from puzzlemc.reports.findings.at import Extent, extent_of
from puzzlemc.reports.findings.finding import Case
from puzzlemc.reports.findings.judge import OTHERS, case_of, problem
from puzzlemc.reports.solve.result import Result
from puzzlemc.screens.base.selection import SIGN

MOST_PROBLEMS = 1000  # names without a level that are kept


class FoundByBatch:
    """What a run meets, apart from the store: where levels stand, and names without a level."""

    def __init__(self, failing: frozenset[str]) -> None:
        """`failing` are the words of `--fail-on`."""
        self._failing = failing
        self._extents: dict[str, Extent] = {}
        self._others: list[Case] = []

    def read(self, entry: Entry) -> None:
        """Take a level that was read."""
        if (extent := extent_of(entry)) is not None:
            self._extents[storable(entry.id)] = extent

    def unread(self, result: Result) -> None:
        """Take the result for a name that is no level, or cannot be read."""
        if len(self._others) < MOST_PROBLEMS:
            self._others.append(case_of(result, None, self._failing))

    def problem(self, message: str, code: int) -> None:
        """Take an error that is not about one level, or about an answer that was refuted, with its exit code."""
        if len(self._others) < MOST_PROBLEMS:
            self._others.append(problem(message, code, self._failing))

    def cases(self, store: Store, run: int, expected: Expected | None) -> list[Case]:
        """All levels of the run by file and number, and last what is no level. Expectations are compared."""
        return sorted([*self._stored(store, run, expected), *self._others], key=_order)

    def _stored(self, store: Store, run: int, expected: Expected | None) -> Iterator[Case]:
        for row in rows_of_run(store, run):
            result = replace(row.result, id=row["id"], title=row["title"])
            extent = self._extents.get(row["id"])
            yield case_of(result, extent, self._failing, change=_change(row, expected), kept=True)


def _change(row: Row, expected: Expected | None) -> str | None:
    """How the answer differs from the expected one, empty if it does not; None without an expectation."""
    before = None if expected is None else expected.of(row)
    return None if before is None else Expectation.of(row).change(before)


def _order(case: Case) -> tuple[bool, str, int, str]:
    file, _, number = case.id.rpartition(SIGN)
    return case.suite == OTHERS, file, int(number) if number.isdecimal() else 0, case.id
