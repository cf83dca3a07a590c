"""Files that the program reads: each has a limit of bytes, and a FIFO that no program writes to is an error.

A name can lead to a device that never ends, or to a FIFO that never begins. So every read has a limit, and a FIFO
is opened without waiting for its other end. Once a program has opened the FIFO for writing, a read waits for data
as long as that program keeps it open; a read of standard input does the same.

A process that answers strangers reads files below certain folders alone (`only_below`).
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from puzzlemc.mc.system.reading import open_to_read
from puzzlemc.screens.base.errors import LevelError

STANDARD_INPUT = "-"
DESCRIPTORS = ("/dev/fd/", "/proc/self/fd/")  # of `<(command)` in shells; a worker inherits none
WAIT_SECONDS = 5.0  # for a program that opens a FIFO for writing

Path = str | os.PathLike[str]

_folders: Sequence[str] | None = None  # below which files may be read; None: anywhere


class Unfiled(str):
    """The name, in messages, of a text that is in no file, such as one that was pasted."""

    __slots__ = ()


def is_file(source: str) -> bool:
    """Is this the name of a file, and not that of another text? There may be a file that has the same name."""
    return source != STANDARD_INPUT and not isinstance(source, Unfiled) and os.path.isfile(source)


@contextmanager
def only_below(folders: Sequence[str]) -> Iterator[None]:
    """Within it, files are read only if they are below one of the folders, whose paths are absolute, without
    links.

    A file outside raises LevelError, and so does a link that leads outside.
    """
    global _folders
    before, _folders = _folders, folders
    try:
        yield
    finally:
        _folders = before


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file, or standard input for `-`, to read bytes. Raises LevelError, also if a read within it fails."""
    try:
        if os.fspath(path) == STANDARD_INPUT:
            if sys.stdin is None:  # a program can be started without one
                raise ValueError("standard input is closed")
            yield sys.stdin.buffer
        else:
            with open_to_read(os.fspath(path), WAIT_SECONDS, _folders) as file:
                yield file
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name, a closed standard input
        reason = getattr(error, "strerror", None) or error
        if isinstance(error, FileNotFoundError) and os.fspath(path).startswith(DESCRIPTORS):
            reason = "the process that reads it has no such descriptor, expected a regular file"
        raise LevelError(f"cannot be read: {reason}", source=os.fspath(path)) from None


def read_bytes(path: Path, most: int, expected: str, *, whole: bool = True) -> bytes:
    """Return the bytes of a file, or of standard input for `-`. Raises LevelError.

    A file of more than `most` bytes raises LevelError, which says what was `expected`. If `whole` is False, the
    first `most` bytes are returned instead.
    """
    with opened(path) as file:
        data = file.read(most + 1)
    if len(data) > most and whole:
        raise LevelError(f"found more than {most} bytes, expected {expected}", source=os.fspath(path))
    return data[:most]


def read_text(path: Path, most: int, expected: str) -> str:
    """Return the text of a file of at most `most` bytes, which must be UTF-8. Raises LevelError."""
    data = read_bytes(path, most, expected)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        message = f"found byte 0x{data[error.start]:02x}, which is no UTF-8, expected {expected} in UTF-8"
        raise LevelError(message, source=os.fspath(path), line=line, column=column) from None


def read_lines(path: Path, most: int, longest: int, expected: str) -> Iterator[str]:
    """Yield the lines of a file; bytes that are not UTF-8 become escapes. Raises LevelError.

    The file has at most `most` bytes, and each line at most `longest`.
    """
    with opened(path) as file:
        for number, data in enumerate(iter(lambda: file.readline(longest + 1), b""), 1):
            most -= len(data)
            if most < 0 or len(data) > longest:
                found = f"a line of more than {longest}" if len(data) > longest else "too many"
                message = f"found {found} bytes, expected {expected}"
                raise LevelError(message, source=os.fspath(path), line=number)
            yield data.decode("utf-8", "backslashreplace")
