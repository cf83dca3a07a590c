"""Results as a table for people: a row as soon as a level is done, a summary at the end.

Levels of several puzzles share a table. It has a column for each of their metrics, which is blank in the rows
of puzzles without that metric. On a terminal, a file is named once, above the rows of its levels, and rows fit the
width. Elsewhere each row has the whole id of its level and all remarks, for `grep` and similar tools.
"""

import sys
import textwrap
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from itertools import accumulate, islice, repeat
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from puzzlemc.mc.lexicographic import first
from puzzlemc.reports.output.plain import plain, plain_lines
from puzzlemc.reports.output.terminal import STYLES, show, takes_colours, width
from puzzlemc.reports.output.words import counted, no_solution_below, verdict_counted
from puzzlemc.reports.solve.result import Result

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzles import Entry
    from puzzlemc.reports.ask.compare import Row
    from puzzlemc.reports.solve.why import Why

LEAST_TITLE, MOST_TITLE = 8, 32  # cells
NO_WIDTH = 10_000  # columns of what is no terminal: lines are not broken
VERDICT = 10  # cells
COST, CLAIMED = 8, 12  # cells of a cost; of one that may have a bound beside it
SECONDS = 10  # cells
MOST_MOVES = 8  # first moves of a game that are shown


class Table:
    """Rows on standard output; columns and widths are fixed by the entries before anything is solved."""

    def __init__(
        self, entries: "Sequence[Entry]", metric: str | None, *, traces: bool, left_out: Collection[str] = ()
    ) -> None:
        """`metric` is the requested one and comes first; errors of excluded puzzles get no rows."""
        self._traces = traces
        self._left_out = left_out
        self._started = time.monotonic()
        self._width = width() if sys.stdout.isatty() else None
        self._file: str | None = None  # of the rows that are written, on a terminal
        ids = [entry.id if self._width is None else number_of(entry.id) for entry in entries]
        self._id = max([len("level"), *(cell_len(plain(id)) for id in ids)])
        self._title = min(MOST_TITLE, max([len("title"), *(cell_len(plain(entry.title)) for entry in entries)]))
        asked = {entry.puzzle.name: entry.puzzle for entry in entries if entry.puzzle_name is not None}
        metrics = dict.fromkeys(name for each in asked.values() for name in each.metrics)
        self._metrics = sorted(metrics, key=lambda name: name != metric)
        claimed = {first(metric or "")} & set(metrics) or {each.metrics[0] for each in asked.values()}
        self._costs = {name: CLAIMED if name in claimed else COST for name in self._metrics}
        self._indent = "" if self._width is None else "  "
        self._seconds = SECONDS
        if self._width is not None:
            room = self._width - len(self._indent) - self._id - 2 - VERDICT
            columns = fitting([*self._costs.values(), SECONDS], room)
            if columns <= len(self._costs):
                self._seconds, self._costs = 0, dict(islice(self._costs.items(), columns))
            room -= sum(self._costs.values()) + self._seconds + 2
            self._title = min(self._title, room) if room >= LEAST_TITLE else 0
        self._begun = False

    def add(self, result: Result) -> None:
        """Write the row of a level."""
        if result.verdict == "error":
            if result.puzzle not in self._left_out:
                show((self._folded(plain_lines(result.reason or ""), head="error: "), STYLES["error"]))
            return
        if not self._begun:
            self._begun = True
            heads = "".join(f"{name:>{wide}}" for name, wide in self._costs.items())
            heads += f"{'seconds':>{self._seconds}}" if self._seconds else ""
            show((f"{self._place('level', 'title')}{'verdict':{VERDICT}}{heads}", "bold"), cut=True)
        if self._width is not None and file_of(result.id) != self._file:
            self._file = file_of(result.id)
            show(plain(self._file))
        place = self._place(result.id if self._width is None else number_of(result.id), result.title)
        costs = "".join(f"{result.cost_in_digits(name):>{wide}}" for name, wide in self._costs.items())
        effort, drawing = result.effort, result.drawing
        seconds = effort.seconds if effort.wall_seconds is None else effort.wall_seconds
        costs += f"{seconds:{self._seconds}.3f}" if self._seconds else ""
        text = _remarks(result)
        fits = self._width is None or cell_len(place) + VERDICT + len(costs) + cell_len(text) <= self._width
        show(place, (f"{result.verdict:{VERDICT}}", STYLES[result.verdict]), costs + text * fits, cut=True)
        if not fits and text:
            show(self._wrapped(text.strip()))
        line = result.game.get("line") if result.game and result.trace is None else result.trace
        is_over = result.game is not None and "over" in result.game  # the row says that, and there is no move
        if result.best is not None:
            for words in textwrap.wrap(plain(result.note), (self._width or NO_WIDTH) - len(self._indent) - 2):
                show(f"  {self._indent}{words}")
        is_drawn = result.best is not None and drawing is not None
        traces = (result.count and result.count.traces) or (line,)
        for trace in traces if result.plans is None else ():
            if self._traces and not is_over and not is_drawn and (isinstance(trace, str) or trace is not None):
                moves = _joined(trace)
                show((self._folded(moves or "(already solved)", f"  {self._indent}"), "cyan"))
        if self._traces and result.plans is not None:
            for number, plan in enumerate(result.plans.plans, 1):
                moves = _joined(plan.trace) or "(already solved)"
                text = f"{number}: {counted(plan.cost, result.metric or '')}: {moves}"
                show((self._folded(text, f"  {self._indent}"), "cyan"))
        if self._traces and result.game and (first := result.game.get("first_moves")):
            text = _joined(first[:MOST_MOVES])
            more = " …" if len(first) > MOST_MOVES else ""
            show(self._folded(f"first moves that win as soon: {text}{more}", f"  {self._indent}"))
        if self._traces and result.plan is not None:
            for text in result.plan.lines():
                show(self._folded(plain(text), f"  {self._indent}"))
        if drawing is not None:
            from puzzlemc.reports.formats.drawing import inked  # it imports a library for images

            show(drawing.text if drawing.tints is None else inked(drawing.text, drawing.tints))
        for each in result.given or ():
            text = each.as_text(*result.least, result.bound)
            show((self._folded(plain(text), "  "), STYLES["solvable" if each.right else "error"]))
        if result.why is not None:
            self._show_why(result.why)

    def folded(self, id: str, note: str) -> str:
        """The remark of a row; on a terminal without the file, folded to the width."""
        if self._width is None:
            return plain(f"{id}: {note}")
        return self._wrapped(f"{number_of(id)}: {note}")

    def _wrapped(self, text: str) -> str:
        """Text below a row, folded to the width of the terminal."""
        assert self._width is not None
        indent = f"  {self._indent}"
        return textwrap.fill(plain(text), self._width, initial_indent=indent, subsequent_indent=indent)

    def _folded(self, text: str, indent: str = "", head: str = "") -> str:
        """`head` and text, folded at spaces to the width of a terminal. Longer words stay whole, such as paths."""
        if self._width is None:
            return f"{indent}{head}{text}"
        fold = partial(
            textwrap.fill,
            width=self._width,
            subsequent_indent=indent,
            replace_whitespace=False,
            break_long_words=False,
            break_on_hyphens=False,
        )
        heads = (f"{indent}{head}", *repeat(indent, text.count("\n")))
        return "\n".join(
            fold(line, initial_indent=start) for start, line in zip(heads, text.split("\n"), strict=True)
        )

    def summary(self, results: Sequence[Result]) -> str:
        """The number of levels by verdict, and the time that they took, in a line."""
        verdicts = Counter(result.verdict for result in results)
        unproved = sum(result.is_unproved for result in results)
        text = ", ".join(verdict_counted(verdicts[name], name, unproved) for name in STYLES if verdicts[name])
        seconds = sum(result.effort.seconds for result in results)
        levels = "level" if len(results) == 1 else "levels"
        passed = time.monotonic() - self._started
        return f"{len(results)} {levels}: {text}; {passed:.2f} s, {seconds:.2f} s of processor time"

    def close(self, results: Sequence[Result]) -> None:
        """Write the summary, and what is said of all levels."""
        show(self._folded(self.summary(results)))
        for name, what in {each.puzzle: each.count.what for each in results if each.count is not None}.items():
            show(self._folded(f"solutions of {name} that are counted: {what}"))
        if any(result.given is not None for result in results):
            given = [each for result in results for each in result.given or ()]
            right, wrong = sum(each.right for each in given), sum(each.wrong for each in given)
            saved = len(given) - right - wrong
            also = f"; {counted(saved, 'saved games')}" if saved else ""
            if not right + wrong:
                show(self._folded(f"no solutions in their files{also}"))
                return
            solutions = counted(right + wrong, "solutions")
            show(self._folded(f"{solutions} in their files: {right} right, {wrong} wrong{also}"))

    def _show_why(self, why: "Why") -> None:
        """Write the part that is unsolvable by itself: in colours within the whole level, else alone."""
        indent = f"  {self._indent}"
        for words, style in ((f"why: {why.words}", "yellow"), (f"{why.scope}; {why.evidence}", "")):
            wide = len(words) if self._width is None else self._width - len(indent)
            for line in textwrap.wrap(plain(words), wide):
                show(indent, (line, style))
        if not takes_colours():
            show(textwrap.indent(why.drawn.text, f"{indent}  ", lambda _: True))
            return
        for row, line in enumerate(why.drawn.whole.split("\n")):
            styles = ("bold red" if (row, column) in why.drawn.bright else "dim" for column in range(len(line)))
            show(f"{indent}  ", *zip(line, styles, strict=True))

    def _place(self, id: str, title: str) -> str:
        """The text before the verdict."""
        id = set_cell_size(plain(id), self._id)
        return f"{self._indent}{id}  {shortened(title, self._title)}  " if self._title else f"{self._indent}{id}  "


