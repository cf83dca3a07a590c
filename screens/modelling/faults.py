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
    """Turn what a function raises into a LevelError at the level; limits and deliberate errors of others stay.

    The message is that of ValueError, with the type before it for other exceptions, and the line of the function.
    `where` stands before it.
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
        column = part.column if part.column > 1 else None
        raise LevelError(
            f"{where}{message}{_line_in(function, error.__traceback__)}",
            source=part.source,
            line=part.line,
            column=column,
        ) from error


def _line_in(function: Callable[..., Any], trace: TracebackType | None) -> str:
    """Return the innermost line of the function's file that an error has passed, in words; empty without one."""
    code = getattr(unwrap(function), "__code__", None)
    found = ""
    while trace is not None:
        if code is not None and trace.tb_frame.f_code.co_filename == code.co_filename:
            found = f" (raised in {code.co_filename}:{trace.tb_lineno})"
        trace = trace.tb_next
    return found
