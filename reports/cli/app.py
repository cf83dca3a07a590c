"""The program: a thin layer over the functions of `puzzlemc.reports`.

Results go to standard output, everything else to standard error. Commands import slow modules
themselves, so that `--help` stays fast.
"""

import os
import sys
import traceback
from typing import Annotated

import typer

from puzzlemc.reports.cli.commands import (
    batch,
    compare,
    convert,
    export,
    generate,
    play,
    puzzles,
    query,
    replay,
    report,
    results,
    solve,
    tournament,
    verify,
)
from puzzlemc.reports.cli.common.arguments import Command
from puzzlemc.reports.cli.common.completing import VARIABLE, answer, is_asked
from puzzlemc.reports.cli.common.helping import Program
from puzzlemc.reports.cli.common.options import CODES
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


app = typer.Typer(
    help="A symbolic model checker for puzzles: shortest solutions, or proofs that there is none.",
    cls=Program,
    context_settings={"help_option_names": ["--help", "-h"]},
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

SOLVE, TELL, MAKE = "Solve levels", "Look into a level", "Play and make"  # the groups of commands

app.command(help=f"Is each level solvable? {CODES}", epilog=solve.CHECKED, rich_help_panel=SOLVE, cls=Command)(
    solve.check
)
app.command(
    help=f"Like check, with a shortest trace of each solvable level. {CODES}",
    epilog=solve.SOLVED,
    rich_help_panel=SOLVE,
    cls=Command,
)(solve.solve)
app.command(epilog=batch.EXAMPLES, rich_help_panel=SOLVE, cls=Command)(batch.batch)
app.command(epilog=results.EXAMPLES, rich_help_panel=SOLVE, cls=Command)(results.results)
app.command(epilog=verify.EXAMPLES, rich_help_panel=SOLVE, cls=Command)(verify.verify)
app.command(epilog=report.EXAMPLES, rich_help_panel=TELL, cls=Command)(report.report)
app.command(epilog=query.EXAMPLES, rich_help_panel=TELL, cls=Command)(query.query)
app.command(epilog=replay.EXAMPLES, rich_help_panel=TELL, cls=Command)(replay.replay)
app.command(epilog=compare.EXAMPLES, rich_help_panel=TELL, cls=Command)(compare.compare)
app.command(epilog=export.EXAMPLES, rich_help_panel=TELL, cls=Command)(export.export)
app.command(epilog=convert.EXAMPLES, rich_help_panel=MAKE, cls=Command)(convert.convert)
app.command(epilog=play.EXAMPLES, rich_help_panel=MAKE, cls=Command)(play.play)
app.command(epilog=generate.EXAMPLES, rich_help_panel=MAKE, cls=generate.Generate)(generate.generate)
app.command(epilog=tournament.EXAMPLES, rich_help_panel=MAKE, cls=Command)(tournament.tournament)
app.command(epilog=puzzles.EXAMPLES, rich_help_panel=MAKE, cls=Command)(puzzles.puzzles)


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
    """End the process with the code for bad input if a level, or the Python file of a puzzle, raised the error."""
    from puzzlemc.encodings.puzzles import fault_of
    from puzzlemc.reports.solve.result import BAD_INPUT
    from puzzlemc.screens.base.errors import LevelError

    fault = error if isinstance(error, LevelError) else fault_of(error)
    if fault is not None:
        print(plain_lines(f"Error: {fault}"), file=sys.stderr)
        sys.exit(BAD_INPUT)
