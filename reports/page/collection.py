"""The page on a collection: the contents of a store as one HTML file without external resources.

Numbers are about all levels. Pictures, the table and other lists have limits, and the page shows what is left out.
"""

import errno
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from puzzlemc.encodings.puzzles import Entry, colours, puzzles
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import GIB
from puzzlemc.reports.batch.difficulty import DEFINITION, marked
from puzzlemc.reports.batch.earlier import file_name
from puzzlemc.reports.batch.hardest import Found, Scale, scaled
from puzzlemc.reports.batch.measuring import measure_names
from puzzlemc.reports.batch.rows import Row, asked, stored_level
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.formats.drawing import css_class, svg_shapes
from puzzlemc.reports.measures.measure import measures
from puzzlemc.reports.measures.names import DIFFICULTY, NAMES
from puzzlemc.reports.measures.positions import MEASURES
from puzzlemc.reports.output.files import OutputError, leads_away, make_folder, write
from puzzlemc.reports.output.plain import xml
from puzzlemc.reports.output.words import no_solution_below, number, share
from puzzlemc.reports.page import plots
from puzzlemc.reports.page.html import page
from puzzlemc.reports.page.measured import figure
from puzzlemc.reports.page.replays import Replays
from puzzlemc.reports.page.report import solved
from puzzlemc.reports.page.report import written as as_text
from puzzlemc.reports.page.written import DRAWING
from puzzlemc.reports.page.written import write as write_report
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import PRECEDENCE, REFUTED, SOLVABLE, UNKNOWN
from puzzlemc.reports.workers.worker import Worker, WorkerDied
from puzzlemc.screens.base.errors import LevelError

SHOWN = 10  # hardest levels, and easiest ones
MOST_ROWS = 1000  # of the table
MOST_PICTURES = 300  # in the table
MOST_LISTED = 100  # unknown levels, errors, and groups of duplicates, of each
MOST_TEXT = 4000  # characters of a level that has a picture
_GAP = "\N{NO-BREAK SPACE}"  # between a number and its unit
VERDICTS = ("solvable", "unsolvable", "unknown", "error")


@dataclass
class _Sums:
    """Statistics of all rows."""

    verdicts: Counter[str] = field(default_factory=Counter)
    puzzles: Counter[str] = field(default_factory=Counter)
    choices: Counter[int] = field(default_factory=Counter)
    unproved: int = 0
    checked: int = 0
    certified: int = 0
    names: int = 0
    levels: set[int] = field(default_factory=set)
    turned: int = 0
    costs: "dict[str, array[float]]" = field(default_factory=lambda: defaultdict(lambda: array("d")))
    states: "array[float]" = field(default_factory=lambda: array("d"))
    seconds: "array[float]" = field(default_factory=lambda: array("d"))

    def add(self, row: Row) -> None:
        """Add a row."""
        self.verdicts[row["verdict"]] += 1
        self.puzzles[row["puzzle"]] += 1
        self.choices[row["choice"]] += 1
        self.unproved += row.result.is_unproved
        self.checked += bool(row["checked"])
        self.certified += row["certificate"] is not None
        self.names += 0 if row.key in self.levels else 1 + len(row["also"])
        self.levels.add(row.key)
        self.turned += bool(row["same_as"])
        if row["cost"] is not None and row["optimal"]:
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
    timeout: float | None = None,
    notify: Callable[[str], None] | None = None,
) -> int:
    """Write the page on a collection, and reports on its hardest levels; return the exit code.

    found    gives the rows; it is called several times
    single   the number of reports
    timeout  seconds for each of these levels; None: the time limit of the batch
    notify   gets a sentence for each missing part of a report

    The exit code is UNKNOWN if a part is missing. Raises OutputError, StoreError.
    """
    folder = path.with_name(f"{path.stem}-levels")
    code = SOLVABLE
    found, scale = scaled(found)
    if single:
        hardest = scale.hardest(found(), single, proved=False)
        code = _write_single(store, hardest, folder, timeout, notify)
    write(path, _Page(store, found, name, folder, scale).html())
    return code


