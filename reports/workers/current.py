"""The number of the current question of a worker, in a file that both processes have in memory.

A question has a number. It is current as long as the file holds this number; the worker reads it as often as it
reads its clock, and ends a search that is not current.
"""

import mmap
import os
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

WORD = 8  # bytes in a number


class CurrentNumber:
    """The number of the current question, and the path of the file that holds it."""

    def __init__(self) -> None:
        """Make the file. The first question has the number 0."""
        self.number = 0
        file, self.path = tempfile.mkstemp(prefix="puzzlemc-")
        os.write(file, bytes(WORD))
        self._shown = mmap.mmap(file, WORD)
        os.close(file)

    def next(self) -> int:
        """The number of another question, which is the current one now."""
        self.number += 1
        if self._shown.closed:
            return self.number
        self._shown[:WORD] = self.number.to_bytes(WORD, "little")
        return self.number

    def close(self) -> None:
        """Remove the file. Nothing happens the second time."""
        self._shown.close()
        with suppress(OSError):  # it is gone, or the worker has it in memory, and the system is Windows
            Path(self.path).unlink()


class Wanted(threading.Event):
    """An event that is set as soon as the file holds another number."""

    def __init__(self, path: str, number: int) -> None:
        super().__init__()
        self._mine = number.to_bytes(WORD, "little")
        with Path(path).open("rb") as file:
            self._shown = mmap.mmap(file.fileno(), WORD, access=mmap.ACCESS_READ)

    def is_set(self) -> bool:
        """Does the file hold another number?"""
        return self._shown[:WORD] != self._mine
