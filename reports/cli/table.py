"""Results as a table for people: a row as soon as a level is done, a summary at the end.

Levels of several puzzles share a table: it has a column for each metric of any of them, which is blank in the rows
of the others.
"""

import textwrap
from collections import Counter
from collections.abc import Collection, Sequence

from rich.cells import cell_len, set_cell_size

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.formats.drawing import inked
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import STYLES, is_terminal, show
from puzzlemc.reports.output.words import counted, no_solution_below
from puzzlemc.reports.run.compare import REFUSED, Row
from puzzlemc.reports.run.result import Result
from puzzlemc.reports.run.why import Why

MOST_TITLE = 32  # cells
MOST_MOVES = 8  # first moves of a game that are told


class Table:
    """Rows on standard output; columns and widths are known from the entries before anything is solved."""

    def __init__(
        self, entries: Sequence[Entry], metric: str | None, *, traces: bool, left_out: Collection[str] = ()
    ) -> None:
        """`metric` is what was asked for, and comes first; errors of puzzles that are left out get no rows."""
        self._traces = traces
        self._left_out = left_out
        self._id = max([cell_len(plain(entry.id)) for entry in entries], default=0)
        self._title = min(MOST_TITLE, max([len("title"), *(cell_len(plain(entry.title)) for entry in entries)]))
        asked = {entry.puzzle.name: entry.puzzle for entry in entries if entry.puzzle_name is not None}
        metrics = dict.fromkeys(name for each in asked.values() for name in each.metrics)
        self._metrics = sorted(metrics, key=lambda name: name != metric)
        self._begun = False

    def add(self, result: Result) -> None:
        """Write the row of a level."""
        if result.verdict == "error":
            if result.puzzle not in self._left_out:
                show((f"error: {plain(result.reason or '')}", STYLES["error"]))
            return
        if not self._begun:
            self._begun = True
            heads = "".join(f"{name:>8}" for name in self._metrics)
            show((f"{'level':{self._id}}  {'title':{self._title}}  {'verdict':10}{heads}  {'seconds':>8}", "bold"))
        place = f"{set_cell_size(plain(result.id), self._id)}  {set_cell_size(plain(result.title), self._title)}  "
        costs = "".join(f"{_cost(result, name):>8}" for name in self._metrics)
        told = f"  {result.seconds:8.3f}"
        if result.solutions is not None:
            told += "  1 solution" if result.solutions == 1 else f"  {result.solutions} solutions"
        if result.verdict == "unknown":
            below = _bound(result)
            told += f"  {result.reason}{below and '; '}{below}"
        if result.verdict == "unsolvable" and result.reason and result.why is None:
            told += f"  {result.reason}"
        if result.verdict == "solvable" and result.game:
            told += f"  {result.game['winner']} wins{_by(result.game.get('first_moves'))}"
        show(place, (f"{result.verdict:10}", STYLES[result.verdict]), costs + told)
        line = result.game.get("line") if result.game and result.trace is None else result.trace
        for trace in result.traces or (line,):
            if self._traces and (isinstance(trace, str) or trace is not None):
                moves = trace if isinstance(trace, str) else " ".join(trace)
                show((f"  {moves or '(already solved)'}", "cyan"))
        if self._traces and result.game and (first := result.game.get("first_moves")):
            told = " ".join(first[:MOST_MOVES])
            show(f"  first moves that win as soon: {told}{' …' if len(first) > MOST_MOVES else ''}")
        if result.drawing is not None:
            show(result.drawing if result.tints is None else inked(result.drawing, result.tints))
        if result.why is not None:
            _show_why(result.why)

    def close(self, results: Sequence[Result]) -> None:
        """Write the summary."""
        verdicts = Counter(result.verdict for result in results)
        told = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in STYLES if verdicts[verdict])
        seconds = sum(result.seconds for result in results)
        levels = "level" if len(results) == 1 else "levels"
        show(f"{len(results)} {levels}: {told}; {seconds:.2f} s of processor time")


def _show_why(why: Why) -> None:
    """Write the part that already cannot be done: on a terminal within the whole level, else alone."""
    show((f"  {why.scope} already cannot be done; {why.evidence}", "yellow"))
    show(f"  {why.words}")
    if not is_terminal():
        show(textwrap.indent(why.drawn.text, "    ", lambda _: True))
        return
    for row, line in enumerate(why.drawn.whole.split("\n")):
        signs = [
            (sign, "bold red" if (row, column) in why.drawn.bright else "dim") for column, sign in enumerate(line)
        ]
        show("    ", *signs)


def _bound(result: Result) -> str:
    """What is known of a level of which else nothing is."""
    if result.game:
        refuted = counted(result.game["refuted"], result.metric or "")
        return f"{result.game['to_move']} cannot force a win within {refuted}"
    return no_solution_below(result.bound or 0, result.metric or "")


def _by(moves: Sequence[str] | None) -> str:
    """How many first moves win, where that is known."""
    return "" if moves is None else f" by {len(moves)} first move{'s' * (len(moves) != 1)}"


def _cost(result: Result, metric: str) -> str:
    """A blank where the puzzle has no such metric, `-` where there is no cost."""
    if metric not in result.costs:
        return ""
    cost = result.costs[metric]
    return "-" if cost is None else str(cost)


def compared(rows: Sequence[Row]) -> None:
    """Write what each way did on all levels: how many it decided, its time and its visited states.

    Visited states are told where it counted those of all levels that it took.
    """
    show((f"{'':21}{'decided':>9}{'of':>5}{'seconds':>10}{'visited':>12}", "bold"))
    for name in dict.fromkeys(row.method for row in rows):
        mine = [row for row in rows if row.method == name]
        taken = [row for row in mine if row.verdict != REFUSED]
        decided = sum(row.verdict != "unknown" for row in taken)
        counts = [row.visited for row in taken if row.visited is not None]
        visited = str(sum(counts)) if taken and len(counts) == len(taken) else "-"
        seconds = sum(row.seconds for row in mine)
        show(f"{name:21}{decided:>9}{len(mine):>5}{seconds:>10.2f}{visited:>12}")
