"""A data set: the answers of a run as shards of Parquet, with a manifest of digests.

Libraries for tables skip files whose names begin with `_`: they read the folder as one table. The manifest
is removed first and written last, so a folder without one is incomplete.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.installed import adding
from puzzlemc.reports.batch import sql
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.output.files import make_folder, output_error, write, writing
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import is_file, opened
from puzzlemc.screens.base.selection import SIGN

SHARD_ROWS = 100_000  # some megabytes of small levels
AT_ONCE = 1 << 20  # bytes
MANIFEST = "_manifest.json"
SHARDS = "part-[0-9][0-9][0-9][0-9][0-9].parquet"
# The columns and their types of Arrow, in the order of `sql.DATASET`. Before `seconds` come the costs by metric.
TYPES = {
    "file": "string",
    "level": "int64",
    "digest": "string",
    "puzzle": "string",
    "verdict": "string",
    "metric": "string",
    "cost": "int64",
    "optimal": "bool_",
    "bound": "int64",
    "reason": "string",
    "engine": "string",
    "states": "int64",
    "trace": "string",
    "seconds": "float64",
}


class Asked(NamedTuple):
    """What the answers of a data set are about.

    run      the number of the run in the store
    choices  the numbers of the options in the store, by puzzle
    inputs   the SHA-256 of the files of levels, by name
    limits   the limits of each level, by name
    """

    run: int
    choices: Mapping[str, int]
    inputs: Mapping[str, str]
    limits: Mapping[str, float]


def pyarrow() -> Any:
    """The library that writes Parquet. Raises ModelError if it is missing."""
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        raise ModelError(f"Parquet needs pyarrow: {adding('parquet')}") from None


def digests(files: Iterable[str]) -> dict[str, str]:
    """The SHA-256 of each file. What is no regular file, or cannot be read, is left out."""
    found = {}
    for name in filter(is_file, dict.fromkeys(files)):
        digest = sha256()
        with suppress(LevelError), opened(name) as file:  # the run reports what cannot be read
            while data := file.read(AT_ONCE):
                digest.update(data)
            found[name] = digest.hexdigest()
    return found


def write_dataset(store: Store, asked: Asked, folder: Path, shard_rows: int = SHARD_ROWS) -> int:
    """Write the answers of a run, a row for each name, in the order of files and numbers; return how many.

    Shards of an earlier data set in the folder are replaced or removed. Raises ModelError and OutputError.
    """
    arrow = pyarrow()
    metrics = [name for (name,) in store.query(sql.METRICS) if name not in TYPES]
    types = _types(metrics)
    make_folder(folder)
    _remove(folder / MANIFEST)
    answers, verdicts = sha256(), Counter[str]()
    shards: dict[str, dict[str, object]] = {}
    rows = _rows(store, asked, metrics)
    while some := [dict(zip(types, values, strict=True)) for values in islice(rows, shard_rows)]:
        for row in some:
            verdicts[row["verdict"]] += 1
            answers.update(f"{json.dumps([*row.values()][:-1])}\n".encode())
        path = folder / f"part-{len(shards):05}.parquet"
        schema = arrow.schema([(name, getattr(arrow, kind)()) for name, kind in types.items()])
        with writing(path) as file:
            arrow.parquet.write_table(arrow.Table.from_pylist(some, schema=schema), file, compression="zstd")
        shards[path.name] = {"rows": len(some), "sha256": digests([str(path)])[str(path)]}
    for path in folder.glob(SHARDS):
        if path.name not in shards:
            _remove(path)
    manifest = {
        "puzzlemc": version("puzzlemc"),
        "options": {puzzle: store.options(choice) for puzzle, choice in asked.choices.items()},
        "limits": asked.limits,
        "inputs": asked.inputs,
        "rows": verdicts.total(),
        "verdicts": verdicts,
        "answers": answers.hexdigest(),
        "shards": shards,
    }
    write(folder / MANIFEST, f"{json.dumps(manifest, indent=2)}\n")
    return verdicts.total()


def _types(metrics: Iterable[str]) -> dict[str, str]:
    """The columns and their types. The time, which no other run repeats, is the last one."""
    *first, last = TYPES.items()
    return dict([*first, *((name, "int64") for name in metrics), last])


def _rows(store: Store, asked: Asked, metrics: Iterable[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the values of each row."""
    found = store.each(sql.DATASET, asked.run, json.dumps(asked.choices))
    for id, digest, puzzle, verdict, metric, cost, optimal, *values, costs, seconds in found:
        file, _, number = id.rpartition(SIGN)
        place = (file, int(number)) if number.isdecimal() and file else (id, None)
        by_metric = json.loads(costs)
        is_optimal = None if optimal is None else bool(optimal)
        first = *place, digest, puzzle, verdict, metric, cost, is_optimal, *values
        yield *first, *(by_metric.get(name) for name in metrics), seconds


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise output_error(path, error) from None
