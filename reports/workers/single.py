"""A command's only level. A worker reads it and runs functions on it, all within one time limit."""

import contextlib
import functools
import io
import sys
import time
from collections.abc import Callable
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.reports.workers.worker import Worker, next_stage
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.source import MAX_BYTES, is_standard_input


class OneLevel:
    """The only level that an argument names. `seconds` is the limit for reading it and all calls of `run`."""

    def __init__(self, worker: Worker, argument: str, puzzle: str | None, seconds: float | None) -> None:
        """Read the level. Raises LevelError unless there is exactly one, and what `Worker.run` raises."""
        self._worker = worker
        self._key = argument, puzzle, standard_input([argument])
        self._seconds = seconds
        self._started = time.monotonic()
        self.puzzle: Puzzle = self.run(_puzzle)

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function with the level's entry and the arguments. Raises what `Worker.run` raises."""
        left = None
        if self._seconds is not None:
            left = max(0.0, self._seconds - (time.monotonic() - self._started))
        return self._worker.run(_with_level, self._key, function, arguments, seconds=left)

    def run_anew(
        self, function: Callable[..., Any], *arguments: Any, receive: Callable[[Any], None] = lambda _: None
    ) -> Any:
        """Call the function as `run` does, with the whole time limit again.

        If the process is a new one, it reads the level first; the limit starts after that. `receive` gets the
        messages that the function sends by `tell`.
        """
        asked = self._key, function, arguments, True
        return self._worker.run(_with_level, *asked, seconds=self._seconds, receive=receive)


def standard_input(arguments: list[str]) -> bytes | None:
    """The bytes of standard input, if an argument names it; the parent reads them, because workers cannot."""
    if not any(map(is_standard_input, arguments)) or sys.stdin is None:
        return None
    return sys.stdin.buffer.read(MAX_BYTES + 1)


def read(arguments: list[str], puzzle: str | None, data: bytes | None) -> list[Entry]:
    """The levels that arguments name; `data` are the bytes of standard input."""
    with contextlib.ExitStack() as stack:
        if data is not None:
            stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
            stack.callback(setattr, sys, "stdin", stdin)
        return list(load(arguments, puzzle))


@functools.lru_cache(maxsize=1)
def _entry(argument: str, puzzle: str | None, data: bytes | None) -> Entry:
    entries = read([argument], puzzle, data)
    if len(entries) != 1:
        such = f", such as {entries[0].id}" if entries else ""
        raise LevelError(f"found {len(entries)} levels, expected one{such}", source=argument)
    if entries[0].error is not None:
        raise entries[0].error
    return entries[0]


def read_level(entry: Entry) -> None:
    """Read the level of an entry. Raises LevelError."""
    if entry.error is not None:
        raise entry.error


def itself(entry: Entry) -> Entry:
    """The entry itself, for `OneLevel.run`."""
    return entry


def _puzzle(entry: Entry) -> Puzzle:
    return entry.puzzle


def _with_level(
    key: tuple[str, str | None, bytes | None],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    anew: bool = False,
) -> Any:
    entry = _entry(*key)
    if anew:
        next_stage()
    return function(entry, *arguments)
