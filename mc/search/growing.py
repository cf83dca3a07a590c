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
from puzzlemc.mc.system.pages import LARGE, new_pages, resize
from puzzlemc.mc.words import view

if not cython.compiled:
    CAPACITY = 1 << 10  # entries at the beginning
    MOST = (1 << 31) - 2  # entries have numbers of 32 bits

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
        """Change the length of the arrays with these names. Their first entries stay, further ones are 0.

        Raises MemoryError if the system has no memory for an array, which then stays as it is.
        """
        for name in names:
            old = np.asarray(getattr(self, name))
            row, kind = old.shape[1:], old.dtype
            size = length * kind.itemsize * math.prod(row)
            size = -(-size // LARGE) * LARGE if size > LARGE else size
            pages = self.pages.get(name)
            if pages is None:
                pages = _copied(old, size)
            else:
                held = len(old)
                setattr(self, name, view(np.empty((1, *row), kind)))
                del old  # pages move only while no array is on them
                try:
                    pages = _resized(pages, size)
                except MemoryError:
                    self._put(name, pages, held, row, kind)
                    raise
            self._put(name, pages, length, row, kind)

    def _put(self, name: str, pages: mmap.mmap, length: int, row: tuple[int, ...], kind: np.dtype[Any]) -> None:
        """The array with this name has `length` entries, which are on these pages."""
        self.pages[name] = pages
        entries = np.frombuffer(pages, kind, length * math.prod(row))
        setattr(self, name, view(entries.reshape(length, *row)))

    def bytes_of(self, *names: str) -> int:
        """The size of an entry of the arrays with these names together."""
        arrays = [np.asarray(getattr(self, name)) for name in names]
        return sum(array.itemsize * math.prod(array.shape[1:]) for array in arrays)


def _resized(pages: mmap.mmap, size: int) -> mmap.mmap:
    """The pages with another size, or a copy of them. Raises MemoryError."""
    return pages if resize(pages, size) else _copied(np.frombuffer(pages, np.uint8), size)


def _copied(array: npt.NDArray[Any], size: int) -> mmap.mmap:
    """`size` bytes of new pages, which begin with the bytes of an array. Raises MemoryError."""
    pages = new_pages(size)
    old = array.reshape(-1).view(np.uint8)[:size]
    np.frombuffer(pages, np.uint8)[: len(old)] = old
    return pages
