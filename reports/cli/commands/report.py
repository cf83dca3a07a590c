"""`report`: the reachable states of a level."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import (
    OUTPUT,
    Chance,
    Levels,
    Measures,
    Quiet,
    Search,
    Within,
    option,
)
from puzzlemc.reports.cli.common.session import (
    Warned,
    failed,
    in_worker,
    interruptible,
    placed,
    refuse_inputs,
    require,
)
from puzzlemc.reports.output.files import STANDARD_OUTPUT, make_folder, write
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Never

    from puzzlemc.encodings.puzzles import Entry
    from puzzlemc.reports.page.index import Row
    from puzzlemc.reports.solve.options import Options
    from puzzlemc.reports.workers.worker import Worker

EXAMPLES = """
puzzlemc report level.xsb -o report.html
puzzlemc report levels.xsb#2 -o report.json
puzzlemc report level.fold -o -
puzzlemc report levels.xsb -o reports/
"""


def report(
    levels: Levels,
    output: Annotated[
        str,
        option(
            OUTPUT,
            "PATH",
            "What to write: .html, .json or .md; FOLDER/ for a report a level and an index; "
            "- is Markdown on standard output.",
            "--output",
            "-o",
        ),
    ],
    *,
    form: Annotated[
        str,
        option(
            OUTPUT,
            "FORMAT",
            "Of the reports in a folder: html, json or md.",
            "--format",
            autocompletion=values.one_of("html", "json", "md"),
        ),
    ] = "html",
    search: Search,
    within: Within = None,
    chance: Chance = "lucky",
    measures: Measures = False,
    quiet: Quiet = False,
) -> None:
    """Report on all states of a level, and on where it is lost.

    The verdict and its proof, a shortest solution to play, heat maps, plots, the state graph. Several levels give
    a report each in a folder, with an index. Search, proof and analysis each have the limits of time and memory.
    Ends with 0, 3 if a report is incomplete (the report says why), 2: bad usage or input
    (the other levels are still done), 4: a bug.
    """
    from puzzlemc.encodings.puzzles import files
    from puzzlemc.reports.page.written import FORMATS

    options = search.options(within=within, chance=chance, measured=measures)
    puzzle = search.rules.puzzle
    path = Path(output)
    if output.endswith("/") or path.is_dir():
        require("--format", f".{form}", tuple(FORMATS))
        _folder(levels, puzzle, options, path, f".{form}", quiet=quiet)
    if path != STANDARD_OUTPUT and path.suffix not in FORMATS:
        expected = f"expected a name that ends with .html, .json or .md, or a folder: {plain(path.name)}/"
        raise typer.BadParameter(f"found {plain(repr(output))}, {expected}", param_hint="--output")
    if len(levels) != 1:
        message = f"found {len(levels)} arguments for levels and one output, expected one level, or -o FOLDER/"
        raise typer.BadParameter(message, param_hint="--output")
    refuse_inputs([path], files(levels))
    _file(levels[0], puzzle, options, path, quiet=quiet)


def _file(level: str, puzzle: str | None, options: "Options", output: Path, *, quiet: bool) -> "Never":
    """Write the report on one level, and end the program."""
    from puzzlemc.mc.errors import LimitReached, ModelError, Refuted, words_of
    from puzzlemc.reports.page.report import solved
    from puzzlemc.reports.page.written import DRAWING
    from puzzlemc.reports.page.written import write as write_report
    from puzzlemc.reports.solve.options import choices
    from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, SOLVABLE, UNKNOWN
    from puzzlemc.reports.workers.single import OneLevel, itself

    suffix = ".md" if output == STANDARD_OUTPUT else output.suffix
    with (
        interruptible(),
        in_worker(options.memory, DRAWING) as worker,
        clock(f"{Path(level).name}: search", shown=not quiet) as say,
    ):

        def stage(what: str) -> None:
            say(f"{Path(level).name}: {what}")

        try:
            one = OneLevel(worker, level, puzzle, options.timeout or None)
            rules = one.puzzle
            choices(rules, options)
            result = solved(one.run(itself), options, say)
            Warned().write(result.warnings)
            stage("all states")
            with placed(output, suffix) as place:
                try:
                    missing = one.run_anew(write_report, options, result, place, receive=stage)
                except LimitReached as limit:
                    missing = one.run_anew(write_report, options, result, place, limit.reason, receive=stage)
        except LimitReached as limit:
            print(plain(f"{level}: no report: {words_of(limit)} came first"), file=sys.stderr)
            raise typer.Exit(UNKNOWN) from None
        except Refuted as refuted:
            raise failed(refuted, REFUTED) from None
        except ModelError as error:
            raise failed(error, BAD_INPUT) from None
        if output != STANDARD_OUTPUT:
            print(plain(str(output)))
        for what in missing:
            print(plain(f"{result.id}: missing: {what}"), file=sys.stderr)
    raise typer.Exit(UNKNOWN if missing else SOLVABLE)


def _folder(
    levels: "Sequence[str]", puzzle: str | None, options: "Options", folder: Path, suffix: str, *, quiet: bool
) -> "Never":
    """Write a report for each level and an index, and end the program. A level with an error gets no report."""
    from puzzlemc.encodings.puzzles import load
    from puzzlemc.reports.certify.file_names import file_stems
    from puzzlemc.reports.page.index import FORMATS
    from puzzlemc.reports.page.written import DRAWING
    from puzzlemc.reports.solve.result import exit_code

    entries = load(levels, puzzle)
    stems = file_stems([entry.id for entry in entries])
    make_folder(folder)
    index = folder / f"index{suffix}"
    rows: list[Row] = []
    warned = Warned()
    with (
        interruptible(lambda: f"interrupted after {len(rows)} of {len(entries)} levels"),
        in_worker(options.memory, DRAWING) as worker,
        clock("reports", shown=not quiet) as say,
    ):
        try:
            for number, entry in enumerate(entries, 1):
                path = folder / (stems[entry.id] + suffix)
                say(f"{number} of {len(entries)}: {Path(entry.id).name}")
                row = _row(worker, entry, options, path, say)
                rows.append(row)
                warned.write(row.result.warnings)
                if row.written is None:
                    print(
                        plain(f"{'error: ' * (row.result.verdict == 'error')}{row.result.reason}"), file=sys.stderr
                    )
                    continue
                print(plain(str(path)))
                for what in row.written.missing:
                    print(plain(f"{entry.id}: missing: {what}"), file=sys.stderr)
        finally:
            write(index, FORMATS[suffix](rows))
    print(plain(str(index)))
    results = [replace(row.result, code=_code(row)) for row in rows]
    raise typer.Exit(exit_code(results))


def _code(row: "Row") -> int:
    """The exit code of a level: whether its report is complete, not whether it can be solved."""
    from puzzlemc.reports.solve.result import SOLVABLE, UNKNOWN

    if row.result.verdict == "error":
        return row.result.exit_code
    return UNKNOWN if row.written is None or row.written.missing else SOLVABLE


def _row(worker: "Worker", entry: "Entry", options: "Options", path: Path, say: "Callable[[str], None]") -> "Row":
    """Write the report on a level; return its row of the index."""
    from puzzlemc.mc.errors import LimitReached, ModelError, Refuted, words_of
    from puzzlemc.reports.page.index import Row
    from puzzlemc.reports.page.report import solved
    from puzzlemc.reports.page.written import write_counted
    from puzzlemc.reports.solve.options import choices
    from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, UNKNOWN, Result
    from puzzlemc.reports.workers.single import read_level
    from puzzlemc.reports.workers.worker import WorkerDied
    from puzzlemc.screens.base.errors import LevelError

    result = Result(entry.id, entry.title, entry.puzzle_name)
    seconds = options.timeout or None
    try:
        worker.run(read_level, entry, seconds=seconds)
        choices(entry.puzzle, options)
        result = solved(entry, options, say)
        asked = (write_counted, entry, options, result.light, path)
        try:
            written = worker.run(*asked, seconds=seconds)
        except LimitReached as limit:
            written = worker.run(*asked, limit.reason, seconds=seconds)
    except LimitReached as limit:
        reason = f"{entry.id}: no report: {words_of(limit)} came first"
        verdict = "unknown" if result.verdict == "error" else result.verdict
        return Row(entry.id, entry.title, replace(result, verdict=verdict, reason=reason, code=UNKNOWN))
    except (LevelError, ModelError) as error:
        return Row(entry.id, entry.title, result.failed(str(error), BAD_INPUT))
    except (Refuted, WorkerDied) as error:
        return Row(entry.id, entry.title, result.failed(str(error), REFUTED))
    return Row(entry.id, entry.title, result.light, path.name, written)