def _short_names(files: Iterable[str]) -> dict[str, str]:
    """For each file, the shortest end of its path that is unique."""
    parts = {file: Path(file).parts for file in files}
    short = {file: file for file in parts if not parts[file]}
    length = 1
    while left := [file for file in parts if file not in short]:
        often = Counter(parts[file][-length:] for file in left)
        for file in left:
            if often[parts[file][-length:]] == 1 or length >= len(parts[file]):
                short[file] = str(Path(*parts[file][-length:]))
        length += 1
    return short


def _can_be_built(entry: Entry) -> bool:
    try:
        return entry.level is not None
    except (LevelError, ValueError):
        return False


def _single_name(store: Store, row: Row) -> str:
    """The file name of the report on a level."""
    return file_name(row["id"], store.content(row.key)) + ".html"


def _write_single(
    store: Store,
    rows: Iterable[Row],
    folder: Path,
    timeout: float | None,
    notify: Callable[[str], None] | None,
) -> int:
    """Write the reports on these levels; return the exit code."""
    if leads_away(folder):
        raise OutputError(str(folder), errno.ELOOP)
    make_folder(folder)
    codes = {SOLVABLE}
    for row in rows:
        asked = store.options(row["choice"])
        seconds = row["timeout"] if timeout is None else timeout
        options = Options(timeout=seconds, memory=row["memory"], **asked)
        entry = stored_level(store, row)
        missing: list[str] = []
        if entry is None:
            missing = ["its puzzle is not known here"]
        else:
            place = folder / _single_name(store, row)
            with Worker(int(options.memory * GIB), (DRAWING,)) as worker:
                try:
                    result = solved(entry, options)
                    arguments = (write_report, entry, options, result, place)
                    missing = worker.run(*arguments, seconds=options.timeout or None)
                except (LimitReached, ModelError) as error:
                    missing = [f"no report: {error}"]
                except (Refuted, WorkerDied) as error:
                    missing = [f"no report: {error}"]
                    codes.add(REFUTED)
        if missing:
            codes.add(UNKNOWN)
        for what in missing if notify is not None else ():
            assert notify is not None
            notify(f"{row['id']}: missing: {what}")
    return next(code for code in PRECEDENCE if code in codes)


