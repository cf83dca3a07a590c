"""Expected answers, from an earlier run: verdict and least cost of each level by name; and what has changed."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any

from puzzlemc.reports.batch.rows import Row, rows, rows_of_run
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.output.words import cost_in_words, number
from puzzlemc.reports.solve.result import CODES
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import read_bytes, read_lines

MAGIC = b"SQLite format 3\0"
MOST_BYTES, LONGEST_LINE = 1 << 28, 1 << 24  # of a JSON file


class ExpectError(Exception):
    """A file that holds no expectations: says where, what was found, and what was expected."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Verdict and cost of a level, with the metric. `optimal` and `bound` are not compared."""

    verdict: str
    cost: int | None
    metric: str | None
    optimal: bool | None = field(default=None, compare=False)
    bound: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.verdict != "solvable" or self.cost is None:
            return self.verdict
        least = self.optimal is None or bool(self.optimal)
        return f"{self.verdict} in {cost_in_words(self.cost, self.metric or '', least=least, bound=self.bound)}"

    def change(self, before: "Expectation") -> str:
        """How this answer differs from the expected one; empty if it does not."""
        return "" if self == before else f"{self}, expected {before}"

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Expectation":
        """The expectation of a row. Raises KeyError or TypeError if fields are missing or have other types."""
        verdict, cost, metric = row["verdict"], row["cost"], row["metric"]
        if not isinstance(verdict, str) or not isinstance(cost, int | None) or not isinstance(metric, str | None):
            raise TypeError
        optimal, bound = row.get("optimal"), row.get("bound")
        return cls(intern(verdict), cost, metric and intern(metric), optimal, bound)  # there may be millions


@dataclass(frozen=True)
class Expected:
    """Expectations by name and metric."""

    levels: Mapping[tuple[str, str | None], Expectation]

    @classmethod
    def read(cls, path: Path) -> "Expected":
        """Read a store, or a file with a JSON object per line. Raises ExpectError or StoreError."""
        try:
            if path.is_file() and read_bytes(path, len(MAGIC), "", whole=False) == MAGIC:
                with Store(path) as store:
                    return cls(_by_name(rows(store)))
            return cls(_by_name(_lines(path)))
        except LevelError as error:
            raise ExpectError(str(error)) from None

    def of(self, row: Row) -> Expectation | None:
        """The expectation of the level of a row; None without one."""
        return self.named(row["id"], row["metric"])

    def named(self, name: str, metric: str | None) -> Expectation | None:
        """The expectation of a level by its name; None without one."""
        return self.levels.get((name, metric))


@dataclass(frozen=True)
class Changes:
    """Differences from the expectations: a line per level, and a summary.

    codes  the exit codes of levels without an expectation
    """

    lines: tuple[str, ...]
    summary: str
    codes: frozenset[int]


def compared(store: Store, run: int, expected: Expected) -> Changes:
    """Compare the results of a run with the expectations."""
    lines, same, new = [], 0, 0
    codes: set[int] = set()
    for row in rows_of_run(store, run):
        before = expected.of(row)
        if before is None:
            new += 1
            codes |= {row.result.exit_code, CODES[row.result.verdict]}
        elif change := Expectation.of(row).change(before):
            lines.append(f"{row['id']}: changed: {change}")
        else:
            same += 1
    words = [f"{number(same)} as expected", f"{number(len(lines))} changed"]
    if new:
        words.append(f"{number(new)} new")
    return Changes(tuple(lines), ", ".join(words), frozenset(codes))


def _lines(path: Path) -> Iterable[dict[str, Any]]:
    """Yield the rows of a file. Raises ExpectError or LevelError."""
    for place, line in enumerate(
        read_lines(path, MOST_BYTES, LONGEST_LINE, "what `results --json` writes, or a store"), 1
    ):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
            Expectation.of(row)
            if not isinstance(row["id"], str):
                raise TypeError
        except (ValueError, KeyError, TypeError, RecursionError):
            message = "expected a JSON object with id, verdict, metric and cost, as `results --json` writes them"
            raise ExpectError(f"{path}:{place}:1: found {line.strip()[:40]!r}, {message}") from None
        yield row


def _by_name(found: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str | None], Expectation]:
    levels = {}
    for row in found:
        if not row.get("gone"):
            for name in (row["id"], *row.get("also", ())):
                levels[name, row["metric"]] = Expectation.of(row)
    return levels