def shortened(title: str, cells: int) -> str:
    """A title in `cells` cells of a terminal; a longer one ends with an ellipsis."""
    title = plain(title)
    return set_cell_size(title, cells) if cell_len(title) <= cells else f"{set_cell_size(title, cells - 1)}…"


def fitting(columns: Iterable[int], room: int) -> int:
    """The number of columns of numbers that fit into `room` cells, from the left; at least one."""
    return max(1, sum(end <= room for end in accumulate(columns)))


def file_of(id: str) -> str:
    """The file in an id."""
    return id.rpartition("#")[0] or id


def number_of(id: str) -> str:
    """The part of an id that distinguishes the levels of a file."""
    return id[len(id.rpartition("#")[0]) :]


def _remarks(result: Result) -> str:
    """The remarks on a level, beside its numbers."""
    text = ""
    if result.count is not None:
        text += "  1 solution" if result.count.number == 1 else f"  {result.count.number} solutions"
    if result.plans is not None:
        text += f"  {result.plans}"
    if result.probability is not None:
        text += f"  probability {result.probability}"
    if result.verdict == "unknown":
        below = _bound(result)
        text += f"  {result.limit}{below and '; '}{below}"
    elif result.limit:
        text += f"  {result.limit}"
    if result.verdict == "unsolvable" and result.reason and result.why is None:
        text += f"  {result.reason}"
    if result.verdict == "solvable" and result.game and "over" in result.game:
        text += f"  {result.game['over']}"
    elif result.verdict == "solvable" and result.game:
        text += f"  {result.game['winner']} wins{_by(result.game.get('first_moves'))}"
    return text


