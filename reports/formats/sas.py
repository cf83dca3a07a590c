"""Finite-domain tasks as files, with errors that name the file (`mc/tasks/sas.py` has the format)."""

from puzzlemc.mc.tasks.sas import MOST_BYTES, TextError, write
from puzzlemc.mc.tasks.sas import read as task_of
from puzzlemc.mc.tasks.task import Task
from puzzlemc.screens.base.errors import LevelError

__all__ = ["MOST_BYTES", "read", "write"]


def read(text: str, source: str) -> Task:
    """The task of a text. Raises LevelError with the line of what is wrong."""
    try:
        return task_of(text)
    except TextError as error:
        raise LevelError(error.message, source=source, line=error.line) from None
