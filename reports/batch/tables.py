"""Rows as tables for other programs: CSV and Parquet. The columns are known before the first row."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from puzzlemc.reports.batch.dataset import pyarrow
from puzzlemc.reports.batch.rows import Row
from puzzlemc.reports.measures.names import REAL
from puzzlemc.reports.output.files import writing

AT_A_TIME = 10_000  # rows in a Parquet group
# First characters that a spreadsheet reads as the start of a formula, or skips before one.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def csv_lines(found: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
    """Yield lines of CSV, the header first; lists are JSON, missing values are empty.

    A text that a spreadsheet would read as a formula gets an apostrophe before it. Costs by metric are written as
    in other tables: `≤ 96` if the cost is not proved to be least. `cost` and `bound` are numbers.
    """
    yield _line(columns)
    for row in found:
        costs = {
            name: row.result.cost_in_digits(name)
            for name, cost in row.result.costs.items()
            if cost is not None and name != "cost"
        }
        yield _line([costs[name] if name in costs else _cell(row.get(name)) for name in columns])


def _line(cells: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)  # so that it quotes carriage returns, too
    return f"{text.getvalue()[:-2]}\n"


def _cell(value: object) -> str:
    if isinstance(value, bool | list | dict):
        return json.dumps(value)
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else str(value)


def write_parquet(found: Iterable[Row], columns: Sequence[str], path: Path) -> None:
    """Write rows as a Parquet file with the types of the fields. Raises ModelError and OutputError."""
    arrow = pyarrow()
    kinds = {"text": arrow.string(), "real": arrow.float64(), "truth": arrow.bool_(), "number": arrow.int64()}
    schema = arrow.schema([(name, kinds[kind(name)]) for name in columns])
    rows = iter(found)
    with writing(path) as file, arrow.parquet.ParquetWriter(file, schema) as writer:
        while some := list(islice(rows, AT_A_TIME)):
            flat = [{name: _flat(row.get(name)) for name in columns} for row in some]
            writer.write_table(arrow.Table.from_pylist(flat, schema=schema))


TEXTS = {
    "id",
    "title",
    "puzzle",
    "verdict",
    "metric",
    "trace",
    "engine",
    "diagrams",
    "encoding",
    "reason",
    "note",
    "chance",
}
REALS = {"seconds", "peak_mb", "timeout", "memory", "difficulty", *REAL}
TRUTHS = {"optimal", "checked", "turned", "gone"}
JSON = {"also", "same_as", "best", "game", "probability"}


def kind(name: str) -> str:
    """The type of a column: `text`, `real`, `truth` or `number`; costs are numbers."""
    if name in TEXTS | JSON | {"certificate"}:
        return "text"
    return "real" if name in REALS else "truth" if name in TRUTHS else "number"


def _flat(value: object) -> object:
    return json.dumps(value) if isinstance(value, list | dict) else value
