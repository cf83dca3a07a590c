"""`generate`: random levels."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlemc.reports.cli.options import Memory, Timeout
from puzzlemc.reports.cli.session import in_worker, interruptible, require
from puzzlemc.reports.output.files import STANDARD_OUTPUT, write
from puzzlemc.reports.output.plain import plain

if TYPE_CHECKING:
    pass


def generate(
    puzzle: Annotated[str, typer.Argument(help="One of `puzzlemc puzzles`; not of every puzzle.")],
    size: Annotated[str, typer.Option(help="Rows of a square board, or ROWSxCOLUMNS.")] = "4",
    colours: Annotated[int, typer.Option(help="How many colours.")] = 4,
    seed: Annotated[int, typer.Option(help="The same seed gives the same level.")] = 0,
    unique: Annotated[bool, typer.Option("--unique", help="With one solution.")] = False,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="- is standard output.")
    ] = STANDARD_OUTPUT,
    timeout: Timeout = 60.0,
    memory: Memory = 4.0,
) -> None:
    """Make a level at random, and find out how many solutions it has. Ends with 3 where a limit stops that."""
    from puzzlemc.encodings.puzzles import puzzles
    from puzzlemc.mc.errors import LimitReached, ModelError
    from puzzlemc.mc.limits import GIB, Limits
    from puzzlemc.reports.run.generate import generate as generated
    from puzzlemc.reports.run.result import UNKNOWN

    require("PUZZLE", puzzle, [name for name, each in puzzles().items() if each.generate is not None])
    match = re.fullmatch(r"([0-9]{1,4})(?:x([0-9]{1,4}))?", size)
    if match is None:
        raise typer.BadParameter(f"found {size!r}, expected ROWS or ROWSxCOLUMNS", param_hint="--size")
    rows, columns = int(match[1]), int(match[2] or match[1])
    drawn: list[str] = []
    with interruptible(lambda: "interrupted"), in_worker(memory, "puzzlemc.reports.run.generate") as worker:
        asked = (puzzle, rows, columns, colours, seed, unique, Limits(timeout or None, int(memory * GIB)))
        try:
            level, number = worker.run(generated, *asked, seconds=timeout or None, receive=drawn.append)
        except ModelError as error:
            raise typer.BadParameter(plain(str(error))) from None
        except LimitReached as limit:
            if not drawn:
                what = "no level with one solution was found" if unique else "no level was drawn"
                print(f"{what}: {limit.reason}", file=sys.stderr)
                raise typer.Exit(UNKNOWN) from None
            level, number = drawn[-1], None
    about = number if isinstance(number, str) else f"solutions: {'not counted' if number is None else number}"
    text = f"% {about}\n{level}\n"
    write(output, text)
    if number is None:
        print("its solutions were not counted: the limit of time or memory came first", file=sys.stderr)
        raise typer.Exit(UNKNOWN)
