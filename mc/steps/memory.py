"""The memory of a search: arrays that grow in place, so that no state is there twice for a while."""

import math
import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.steps.frontier import Frontier
from puzzlemc.mc.words import view

MOST_STATES = 2**31 - 2  # states have numbers of 32 bits
GROWTH = 1.5


class Memory:
    """Enlarges the arrays of a search, up to a number of bytes.

    The arrays of states are pages of their own, which the system moves without a copy (`mremap`) and fills only as
    they are written. Where it cannot move them they are copied.
    """

    def __init__(self, space: Frontier, limit: int) -> None:
        self._space, self._limit = space, limit
        self._pages: dict[str, mmap.mmap] = {}

    def enlarge(self, more: int) -> None:
        """Make room for that many more states. Raises LimitReached if they do not fit."""
        space = self._space
        needed, capacity, slots = space.used + more, space.rows.shape[0], space.slots.shape[0]
        if 8 * needed >= 5 * slots:
            slots = max(int(GROWTH * slots), 8 * needed // 5 + 1)
        if needed >= capacity:
            capacity = int(GROWTH * capacity) + more
        row = 8 * space.rows.shape[1] + 4 + 1
        capacity = min(capacity, (self._limit - 4 * slots) // row)
        if capacity <= needed or needed > MOST_STATES:
            raise LimitReached("memory")
        if capacity != space.rows.shape[0]:
            for name in ("rows", "parent", "action"):
                self._resize(name, capacity)
        if slots != space.slots.shape[0]:
            space.slots = view(np.empty(1, np.int32))  # the old table goes before the new one comes
            space.resize(slots)

    def _resize(self, name: str, length: int) -> None:
        """Change the length of an array. Its first entries stay."""
        old = np.asarray(getattr(self._space, name))
        row, kind = old.shape[1:], old.dtype
        size = length * kind.itemsize * math.prod(row)
        pages = self._pages.get(name)
        if pages is None:
            pages = _copied(old, size)
        else:
            setattr(self._space, name, view(np.empty((1, *row), kind)))
            del old  # pages move only while no array is on them
            try:
                pages.resize(size)
            except (BufferError, OSError, SystemError, ValueError):
                pages = _copied(np.frombuffer(pages, np.uint8), size)
        self._pages[name] = pages
        setattr(self._space, name, view(np.frombuffer(pages, kind).reshape(length, *row)))


def _copied(array: npt.NDArray[Any], size: int) -> mmap.mmap:
    """New pages of that many bytes, which begin with those of an array."""
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    old = array.reshape(-1).view(np.uint8)[:size]
    np.frombuffer(pages, np.uint8)[: len(old)] = old
    return pages
