"""What a store says of a whole collection, as one HTML file, which opens from disk and loads nothing.

Numbers are of all levels; pictures and the table are of as many as a page can hold, and the page says of how many.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import nlargest, nsmallest
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from puzzlemc.encodings.puzzles import Entry, puzzles
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.batch.rows import Row, drawing, named_options
from puzzlemc.reports.batch.run import file_name
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.formats.drawing import css_class, svg_shapes
from puzzlemc.reports.output.files import make_folder, write
from puzzlemc.reports.output.plain import plain_lines, xml
from puzzlemc.reports.output.words import counted, no_solution_below, number, share
from puzzlemc.reports.page import plots
from puzzlemc.reports.page.report import solved
from puzzlemc.reports.page.written import write as write_report
from puzzlemc.reports.run.solve import Options
from puzzlemc.reports.run.worker import Worker, WorkerDied
from puzzlemc.screens.errors import LevelError
from puzzlemc.screens.part import Part
from puzzlemc.screens.picture import COLOURS

SHOWN = 10  # hardest levels, and easiest ones
MOST_ROWS = 1000  # of the table
MOST_PICTURES = 300  # in the table
MOST_LISTED = 100  # of unknown levels, of errors, of groups of duplicates
MOST_TEXT = 4000  # characters of a level that has a picture
_GAP = "\N{NO-BREAK SPACE}"  # between a number and its unit
VERDICTS = ("solvable", "unsolvable", "unknown", "error")

Found = Callable[[], Iterable[Row]]


@dataclass
class _Sums:
    """What is gathered of all rows."""

    verdicts: Counter[str] = field(default_factory=Counter)
    puzzles: Counter[str] = field(default_factory=Counter)
    choices: Counter[int] = field(default_factory=Counter)
    optimal: int = 0
    checked: int = 0
    certified: int = 0
    names: int = 0
    turned: int = 0
    costs: "dict[str, array[float]]" = field(default_factory=lambda: defaultdict(lambda: array("d")))
    states: "array[float]" = field(default_factory=lambda: array("d"))
    seconds: "array[float]" = field(default_factory=lambda: array("d"))

    def add(self, row: Row) -> None:
        """Add a row."""
        self.verdicts[row["verdict"]] += 1
        self.puzzles[row["puzzle"]] += 1
        self.choices[row["choice"]] += 1
        self.optimal += bool(row["optimal"])
        self.checked += bool(row["checked"])
        self.certified += row["certificate"] is not None
        self.names += 1 + len(row["also"])
        self.turned += bool(row["same_as"])
        if row["cost"] is not None:
            self.costs[row["metric"]].append(row["cost"])
        if row["states"] is not None:
            self.states.append(row["states"])
        if row["verdict"] != "error":
            self.seconds.append(row["seconds"])


def write_collection(
    store: Store,
    found: Found,
    name: str,
    path: Path,
    single: int = 0,
    notify: Callable[[str], None] | None = None,
) -> None:
    """Write the page on the rows that `found` gives, each time anew, and reports on so many of the hardest levels.

    `notify` is told which of those there is not, and why. Raises OutputError, StoreError.
    """
    folder = path.with_name(f"{path.stem}-levels")
    if single:
        _write_single(store, nlargest(single, _decided(found()), key=_hardness), folder, notify)
    write(path, _Page(store, found, name, folder).html())


def _decided(found: Iterable[Row]) -> Iterator[Row]:
    return (row for row in found if row["verdict"] in {"solvable", "unsolvable"})


def _hardness(row: Row) -> tuple[int, float]:
    """What makes a level hard: the states that were searched, and where they are not counted, the time."""
    return row["states"] or 0, row["seconds"]


def _single_name(store: Store, row: Row) -> str:
    """The name of the report on a level."""
    return file_name(row["id"], store.content(row["level"])) + ".html"


def _entry(store: Store, row: Row) -> Entry | None:
    """The level as it is in the store; None where its puzzle is not known here."""
    name, text = drawing(store, row["level"])
    if name not in puzzles():
        return None
    return Entry(row["id"], row["title"], puzzles()[name], part=Part(row["id"], 1, text, row["title"], ""))


def _write_single(store: Store, rows: Iterable[Row], folder: Path, notify: Callable[[str], None] | None) -> None:
    """Write the report on each of some levels."""
    make_folder(folder)
    for row in rows:
        told = named_options(store, row["choice"])
        options = Options(timeout=row["timeout"], memory=row["memory"], **told)
        entry = _entry(store, row)
        missing: list[str] = []
        if entry is None:
            missing = ["its puzzle is not known here"]
        else:
            place = folder / _single_name(store, row)
            with Worker(int(options.memory * GIB), ("puzzlemc.reports.page.written",)) as worker:
                try:
                    result = solved(entry, options)
                    arguments = (write_report, entry, options, result, place)
                    missing = worker.run(*arguments, seconds=options.timeout or None)
                except (LimitReached, Refuted, ModelError, WorkerDied) as error:
                    missing = [f"no report: {error}"]
        for what in missing if notify is not None else ():
            assert notify is not None
            notify(f"{row['id']}: missing: {what}")


class _Page:
    """The page, put together."""

    def __init__(self, store: Store, found: Found, name: str, folder: Path) -> None:
        self._store = store
        self._found = found
        self._name = name
        self._folder = folder

    def html(self) -> str:
        """The page."""
        environment = Environment(
            autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_plain
        )
        environment.filters |= {"number": number, "markup": Markup}
        template = files("puzzlemc.reports.page").joinpath("collection.html.jinja").read_text(encoding="utf-8")
        return environment.from_string(template).render(self._content())

    def _content(self) -> dict[str, Any]:
        sums = _Sums()
        rows: list[Row] = []
        unknown: list[Row] = []
        errors: list[Row] = []
        groups: list[Row] = []
        seen_groups: set[int] = set()
        for row in self._found():
            sums.add(row)
            if len(rows) < MOST_ROWS:
                rows.append(row)
            if row["verdict"] == "unknown" and len(unknown) < MOST_LISTED:
                unknown.append(row)
            if row["verdict"] == "error" and len(errors) < MOST_LISTED:
                errors.append(row)
            if (row["also"] or row["same_as"]) and row["level"] not in seen_groups and len(groups) < MOST_LISTED:
                groups.append(row)
                seen_groups |= self._twins(row)
        total = sums.verdicts.total()
        hardest = nlargest(SHOWN, _decided(self._found()), key=_hardness)
        shown = {row["level"] for row in hardest}
        solvable = (row for row in self._found() if row["verdict"] == "solvable" and row["level"] not in shown)
        easiest = nsmallest(SHOWN, solvable, key=_hardness)
        metrics = self._metrics(rows)
        return {
            "name": self._name,
            "colours": [(css_class(name), *look) for name, look in COLOURS.items()],
            "total": total,
            "names": sums.names,
            "puzzles": ", ".join(name or "?" for name in sums.puzzles),
            "options": [self._options(choice) for choice in sums.choices],
            "bar": [(each, sums.verdicts[each], 100 * sums.verdicts[each] / max(total, 1)) for each in VERDICTS],
            "cards": list(self._cards(sums, total)),
            "plots": list(_plots(sums)),
            "hardest": [self._card(row) for row in hardest],
            "easiest": [self._card(row) for row in easiest],
            "unknown": [self._line(row) | {"why": _why(row)} for row in unknown],
            "unknowns": sums.verdicts["unknown"],
            "errors": [row["reason"] or row["id"] for row in errors],
            "error_count": sums.verdicts["error"],
            "groups": [self._group(row) for row in groups],
            "metrics": metrics,
            "rows": [self._line(row, picture=place < MOST_PICTURES) for place, row in enumerate(rows)],
            "waiting": self._store.query(
                "SELECT count(*) FROM levels WHERE id NOT IN (SELECT level FROM results)"
            )[0][0],
        }

    def _options(self, choice: int) -> str:
        told = named_options(self._store, choice)
        words = [f"fewest {told['metric']}" if told["metric"] != "any" else "any solution"]
        words += [
            f"{name} {told[name]}"
            for name in ("engine", "encoding")
            if told.get(name, "auto") not in ("auto", "compact")
        ]
        return ", ".join(words)

    def _twins(self, row: Row) -> set[int]:
        """The levels of the same shape."""
        text = "SELECT id FROM levels WHERE shape = (SELECT shape FROM levels WHERE id = ?)"
        return {level for (level,) in self._store.query(text, row["level"])}

    def _metrics(self, rows: Iterable[Row]) -> list[str]:
        """The costs that the rows of the table have."""
        known = {metric: None for each in puzzles().values() for metric in each.metrics}
        found = dict.fromkeys(name for row in rows for name in known if name in row)
        return list(found)

    def _cards(self, sums: _Sums, total: int) -> Iterator[tuple[str, str, str, str]]:
        solvable = sums.verdicts["solvable"]
        best = f"{number(sums.optimal)} with the least cost known" if solvable else ""
        yield "Can be solved", number(solvable), f"{share(solvable, total)}{best and '; '}{best}", "good"
        bad = sums.verdicts["unsolvable"]
        yield "Cannot be solved", number(bad), f"{share(bad, total)} of the levels", "bad" if bad else ""
        if unknown := sums.verdicts["unknown"]:
            yield "Unknown", number(unknown), "a limit of time or memory came first", "unknown"
        if errors := sums.verdicts["error"]:
            yield "Errors", number(errors), "levels that could not be read, and worse", "bad"
        seconds = sum(sums.seconds)
        each = f"{1000 * seconds / len(sums.seconds):.1f} ms a level" if sums.seconds else ""
        yield "Processor time", _time(seconds), each, ""
        if sums.certified:
            yield "Certificates", number(sums.certified), "which `verify` checks without any engine", ""
        twice = sums.names - total
        if twice or sums.turned:
            words = [f"{number(twice)} more names for the same levels"] if twice else []
            words += [f"{number(sums.turned)} like another, rotated or mirrored"] if sums.turned else []
            yield "More than once", number(twice + sums.turned), "; ".join(words), ""

    def _card(self, row: Row) -> dict[str, Any]:
        facts = [counted(row["cost"], row["metric"])] if row["cost"] is not None else [row["verdict"]]
        if row["states"] is not None:
            facts.append(f"{number(row['states'])} state{'s' * (row['states'] != 1)}")
        facts.append(_time(row["seconds"]))
        return self._line(row) | {"facts": " · ".join(facts)}

    def _group(self, row: Row) -> dict[str, Any]:
        same = [row["id"], *row["also"]]
        return self._line(row) | {"same": same if row["also"] else same[:1], "turned": row["same_as"]}

    def _line(self, row: Row, *, picture: bool = True) -> dict[str, Any]:
        link = self._folder / _single_name(self._store, row)
        return row | {
            "svg": self._picture(row) if picture else "",
            "link": f"{quote(self._folder.name)}/{quote(link.name)}" if link.is_file() else "",
            "time": _time(row["seconds"]),
        }

    def _picture(self, row: Row) -> str:
        """The level at its start, small; empty where it has no picture."""
        entry = _entry(self._store, row)
        if entry is None or len(entry.text or "") > MOST_TEXT or row["verdict"] == "error":
            return ""
        try:
            level = entry.level
        except (LevelError, ValueError):
            return ""
        if level is None:
            return ""
        shown = entry.puzzle.screen.picture(level, entry.puzzle.rules.start(level))
        shapes = svg_shapes(shown.board) + svg_shapes(shown.pieces)
        size = f'viewBox="0 0 {shown.width:g} {shown.height:g}"'
        label = xml(f"{row['id']} at its start")
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}">{shapes}</svg>'


def _plots(sums: _Sums) -> Iterator[tuple[str, str, str]]:
    """A caption, a plot, and what it says in words, for each distribution."""
    for metric, costs in sums.costs.items():
        if len(costs) > 1:
            caption = f"Cost of the solutions in {metric}"
            yield caption, plots.distribution(costs, metric, f"cost-{metric}"), _spread(costs, number)
    if len(sums.states) > 1:
        plot = plots.distribution(sums.states, "states", "states", steps_by_factor=True)
        yield "States that were searched", plot, _spread(sums.states, number)
    if len(sums.seconds) > 1:
        plot = plots.distribution(sums.seconds, "processor time", "seconds", unit="s", steps_by_factor=True)
        yield "Processor time", plot, _spread(sums.seconds, _time)


def _spread(values: "array[float]", written: Callable[[Any], str]) -> str:
    """The middle and both ends."""
    ordered = sorted(values)
    is_number = written is number
    ends = ordered[0], ordered[len(ordered) // 2], ordered[-1]
    low, middle, high = (written(int(value) if is_number else value) for value in ends)
    return f"from {low} to {high}, half of them up to {middle}"


def _why(row: Mapping[str, Any]) -> str:
    below = no_solution_below(row["bound"] or 0, row["metric"] or "")
    return "; ".join(filter(None, (row["reason"], below)))


def _time(seconds: float) -> str:
    """A time for people."""
    if seconds < 0.9995:
        return f"{1000 * seconds:.3g}{_GAP}ms" if seconds >= 0.001 else f"<1{_GAP}ms"
    if seconds < 120:
        return f"{seconds:.3g}{_GAP}s"
    return f"{seconds / 60:.3g}{_GAP}min" if seconds < 7200 else f"{seconds / 3600:.3g}{_GAP}h"


def _plain(value: object) -> object:
    """Texts without what a browser takes for a command; markup is ready."""
    return plain_lines(value) if isinstance(value, str) and not isinstance(value, Markup) else value
