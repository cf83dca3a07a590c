"""What an author's function raises about a level, as an error of the level that names the author's line, too."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import unwrap
from types import TracebackType
from typing import Any

from puzzlemc.mc.errors import LIMITS, ModelError, PuzzlemcError
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part


@contextmanager
def blamed(function: Callable[..., Any], part: Part, where: str = "") -> Iterator[None]:
    """Turn what a function raises into a LevelError; limits and deliberate errors of others stay.

    A ValueError says what is wrong with the level, so the level is its place. Any other exception is a fault of
    the author's file, as a ModelError is: its place is the line of that file. `where` stands before the message.
    """
    try:
        yield
    except (LevelError, *LIMITS):
        raise
    except Exception as error:
        if isinstance(error, PuzzlemcError) and not isinstance(error, ModelError):
            raise
        message = " ".join(str(error).split())
        if not isinstance(error, ValueError) or not message:
            message = f"{type(error).__name__}: {message}" if message else type(error).__name__
        line = _line_in(function, error.__traceback__)
        if line is not None and (isinstance(error, ModelError) or not isinstance(error, ValueError)):
            message += f", for the level in {part.source}:{part.line}"
            raise LevelError(where + message, source=line[0], line=line[1]) from error
        raised = "" if line is None else f" (raised in {line[0]}:{line[1]})"
        column = part.column if part.column > 1 else None
        raise LevelError(f"{where}{message}{raised}", source=part.source, line=part.line, column=column) from error


def _line_in(function: Callable[..., Any], trace: TracebackType | None) -> tuple[str, int] | None:
    """Return the innermost line of the function's file that an error has passed; None without one."""
    code = getattr(unwrap(function), "__code__", None)
    found = None
    while trace is not None:
        if code is not None and trace.tb_frame.f_code.co_filename == code.co_filename:
            found = code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return found
