"""The program: a thin layer over the functions of `puzzlemc.reports`.

Results go to standard output, everything else to standard error. A command's module is imported when the command
is used, and imports slow modules itself, so that `--help` stays fast.
"""

import os
import sys
import traceback
from typing import Annotated

import typer

from puzzlemc.reports.cli.common.completing import VARIABLE, answer, is_asked
from puzzlemc.reports.cli.common.listed import Listed, program_of
from puzzlemc.reports.output.files import CLOSED, OutputError
from puzzlemc.reports.output.plain import plain, plain_lines
from puzzlemc.reports.output.terminal import give_up_output, open_streams
from puzzlemc.reports.workers.interrupt import (
    CTRL_C,
    HungUp,
    catch_interrupts,
    exit_code,
    interrupt_taken,
    is_interrupt,
)


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"puzzlemc {version('puzzlemc')}")
        raise typer.Exit


SOLVE, TELL, MAKE = "Solve levels", "Look into a level", "Play and make"  # the groups of commands
CODES = "Ends with 0: all are solvable, 1: some is not, 2: bad usage or input, 3: some unknown, 4: a bug."
COMMANDS = {
    "check": Listed(
        "puzzlemc.reports.cli.commands.solve:check", SOLVE, f"Is each level solvable? {CODES}", "CHECKED"
    ),
    "solve": Listed(
        "puzzlemc.reports.cli.commands.solve:solve",
        SOLVE,
        f"Like check, with a shortest trace of each solvable level. {CODES}",
        "SOLVED",
    ),
    "batch": Listed("puzzlemc.reports.cli.commands.batch:batch", SOLVE),
    "results": Listed("puzzlemc.reports.cli.commands.results:results", SOLVE),
    "verify": Listed("puzzlemc.reports.cli.commands.verify:verify", SOLVE),
    "report": Listed("puzzlemc.reports.cli.commands.report:report", TELL),
    "query": Listed("puzzlemc.reports.cli.commands.query:query", TELL),
    "replay": Listed("puzzlemc.reports.cli.commands.replay:replay", TELL),
    "compare": Listed("puzzlemc.reports.cli.commands.compare:compare", TELL),
    "export": Listed("puzzlemc.reports.cli.commands.convert:export", TELL, examples="EXPORTED"),
    "convert": Listed("puzzlemc.reports.cli.commands.convert:convert", MAKE, examples="CONVERTED"),
    "play": Listed("puzzlemc.reports.cli.commands.play:play", MAKE),
    "serve": Listed("puzzlemc.reports.cli.commands.serve:serve", MAKE),
    "generate": Listed("puzzlemc.reports.cli.commands.generate:generate", MAKE, kind="Generate"),
    "suggest": Listed("puzzlemc.reports.cli.commands.suggest:suggest", MAKE),
    "tournament": Listed("puzzlemc.reports.cli.commands.tournament:tournament", MAKE),
    "mcp": Listed("puzzlemc.reports.cli.commands.mcp:mcp", MAKE),
    "new-puzzle": Listed("puzzlemc.reports.cli.commands.puzzles:new_puzzle", MAKE, examples="STARTED"),
    "doctor": Listed("puzzlemc.reports.cli.commands.doctor:doctor", MAKE),
    "puzzles": Listed("puzzlemc.reports.cli.commands.puzzles:puzzles", MAKE, examples="LISTED"),
}

app = typer.Typer(
    help="A symbolic model checker for puzzles: shortest solutions, or proofs that there is none.",
    cls=program_of(COMMANDS),
    context_settings={"help_option_names": ["--help", "-h"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_tell_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """The program itself; its help is that of `app`."""


def main() -> None:
    """Run the command line; end the process with the exit code."""
    if is_asked(os.environ):
        text, code = answer(typer.main.get_command(app), os.environ)
        sys.stdout.buffer.write(text.encode())
        sys.exit(code)
    if VARIABLE not in os.environ:  # scripts for shells have tabs, and are no text for people
        open_streams()
    catch_interrupts()
    try:
        try:
            app(prog_name="puzzlemc")
        finally:
            interrupt_taken()
            sys.stdout.flush()
    except OutputError as error:
        give_up_output()
        if error.exit_code != CLOSED:  # whoever reads has had enough: no error
            print(plain(str(error)), file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        interrupt_taken()
        sys.exit(exit_code())
    except HungUp:
        raise
    except SystemExit as end:
        if "puzzlemc.encodings.puzzles" in sys.modules:  # else no puzzle ran, and importing it would take time
            _end_for_fault(end)
        if end.code == CTRL_C:  # typer gives the same code to both signals
            sys.exit(exit_code())
        raise
    except BaseException as error:
        if is_interrupt(error):
            sys.exit(exit_code())
        _end_for_fault(error)
        # Python's own exit code for this is 1, which says that a level is unsolvable.
        from puzzlemc.reports.solve.result import REFUTED

        traceback.print_exc()
        sys.exit(REFUTED)


def _end_for_fault(error: BaseException) -> None:
    """End the process with the code for bad input if a level, or the Python file of a puzzle, raised the error.

    If the error is that something was refuted, the process ends with the code for that.
    """
    from puzzlemc.encodings.puzzles import fault_of
    from puzzlemc.mc.errors import Refuted
    from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED
    from puzzlemc.screens.base.errors import LevelError

    fault = error if isinstance(error, LevelError) else fault_of(error)
    if fault is not None:
        print(plain_lines(f"Error: {fault}"), file=sys.stderr)
        sys.exit(BAD_INPUT)
    if isinstance(error, Refuted):
        print(plain_lines(f"Error: refuted: {error}"), file=sys.stderr)
        sys.exit(REFUTED)
