"""`query`: does a formula hold?"""

import io
import json
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.cells import cell_len

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import (
    ASKED,
    LEVELS,
    LIMITS,
    OUTPUT,
    SEARCH,
    Memory,
    Quiet,
    Rules,
    flag,
    option,
)
from puzzlemc.reports.cli.common.session import bad_usage, in_worker, interruptible, require
from puzzlemc.reports.output.plain import plain, plain_lines
from puzzlemc.reports.output.terminal import clock, progress, show
from puzzlemc.reports.output.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from puzzlemc.encodings.puzzles import Entry
    from puzzlemc.mc.errors import FormulaError
    from puzzlemc.mc.limits import Limits
    from puzzlemc.reports.workers.worker import Worker

MOST_BYTES, MOST_FORMULAS = 1 << 24, 100_000  # of a file
UNKNOWN = 3
# By exit code: the answer, what several such answers are called, and its style on a terminal.
ANSWERS = {
    0: ("holds", "hold", "green"),
    1: ("does not hold", "do not hold", "red"),
    UNKNOWN: ("unknown", "unknown", "yellow"),
    2: ("error", "with an error", "bold red"),
    4: ("error", "refuted", "bold red"),
}
EXAMPLES = """
puzzlemc query level.xsb 'AG EF solved'
puzzlemc query level.xsb 'E[boxes_on_goal < 1 U solved]'
puzzlemc query levels.xsb 'AG EF solved'
puzzlemc query level.xsb -f formulas.ctl --json
puzzlemc query level.xsb invariants
"""


