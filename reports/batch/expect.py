"""What was found before, and what of it has changed: verdict and least cost of each level, by its name."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import Any

from puzzlemc.reports.batch.rows import Row, rows, rows_of_run
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.output.words import cost_in_words, number
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import read_bytes, read_lines

MAGIC = b"SQLite format 3\0"
MOST_BYTES, LONGEST_LINE = 1 << 28, 1 << 24  # of JSON


class ExpectError(Exception):
    """A file of expectations that is none: says where, what was found, and what was expected."""


@dataclass(frozen=True, slots=True)
class Told:
    """Verdict and cost of a level, the metric of the cost, and what is proved of it; the proof is not compared."""

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

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Told":
        """That of a row. Raises KeyError or TypeError where it has none."""
        verdict, cost, metric = row["verdict"], row["cost"], row["metric"]
        if not isinstance(verdict, str) or not isinstance(cost, int | None) or not isinstance(metric, str | None):
            raise TypeError
        told = row.get("optimal"), row.get("bound")
        return cls(intern(verdict), cost, metric and intern(metric), *told)  # there may be millions


@dataclass(frozen=True)
class Expected:
    """What is expected of levels by name and metric."""

    levels: Mapping[tuple[str, str | None], Told]

    @classmethod
    def read(cls, path: Path) -> "Expected":
        """Read a store, or JSON, an object a line. Raises ExpectError or StoreError."""
        try:
            if path.is_file() and read_bytes(path, len(MAGIC), "", whole=False) == MAGIC:
                with Store(path) as store:
                    return cls(_by_name(rows(store)))
            return cls(_by_name(_lines(path)))
        except LevelError as error:
            raise ExpectError(str(error)) from None

    def of(self, row: Row) -> Told | None:
        """What is expected of the level of a row; None where nothing is."""
        return self.levels.get((row["id"], row["metric"]))


@dataclass(frozen=True)
class Changes:
    """What has changed: a line for each level, and a summary."""

    lines: tuple[str, ...]
    summary: str


def compared(store: Store, run: int, expected: Expected) -> Changes:
    """What a run has found that was not expected."""
    lines, same, new = [], 0, 0
    for row in rows_of_run(store, run):
        before = expected.of(row)
        if before is None:
            new += 1
        elif (found := Told.of(row)) != before:
            lines.append(f"{row['id']}: changed: {found}, expected {before}")
        else:
            same += 1
    words = [f"{number(same)} as expected", f"{number(len(lines))} changed"]
    if new:
        words.append(f"{number(new)} new")
    return Changes(tuple(lines), ", ".join(words))


def _lines(path: Path) -> Iterable[dict[str, Any]]:
    """The rows of a file. Raises ExpectError or LevelError."""
    for place, line in enumerate(
        read_lines(path, MOST_BYTES, LONGEST_LINE, "what `results --json` writes, or a store"), 1
    ):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
            Told.of(row)
            if not isinstance(row["id"], str):
                raise TypeError
        except (ValueError, KeyError, TypeError, RecursionError):
            message = "expected a JSON object with id, verdict, metric and cost, as `results --json` writes them"
            raise ExpectError(f"{path}:{place}:1: found {line.strip()[:40]!r}, {message}") from None
        yield row


def _by_name(found: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str | None], Told]:
    levels = {}
    for row in found:
        if not row.get("gone"):
            for name in (row["id"], *row.get("also", ())):
                levels[name, row["metric"]] = Told.of(row)
    return levels
