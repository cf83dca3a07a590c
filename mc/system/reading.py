"""Opening files that strangers have named: without waiting for the other end of a FIFO, and below certain folders.

POSIX opens a file step by step from a folder on, without following a link. Elsewhere the path is followed before
and after the file is opened, and must lead to it without a link both times.
"""

import errno
import io
import os
import stat
from collections.abc import Sequence
from typing import BinaryIO, cast

try:
    from select import POLLIN, poll
except ImportError:  # as on Windows, which has no FIFOs among its files
    POSIX = False
else:
    POSIX = hasattr(os, "O_NOFOLLOW")

OUTSIDE = "it is outside of the folders that may be read"


def open_to_read(path: str, seconds: float, folders: Sequence[str] | None = None) -> BinaryIO:
    """Open a file for reading. Raises OSError or ValueError; `read` raises TimeoutError.

    seconds  for a program that opens a FIFO for writing
    folders  below which the file must be: absolute paths without links; None: anywhere
    """
    if not POSIX:
        return open(path, "rb") if folders is None else _opened_between(os.path.realpath(path), folders)
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
    number = os.open(path, flags) if folders is None else _open_below(os.path.realpath(path), flags, folders)
    if stat.S_ISFIFO(os.fstat(number).st_mode):
        return cast(BinaryIO, io.BufferedReader(_Fifo(number, seconds)))
    os.set_blocking(number, True)
    try:
        return open(number, "rb")
    except OSError:  # a folder
        os.close(number)
        raise


def _open_below(path: str, flags: int, folders: Sequence[str]) -> int:
    """Open a file below one of the folders, by its path without links. Raises OSError.

    No link is followed from the folder on: another program may have put one there since the path was found.
    """
    folder = _folder_of(path, folders)
    *parts, name = os.path.relpath(path, folder).split(os.sep)
    place = os.open(folder, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        for part in parts:
            step = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW
            inner = os.open(part, step, dir_fd=place)
            os.close(place)
            place = inner
        return os.open(name, flags | os.O_NOFOLLOW, dir_fd=place)
    finally:
        os.close(place)


def _opened_between(path: str, folders: Sequence[str]) -> BinaryIO:
    """Open a file below one of the folders, by its path without links. Raises OSError."""
    _folder_of(path, folders)
    file = open(path, "rb")  # noqa: SIM115 - the caller closes it
    try:
        if os.path.realpath(path) != path or not os.path.samestat(os.fstat(file.fileno()), os.lstat(path)):
            raise PermissionError(errno.EACCES, OUTSIDE)
    except OSError:
        file.close()
        raise
    return file


def _folder_of(path: str, folders: Sequence[str]) -> str:
    """The folder that a path is below. Raises PermissionError."""
    for folder in folders:
        if path.startswith(os.path.join(folder, "")):
            return folder
    raise PermissionError(errno.EACCES, OUTSIDE)


class _Fifo(io.FileIO):
    """A FIFO opened without waiting. Reads raise TimeoutError if no program opens it for writing in time."""

    def __init__(self, number: int, seconds: float) -> None:
        super().__init__(number, "rb")
        self._patience = seconds
        self._seconds: float | None = seconds

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]
        """Read what is there, or wait for it. Return the number of bytes, 0 at the end."""
        waiting = poll()
        waiting.register(self.fileno(), POLLIN)
        while True:
            ready = waiting.poll(None if self._seconds is None else 1000 * self._seconds)
            count = cast("int | None", super().readinto(buffer))
            if count == 0 and not ready:
                raise TimeoutError(
                    errno.ETIMEDOUT, f"no program wrote to this FIFO within {self._patience:g} seconds"
                )
            self._seconds = None  # a program has opened it, or it has ended
            if count is not None:  # None: the program has not written yet
                return count
