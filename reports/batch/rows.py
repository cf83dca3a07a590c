"""What a store holds as rows for programs: the fields of a result in their fixed order, and what a store adds."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.solve.result import Result

Key: TypeAlias = tuple[int, int]  # the number of a level in the store, and that of the options


class Row(dict[str, Any]):
    """The fields of one answer, for programs.

    result  the same answer with what people read of it
    key     the number of the level in the store; 0 where no store has it
    """

    def __init__(self, fields: Mapping[str, Any], result: Result) -> None:
        super().__init__(fields)
        self.result = result
        self.key = 0


_COLUMNS = (
    *("verdict", "metric", "cost", "optimal", "trace", "costs", "engine", "diagrams", "encoding", "checked"),
    *("bound", "reason", "seconds", "peak_mb", "states", "best", "game", "note", "code"),
)
RESULT = ", ".join(f"r.{name}" for name in _COLUMNS)
_ADDED = "r.timeout, r.memory, r.turned_from, r.certificate"


def as_result(values: Sequence[Any], puzzle: str) -> Result:
    """The result that the columns RESULT hold; it has the id and title of no level yet."""
    found = dict(zip(_COLUMNS, values, strict=True))
    states, code = found.pop("states"), found.pop("code")
    found |= {"costs": json.loads(found["costs"]), "trace": found["trace"] and json.loads(found["trace"])}
    found |= {name: found[name] and json.loads(found[name]) for name in ("best", "game")}
    found["checked"] = bool(found["checked"])
    found["optimal"] = None if found["optimal"] is None else bool(found["optimal"])
    statistics = None if states is None else Statistics(states=states)
    return Result("", "", puzzle, **found, exit_code=code, statistics=statistics)


def fields(store: Store) -> list[str]:
    """The fields of rows, in order: of a result, a cost for each metric that some level has, and of a store."""
    costs = [name for (name,) in store.query("SELECT DISTINCT c.key FROM results, json_each(costs) c ORDER BY 1")]
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
        "game",
        "note",
        "code",
        "also",
    ]
    return [*first, *then, "same_as", "timeout", "memory", "turned", "certificate", "gone", "level", "choice"]


def rows(store: Store, keys: Iterable[Key] | None = None) -> Iterator[Row]:
    """Each answer in the store, in the order in which the levels came, or those of some keys in their order.

    A level stands under its first name.

    Beside the fields of a result: `also`, the other names of the level; `same_as`, levels that are the same
    once rotated or mirrored; `states`, `code`, limits, `certificate`, and `level`, its number in its file. A
    level whose names stand for other levels by now is `gone`.
    """
    text = f"SELECT l.id, l.puzzle, l.shape, l.first, {_ADDED}, r.choice, {RESULT} "
    text += "FROM levels l JOIN results r ON r.level = l.id "
    found: Iterable[tuple[Any, ...]]
    if keys is None:
        found = store.each(f"{text} ORDER BY l.id, r.choice")
    else:
        found = (each for key in keys for each in store.query(f"{text} WHERE l.id = ? AND r.choice = ?", *key))
    for level, puzzle, shape, first, timeout, memory, turned_from, certificate, choice, *values in found:
        names = store.query("SELECT id, title FROM names WHERE level = ?", level)
        names.sort(key=lambda name: (name[0] != first, len(name[0]), name[0]))
        same = "SELECT id, first FROM levels WHERE shape = ? AND id != ? ORDER BY id"
        title = names[0][1] if names else ""
        row = named(as_result(values, puzzle), names[0][0] if names else first, title)
        row |= {
            "also": [name for name, _ in names[1:]],
            "same_as": [other for _, other in store.query(same, shape, level)],
            "timeout": timeout,
            "memory": memory,
            "turned": turned_from is not None,
            "certificate": certificate or None,
            "gone": not names,
            "choice": choice,
        }
        row.key = level
        yield row


def ordered(found: Iterable[Row], field: str) -> list[Key]:
    """The keys of rows in the order of a field, or, with `-` before its name, the other way round.

    Texts are ordered without regard to case, and numbers in them as numbers. Rows without the field come last.
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
    """A text in the order of people: 2 before 10."""
    parts = re.split(r"([0-9]+)", str(value).casefold())
    pairs = [(part, int(part) if part.isascii() and part.isdecimal() else None) for part in parts if part]
    return [(True, 0, part) if number is None else (False, number, "") for part, number in pairs]


def named(result: Result, id: str, title: str) -> Row:
    """The fields of a result by that name."""
    row = Row(result.as_json() | {"id": id, "title": title}, result)
    row.pop("wall_seconds", None)  # a store keeps processor time, which says the same on a busy machine
    row["states"] = None if result.statistics is None else result.statistics.states
    row["note"] = result.note or None
    row["code"] = result.exit_code
    number = id.rpartition("#")[2]
    row["level"] = int(number) if number.isdecimal() and number != id else None
    return row


def row(store: Store, level: int, choice: int, id: str, title: str) -> Row:
    """The answer for a level by one of its names."""
    return named(answer(store, level, choice), id, title)


def answer(store: Store, level: int, choice: int) -> Result:
    """The answer for a level with the options of that number; it has the id and title of no level."""
    text = f"SELECT l.puzzle, {RESULT} FROM levels l JOIN results r ON r.level = l.id "
    ((puzzle, *values),) = store.query(text + "WHERE l.id = ? AND r.choice = ?", level, choice)
    return as_result(values, puzzle)


def named_options(store: Store, choice: int) -> dict[str, Any]:
    """The options of that number, by name; limits are no part of them."""
    ((text,),) = store.query("SELECT told FROM choices WHERE id = ?", choice)
    found: dict[str, Any] = json.loads(text)
    return {name: value for name, value in found.items() if value is not None}


def asked(store: Store) -> tuple[str, dict[int, str]]:
    """What tells apart the answers for levels of one puzzle: names of options, and their values by `choice`.

    Nothing where each puzzle has been solved with one set of options.
    """
    text = "SELECT l.puzzle, group_concat(DISTINCT r.choice) FROM results r JOIN levels l ON l.id = r.level "
    differing: dict[str, None] = {}
    chosen: dict[int, dict[str, Any]] = {}
    for _, numbers in store.query(text + "GROUP BY l.puzzle"):
        several = {int(each): named_options(store, int(each)) for each in numbers.split(",")}
        chosen |= several
        for name in dict.fromkeys(name for told in several.values() for name in told):
            if len({told.get(name) for told in several.values()}) > 1:
                differing[name] = None
    words = {
        choice: " ".join(_option(name, told.get(name)) for name in differing) for choice, told in chosen.items()
    }
    return (" ".join(differing), words) if differing else ("", {})


def _option(name: str, value: object) -> str:
    return str(value) if not isinstance(value, bool) else name if value else f"no-{name}"


def drawing(store: Store, level: int) -> tuple[str, str]:
    """The puzzle of a level, and the level as text."""
    ((puzzle, text),) = store.query("SELECT puzzle, drawing FROM levels WHERE id = ?", level)
    return str(puzzle), str(text)


def rows_of_run(store: Store, run: int) -> Iterator[Row]:
    """The answers for all names of a run, those of earlier runs included, in the order of the levels.

    Of a level with answers for several options, that of the run, or the latest.
    """
    text = "SELECT id, title, level FROM names WHERE run = ? ORDER BY level, length(id), id"
    latest = "SELECT choice FROM results WHERE level = ? ORDER BY run DESC LIMIT 1"
    for id, title, level in store.each(text, run):
        for (choice,) in store.query(latest, level):
            yield row(store, level, choice, id, title)
