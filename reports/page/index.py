"""The index of a folder of reports: a row with a link for each level, as HTML, Markdown or JSON."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from puzzlemc.mc.lexicographic import first
from puzzlemc.reports.output.plain import markdown
from puzzlemc.reports.output.words import number, share, verdict_counted
from puzzlemc.reports.page.html import page
from puzzlemc.reports.page.written import Written
from puzzlemc.reports.solve.result import Result

NONE = "-"  # in a cell without a value
HEADS = ("level", "title", "puzzle", "verdict", "cost", "states", "lost", "remarks")


@dataclass(frozen=True)
class Row:
    """A level of the index.

    file     the name of its report in the folder; empty without a report
    written  the numbers of its report; None without a report
    """

    id: str
    title: str
    result: Result
    file: str = ""
    written: Written | None = None

    @property
    def cost(self) -> str:
        """The cost of the solution with its unit; empty for a constraint."""
        metric, cost = first(self.result.metric or ""), self.result.cost
        if cost is None or not metric or (cost == 0 and self.result.trace):
            return NONE
        return self.result.cost_in_words(metric)

    @property
    def states(self) -> str:
        """The number of reachable states, or a lower bound on it with the sign ≥."""
        if self.written is None or self.written.states is None:
            return NONE
        return f"{'' if self.written.complete else '≥ '}{number(self.written.states)}"

    @property
    def dead(self) -> str:
        """The share of the states that are lost."""
        if self.written is None or self.written.dead is None or not self.written.states:
            return NONE
        return share(self.written.dead, self.written.states)

    @property
    def remarks(self) -> str:
        """The error of the level, or the remark and the missing parts of its report."""
        if self.written is None:
            return self.result.reason or ""
        missing = f"{len(self.written.missing)} missing" if self.written.missing else ""
        return ", ".join(filter(None, (self.written.remark, missing)))

    @property
    def cells(self) -> tuple[str, ...]:
        """All cells, in the order of `HEADS`."""
        known = self.id, self.title, self.result.puzzle or "", self.result.verdict
        return (*known, self.cost, self.states, self.dead, self.remarks)

    def as_json(self) -> dict[str, object]:
        """The row for programs."""
        written = self.written
        return {
            "file": self.file or None,
            "result": self.result.as_json(),
            "states": written and written.states,
            "complete": written is not None and written.complete,
            "dead": written and written.dead,
            "missing": [] if written is None else written.missing,
        }


def summary(rows: Sequence[Row]) -> str:
    """The numbers of levels by verdict."""
    counts = Counter(row.result.verdict for row in rows)
    unproved = sum(row.result.is_unproved for row in rows)
    return ", ".join(verdict_counted(count, verdict, unproved) for verdict, count in counts.items())


def _html(rows: Sequence[Row]) -> str:
    linked = [(quote(row.file), row.result.verdict, row.cells) for row in rows]
    return page("index.html.jinja", {"heads": HEADS, "rows": linked, "summary": summary(rows)})


def _markdown(rows: Sequence[Row]) -> str:
    lines = ["# Reports", "", markdown(summary(rows)), "", f"| {' | '.join(HEADS)} |", f"|{'---|' * len(HEADS)}"]
    for row in rows:
        id, *others = map(markdown, row.cells)
        link = f"[{id}]({quote(row.file)})" if row.file else id
        lines.append(f"| {' | '.join([link, *others])} |")
    return "\n".join(lines) + "\n"


def _json(rows: Sequence[Row]) -> str:
    return json.dumps([row.as_json() for row in rows], indent=1) + "\n"


# The writers of the index by suffix, as for reports.
FORMATS: dict[str, Callable[[Sequence[Row]], str]] = {".html": _html, ".md": _markdown, ".json": _json}