class _Page:
    """The parts of the page."""

    def __init__(self, store: Store, found: Found, name: str, folder: Path, scale: Scale) -> None:
        self._store = store
        self._found = found
        self._name = name
        self._folder = folder
        self._scale = scale
        self._asked, self._options_of = asked(store)
        self._short = _short_names({id.rpartition("#")[0] for id in store.names()})
        self._replays = Replays()
        self._seen: dict[tuple[int, int], tuple[str, int | None]] = {}

    def html(self) -> str:
        """The page."""
        return page("collection.html.jinja", self._content())

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
            if (row["also"] or row["same_as"]) and row.key not in seen_groups and len(groups) < MOST_LISTED:
                groups.append(row)
                seen_groups |= self._twins(row)
        total = sums.verdicts.total()
        hardest = self._scale.hardest(self._found(), SHOWN)
        shown = {row.key for row in hardest}
        easiest = self._scale.easiest((row for row in self._found() if row.key not in shown), SHOWN)
        metrics, measures = self._metrics(rows), self._measures(rows)
        return {
            "name": self._name,
            "colours": [(css_class(name), *look) for name, look in colours().items()],
            "total": total,
            "levels": len(sums.levels),
            "asked": self._asked,
            "names": sums.names,
            "puzzles": ", ".join(name or "?" for name in sums.puzzles),
            "options": [self._options(choice) for choice in sums.choices],
            "bar": [(each, sums.verdicts[each], 100 * sums.verdicts[each] / max(total, 1)) for each in VERDICTS],
            "cards": list(self._cards(sums, total)),
            "plots": [*_plots(sums), *_curve(rows)],
            "by_difficulty": self._scale.by_difficulty,
            "hardest": [self._card(row) for row in hardest],
            "easiest": [self._card(row) for row in easiest],
            "unknown": [self._line(row) | {"why": _why(row)} for row in unknown],
            "unknowns": sums.verdicts["unknown"],
            "errors": [row["reason"] or row["id"] for row in errors],
            "error_count": sums.verdicts["error"],
            "groups": [self._group(row) for row in groups],
            "metrics": metrics,
            "measures": measures,
            "rows": [self._line(row, picture=place < MOST_PICTURES) for place, row in enumerate(rows)],
            "films": self._replays.films,
            "waiting": self._store.unanswered,
        }

    def _options(self, choice: int) -> str:
        asked = self._store.options(choice)
        words = [f"fewest {asked['metric']}" if asked["metric"] != "any" else "any solution"]
        words += [
            f"{name} {asked[name]}"
            for name in ("engine", "encoding")
            if asked.get(name, "auto") not in ("auto", "compact")
        ]
        return ", ".join(words)

    def _twins(self, row: Row) -> set[int]:
        """The levels of the same shape."""
        return {level for level, _ in self._store.of_shape(row.key)}

    def _metrics(self, rows: Iterable[Row]) -> list[str]:
        """The metrics of the costs in the table."""
        known = {metric: None for each in puzzles().values() for metric in each.metrics}
        found = dict.fromkeys(name for row in rows for name in known if name in row.result.costs)
        return list(found)

    def _measures(self, rows: Sequence[Row]) -> list[tuple[str, str, str]]:
        """The measures in the table: the name, a title, and the definitions for the puzzles that have it."""
        names = [name for name in measure_names(self._store) if any(row.get(name) is not None for row in rows)]
        names += [DIFFICULTY] if any(DIFFICULTY in row for row in rows) else []
        found: dict[str, dict[str, None]] = {name: {} for name in names}
        titles = {DIFFICULTY: DIFFICULTY}
        for puzzle in dict.fromkeys(row["puzzle"] for row in rows):
            for each in measures(puzzles()[puzzle]) if puzzle in puzzles() else MEASURES:
                if each.name in found:
                    found[each.name][each.definition] = None
                    titles.setdefault(each.name, each.title)
        if DIFFICULTY in found:
            found[DIFFICULTY][DEFINITION] = None
        return [(name, titles.get(name, name), " ".join(words)) for name, words in found.items()]

    def _cards(self, sums: _Sums, total: int) -> Iterator[tuple[str, str, str, str]]:
        solvable = sums.verdicts["solvable"]
        fewest = f"{share(solvable, total)} of the levels"
        if sums.unproved:
            fewest += f"; {number(sums.unproved)} of them have a solution that is not proved cheapest"
        yield "Can be solved", number(solvable), fewest, "good"
        bad = sums.verdicts["unsolvable"]
        yield "Cannot be solved", number(bad), f"{share(bad, total)} of the levels", "bad" if bad else ""
        if unknown := sums.verdicts["unknown"]:
            yield "Unknown", number(unknown), "a limit of time or memory came first", "unknown"
        if errors := sums.verdicts["error"]:
            yield "Errors", number(errors), "levels that could not be read, and failures of the program", "bad"
        seconds = sum(sums.seconds)
        each = f"{1000 * seconds / len(sums.seconds):.1f} ms a level" if sums.seconds else ""
        yield "Processor time", _time(seconds), each, ""
        if sums.certified:
            yield "Certificates", number(sums.certified), "which `verify` checks without any engine", ""
        twice = sums.names - len(sums.levels)
        if twice or sums.turned:
            words = [f"{number(twice)} more names for the same levels"] if twice else []
            words += [f"{number(sums.turned)} symmetric to another level"] if sums.turned else []
            yield "More than once", number(twice + sums.turned), "; ".join(words), ""

    def _card(self, row: Row) -> dict[str, Any]:
        facts = [row.result.cost_in_words(row.result.claimed) or row["verdict"]]
        if row["states"] is not None:
            facts.append(f"{number(row['states'])} state{'s' * (row['states'] != 1)}")
        facts.append(_time(row["seconds"]))
        if self._scale.by_difficulty:
            facts.insert(0, f"difficulty {marked(row, '–')}")
        return self._line(row) | {"facts": " · ".join(facts)}

    def _group(self, row: Row) -> dict[str, Any]:
        same = list(map(self._short_id, [row["id"], *row["also"]]))
        return self._line(row) | {"same": same, "turned": list(map(self._short_id, row["same_as"]))}

    def _line(self, row: Row, *, picture: bool = True) -> dict[str, Any]:
        link = self._folder / _single_name(self._store, row)
        svg, film = self._drawn(row) if picture else ("", None)
        return row | {
            "svg": svg,
            "short": self._short_id(row["id"]),
            "asked": self._options_of.get(row["choice"], ""),
            "solution": as_text(row["trace"]) if row["trace"] else "",
            "replay": "" if film is None else f"#replay={film}",
            "written": {
                name: row.result.cost_in_digits(name, number)
                for name, cost in row.result.costs.items()
                if cost is not None
            },
            "link": f"{quote(self._folder.name)}/{quote(link.name)}" if link.is_file() else "",
            "time": _time(row["seconds"]),
            "figures": {name: figure(name, row.get(name)) for name in NAMES} | {DIFFICULTY: marked(row, "–")},
        }

    def _short_id(self, id: str) -> str:
        """The name of a level, with the shortest unique end of its path."""
        file, mark, number = id.rpartition("#")
        return f"{self._short.get(file, file)}{mark}{number}"

    def _drawn(self, row: Row) -> tuple[str, int | None]:
        """A small picture of the start, and the number of the film; empty and None if there is none."""
        key = row.key, row["choice"]
        if key not in self._seen:
            entry = stored_level(self._store, row)
            if entry is None or len(entry.text or "") > MOST_TEXT or not _can_be_built(entry):
                self._seen[key] = "", None
            else:
                name = " · ".join(
                    filter(None, (row["title"], self._short_id(row["id"]), row.result.costs_in_words))
                )
                self._seen[key] = self._picture(entry, row), self._replays.add(entry, row.result, name)
        return self._seen[key]

    def _picture(self, entry: Entry, row: Row) -> str:
        """A small picture of the start."""
        level = entry.level
        shown = entry.puzzle.picture(level, entry.puzzle.rules.start(level))
        shapes = svg_shapes(shown.board) + svg_shapes(shown.pieces)
        size = f'viewBox="0 0 {shown.width:g} {shown.height:g}"'
        label = xml(f"{self._short_id(row['id'])} at its start")
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}">{shapes}</svg>'


