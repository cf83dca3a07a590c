"""Decompresses parts of a certificate, which may be hostile: never more than the caller expects."""

import zlib

from puzzlemc.mc.errors import Refuted


def decompressed(data: bytes | memoryview, size: int, otherwise: str) -> bytes:
    """The `size` bytes that zlib compressed to `data`. Raises Refuted with the message `otherwise` for any other
    data."""
    machine = zlib.decompressobj()
    try:
        found = machine.decompress(data, size + 1)
    except zlib.error:
        raise Refuted(otherwise) from None
    if len(found) != size or not machine.eof or machine.unused_data:
        raise Refuted(otherwise)
    return found
