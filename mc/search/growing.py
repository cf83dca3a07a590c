"""Arrays of compiled code that grow in place: while one grows, it is not in memory twice. Compiled.

An array is on pages of its own, which the system moves without a copy (`mremap`) and fills only as they are
written. Where it cannot move them they are copied.
"""

import math
import mmap
from typing import Any

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.words import view

if not cython.compiled:
    CAPACITY = 1 << 10  # entries at the beginning
    MOST = (1 << 31) - 2  # entries have numbers of 32 bits
    LARGE = 1 << 21  # bytes of a large page; arrays of this size are on large pages

GROWTH = 1.5
UNLIMITED = 1 << 62


class Growing:
    """Arrays as fields.

    pages  the pages of the arrays that have grown, by the names of their fields
    """

    pages: dict[str, mmap.mmap]  # interpreted

    def __init__(self) -> None:
        self.pages = {}

    def grow(self, needed: int, free: int, *names: str) -> None:
        """Make room for `needed` entries, and more, in the arrays with these names. Raises LimitReached.

        They take at most half of `free` further bytes, so that others can still grow.
        """
        length = getattr(self, names[0]).shape[0]
        most = min(length + free // (2 * self.bytes_of(*names)), MOST)
        if needed > most:
            raise LimitReached("memory")
        self.lengthen(min(max(needed, int(GROWTH * length)), most), *names)

    def lengthen(self, length: int, *names: str) -> None:
        """Change the length of the arrays with these names. Their first entries stay, further ones are 0."""
        for name in names:
            old = np.asarray(getattr(self, name))
            row, kind = old.shape[1:], old.dtype
            size = length * kind.itemsize * math.prod(row)
            size = -(-size // LARGE) * LARGE if size > LARGE else size
            pages = self.pages.get(name)
            if pages is None:
                pages = _copied(old, size)
            else:
                setattr(self, name, view(np.empty((1, *row), kind)))
                del old  # pages move only while no array is on them
                try:
                    pages.resize(size)
                except (BufferError, OSError, SystemError, ValueError):
                    pages = _copied(np.frombuffer(pages, np.uint8), size)
            self.pages[name] = pages
            entries = np.frombuffer(pages, kind, length * math.prod(row))
            setattr(self, name, view(entries.reshape(length, *row)))

    def bytes_of(self, *names: str) -> int:
        """The size of an entry of the arrays with these names together."""
        arrays = [np.asarray(getattr(self, name)) for name in names]
        return sum(array.itemsize * math.prod(array.shape[1:]) for array in arrays)


def _copied(array: npt.NDArray[Any], size: int) -> mmap.mmap:
    """`size` bytes of new pages, which begin with those of an array."""
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if size >= LARGE and hasattr(mmap, "MADV_HUGEPAGE"):
        pages.madvise(mmap.MADV_HUGEPAGE)
    old = array.reshape(-1).view(np.uint8)[:size]
    np.frombuffer(pages, np.uint8)[: len(old)] = old
    return pages