def _plots(sums: _Sums) -> Iterator[tuple[str, str, str]]:
    """For each distribution, a caption, a plot, and a description in words."""
    for metric, costs in sums.costs.items():
        if len(costs) > 1:
            caption = f"Least cost in {metric}, of levels with a proof"
            yield caption, plots.distribution(costs, metric, f"cost-{metric}"), _spread(costs, number)
    if len(sums.states) > 1:
        plot = plots.distribution(sums.states, "states", "states", steps_by_factor=True)
        yield "States that were searched", plot, _spread(sums.states, number)
    if len(sums.seconds) > 1:
        plot = plots.distribution(sums.seconds, "processor time", "seconds", unit="s", steps_by_factor=True)
        yield "Processor time", plot, _spread(sums.seconds, _time)


def _curve(rows: Sequence[Row]) -> Iterator[tuple[str, str, str]]:
    """The difficulty of the levels, if they are in its order."""
    found = [row[DIFFICULTY] for row in rows if row.get(DIFFICULTY) is not None]
    if len(found) > 1 and sorted(found) in (found, found[::-1]):
        words = f"from {found[0]:g} to {found[-1]:g}, level by level in the order below"
        yield "Difficulty", plots.curve(found, "level", DIFFICULTY), words


def _spread(values: "array[float]", written: Callable[[Any], str]) -> str:
    """The minimum, the maximum and the median in words."""
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
