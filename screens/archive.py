"""Levels in `.gz` and `.zip` files, expanded no further than a file of levels may be large.

An archive may tell of far more than it holds. So what a member claims to expand to is looked at before anything is
expanded, what it does expand to is bounded all the same, and an archive in an archive is refused. Members stay in
memory: nothing is ever written to their names.
"""

import gzip
import io
import struct
import zipfile
import zlib
from collections import Counter

from puzzlemc.screens.errors import LevelError

ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"  # how such files begin
EMPTY_ZIP = b"PK\x05\x06"
ZIP_SUFFIX, GZIP_SUFFIX = ".zip", ".gz"

MAX_DIRECTORY = 1 << 23  # bytes that list the members of an archive
MAX_EXPANDED = 1 << 28  # bytes of all members together

_END = struct.Struct("<4s8xL4x")  # of the record that ends an archive: signature, bytes of the list of members
_END_BYTES = 22
_MAX_COMMENT = 1 << 16  # behind that record
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others take as much memory as they please
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # NotImplementedError, too
    ValueError,
)


def is_zip(data: bytes) -> bool:
    """Does a file begin as a `.zip` does?"""
    return data.startswith((ZIP, EMPTY_ZIP))


def is_gzip(data: bytes) -> bool:
    """Does a file begin as a `.gz` does?"""
    return data.startswith(GZIP)


def unpacked_name(path: str) -> str:
    """The name of what a `.gz` file holds; of another file, its own."""
    return path[: -len(GZIP_SUFFIX)] if path.lower().endswith(GZIP_SUFFIX) else path


def expand(data: bytes, most: int, source: str, *, whole: bool = True) -> bytes:
    """What a `.gz` file holds, `most` bytes at most, or no more than its beginning. Raises LevelError."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            text = file.read(most + 1 if whole else most)
    except _BROKEN as error:
        raise LevelError(f"cannot be expanded: {error}", source=source) from None
    if len(text) > most:
        raise LevelError(f"expands to more than {most} bytes, expected a file of levels", source=source)
    _refuse_archive(text, source)
    return text


class Archive:
    """The members of a `.zip` file. `names` are in the order of a folder's files: by name, then the folders."""

    def __init__(self, data: bytes, source: str) -> None:
        """Read the list of members. Raises LevelError."""
        self.source = source
        self._left = MAX_EXPANDED
        try:
            if (listed := _directory_bytes(data)) > MAX_DIRECTORY:
                message = f"found a list of members of {listed} bytes, expected at most {MAX_DIRECTORY}"
                raise LevelError(message, source=source)
            self._file = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN as error:
            raise LevelError(f"cannot be expanded: {error}", source=source) from None
        members = [each for each in self._file.infolist() if not each.is_dir()]
        self._members = {each.filename: each for each in members}
        self._times = Counter(each.filename for each in members)

    @property
    def names(self) -> list[str]:
        """All members."""
        return sorted(self._members, key=_place)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def read(self, name: str, most: int, *, whole: bool = True) -> bytes:
        """What a member holds, or no more than its beginning. Raises LevelError."""
        source = f"{self.source}/{name}"
        member = self._members.get(name)
        if member is None:
            raise LevelError("found no such file in the archive, expected one that it holds", source=source)
        if (times := self._times[name]) > 1:
            message = f"found {times} members of that name, expected names that differ"
            raise LevelError(message, source=source)
        if member.flag_bits & 1:
            raise LevelError("is encrypted, expected a member without a password", source=source)
        if member.compress_type not in _METHODS:
            raise LevelError(
                f"is packed by method {member.compress_type}, expected deflated or stored", source=source
            )
        if whole and member.file_size > most:
            message = f"expands to {member.file_size} bytes, expected at most {most}"
            raise LevelError(message, source=source)
        try:
            with self._file.open(member) as file:
                text = file.read(most + 1 if whole else most)
        except _BROKEN as error:
            raise LevelError(f"cannot be expanded: {error}", source=source) from None
        self._left -= len(text)
        if self._left < 0:
            message = f"expands to more than {MAX_EXPANDED} bytes in all, expected an archive of levels"
            raise LevelError(message, source=self.source)
        _refuse_archive(text, source)
        return text


def _place(name: str) -> tuple[tuple[int, str], ...]:
    """What members are sorted by."""
    *folders, last = name.split("/")
    return (*((1, folder) for folder in folders), (0, last))


def _directory_bytes(data: bytes) -> int:
    """How large the list of members is, as the record at the end of an archive says. Raises BadZipFile."""
    at = data.rfind(EMPTY_ZIP, max(0, len(data) - _END_BYTES - _MAX_COMMENT))
    if at < 0 or at + _END_BYTES > len(data):
        raise zipfile.BadZipFile("it ends too early")
    _, listed = _END.unpack_from(data, at)
    return int(listed)


def _refuse_archive(data: bytes, source: str) -> None:
    if is_zip(data) or is_gzip(data):
        raise LevelError("found an archive in an archive, expected a file of levels", source=source)