def query(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="LEVELS... [FORMULA]",
            autocompletion=values.levels,
            help=f"{LEVELS} Then a formula of CTL, as 'AG EF solved'; `puzzlemc puzzles NAME` lists its atoms."
            " Or the word invariants.",
        ),
    ],
    *,
    file: Annotated[
        Path | None,
        option(
            ASKED,
            "FILE",
            "Formulas, one a line; # begins a comment. Ends with the worst of their codes.",
            "--file",
            "-f",
        ),
    ] = None,
    rules: Rules,
    engine: Annotated[
        str,
        option(
            SEARCH,
            "ENGINE",
            "auto, explicit (state by state) or symbolic (decision diagrams).",
            autocompletion=values.one_of(*values.QUERY_ENGINES),
        ),
    ] = "auto",
    timeout: Annotated[
        float, option(LIMITS, "SECONDS", "Seconds of wall clock for each formula; 0 = no limit.", min=0)
    ] = 60.0,
    memory: Memory = 4.0,
    as_json: Annotated[
        bool, flag(OUTPUT, "--json", "One JSON object a formula on standard output, nothing else there.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Check CTL formulas on levels.

    In place of a formula, the word invariants lists what no move changes: sums of facts in whole numbers, modulo 2
    and modulo 3.

    Several levels give a row for each level and formula. Ends with 0: all hold, 1: some do not, 3: some are
    unknown, 2: bad usage or input (the other levels are still checked), 4: a bug.
    """
    from puzzlemc.encodings.puzzles import load
    from puzzlemc.mc.errors import FormulaError
    from puzzlemc.mc.limits import Limits
    from puzzlemc.mc.temporal.check import ENGINES
    from puzzlemc.mc.temporal.parser import parse
    from puzzlemc.reports.solve.result import PRECEDENCE

    require("--engine", engine, ("auto", *ENGINES))
    *levels, formula = arguments if file is None else (*arguments, "")
    if file is None and not levels and rules.puzzle is not None and rules.puzzle.endswith(".py"):
        levels = [rules.puzzle]  # those inside of it
    if file is None and not levels:
        raise typer.BadParameter("expected one of a formula and --file", param_hint="FORMULA")
    if file is not None and len(levels) > 1 and not Path(levels[-1].partition("#")[0]).exists():
        message = f"found no file {levels[-1]!r}, expected one of a formula and --file"
        raise typer.BadParameter(plain(message), param_hint="FORMULA")
    formulas = [(1, formula)] if file is None else _lines(file)
    limits = Limits.of(timeout, memory)
    entries = load(levels, rules.puzzle)
    several = len(entries) > 1
    table = None if as_json or not several else _Table(entries, formulas)
    codes: list[int] = []
    with (
        interruptible(lambda: f"interrupted after {len(codes)} of {len(entries) * len(formulas)} answers"),
        in_worker(memory, "puzzlemc.reports.ask.query") as worker,
        progress(len(entries) * len(formulas), "answers", shown=not quiet and several) as advance,
        clock("query", shown=not quiet and not several),
    ):
        if several and file is None:
            try:
                worker.run(parse, formula, seconds=limits.seconds)  # else each row would say what is wrong with it
            except FormulaError as error:
                raise typer.BadParameter(_marked(error, formula), param_hint="FORMULA") from None
        for entry in entries:
            for number, text in formulas:
                place = "" if file is None else f"{file}:{number}:"
                data, words, code = _answer(worker, entry, text, limits, engine, place, alone=not several)
                if as_json:
                    print(json.dumps(data), flush=True)
                elif table is not None:
                    table.add(data, code)
                elif words:
                    print(f"\n{words}" if codes else words, flush=True)
                codes.append(code)
                advance()
    if table is not None:
        table.close(codes)
    raise typer.Exit(next((code for code in PRECEDENCE if code in codes), 0))


def _answer(
    worker: "Worker", entry: "Entry", text: str, limits: "Limits", engine: str, place: str, *, alone: bool
) -> "tuple[dict[str, object], str, int]":
    """The answer for programs, for people, and as exit code.

    `place` is the place of the formula in a file. An error in the only level, or in its only formula, ends the
    program.
    """
    from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted, words_of
    from puzzlemc.reports.ask.query import answered_anew, unanswered
    from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED
    from puzzlemc.reports.workers.worker import WorkerDied
    from puzzlemc.screens.base.errors import LevelError

    def failed(reason: str, code: int) -> "tuple[dict[str, object], str, int]":
        print(plain(f"error: {reason}"), file=sys.stderr)
        return unanswered(entry, text, reason).as_json(), "", code

    try:
        data, words, code = worker.run(answered_anew, entry, text, limits, engine, seconds=limits.seconds)
    except LimitReached as limit:
        found = unanswered(entry, text, words_of(limit), worker.seconds)
        return found.as_json(), found.as_text(), found.exit_code
    except FormulaError as error:
        if alone and not place:
            raise typer.BadParameter(_marked(error, text), param_hint="FORMULA") from None
        if alone:
            return failed(f"{place}{error.column}: {error.message}", BAD_INPUT)
        return failed(f"{entry.id}: {place or 'FORMULA:'}{error.column}: {error.message}", BAD_INPUT)
    except (LevelError, ModelError) as error:
        if alone:
            raise typer.BadParameter(plain_lines(str(error))) from None
        return failed(str(error), BAD_INPUT)
    except Refuted as error:
        if alone:
            print(f"error: {plain_lines(str(error))}", file=sys.stderr)
            raise typer.Exit(REFUTED) from None
        return failed(str(error), REFUTED)
    except WorkerDied as death:
        if alone:
            raise
        return failed(f"{entry.id}: {death}", REFUTED)
    return data, words, code


class _Table:
    """Rows on standard output, one for each level and formula."""

    def __init__(self, entries: "Sequence[Entry]", formulas: "Sequence[tuple[int, str]]") -> None:
        self._levels = len(entries)
        self._alone = sys.stdout.isatty()  # there a file is named once, above the rows of its levels
        self._file: str | None = None
        ids = [self._called(entry.id) for entry in entries]
        self._id = max([len("level"), *map(cell_len, ids)] if self._alone else map(cell_len, ids))
        self._formula = 0 if len(formulas) == 1 else max(cell_len(plain(text)) for _, text in formulas)
        self._begun = False
        self._lists = False  # it lists sums, in place of answers to formulas

    def add(self, data: "Mapping[str, Any]", code: int) -> None:
        """Write a row: the answer, the number of states that satisfy the formula, and its evidence."""
        from puzzlemc.reports.cli.common.table import file_of

        if not self._begun:
            self._begun = True
            formula = f"{'formula':{self._formula}}  " if self._formula else ""
            show((f"{'level':{self._id}}  {formula}{'answer':16}{'true in':>24}  evidence", "bold"), cut=True)
        answer, _, style = ANSWERS[code]
        if code == UNKNOWN:
            answer = f"{answer}: {data['reason']}"
        states, evidence = "", ""
        if data["states"] is not None:
            states = f"{data['satisfying']:,} of {data['states']:,}"
        if data.get("invariants") is not None:
            self._lists = True
            answer = counted(len(data["invariants"]), "sums")
            evidence = "; ".join(found["words"] for found in data["invariants"])
        elif data["evidence"] is not None:
            from puzzlemc.encodings.puzzle.text import joined

            moves = joined(data["evidence"]["trace"] or ())
            evidence = f"{data['evidence']['kind']} {moves or '(no move)'}"
        formula = f"{_padded(data['formula'], self._formula)}  " if self._formula else ""
        if self._alone and file_of(data["id"]) != self._file:
            self._file = file_of(data["id"])
            show(plain(self._file))
        before = f"{_padded(self._called(data['id']), self._id)}  {formula}"
        line = f"{states:>24}  {evidence}".rstrip()
        show(before, (f"{answer:16}", style), line, cut=True)

    def _called(self, id: str) -> str:
        """The name of a level in a row."""
        from puzzlemc.reports.cli.common.table import number_of

        return plain(number_of(id) if self._alone else id)

    def close(self, codes: "Sequence[int]") -> None:
        """Write the summary."""
        counts = Counter(codes)
        named = {code: words for code, (_, words, _) in ANSWERS.items()} | ({0: "listed"} if self._lists else {})
        found = ", ".join(f"{counts[code]} {words}" for code, words in named.items() if counts[code])
        show(f"{counted(self._levels, 'levels')}, {counted(len(codes), 'answers')}: {found}")


def _padded(text: str, cells: int) -> str:
    return plain(text) + " " * (cells - cell_len(plain(text)))


def _lines(file: Path) -> list[tuple[int, str]]:
    """The formulas of a file, with the numbers of their lines. Raises typer.BadParameter."""
    from puzzlemc.screens.base.reading import read_text

    with bad_usage("--file", levels=True):
        text = read_text(file, MOST_BYTES, "formulas, one a line")
    lines = ((number, line.partition("#")[0].rstrip()) for number, line in enumerate(io.StringIO(text), 1))
    formulas = list(islice(((number, line) for number, line in lines if line.strip()), MOST_FORMULAS + 1))
    if not 0 < len(formulas) <= MOST_FORMULAS:
        found = (
            f"more than {MOST_FORMULAS} formulas, expected fewer"
            if formulas
            else "no formula, expected one a line"
        )
        raise typer.BadParameter(plain(f"{file}: found {found}"), param_hint="--file")
    return formulas


def _marked(error: "FormulaError", formula: str) -> str:
    """The error in a formula, with its place marked."""
    before, after = (plain(part) for part in (formula[: error.column - 1], formula[error.column - 1 :]))
    return f"{plain_lines(str(error))}\n  {before}{after}\n  {' ' * len(before)}^"
