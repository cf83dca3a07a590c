"""What commands have in common: Ctrl-C, a worker, standard output, choices."""

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import typer

from puzzlemc.reports.output.files import STANDARD_OUTPUT, write
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.run.interrupt import interrupt_taken

if TYPE_CHECKING:
    from puzzlemc.reports.run.worker import Worker

INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C
_notified: set[str] = set()


@contextmanager
def interruptible(interrupted: Callable[[], str]) -> Iterator[None]:
    """Around the writing of results: Ctrl-C ends the program with a word about what is done."""
    try:
        yield
    except KeyboardInterrupt:
        interrupt_taken()
        print(interrupted(), file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def in_worker(memory: float, preload: str, *, quiet: bool = False) -> Iterator["Worker"]:
    """A worker for a command; bad levels, and its death, end the program as they should."""
    from puzzlemc.mc.limits import GIB
    from puzzlemc.reports.run.result import REFUTED
    from puzzlemc.reports.run.worker import Worker, WorkerDied
    from puzzlemc.screens.errors import LevelError

    with Worker(int(memory * GIB), (preload,), None if quiet else notify) as worker:
        try:
            yield worker
        except LevelError as error:
            raise typer.BadParameter(plain(str(error))) from None
        except WorkerDied as death:
            print(plain(f"error: {death}"), file=sys.stderr)
            raise typer.Exit(REFUTED) from None


@contextmanager
def placed(output: Path, suffix: str = "") -> Iterator[Path]:
    """The path that a worker is to write to. What is for standard output, which it has not, is copied there."""
    if output != STANDARD_OUTPUT:
        yield output
        return
    with TemporaryDirectory() as folder:
        place = Path(folder, f"output{suffix}")
        yield place
        write(STANDARD_OUTPUT, place.read_bytes())


def notify(text: str) -> None:
    """Say on standard error what makes a command wait, and no words twice."""
    if text not in _notified:
        _notified.add(text)
        print(text, file=sys.stderr, flush=True)


def require(option: str, value: str, known: Collection[str]) -> None:
    """Raise typer.BadParameter unless the value is one of those that are known."""
    if value not in known:
        message = f"{plain(repr(value))} is unknown, expected one of {', '.join(known)}"
        raise typer.BadParameter(message, param_hint=option)
