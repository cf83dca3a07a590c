"""Files of documents: bytes as text and back, and a file that is replaced whole, or not at all.

A file is written only if it is as it was when its text was read. Its encoding, its mark, its line ends and its
permissions stay; what it was before the first change of this program is kept beside it, as `FILE.bak`.
"""

import codecs
import errno
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from puzzlemc.reports.output.files import OutputError, leads_away, write
from puzzlemc.screens.base.decoded import decoded
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import read_bytes

BACKUP = ".bak"
MOST_BYTES = 1 << 23  # of a file
CODECS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "latin-1")
MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
_writing = Lock()  # between a look at a file and its change


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the bytes of a file have that its text has not: the encoding, a mark before the text, the line ends."""

    codec: Annotated[str, Meta(max_length=32)] = "utf-8"
    mark: bool = False
    ends: Literal["\n", "\r\n"] = "\n"


class Content(msgspec.Struct, frozen=True):
    """The text of a file with line feeds, its form, and what tells it from another content."""

    text: str
    form: Form
    was: str


class Changed(Exception):
    """A file is not as it was: its content now, None without a file."""

    def __init__(self, now: Content | None) -> None:
        super().__init__(now)
        self.now = now


def content(data: bytes, name: str) -> Content:
    """The content of bytes. Raises LevelError if no encoding gives them back."""
    text = decoded(data, name)
    found = next((each for each in _forms() if _encoded(text, each) == data), None)
    if found is None:
        message = "found an encoding that is not known here, expected UTF-8, UTF-16 or Latin-1"
        raise LevelError(message, source=name)
    if 0 < text.count("\r\n") == text.count("\n"):
        found, text = Form(found.codec, found.mark, "\r\n"), text.replace("\r\n", "\n")
    return Content(text, found, digest(data))


def data_of(text: str, form: Form, name: str) -> bytes:
    """The bytes of a text. Raises LevelError if its encoding lacks one of its characters."""
    found = _encoded(text if form.ends == "\n" else text.replace("\n", form.ends), form)
    if found is None:
        odd = next(each for each in text if _encoded(each, form) is None)
        line = text[: text.index(odd)].count("\n") + 1
        message = f"found {odd!r}, which {form.codec} lacks, expected characters of the encoding of the file"
        raise LevelError(message, source=name, line=line)
    return found


def _forms() -> list[Form]:
    return [Form(codec, mark) for codec in CODECS for mark in (False, True) if not mark or codec in MARKS]


def _encoded(text: str, form: Form) -> bytes | None:
    if form.codec not in CODECS:
        return None
    try:
        return (MARKS[form.codec] if form.mark else b"") + text.encode(form.codec)
    except UnicodeEncodeError:
        return None


def digest(data: bytes) -> str:
    """What tells the content of a file from another one."""
    return sha256(data).hexdigest()[:32]


def load(path: Path) -> Content:
    """The content of a file. Raises LevelError."""
    return content(_bytes(path), path.name)


def status(path: Path) -> str:
    """What tells the content of a file from another one; empty without a file. Raises LevelError."""
    return digest(_bytes(path)) if path.exists() else ""


def save(path: Path, text: str, form: Form, was: str) -> str:
    """Replace the content of a file; returns what tells the new one from others.

    was  of the file as it is known, empty if it is known to be gone

    Raises Changed, LevelError, and OutputError, also for a link out of the folder of the file.
    """
    data = data_of(text, form, path.name)
    with _writing:
        if leads_away(path):
            raise OutputError(str(path), errno.ELOOP)
        now = status(path)
        if now != was:
            raise Changed(load(path) if now else None)
        if now:
            _keep(path)
        if now != digest(data):
            write(path, data)
    return digest(data)


def _bytes(path: Path) -> bytes:
    return read_bytes(path, MOST_BYTES, "a file of levels")


def _keep(path: Path) -> None:
    """Keep what a file was before its first change beside it. Raises LevelError, OutputError."""
    backup = path.with_name(path.name + BACKUP)
    if backup.is_symlink():
        raise LevelError("found a link, expected a file: the level's file is kept there", source=backup.name)
    if not backup.exists():
        write(backup, _bytes(path))
