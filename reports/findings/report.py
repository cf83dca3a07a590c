"""Findings on standard output in one of the formats: as the levels come, or as one document at the end."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.findings import github, junit, sarif, tap
from puzzlemc.reports.findings.at import Place, extent_of
from puzzlemc.reports.findings.finding import Case, Finding
from puzzlemc.reports.findings.judge import OTHERS, case_of, remark
from puzzlemc.reports.findings.rules import REMARK
from puzzlemc.reports.output.files import STANDARD_OUTPUT, write
from puzzlemc.reports.solve.result import Result

GITHUB, SARIF, JUNIT, TAP = "github", "sarif", "junit", "tap"
FORMATS = (GITHUB, SARIF, JUNIT, TAP)


class Report:
    """The findings of a run, written to standard output, which has nothing else."""

    def __init__(self, form: str) -> None:
        """`form` is one of FORMATS."""
        self._form = form
        self._cases: list[Case] = []  # of a document
        self._remarks: set[Finding] = set()  # about what the levels of a file share: each is written once
        self._count = 0
        if form == TAP:
            _emit([tap.VERSION])

    def judge(self, entry: Entry, result: Result, failing: frozenset[str]) -> None:
        """Take the answer for a level; `failing` are the words of `--fail-on`."""
        self.add(case_of(result, extent_of(entry), failing))

    def remark(self, warnings: Sequence[str]) -> None:
        """Take warnings about whole files, each with its place."""
        if warnings:
            self.add(Case("lint", OTHERS, "lint", Place(), [remark(each) for each in warnings]))

    def add(self, case: Case) -> None:
        """Take a level."""
        new = [each for each in case.findings if each.rule != REMARK or each not in self._remarks]
        self._remarks.update(each for each in new if each.rule == REMARK)
        case = replace(case, findings=new)
        self._count += 1
        if self._form == GITHUB:
            _emit(github.lines(case))
        elif self._form == TAP:
            _emit(tap.point(self._count, case))
        else:
            self._cases.append(case)

    def close(self, code: int, interrupted: str = "") -> None:
        """Write the end. `code` is the exit code of the program; `interrupted` says that levels are missing."""
        if self._form == TAP:
            _emit([tap.bail_out(interrupted) if interrupted else tap.plan(self._count)])
        elif self._form == JUNIT:
            _emit(junit.document(self._cases))
        elif self._form == SARIF:
            _emit([sarif.document(self._cases, code, whole=not interrupted)])


def _emit(parts: Iterable[str]) -> None:
    """Write in UTF-8, whatever the locale; to a terminal as other texts, beside the progress."""
    text = "".join(parts)
    if sys.stdout.isatty():
        print(text, end="", flush=True)
    elif text:
        write(STANDARD_OUTPUT, text)
