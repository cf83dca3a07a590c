"""Results as a table for people: a row as soon as a level is done, a summary at the end."""

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from puzzlemc.reports.compare import Row
from puzzlemc.reports.result import Result
from puzzlemc.screens.source import Entry

STYLES = {"solvable": "green", "unsolvable": "red", "unknown": "yellow", "error": "bold red"}


class Table:
    """Rows on standard output; the widths are known from the entries before anything is solved."""

    def __init__(self, entries: Sequence[Entry], *, traces: bool) -> None:
        self._traces = traces
        self._console = Console(highlight=False, soft_wrap=True)
        self._id = max([len(entry.id) for entry in entries], default=0)
        self._title = min(32, max([len("title"), *(len(entry.title) for entry in entries)]))
        self._begun = False

    def add(self, result: Result) -> None:
        """Write the row of a level."""
        if result.verdict == "error":
            self._console.print(Text(f"error: {result.reason}", STYLES["error"]))
            return
        names = sorted(result.costs, key=lambda name: name != result.metric)
        if not self._begun:
            self._begun = True
            heads = "".join(f"{name:>8}" for name in names)
            head = f"{'level':{self._id}}  {'title':{self._title}}  {'verdict':10}{heads}  {'seconds':>8}"
            self._console.print(Text(head, "bold"))
        title = result.title[: self._title]
        row = Text(f"{result.id:{self._id}}  {title:{self._title}}  ")
        row.append(f"{result.verdict:10}", STYLES[result.verdict])
        for name in names:
            cost = result.costs[name]
            row.append(f"{'-' if cost is None else cost:>8}")
        row.append(f"  {result.seconds:8.3f}")
        if result.solutions is not None:
            solutions = "1 solution" if result.solutions == 1 else f"{result.solutions} solutions"
            row.append(f"  {solutions}")
        if result.verdict == "unknown":
            row.append(f"  {result.reason}; no solution below {result.bound} {result.metric}")
        if result.verdict == "unsolvable" and result.reason:
            row.append(f"  {result.reason}")
        self._console.print(row)
        for trace in result.traces or (result.trace,):
            if self._traces and trace is not None:
                moves = trace if isinstance(trace, str) else " ".join(trace)
                self._console.print(Text(f"  {moves or '(already solved)'}", "cyan"))
        if result.drawing is not None:
            self._console.print(Text(result.drawing))

    def close(self, results: Sequence[Result]) -> None:
        """Write the summary."""
        verdicts = Counter(result.verdict for result in results)
        told = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in STYLES if verdicts[verdict])
        seconds = sum(result.seconds for result in results)
        levels = "level" if len(results) == 1 else "levels"
        self._console.print(Text(f"{len(results)} {levels}: {told}; {seconds:.2f} s of processor time"))


def compared(rows: Sequence[Row]) -> None:
    """Write what each way did on all levels: how many it decided, its time and its visited states."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(f"{'':21}{'decided':>9}{'of':>5}{'seconds':>10}{'visited':>12}", "bold"))
    for name in dict.fromkeys(row.method for row in rows):
        mine = [row for row in rows if row.method == name]
        decided = sum(row.verdict != "unknown" for row in mine)
        counts = [row.visited for row in mine if row.visited is not None]
        visited = str(sum(counts)) if len(counts) == len(mine) else "-"
        seconds = sum(row.seconds for row in mine)
        console.print(f"{name:21}{decided:>9}{len(mine):>5}{seconds:>10.2f}{visited:>12}")
