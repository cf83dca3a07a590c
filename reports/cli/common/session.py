"""Common to commands: Ctrl-C, errors, warnings, a worker, standard output, choices."""

import os
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from puzzlemc.mc.nearest import nearest
from puzzlemc.reports.output.files import STANDARD_OUTPUT, write
from puzzlemc.reports.output.plain import plain, plain_lines
from puzzlemc.reports.workers.interrupt import exit_code, interrupt_taken

if TYPE_CHECKING:
    from puzzlemc.reports.workers.worker import Worker


def failed(error: object, code: int) -> typer.Exit:
    """Write an error; return the exception that ends the program with a code."""
    print(plain_lines(f"error: {error}"), file=sys.stderr)
    return typer.Exit(code)


@contextmanager
def interruptible(interrupted: Callable[[], str] = lambda: "interrupted") -> Iterator[None]:
    """Within it, Ctrl-C and SIGTERM end the program with a message about the work that is done."""
    try:
        yield
    except KeyboardInterrupt:
        interrupt_taken()
        print(interrupted(), file=sys.stderr)
        raise typer.Exit(exit_code()) from None


@contextmanager
def bad_usage(parameter: str | None = None, *, levels: bool = False) -> Iterator[None]:
    """Within it, a ModelError ends the program as a bad value of a parameter; with `levels`, a LevelError too."""
    from puzzlemc.mc.errors import ModelError
    from puzzlemc.screens.base.errors import LevelError

    kinds: tuple[type[Exception], ...] = (ModelError, LevelError) if levels else (ModelError,)
    try:
        yield
    except kinds as error:
        raise typer.BadParameter(plain_lines(str(error)), param_hint=parameter) from None


@contextmanager
def in_worker(memory: float, preload: str, stopped: str | None = None) -> Iterator["Worker"]:
    """A worker for a command. Bad levels and the worker's death end the program with a message and a code.

    stopped  the message when a limit is reached, without the limit; None: the command handles limits.
             A command over several levels catches LevelError for each: it ends the program otherwise
    """
    from puzzlemc.mc.errors import LimitReached, words_of
    from puzzlemc.mc.limits import GIB
    from puzzlemc.reports.solve.result import REFUTED, UNKNOWN
    from puzzlemc.reports.workers.worker import Worker, WorkerDied, fork_ahead
    from puzzlemc.screens.base.errors import LevelError

    fork_ahead(1, (preload,))
    with Worker(int(memory * GIB), (preload,)) as worker:
        try:
            yield worker
        except LevelError as error:
            raise typer.BadParameter(plain_lines(str(error))) from None
        except WorkerDied as death:
            raise failed(death, REFUTED) from None
        except LimitReached as limit:
            if stopped is None:
                raise
            print(plain(f"{stopped}: {words_of(limit)}"), file=sys.stderr)
            raise typer.Exit(UNKNOWN) from None


class Warned:
    """The warnings about texts of levels that a command has written: a file has the same ones for all levels."""

    def __init__(self) -> None:
        self._written: dict[str, None] = {}

    @property
    def written(self) -> tuple[str, ...]:
        """What was written so far."""
        return tuple(self._written)

    def write(self, warnings: Iterable[str]) -> None:
        """Write those warnings that are new."""
        for warning in warnings:
            if warning not in self._written:
                self._written[warning] = None
                print(plain(warning), file=sys.stderr)


@contextmanager
def placed(output: Path, suffix: str = "") -> Iterator[Path]:
    """The path for a worker to write to. A text for standard output, which a worker lacks, is copied there."""
    if output != STANDARD_OUTPUT:
        yield output
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        place = Path(folder, f"output{suffix}")
        yield place
        write(STANDARD_OUTPUT, place.read_bytes())


def refuse_inputs(outputs: Iterable[Path], inputs: Iterable[Path | str]) -> None:
    """Raise typer.BadParameter if an output file is also an input. Two names of the same file count as one."""
    targets = {key: path for path in outputs if (key := _file_key(path)) is not None}
    for source in inputs if targets else ():
        if (key := _file_key(source)) is not None and (path := targets.get(key)) is not None:
            message = f"{path}: is also read, as {source}; expected another file to write to"
            raise typer.BadParameter(plain(message))


def same_file(path: Path, other: str) -> bool:
    """Do two names lead to the same regular file?"""
    key = _file_key(path)
    return key is not None and key == _file_key(other)


def _file_key(path: Path | str) -> tuple[int, int] | None:
    """The system's key of a regular file, independent of its name; None if there is no such file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def require(option: str, value: str, known: Collection[str]) -> None:
    """Raise typer.BadParameter unless the value is a known one."""
    if value not in known:
        message = f"{plain(repr(value))} is unknown, expected one of {', '.join(known)}{nearest(value, known)}"
        raise typer.BadParameter(message, param_hint=option)
