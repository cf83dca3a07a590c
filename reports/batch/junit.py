"""The results of a run as JUnit XML, which build servers show: a suite per file, a test per level.

An unsolvable level fails. With expectations, a level fails if its answer has changed, whatever its verdict. An
unknown level is skipped; bad input is an error. A level with chance has the question, and the probability if that
was asked, as properties.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from puzzlemc.reports.batch.expect import Expectation, Expected
from puzzlemc.reports.batch.rows import Row, rows_of_run
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.output.files import write
from puzzlemc.reports.output.plain import xml
from puzzlemc.reports.output.words import no_solution_below
from puzzlemc.reports.solve.options import ALMOST, SURELY
from puzzlemc.reports.solve.result import Probability

# What there is not, by the question about chance.
NONE = {SURELY: "no strategy wins whatever is drawn", ALMOST: "no strategy wins with probability 1"}


def write_junit(store: Store, run: int, problems: Sequence[str], expected: Expected | None, path: Path) -> None:
    """Write the results of the run, and `problems` with names. Raises OutputError."""
    write(path, "".join(_document(sorted(rows_of_run(store, run), key=_place), problems, expected)))


def _place(row: Row) -> tuple[str, int, str]:
    file, _, number = row["id"].rpartition("#")
    return file, int(number) if number.isdecimal() else 0, row["id"]


def _document(rows: Sequence[Row], problems: Sequence[str], expected: Expected | None) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="puzzlemc">\n'
    for file, group in groupby(rows, key=lambda row: _place(row)[0]):
        yield from _suite(file, [(row, _outcome(row, expected)) for row in group])
    if problems:
        yield f'<testsuite name="names" tests="{len(problems)}" errors="{len(problems)}">\n'
        for problem in problems:
            yield f'  <testcase classname="names" name="{xml(problem)}">'
            yield f"{_element('error', 'error', problem)}</testcase>\n"
        yield "</testsuite>\n"
    yield "</testsuites>\n"


def _suite(file: str, cases: Sequence[tuple[Row, str]]) -> Iterator[str]:
    counts = {
        kind: sum(outcome.startswith(f"<{kind}") for _, outcome in cases)
        for kind in ("failure", "error", "skipped")
    }
    seconds = sum(row["seconds"] for row, _ in cases)
    yield f'<testsuite name="{xml(file)}" tests="{len(cases)}" failures="{counts["failure"]}" '
    yield f'errors="{counts["error"]}" skipped="{counts["skipped"]}" time="{seconds:.3f}">\n'
    for row, outcome in cases:
        name = " ".join(filter(None, (f"#{_place(row)[1]}", row["title"])))
        yield f'  <testcase classname="{xml(file)}" name="{xml(name)}" time="{row["seconds"]:.3f}">'
        yield f"{_properties(row)}{outcome}</testcase>\n"
    yield "</testsuite>\n"


def _properties(row: Row) -> str:
    """The question about chance, and the probability; empty for other levels."""
    known = {"chance": row.get("chance")}
    if found := row.get("probability"):
        known["probability"] = str(Probability.read(found))
    written = "".join(f'<property name="{name}" value="{xml(value)}"/>' for name, value in known.items() if value)
    return written and f"<properties>{written}</properties>"


def _outcome(row: Row, expected: Expected | None) -> str:
    """The element with the reason why a level does not pass; empty if it passes."""
    before = None if expected is None else expected.of(row)
    verdict = row["verdict"]
    if verdict == "error":
        return _element("error", "error", row["reason"] or "")
    if before is not None:
        found = Expectation.of(row)
        return "" if found == before else _element("failure", "changed", f"{found}, expected {before}")
    if verdict == "unsolvable":
        return _element(
            "failure", verdict, row["reason"] or NONE.get(row.get("chance") or "", "there is no solution")
        )
    if verdict == "unknown":
        below = no_solution_below(row["bound"] or 0, row["metric"] or "")
        return _element("skipped", verdict, "; ".join(filter(None, (row["reason"], below))))
    return ""


def _element(kind: str, type: str, message: str) -> str:
    return f'<{kind} type="{xml(type)}" message="{xml(message)}"/>'
