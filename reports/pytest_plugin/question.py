"""What a run of pytest asks about levels: which files, under which limits, and which answers are right."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from puzzlemc.encodings.puzzles import Entry, is_level_file
from puzzlemc.reports.batch.expect import Expectation, Expected, ExpectError
from puzzlemc.reports.batch.store import StoreError
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.findings.at import extent_of
from puzzlemc.reports.findings.failing import EVERY, UnknownWord, words_of
from puzzlemc.reports.findings.finding import Case
from puzzlemc.reports.findings.judge import case_of
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.result import Result
from puzzlemc.screens.base.selection import SIGN


@dataclass(frozen=True)
class Question:
    """The options of a run.

    places    of the configuration: only files below them are taken; None: all files with suffixes of puzzles
    expected  the answers that levels must have, by the names of levels
    folders   to which these names may be relative
    failing   the words of `--fail-on`
    """

    options: Options
    places: tuple[Path, ...] | None
    expected: Expected | None
    folders: tuple[Path, ...]
    failing: frozenset[str]

    def takes(self, path: Path) -> bool:
        """Is it a file of levels that the run asks about?"""
        if self.places is None:
            return is_level_file(str(path))
        below = any(place in path.parents for place in self.places)
        return path in self.places or (below and is_level_file(str(path)))

    def answer(self, entry: Entry, path: Path) -> tuple[Result, Case]:
        """Solve a level of a file, and judge the answer."""
        before = self._expectation(entry, path)
        # The reason is needed only if it is a failure: it may take longer than the verdict.
        options = replace(self.options, why=before is None or before.verdict != "unsolvable")
        choices(entry.puzzle, options)
        with closing(solve_all([entry], options, 1)) as found:
            (result,) = found
        change = None if before is None else Expectation.of(result.as_json()).change(before)
        return result, case_of(result, extent_of(entry), self.failing, change=change)

    def _expectation(self, entry: Entry, path: Path) -> Expectation | None:
        if self.expected is None:
            return None
        metric = choices(entry.puzzle, self.options).metric
        found = (self.expected.named(name, metric) for name in self._names(entry, path))
        return next(filter(None, found), None)

    def _names(self, entry: Entry, path: Path) -> Iterator[str]:
        """Yield the names that the level may have in the file of expectations."""
        number = entry.id.rpartition(SIGN)[2]
        for folder in self.folders:
            if path.is_relative_to(folder):
                yield f"{path.relative_to(folder)}{SIGN}{number}"
        yield f"{path}{SIGN}{number}"


_KEY = pytest.StashKey[Question]()


def keep_question(config: pytest.Config, places: Sequence[Path] | None) -> None:
    """Read the options of a run, which has the places of a Question. Raises UsageError."""
    config.stash[_KEY] = _read(config, None if places is None else tuple(places))


def question_of(config: pytest.Config) -> Question:
    """The question of a run."""
    return config.stash[_KEY]


def _read(config: pytest.Config, places: tuple[Path, ...] | None) -> Question:
    folders = [config.invocation_params.dir, config.rootpath]
    expected, timeout = None, config.getoption("--puzzlemc-timeout")
    if not 0 <= timeout < float("inf"):
        raise pytest.UsageError(f"--puzzlemc-timeout: found {timeout}, expected seconds, or 0 for no limit")
    try:
        failing = words_of(config.getoption("--puzzlemc-fail-on"))
    except UnknownWord as error:
        expected_words = f"expected some of {', '.join(sorted(EVERY))}, or none"
        raise pytest.UsageError(f"--puzzlemc-fail-on: found {str(error)!r}, {expected_words}") from None
    if (given := config.getoption("--puzzlemc-expect")) is not None:
        path = config.invocation_params.dir / given
        folders.append(path.parent)
        try:
            expected = Expected.read(path)
        except (ExpectError, StoreError) as error:
            raise pytest.UsageError(f"--puzzlemc-expect: {error}") from None
    options = Options(metric=config.getoption("--puzzlemc-metric"), timeout=timeout)
    return Question(options, places, expected, tuple(folders), failing)
