"""The program: a thin layer over `puzzlemc.reports.run`.

Results go to standard output, everything else to standard error. What takes time to import is imported in
the commands that need it, so that `--help` stays quick.
"""

import sys
import traceback

import typer

from puzzlemc.reports.cli.arguments import Command
from puzzlemc.reports.cli.batch import batch
from puzzlemc.reports.cli.compare import compare
from puzzlemc.reports.cli.convert import convert
from puzzlemc.reports.cli.export import export
from puzzlemc.reports.cli.generate import generate
from puzzlemc.reports.cli.options import CODES
from puzzlemc.reports.cli.play import play
from puzzlemc.reports.cli.puzzles import puzzles
from puzzlemc.reports.cli.query import query
from puzzlemc.reports.cli.report import report
from puzzlemc.reports.cli.results import results
from puzzlemc.reports.cli.session import INTERRUPTED
from puzzlemc.reports.cli.solve import check, solve
from puzzlemc.reports.cli.tournament import tournament
from puzzlemc.reports.cli.verify import verify
from puzzlemc.reports.output.files import OutputError
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import give_up_output, open_streams
from puzzlemc.reports.run.interrupt import catch_interrupts, interrupt_taken

app = typer.Typer(
    help="A symbolic model checker for puzzles: shortest solutions, or proofs that there is none.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.command(help=f"Is each level solvable? {CODES}", cls=Command)(check)
app.command(help=f"Like check, with a shortest trace of each solvable level. {CODES}", cls=Command)(solve)
app.command(cls=Command)(batch)
app.command()(results)
app.command()(verify)
app.command(cls=Command)(compare)
app.command(cls=Command)(convert)
app.command(cls=Command)(export)
app.command(cls=Command)(report)
app.command(cls=Command)(query)
app.command(cls=Command)(play)
app.command()(generate)
app.command(cls=Command)(tournament)
app.command()(puzzles)


def main() -> None:
    """Run the command line; ends the process with the exit code."""
    open_streams()
    catch_interrupts()
    try:
        try:
            app()
        finally:
            interrupt_taken()
            sys.stdout.flush()
    except OutputError as error:
        give_up_output()
        print(plain(str(error)), file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        interrupt_taken()
        sys.exit(INTERRUPTED)
    except Exception:
        # Python's own exit code for this is 1, which says that a level is unsolvable.
        from puzzlemc.reports.run.result import REFUTED

        traceback.print_exc()
        sys.exit(REFUTED)
