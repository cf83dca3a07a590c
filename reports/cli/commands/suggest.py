"""`suggest`: the smallest changes of a level that reach a wish."""

import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.reports.cli.common import values
from puzzlemc.reports.cli.common.options import (
    ASKED,
    OUTPUT,
    Certificates,
    Json,
    Level,
    LevelLimits,
    Quiet,
    Rules,
    option,
)
from puzzlemc.reports.cli.common.session import bad_usage, in_worker, interruptible, refuse_inputs
from puzzlemc.reports.output.files import STANDARD_OUTPUT, make_folder, write
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import clock

if TYPE_CHECKING:
    from puzzlemc.reports.suggest.request import Request

FILE_NAME = re.compile(r"^[^\n]*[^\n ]\.[A-Za-z][A-Za-z0-9]{0,9}$")  # no solution ends so

EXAMPLES = """
puzzlemc suggest levels.xsb#Cornered
puzzlemc suggest levels.xsb#Cornered --edits walls,boxes --most 1 --keep 2,2
puzzlemc suggest levels.xsb#1 --want intended=R
puzzlemc suggest levels.xsb#Cornered --certificate proofs -o repaired.xsb
"""


class _Output(NamedTuple):
    """Where suggested levels and certificates are written, and how the answer is shown."""

    levels: Annotated[
        Path | None,
        option(
            OUTPUT,
            "FILE",
            "Write the suggested levels, in the format of the suffix, such as .xsb; - is standard output.",
            "--output",
            "-o",
        ),
    ] = None
    certificates: Certificates = None
    as_json: Json = False
    quiet: Quiet = False


class _Wanted(NamedTuple):
    """What is wished, and what may be changed."""

    want: Annotated[
        str,
        option(
            ASKED,
            "WISH",
            "What shall hold after the change: solvable; unique; harder; longer[=N]; shorter[=N]; lean; "
            "intended=SOLUTION (moves, or a file with them), none is cheaper; "
            "only=SOLUTION, none with other pushes is as cheap, either; "
            "through=ROW,COL, every solution passes there.",
            autocompletion=values.wishes,
        ),
    ] = "solvable"
    edits: Annotated[
        str | None,
        option(
            ASKED,
            "KINDS",
            "The kinds of edits that may be made, with commas between them: such as walls,boxes.",
            show_default="the usual ones of the puzzle",
        ),
    ] = None
    keep: Annotated[
        list[str] | None,
        option(ASKED, "ROW,COL", "A cell that must look as it does, from 1; can be given several times."),
    ] = None
    most: Annotated[int, option(ASKED, "N", "The most edits in one change; not of lean.", min=1, max=10)] = 3
    by: Annotated[
        str,
        option(
            ASKED,
            "WORD",
            "What harder goes by: changes of the pushed box, pushes (the least cost), or lost positions.",
            autocompletion=values.one_of("changes", "pushes", "lost"),
        ),
    ] = "changes"
    count: Annotated[int, option(OUTPUT, "N", "The most suggestions.", min=1)] = 10  # type: ignore[assignment]

    def request(self) -> "Request":
        """The request. Raises ModelError for a value that is never right."""
        from puzzlemc.reports.suggest.request import Request, cell

        kinds = tuple(kind.strip() for kind in (self.edits or "").split(",") if kind.strip())
        keep = tuple(cell(each, "keep") for each in self.keep or ())
        found = Request(_with_solution(self.want), kinds, keep, self.most, self.count, self.by)
        found.check()
        return found


def _with_solution(want: str) -> str:
    """The wish, with the text of a file that it names as a solution. Raises LevelError and ModelError."""
    from puzzlemc.screens.base.source import text_of

    name, sign, value = want.partition("=")
    if sign and os.path.isfile(value):
        return f"{name}={text_of(value)}"
    if FILE_NAME.search(value):
        raise ModelError(f"{name}: there is no file {value}, expected a solution or the name of a file with one")
    return want


def suggest(
    level: Level,
    *,
    wanted: _Wanted,
    rules: Rules,
    limits: LevelLimits,
    output: _Output,
) -> None:
    """The smallest changes of a level that reach a wish.

    Ends with 0: there is a suggestion, or nothing to do, 1: no allowed change reaches it, 2: bad usage or input,
    3: not known, 4: a bug.
    """
    from puzzlemc.encodings.puzzles import files
    from puzzlemc.reports.ask.convert import Target, format_of
    from puzzlemc.reports.solve.options import Options
    from puzzlemc.reports.suggest.certified import certify_suggestions, without_certificates
    from puzzlemc.reports.suggest.collection import collection
    from puzzlemc.reports.suggest.suggest import suggest as suggested
    from puzzlemc.reports.suggest.words import as_text
    from puzzlemc.reports.workers.single import OneLevel

    with bad_usage(levels=True):
        request = wanted.request()
    target = None
    if output.levels is not None:
        if output.as_json and output.levels == STANDARD_OUTPUT:
            raise typer.BadParameter("found '-', expected a file with --json", param_hint="--output")
        refuse_inputs([output.levels], files(level))
        target = Target.of(str(output.levels), None)
    certificates = output.certificates
    if certificates is not None:
        make_folder(certificates)
    options = Options(timeout=limits.timeout, memory=limits.memory)
    with (
        interruptible(),
        in_worker(limits.memory, "puzzlemc.reports.suggest.suggest", f"{level}: nothing is known") as worker,
        bad_usage(),
        clock("search", shown=not output.quiet),
    ):
        one = OneLevel(worker, level, rules.puzzle, options.limits.seconds)
        if target is not None:
            if output.levels == STANDARD_OUTPUT:
                target = replace(target, suffix=next(iter(one.puzzle.level_formats)))
            format_of(one.puzzle, target)
        found = one.run_anew(suggested, request, options)
        if certificates is not None:
            try:
                notes = one.run_anew(certify_suggestions, request, options, found, certificates)
            except LimitReached as limit:
                notes = (without_certificates(limit),)
            found = replace(found, words=(*found.words, *notes))
        written = one.run_anew(collection, found, target) if target is not None and found.found else None
    shown = json.dumps(found.as_json()) if output.as_json else as_text(found)
    if output.levels != STANDARD_OUTPUT:
        print(shown, flush=True)
    elif not output.quiet:
        print(shown if written is None else "\n".join(map(plain, found.words)), file=sys.stderr)
    if output.levels is not None and written is not None:
        write(output.levels, written.data)
        if written.lost and not output.quiet:
            print(plain(f"{output.levels}: lost: {', '.join(written.lost)}"), file=sys.stderr)
    elif target is not None and not output.quiet:
        print(plain(f"{output.levels}: not written, for there is no suggestion"), file=sys.stderr)
    raise typer.Exit(found.exit_code)
