"""Files that the program writes: always in UTF-8; `-` is standard output; errors contain the name of the file.

A file is written under a temporary name and moved to its place when it is complete, so a full disk or an
interruption keeps the previous file. A file that is not regular, such as a device or a FIFO, is written directly.
A link is followed within its folder: one that leads out of it may be a stranger's, so nothing is written there.
"""

import errno
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from puzzlemc.mc.errors import PuzzlemcError
from puzzlemc.mc.system.writing import keep_owner, replaced

STANDARD_OUTPUT = Path("-")
BAD_OUTPUT, CLOSED = 2, 141  # exit codes; shells report 141 for a program that wrote to a closed pipe
_STREAMS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")  # prefixes of the names of open files
_LINK = "a link out of its folder, or to itself, is not followed"
# Errors of a folder without write permission, and of files that cannot be replaced (mount points, other owners).
_IN_PLACE_ONLY = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV}


class OutputError(PuzzlemcError):
    """An error while writing standard output or a file. It is not an OSError, so that no library handles it."""

    def __init__(self, name: str, number: int) -> None:
        """`name` is the name of the file, `number` the number of the system error."""
        super().__init__(name, number)
        self.name = name
        self.number = number

    def __str__(self) -> str:
        return f"{self.name}: {_LINK if self.number == errno.ELOOP else os.strerror(self.number)}"

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
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
    """A file to write; it replaces `path` at the end, unless there is an error. Raises OutputError."""
    draft = Draft(path)
    try:
        yield draft.file
        draft.move()
    except (OSError, ValueError) as error:
        raise output_error(path, error) from None
    finally:
        draft.close()


class Draft:
    """A file with a temporary name in the folder of `path`, until `move` replaces `path` by it; write to `file`.

    The new file gets the permissions of the previous one, and a link within its folder remains a link. A device, a
    FIFO, or a file in a folder without write permission is written directly.
    """

    file: BinaryIO

    def __init__(self, path: Path) -> None:
        """Open the file. Raises OutputError."""
        self._beside: str | None = None
        try:
            self._place = os.path.realpath(path)
            before = _status(path)
            if os.path.abspath(path).startswith(_STREAMS) or not (before is None or stat.S_ISREG(before.st_mode)):
                self.file = open(path, "wb")  # noqa: SIM115 - `close` closes it
                return
            if leads_away(path):
                raise OSError(errno.ELOOP, _LINK)
            if before is not None and not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            self._open_beside(before)
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            raise output_error(path, error) from None

    def _open_beside(self, before: os.stat_result | None) -> None:
        """Open a new file in the same folder, or the file itself if the folder has no write permission."""
        beside = os.path.join(os.path.dirname(self._place), f".puzzlemc-{os.urandom(8).hex()}.part")
        try:
            self.file = open(beside, "xb")  # noqa: SIM115 - `close` closes it
        except OSError as error:
            if before is None or error.errno not in _IN_PLACE_ONLY:
                raise
            self.file = open(self._place, "wb")  # noqa: SIM115 - `close` closes it
            return
        self._beside = beside
        if before is not None:
            keep_owner(self.file.fileno(), before)

    def add(self, data: bytes) -> None:
        """Write bytes; to a regular file, all or none of them. Raises OSError."""
        number, rest = self.file.fileno(), memoryview(data)
        before = os.lseek(number, 0, os.SEEK_CUR) if self.file.seekable() else None
        try:
            while rest:
                rest = rest[os.write(number, rest) :]
        except OSError:
            if before is not None:
                with suppress(OSError):  # a device that supports seeking but not truncation
                    os.ftruncate(number, before)
            raise

    def move(self) -> None:
        """Replace `path` by the file; later writes to `file` are appended. Raises OSError."""
        self.file.flush()
        if self._beside is None:
            return
        try:
            self.file = replaced(self.file, self._beside, self._place)
        except OSError as error:
            if error.errno not in _IN_PLACE_ONLY:
                raise
            self.file.close()
            with open(self._beside, "rb") as written:
                self.file = open(self._place, "wb")  # noqa: SIM115 - `close` closes it
                shutil.copyfileobj(written, self.file)
                self.file.flush()
            os.unlink(self._beside)
        self._beside = None

    def close(self) -> None:
        """Close the file, and remove it unless it has been moved."""
        with suppress(OSError):  # errors of writing have been raised before
            self.file.close()
        if self._beside is not None:
            with suppress(OSError):
                os.unlink(self._beside)


def output_error(path: Path, error: Exception) -> OutputError:
    """The OutputError for an OSError, or for a ValueError about the name of the file."""
    return OutputError(str(path), getattr(error, "errno", None) or errno.EINVAL)


def leads_away(path: Path) -> bool:
    """Is the path a link to a place outside of its folder?"""
    if not path.is_symlink():
        return False
    folder = os.path.realpath(path.parent)
    try:
        return os.path.commonpath([folder, os.path.realpath(path)]) != folder
    except ValueError:  # another drive of Windows
        return True


def _status(path: Path) -> os.stat_result | None:
    """The status of the file of a path, following links; None if there is no file. Raises OSError."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def make_folder(path: Path) -> None:
    """Create the folder unless it exists. Raises OutputError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise output_error(path, error) from None
