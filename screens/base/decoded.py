"""Bytes of a file to text: UTF-8 and UTF-16 with or without a byte order mark, the encoding of XML, or Latin-1."""

import codecs
import re

from puzzlemc.screens.base.errors import LevelError

_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark is a prefix of this one
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_LEAST, _HEAD = 8, 4096  # bytes by which UTF-16 without a mark is recognized: at least, at most
# The encodings that occur in files of levels. Some other codecs of Python are no text encodings, some are slow.
_DECLARED = re.compile(
    rb"\s*<\?xml\s[^>]*?\bencoding\s*=\s*[\"']"
    rb"((?:us-)?ascii|utf-?8|iso-8859-[0-9]{1,2}|latin-?1|windows-125[0-8]|koi8-[ru]|gb(?:k|2312|18030)|big5"
    rb"|shift_jis|euc-(?:jp|kr))[\"']",
    re.IGNORECASE,
)


def decoded(data: bytes, source: str, *, whole: bool = True) -> str:
    """Return the text of a file without a byte order mark. Raises LevelError if the bytes are no text.

    `data` may be the beginning of a file if `whole` is False. Bytes that are no UTF-8 are read as Latin-1 if they
    have the mark of UTF-8, or neither a mark nor a declared encoding.
    """
    marked = next((name for mark, name in _MARKS.items() if data.startswith(mark)), None)
    wide = _unmarked(data[:_HEAD]) if marked is None else marked
    if wide is not None and wide != "utf-8":
        return _strictly(data, wide, source, whole=whole)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return _decode(data, "utf-8", whole=whole)
    except UnicodeDecodeError:
        declared = _DECLARED.match(data[:_HEAD])
        if declared is not None and not declared[1].lower().startswith(b"utf"):
            return _strictly(data, declared[1].decode("ascii"), source, whole=whole)
        return data.decode("latin-1")


def _unmarked(head: bytes) -> str | None:
    """Return the codec of UTF-16 without a mark, None for other text. In Latin letters, every other byte is 0."""
    zeros = [each.count(0) / max(1, len(each)) for each in (head[0::2], head[1::2])]
    if len(head) < _LEAST or max(zeros) < 0.5 or min(zeros) > 0.1:
        return None
    return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"


def _strictly(data: bytes, name: str, source: str, *, whole: bool) -> str:
    try:
        return _decode(data, name, whole=whole)
    except UnicodeDecodeError as error:
        message = f"found bytes that are no {name.upper()} behind byte {error.start}, expected text"
        raise LevelError(message, source=source) from None


def _decode(data: bytes, name: str, *, whole: bool) -> str:
    """Decode the data; unless `whole`, an incomplete character at the end is dropped."""
    return codecs.getincrementaldecoder(name)().decode(data, whole)


def normalized(text: str) -> str:
    """Return the text with newlines alone as line ends, and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
