"""`replay`: judge a given solution."""

import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.common.options import Json, Level, LevelLimits, Metric, Quiet, Rules
from puzzlemc.reports.cli.common.session import bad_usage, in_worker, interruptible
from puzzlemc.reports.output.terminal import clock, width
from puzzlemc.screens.base.reading import STANDARD_INPUT
from puzzlemc.screens.base.source import is_standard_input, text_of

if TYPE_CHECKING:
    from puzzlemc.reports.ask.replay import Replayed
    from puzzlemc.reports.solve.options import Options
    from puzzlemc.reports.solve.result import Result
    from puzzlemc.reports.workers.single import OneLevel

TEXT = "the solution"  # what errors call a text that is no file

EXAMPLES = """
puzzlemc replay level.xsb R
puzzlemc replay levels.xsb#1 R --json
puzzlemc replay levels.xsb#Cornered l2r
"""


def replay(
    level: Level,
    solution: Annotated[
        str,
        typer.Argument(
            metavar="SOLUTION",
            help="Moves such as 3r2U, or a file with them: as solve -o writes, .sok, or a planner's plan; or -.",
        ),
    ],
    *,
    rules: Rules,
    metric: Metric = None,
    limits: LevelLimits,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Is a solution right, how far is it from the best, which move lost?

    Ends with 0: it solves the level, 1: its moves are legal but do not, 2: a move is not legal, or bad usage or
    input, 4: a bug.
    """
    from puzzlemc.reports.ask.replay import best, completed, drawn, has_steps, replayed
    from puzzlemc.reports.solve.options import Options, choices
    from puzzlemc.reports.workers.single import OneLevel

    if solution == STANDARD_INPUT and is_standard_input(level):
        raise typer.BadParameter("level and solution cannot both be standard input", param_hint="SOLUTION")
    options = Options(metric, timeout=limits.timeout, memory=limits.memory)
    with (
        interruptible(),
        in_worker(limits.memory, "puzzlemc.reports.ask.replay", f"{level}: not replayed") as worker,
        bad_usage(),
    ):
        text, source = _text(solution)
        one = OneLevel(worker, level, rules.puzzle, options.limits.seconds)
        choices(one.puzzle, options)
        done = _readable(solution, source, lambda: one.run(replayed, text, source, metric))
        if not done.fault and one.run(has_steps):
            with clock("search", shown=not quiet):
                done = completed(
                    done,
                    lambda: _asked(one, level, best, options),
                    _decider(one, options, text, source),
                    lambda number: str(one.run_anew(drawn, text, source, number)),
                )
    text = json.dumps(done.as_json()) if as_json else done.as_text(width() if sys.stdout.isatty() else None)
    print(text, flush=True)
    raise typer.Exit(done.exit_code)


def _text(solution: str) -> tuple[str, str]:
    """The text of a solution, and its name in errors. Raises LevelError for a file that cannot be read."""
    is_file = os.path.exists(solution) and not os.path.isdir(solution)
    return (text_of(solution), solution) if is_file or solution == STANDARD_INPUT else (solution, TEXT)


def _readable(solution: str, source: str, replay: "Callable[[], Replayed]") -> "Replayed":
    """The replayed solution. Raises LevelError, with a hint if the text may name a missing file."""
    from puzzlemc.screens.base.errors import LevelError

    if source != TEXT:
        return replay()
    is_path = _looks_like_path(solution)
    try:
        done = replay()
        if not is_path or not done.fault:
            return done
    except LevelError as error:
        if error.source != source or (not is_path and len(solution.split()) != 1):
            raise
        if not is_path:
            message = f"{error.message}; there is no file of that name, either"
            raise LevelError(message, source=source, line=error.line, column=error.column) from None
    found = "a folder" if os.path.isdir(solution) else "no such file"
    raise LevelError(f"found {found}, expected a file with a solution, or moves", source=solution)


def _looks_like_path(text: str) -> bool:
    """Is a text more likely the name of a file than moves? Moves of some puzzles contain slashes, too."""
    if "\n" in text:
        return False
    begins = text.startswith(("/", "./", "../", "~"))
    return begins or re.search(r"\.\w{1,9}$", text) is not None or os.path.isdir(os.path.dirname(text) or text)


def _asked(one: "OneLevel", id: str, question: "Callable[..., Result]", *arguments: object) -> "Result":
    """The answer to a question about the level, under its limits; unknown if a limit ends it."""
    from puzzlemc.mc.errors import LimitReached
    from puzzlemc.reports.solve.result import Result

    try:
        found: Result = one.run_anew(question, *arguments)
    except LimitReached as limit:
        return Result(id, verdict="unknown", reason=limit.reason)
    return found


def _decider(one: "OneLevel", options: "Options", text: str, source: str) -> "Callable[[int, bool], Result]":
    """A function that decides whether a solution exists from the position after a given number of moves."""
    from puzzlemc.mc.errors import Refuted
    from puzzlemc.reports.ask.replay import decided

    def decide(number: int, prove: bool) -> "Result":
        found = _asked(one, source, decided, text, source, number, replace(options, prove=prove))
        if found.verdict == "error":
            raise Refuted(found.reason or "")
        return found

    return decide
