"""Levels as a stream of the Test Anything Protocol, version 14: https://testanything.org.

A level whose findings do not fail the build has the directive TODO, which no harness counts as a failure. Details
stand in a block of YAML, whose values are written as JSON, which YAML includes.
"""

import json
from collections.abc import Iterator

from puzzlemc.reports.findings.finding import Case, Finding
from puzzlemc.reports.output.plain import plain, plain_lines

VERSION = "TAP version 14\n"


def point(number: int, case: Case) -> Iterator[str]:
    """Yield the lines of a level; `number` counts from 1."""
    judged = case.judged
    todo = "" if case.fails or not judged else f" # TODO {_words(judged[0].sentence)}"
    yield f"{'not ok' if judged else 'ok'} {number} - {_words(_described(case))}{todo}\n"
    if case.findings:
        yield "  ---\n"
        yield f"  duration_ms: {1000 * case.seconds:.3f}\n"
        yield "  findings:\n"
        for each in case.findings:
            yield from _details(each)
        yield "  ...\n"


def plan(count: int) -> str:
    """The last line: the number of levels."""
    return f"1..{count}\n"


def bail_out(words: str) -> str:
    """The last line of a run that was interrupted."""
    return f"Bail out! {_words(words)}\n"


def _described(case: Case) -> str:
    return case.name if case.suite == case.name else f"{case.suite} {case.name}"


def _words(text: str) -> str:
    """A text within a line: a hash would begin a directive."""
    return plain(text).replace("\\", "\\\\").replace("#", "\\#")


def _details(finding: Finding) -> Iterator[str]:
    place = finding.place
    found = {
        "message": plain_lines(finding.sentence),
        "rule": finding.rule,
        "severity": "fail" if finding.fails else "comment",
        "file": plain(place.path) or None,
        "line": place.line,
        "column": place.column,
    }
    sign = "-"
    for name, value in found.items():
        if value is not None:
            yield f"    {sign} {name}: {json.dumps(value, ensure_ascii=False)}\n"
            sign = " "
