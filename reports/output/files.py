"""Files that the program writes: in UTF-8 everywhere, `-` is standard output, and errors have the file's name."""

import errno
import hashlib
import os
import sys
from pathlib import Path

STANDARD_OUTPUT = Path("-")
BAD_OUTPUT, CLOSED = 2, 141  # exit codes; 141 is what shells report of a program that wrote to a closed pipe
MOST_BYTES = 200  # of a file's name: file systems take 255, and suffixes come behind it
_HASHED = 16  # digits of a hash


class OutputError(Exception):
    """Standard output or a file that takes no more. No OSError, so that no library takes it for its own affair."""

    def __init__(self, name: str, number: int) -> None:
        """`name` is the file's, `number` that of the system's error."""
        super().__init__(name, number)
        self.name = name
        self.number = number

    def __str__(self) -> str:
        return f"{self.name}: {os.strerror(self.number)}"

    @property
    def exit_code(self) -> int:
        """What the program ends with."""
        return CLOSED if self.number == errno.EPIPE else BAD_OUTPUT


def write(path: Path, content: str | bytes) -> None:
    """Write a file as a whole, or for `-` to standard output. Raises OutputError."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    if path == STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        path.write_bytes(data)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise OutputError(str(path), getattr(error, "errno", None) or errno.EINVAL) from None


def make_folder(path: Path) -> None:
    """Make sure that there is such a folder. Raises OutputError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise OutputError(str(path), getattr(error, "errno", None) or errno.EINVAL) from None


def short_name(name: str) -> str:
    """The name of a file, or where that is longer than file systems take, its start and a hash of all of it."""
    data = os.fsencode(name)
    if len(data) <= MOST_BYTES:
        return name
    start = data[: MOST_BYTES - _HASHED - 1].decode("utf-8", "ignore")
    return f"{start}-{hashlib.sha256(data).hexdigest()[:_HASHED]}"
