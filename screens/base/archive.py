"""Levels in `.gz`, `.zip`, `.tar` and `.tgz` files, expanded up to the size limit of a file of levels.

A small archive can expand to an enormous size. So the size that a member declares is checked before anything is
expanded, the actual size is bounded as well, and an archive within an archive is refused. Members stay in memory:
nothing is ever written to a file of their name.
"""

import gzip
import io
import struct
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.signatures import EMPTY_ZIP, is_gzip, is_tar, is_zip

MAX_DIRECTORY = 1 << 23  # bytes that list the members of an archive
MAX_EXPANDED = 1 << 28  # bytes of all members together
MAX_MEMBERS = 100_000  # of a `.tar`, which has no list of its members

_END = struct.Struct("<4s8xL4x")  # the record at the end of a `.zip`: signature, bytes of the list of members
_END_BYTES = 22
_MAX_COMMENT = 1 << 16  # bytes after that record
_UNICODE_PATH = 0x7075  # id of the extra field that holds the name of a member in UTF-8
_UTF_8 = 0x800  # flag of a member whose name is in UTF-8
_UNIX = 3  # id of the system that packed a member
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # other methods have no memory limit
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # includes NotImplementedError
    ValueError,
)


def is_packed_tar(data: bytes) -> bool:
    """Return whether a `.gz` file begins like one that holds a `.tar` file."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return is_tar(file.read(tarfile.BLOCKSIZE))
    except _BROKEN:
        return False


def expand(data: bytes, most: int, source: str, *, whole: bool = True) -> bytes:
    """Return the content of a `.gz` file, at most `most` bytes. Raises LevelError.

    If `whole` is False, a larger content is cut; otherwise it is an error.
    """
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
    """The members of an archive. `names` are in the order of a folder: files by name, then the subfolders."""

    def __init__(self, source: str, names: Iterable[str]) -> None:
        """Hold the names of the members; a name that occurs twice is an error when it is read."""
        self.source = source
        self._left = MAX_EXPANDED
        self._times = Counter(names)

    @property
    def names(self) -> list[str]:
        """The names of all members."""
        return sorted(self._times, key=_place)

    def __contains__(self, name: str) -> bool:
        return name in self._times

    def read(self, name: str, most: int, *, whole: bool = True) -> bytes:
        """Return the content of a member, at most `most` bytes. Raises LevelError.

        If `whole` is False, a larger content is cut; otherwise it is an error.
        """
        source = f"{self.source}/{name}"
        if name not in self._times:
            raise LevelError("found no such file in the archive, expected one that it holds", source=source)
        if (times := self._times[name]) > 1:
            message = f"found {times} members of that name, expected names that differ"
            raise LevelError(message, source=source)
        size = self._size(name, source)
        if whole and size > most:
            raise LevelError(f"expands to {size} bytes, expected at most {most}", source=source)
        try:
            text = self._content(name, most + 1 if whole else most)
        except _BROKEN as error:
            raise LevelError(f"cannot be expanded: {error}", source=source) from None
        self._left -= len(text)
        if self._left < 0:
            message = f"expands to more than {MAX_EXPANDED} bytes in all, expected an archive of levels"
            raise LevelError(message, source=self.source)
        _refuse_archive(text, source)
        return text

    def _size(self, name: str, source: str) -> int:
        """Return the declared size of a member in bytes. Raises LevelError for one that cannot be read."""
        raise NotImplementedError

    def _content(self, name: str, most: int) -> bytes:
        """Return the first bytes of a member. Raises one of the exceptions in `_BROKEN`."""
        raise NotImplementedError


class _Zip(Archive):
    def __init__(self, data: bytes, source: str) -> None:
        """Read the list of members. Raises LevelError."""
        try:
            if (listed := _directory_bytes(data)) > MAX_DIRECTORY:
                message = f"found a list of members of {listed} bytes, expected at most {MAX_DIRECTORY}"
                raise LevelError(message, source=source)
            self._file = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN as error:
            raise LevelError(f"cannot be expanded: {error}", source=source) from None
        members = [(_name(each), each) for each in self._file.infolist() if not each.is_dir()]
        self._members = dict(members)
        super().__init__(source, (name for name, _ in members))

    def _size(self, name: str, source: str) -> int:
        member = self._members[name]
        if member.flag_bits & 1:
            raise LevelError("is encrypted, expected a member without a password", source=source)
        if member.compress_type not in _METHODS:
            raise LevelError(
                f"is packed by method {member.compress_type}, expected deflated or stored", source=source
            )
        return member.file_size

    def _content(self, name: str, most: int) -> bytes:
        with self._file.open(self._members[name]) as file:
            return file.read(most)


class _Tar(Archive):
    def __init__(self, data: bytes, source: str) -> None:
        """Read the headers of all members. Raises LevelError."""
        try:
            if is_gzip(data):
                with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                    data = packed.read(MAX_EXPANDED + 1)
            if len(data) > MAX_EXPANDED:
                message = f"expands to more than {MAX_EXPANDED} bytes in all, expected an archive of levels"
                raise LevelError(message, source=source)
            self._file = tarfile.open(fileobj=io.BytesIO(data), mode="r:")  # noqa: SIM115 - in memory
            members = list(islice(self._file, MAX_MEMBERS + 1))
        except _BROKEN as error:
            raise LevelError(f"cannot be expanded: {error}", source=source) from None
        if len(members) > MAX_MEMBERS:
            raise LevelError(
                f"found more than {MAX_MEMBERS} members, expected an archive of levels", source=source
            )
        files = [(each.name.removeprefix("./"), each) for each in members if each.isreg()]
        self._members = dict(files)
        super().__init__(source, (name for name, _ in files))

    def _size(self, name: str, source: str) -> int:
        return self._members[name].size

    def _content(self, name: str, most: int) -> bytes:
        file = self._file.extractfile(self._members[name])
        assert file is not None
        return file.read(most)


def opened(data: bytes, source: str) -> Archive:
    """Open the archive in these bytes. Raises LevelError."""
    return _Tar(data, source) if is_tar(data) or is_gzip(data) else _Zip(data, source)


def _name(member: zipfile.ZipInfo) -> str:
    """Return the name of a member, in UTF-8 if possible.

    Python reads a name without the UTF-8 flag as code page 437. But an extra field can hold the name in UTF-8, and
    programs on Unix write UTF-8 without the flag.
    """
    if member.flag_bits & _UTF_8 or member.filename.isascii():
        return member.filename
    raw = member.orig_filename.encode("cp437")
    name = _unicode_path(member.extra, raw)
    if name is None and member.create_system == _UNIX:
        name = raw
    try:
        return member.filename if name is None else name.decode("utf-8").partition("\0")[0]
    except UnicodeDecodeError:
        return member.filename


def _unicode_path(extra: bytes, raw: bytes) -> bytes | None:
    """Return the name in the extra fields of a member, None if there is none or its checksum is wrong."""
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind == _UNICODE_PATH and field[:5] == struct.pack("<BL", 1, zlib.crc32(raw)):
            return field[5:]
    return None


def _place(name: str) -> tuple[tuple[int, str], ...]:
    """Return the sort key of a member: files come before subfolders."""
    *folders, last = name.split("/")
    return (*((1, folder) for folder in folders), (0, last))


def _directory_bytes(data: bytes) -> int:
    """Return the size of the list of members, from the record at the end of a `.zip`. Raises BadZipFile."""
    at = data.rfind(EMPTY_ZIP, max(0, len(data) - _END_BYTES - _MAX_COMMENT))
    if at < 0 or at + _END_BYTES > len(data):
        raise zipfile.BadZipFile("it ends too early")
    _, listed = _END.unpack_from(data, at)
    return int(listed)


def _refuse_archive(data: bytes, source: str) -> None:
    if is_zip(data) or is_gzip(data) or is_tar(data):
        raise LevelError("found an archive in an archive, expected a file of levels", source=source)