def _bound(result: Result) -> str:
    """The bound of a level, if nothing else is known."""
    if result.game:
        refuted = counted(result.game["refuted"], result.metric or "")
        return f"{result.game['to_move']} cannot force a win within {refuted}"
    return no_solution_below(result.bound or 0, result.metric or "")


def _by(moves: Sequence[str] | None) -> str:
    """The number of winning first moves, if known."""
    return "" if moves is None else f" by {len(moves)} first move{'s' * (len(moves) != 1)}"


def compared(rows: "Sequence[Row]") -> None:
    """Write the totals of each method: decided levels, time, visited states.

    Visited states are given if the method counted them for all its levels.
    """
    from puzzlemc.reports.ask.compare import REFUSED

    show((f"{'':21}{'decided':>9}{'of':>5}{'seconds':>10}{'visited':>12}", "bold"), cut=True)
    for name in dict.fromkeys(row.method for row in rows):
        mine = [row for row in rows if row.method == name]
        taken = [row for row in mine if row.verdict != REFUSED]
        decided = sum(row.verdict != "unknown" for row in taken)
        counts = [row.visited for row in taken if row.visited is not None]
        visited = str(sum(counts)) if taken and len(counts) == len(taken) else "-"
        seconds = sum(row.seconds for row in mine)
        show(f"{name:21}{decided:>9}{len(mine):>5}{seconds:>10.2f}{visited:>12}", cut=True)


def _joined(moves: "str | Sequence[str]") -> str:
    """A trace as one text."""
    from puzzlemc.encodings.puzzle.text import joined  # a command that solves nothing needs no puzzle

    return joined(moves)
