"""Files that the program writes: in UTF-8 everywhere, `-` is standard output, and errors have the file's name.

A file is written beside its place and moved there when it is complete: a full disk or an interruption leaves the
file that was there before. What is no regular file, such as a device or a FIFO, is written directly.
"""

import errno
import hashlib
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

STANDARD_OUTPUT = Path("-")
BAD_OUTPUT, CLOSED = 2, 141  # exit codes; 141 is what shells report of a program that wrote to a closed pipe
MOST_BYTES = 200  # of a file's name: file systems take 255, and suffixes come behind it
_HASHED = 16  # digits of a hash
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")  # names of files that are open already
# A folder that takes no new file; a mount point or another user's file, which cannot be replaced.
_IN_PLACE_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV}


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
    """Write a whole file, or to standard output for `-`. Raises OutputError."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    if path == STANDARD_OUTPUT:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with writing(path) as file:
        file.write(data)


@contextmanager
def writing(path: Path) -> Iterator[BinaryIO]:
    """A file to write; it takes the place of `path` at the end, unless there is an error. Raises OutputError."""
    draft = Draft(path)
    try:
        yield draft.file
        draft.move()
    except (OSError, ValueError) as error:
        raise output_error(path, error) from None
    finally:
        draft.close()


class Draft:
    """A file that is written beside its place, `path`, until `move` puts it there. `file` takes the bytes.

    The file that was there keeps its permissions, and a link stays a link. What cannot be replaced is written
    directly: a device, a FIFO, a file in a folder that takes no new files.
    """

    file: BinaryIO

    def __init__(self, path: Path) -> None:
        """Open it. Raises OutputError."""
        self._beside: str | None = None
        try:
            self._place = os.path.realpath(path)
            before = _status(path)
            if os.path.abspath(path).startswith(_STREAMS) or not (before is None or stat.S_ISREG(before.st_mode)):
                self.file = open(path, "wb")  # noqa: SIM115 - `close` closes it
                return
            if before is not None and not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            self._open_beside(before)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            raise output_error(path, error) from None

    def _open_beside(self, before: os.stat_result | None) -> None:
        """Open a new file in the same folder, or the file in its place where the folder takes none."""
        beside = os.path.join(os.path.dirname(self._place), f".puzzlemc-{token_hex(8)}.part")
        try:
            self.file = open(beside, "xb")  # noqa: SIM115 - `close` closes it
        except OSError as error:
            if before is None or error.errno not in _IN_PLACE_ONLY:
                raise
            self.file = open(self._place, "wb")  # noqa: SIM115 - `close` closes it
            return
        self._beside = beside
        if before is not None:
            with suppress(OSError):  # some file systems have no owners or permissions
                os.fchown(self.file.fileno(), before.st_uid, before.st_gid)
            with suppress(OSError):
                os.fchmod(self.file.fileno(), stat.S_IMODE(before.st_mode))

    def add(self, data: bytes) -> None:
        """Write bytes, all or none of them where the file is a regular one. Raises OSError."""
        number, rest = self.file.fileno(), memoryview(data)
        before = os.lseek(number, 0, os.SEEK_CUR) if self.file.seekable() else None
        try:
            while rest:
                rest = rest[os.write(number, rest) :]
        except OSError:
            if before is not None:
                with suppress(OSError):  # a device, which can be sought, but not cut
                    os.ftruncate(number, before)
            raise

    def move(self) -> None:
        """Put what is written into its place; `file` goes on behind it. Raises OSError."""
        self.file.flush()
        if self._beside is None:
            return
        try:
            os.replace(self._beside, self._place)
        except OSError as error:
            if error.errno not in _IN_PLACE_ONLY:
                raise
            with self.file, open(self._beside, "rb") as written:
                self.file = open(self._place, "wb")  # noqa: SIM115 - `close` closes it
                shutil.copyfileobj(written, self.file)
                self.file.flush()
            os.unlink(self._beside)
        self._beside = None

    def close(self) -> None:
        """Close the file, and remove it unless it has been moved."""
        with suppress(OSError):  # what could not be written has raised before
            self.file.close()
        if self._beside is not None:
            with suppress(OSError):
                os.unlink(self._beside)


def output_error(path: Path, error: Exception) -> OutputError:
    """The error of a file that an OSError, or a ValueError about its name, says cannot be written."""
    return OutputError(str(path), getattr(error, "errno", None) or errno.EINVAL)


def _status(path: Path) -> os.stat_result | None:
    """What the system says of the file to which a path leads, None where there is none. Raises OSError."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def make_folder(path: Path) -> None:
    """Make sure that there is such a folder. Raises OutputError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise output_error(path, error) from None


def short_name(name: str) -> str:
    """The name of a file, or where that is longer than file systems take, its start and a hash of all of it."""
    data = os.fsencode(name)
    if len(data) <= MOST_BYTES:
        return name
    start = data[: MOST_BYTES - _HASHED - 1].decode("utf-8", "ignore")
    return f"{start}-{hashlib.sha256(data).hexdigest()[:_HASHED]}"
