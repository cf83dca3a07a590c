"""A file of levels as a collector of pytest, and a level as a test."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.findings.at import extent_of
from puzzlemc.reports.findings.finding import Case, Finding
from puzzlemc.reports.output.plain import plain, plain_lines
from puzzlemc.reports.pytest_plugin.question import question_of
from puzzlemc.reports.solve.result import Result
from puzzlemc.screens.base.selection import SIGN


class LevelFailed(Exception):
    """A level whose answer is not the right one; its text is all that is shown."""


class LevelFile(pytest.File):
    """A file of levels."""

    def collect(self) -> Iterator["LevelTest"]:
        """Yield the levels. Raises CollectError for a file that cannot be read as levels, with the place."""
        entries = load([_shown(self.path, self.config)])
        if faults := [str(each.error) for each in entries if each.part is None]:
            raise self.CollectError(plain_lines("\n".join(faults)))
        for entry in entries:
            yield LevelTest.from_parent(self, name=_name(entry), entry=entry)


class LevelTest(pytest.Item):
    """A level: it passes if its answer is the right one."""

    def __init__(self, *, entry: Entry, **given: Any) -> None:
        """Take a level of the file that is the parent."""
        super().__init__(**given)
        self._entry = entry

    def runtest(self) -> None:
        """Solve the level. Raises LevelFailed; skips it for an answer that does not fail the run."""
        try:
            result, case = question_of(self.config).answer(self._entry, self.path)
        except ModelError as error:  # an option that the puzzle does not have
            raise LevelFailed(str(error)) from None
        self.user_properties += [("verdict", result.verdict), ("cost", result.cost), ("metric", result.metric)]
        if case.fails:
            raise LevelFailed(_text(case, result))
        if case.judged:
            pytest.skip(plain(_line(case.judged[0])))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any, **given: Any) -> Any:
        """The text that is shown for a failure: what is wrong with the level, and no trace of Python."""
        if isinstance(excinfo.value, LevelFailed):
            return plain_lines(str(excinfo.value))
        return super().repr_failure(excinfo, *args, **given)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the file, the line at which the level begins, from 0, and the name."""
        extent = extent_of(self._entry)
        return self.path, None if extent is None else extent.first - 1, self.name


def _shown(path: Path, config: pytest.Config) -> str:
    """The path relative to the folder in which pytest was started, if it leads there."""
    here = config.invocation_params.dir
    return os.fspath(path.relative_to(here) if path.is_relative_to(here) else path)


def _name(entry: Entry) -> str:
    """`3[Title]`: pytest also finds it as `levels.xsb::3`, as it finds a test by its name without parameters."""
    number = entry.id.rpartition(SIGN)[2]
    return f"{number}[{plain(entry.title)}]" if entry.title else number


def _text(case: Case, result: Result) -> str:
    """What is wrong, with the smallest part of the level that has no solution, and how to see more."""
    lines = [_line(each) for each in case.findings]
    if (why := result.why) is not None:
        lines += [f"why: {why.scope}; {why.evidence}", "", why.drawn.text.rstrip("\n"), ""]
    if result.verdict != "error":
        lines.append(f"see: puzzlemc check {shlex.quote(result.id)}{' --why' if why is not None else ''}")
    return "\n".join(lines)


def _line(finding: Finding) -> str:
    place = ":".join(str(each) for each in finding.place if each not in ("", None))
    return f"{place}: {finding.rule}: {finding.sentence}"
