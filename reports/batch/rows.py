"""Rows for programs: the fields of a result in a fixed order, and what a store adds to them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from puzzlemc.encodings.puzzles import Entry, puzzles
from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.batch import sql
from puzzlemc.reports.batch.measuring import has_measures, measure_names, measures_of
from puzzlemc.reports.batch.store import Key, Store
from puzzlemc.reports.crew.jobs import SymmetricResult
from puzzlemc.reports.solve.result import Effort, Probability, Result, Search, Solution
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.reading import Unfiled


class Row(dict[str, Any]):
    """The fields of one answer.

    result  the same answer as a result
    key     the number of the level in the store; 0 without a store
    """

    def __init__(self, fields: Mapping[str, Any], result: Result) -> None:
        super().__init__(fields)
        self.result = result
        self.key = 0


def as_result(values: Sequence[Any], puzzle: str) -> Result:
    """The result in the values of `sql.COLUMNS`, without id and title."""
    found = dict(zip(sql.COLUMNS, values, strict=True))
    costs, trace = json.loads(found["costs"]), found["trace"] and json.loads(found["trace"])
    solution = None
    if found["optimal"] is not None:
        solution = Solution(trace, found["cost"], bool(found["optimal"]), costs)
    statistics = None if found["states"] is None else Statistics(states=found["states"])
    best = found["best"] and json.loads(found["best"])
    is_probability = best is not None and sql.PROBABILITY in best
    same = ("verdict", "metric", "bound", "reason", "note", "code")
    return Result(
        "",
        "",
        puzzle,
        **{name: found[name] for name in same},
        metrics=tuple(costs),
        solution=solution,
        checked=bool(found["checked"]),
        search=Search(found["engine"], found["diagrams"], found["encoding"], statistics),
        effort=Effort(found["seconds"], None, found["peak_mb"]),
        best=None if is_probability else best,
        probability=Probability.read(best[sql.PROBABILITY]) if is_probability else None,
        game=found["game"] and json.loads(found["game"]),
    )


def fields(store: Store) -> list[str]:
    """The fields of rows, in order: of a result, with a cost for each metric in the store, and of a store."""
    costs = [name for (name,) in store.query(sql.METRICS) if name != "cost"]  # that of the question
    first = [
        "id",
        "title",
        "puzzle",
        "verdict",
        "metric",
        "cost",
        "optimal",
        "trace",
        *costs,
        "engine",
        "diagrams",
    ]
    then = [
        "encoding",
        "checked",
        "bound",
        "reason",
        "seconds",
        "peak_mb",
        "states",
        "best",
        "chance",
        "probability",
        "game",
        "note",
        "code",
        "also",
    ]
    return [
        *first,
        *then,
        *measure_names(store),
        "same_as",
        "timeout",
        "memory",
        "turned",
        "certificate",
        "gone",
        "level",
        "choice",
    ]


def rows(store: Store, keys: Iterable[Key] | None = None) -> Iterator[Row]:
    """Yield all answers in the order in which the levels were added, or the answers of the keys in their order.

    The row of a level has its first name. Beside the fields of a result: `also`, the other names of the level;
    `same_as`, levels that are equal up to symmetry; `states`, `code`, limits, `certificate`, and `level`, its
    number in its file. A level is `gone` if its names belong to other levels now.
    """
    measures = dict.fromkeys(measure_names(store))
    found: Iterable[tuple[Any, ...]]
    if keys is None:
        found = store.each(sql.ALL_ROWS)
    else:
        found = (each for key in keys for each in store.query(sql.ROW, *key))
    for level, puzzle, first, timeout, memory, turned_from, certificate, choice, *values in found:
        names = store.query(sql.NAMES, level)
        names.sort(key=lambda name: (name[0] != first, len(name[0]), name[0]))
        title = names[0][1] if names else ""
        row = named(as_result(values, puzzle), names[0][0] if names else first, title)
        if measures:
            row |= measures | measures_of(store, level)
        row |= {
            "also": [name for name, _ in names[1:]],
            "same_as": [other for number, other in store.of_shape(level) if number != level],
            "timeout": timeout,
            "memory": memory,
            "turned": turned_from is not None,
            "certificate": certificate or None,
            "gone": not names,
            "choice": choice,
        }
        row.key = level
        yield row


def stored_level(store: Store, row: Row) -> Entry | None:
    """The level of a row, as the store has it; None if its puzzle is not known."""
    name, text = store.drawing(row.key)
    if name not in puzzles():
        return None
    source = Unfiled(row["id"])
    # A puzzle may write a level as a whole file, of which only a part is the text of the level.
    parts = list(puzzles()[name].screen.cut(text, source))
    part = parts[0] if len(parts) == 1 else None
    if not isinstance(part, Part):  # it could not be read when it was solved
        part = Part(source, 1, text, "", "")
    return Entry(row["id"], row["title"], puzzles()[name], part=part._replace(title=row["title"]))


def ordered(found: Iterable[Row], field: str) -> list[Key]:
    """The keys of rows sorted by a field, in descending order with `-` before its name.

    Texts are compared without case, and numbers in them by value. Rows without the field come last.
    """
    name = field.removeprefix("-")
    known: list[tuple[Any, Key]] = []
    missing: list[Key] = []
    for row in found:
        value = row.get(name)
        key = row.key, row["choice"]
        if value is None:
            missing.append(key)
        else:
            known.append((value if isinstance(value, int | float) else _natural(value), key))
    known.sort(key=lambda each: each[0], reverse=field.startswith("-"))
    return [key for _, key in known] + missing


def _natural(value: object) -> list[tuple[bool, int, str]]:
    """A key that sorts numbers in a text by value: 2 before 10."""
    parts = re.split(r"([0-9]+)", str(value).casefold())
    pairs = [(part, int(part) if part.isascii() and part.isdecimal() else None) for part in parts if part]
    return [(True, 0, part) if number is None else (False, number, "") for part, number in pairs]


def named(result: Result, id: str, title: str) -> Row:
    """The fields of a result under a name."""
    row = Row(result.as_json() | {"id": id, "title": title}, result)
    row.pop("wall_seconds", None)  # a store keeps processor time, which does not depend on the load of the machine
    row["states"] = None if result.search.statistics is None else result.search.statistics.states
    row["note"] = result.note or None
    row["code"] = result.exit_code
    number = id.rpartition("#")[2]
    row["level"] = int(number) if number.isdecimal() and number != id else None
    return row


def row(store: Store, level: int, choice: int, id: str, title: str) -> Row:
    """The answer for a level under one of its names, with its measures if it was measured."""
    row = named(answer(store, (level, choice)), id, title)
    if has_measures(store):
        row |= measures_of(store, level)
    return row


def answer(store: Store, key: Key) -> Result:
    """The answer for a level and options, without id and title."""
    ((puzzle, *values),) = store.query(sql.RESULT, *key)
    return as_result(values, puzzle)


def earlier_answer(store: Store, key: Key) -> Result | None:
    """The answer for `key`, or None."""
    found = store.query(sql.RESULT, *key)
    return as_result(found[0][1:], found[0][0]) if found else None


def symmetric_answer(store: Store, key: Key) -> SymmetricResult | None:
    """The verdict on a level that equals this one up to symmetry, for the same options."""
    level, choice = key
    shape, own_turn = store.shape(level)
    found = store.query(sql.SYMMETRIC_RESULT, shape, level, choice)
    if not found:
        return None
    other, turn, puzzle, *values = found[0]
    return SymmetricResult(as_result(values, puzzle), turn, own_turn, other)


def asked(store: Store) -> tuple[str, dict[int, str]]:
    """The options in which answers for levels of one puzzle differ: their names, and their values by `choice`.

    Empty if each puzzle was solved with one set of options.
    """
    differing: dict[str, None] = {}
    chosen: dict[int, dict[str, Any]] = {}
    for _, numbers in store.query(sql.CHOICES_BY_PUZZLE):
        several = {int(each): store.options(int(each)) for each in numbers.split(",")}
        chosen |= several
        for name in dict.fromkeys(name for options in several.values() for name in options):
            if len({options.get(name) for options in several.values()}) > 1:
                differing[name] = None
    words = {
        choice: " ".join(_option(name, options.get(name)) for name in differing)
        for choice, options in chosen.items()
    }
    return (" ".join(differing), words) if differing else ("", {})


def _option(name: str, value: object) -> str:
    return str(value) if not isinstance(value, bool) else name if value else f"no-{name}"


def rows_of_run(store: Store, run: int) -> Iterator[Row]:
    """Yield the answers for all names of a run, with answers of earlier runs, in the order of the levels.

    If a level has answers for several options, yields that of the run, or the latest one.
    """
    for id, title, level in store.each(sql.NAMES_OF_RUN, run):
        for (choice,) in store.query(sql.LATEST_CHOICE, level):
            yield row(store, level, choice, id, title)
