"""The bytes of an oracle that its two kinds share: `docs/oracle.md` has all of them."""

import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MAGIC = b"\x89ORA\r\n\x1a\n"  # as of PNG: a transfer as text changes it
VERSION = 1
EXACT, LOST_ONLY = 1, 2  # kinds


@dataclass(frozen=True)
class Oracle:
    """What a file holds.

    kind         EXACT or LOST_ONLY
    fingerprint  bits of the fingerprint of a position, 0 without
    seed         of the hash of keys
    counts       five numbers, whose meaning depends on the kind
    texts        the puzzle, the metric, the key of the start, and others
    body         what follows the texts
    """

    kind: int
    fingerprint: int
    seed: int
    counts: tuple[int, int, int, int, int]
    texts: Sequence[str]
    body: bytes

    def written(self) -> bytes:
        """The bytes of the file."""
        numbers = struct.pack("<4B5I", VERSION, self.kind, self.fingerprint, self.seed, *self.counts)
        rest = numbers + b"".join(map(_text, self.texts)) + self.body
        rest = struct.pack("<I", len(MAGIC) + 8 + len(rest)) + rest
        return MAGIC + struct.pack("<I", zlib.crc32(rest)) + rest


def _text(text: str) -> bytes:
    """The length of a text in bytes, the text, and a zero byte."""
    data = text.encode()
    return struct.pack("<I", len(data)) + data + b"\0"


def u32s(numbers: Iterable[int]) -> bytes:
    """Numbers of 32 bits."""
    listed = list(numbers)
    return struct.pack(f"<{len(listed)}I", *listed)
