"""Lists of numbers that grow while a level is compiled, and sets of numbers, as arrays."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

BYTES = (
    *("draws", "replaces", "at_once", "feeds", "rigid", "term_holds", "change_sets", "quantifiers", "whole"),
    *("variant", "chance", "drawn_sets"),
)
NUMBERS = (
    *("commands", "way", "length", "term_shift", "planes", "change_shift", "change_plane", "mark_shift", "layers"),
    *("order", "group_rigid", "back", "side_planes", "lines", "drawn_shift", "drawn_plane"),
)
# Lists of where others begin, and a list that counts those. A list stands before one that it counts.
BEGINNINGS = {
    "rows": "way",
    "parts": "length",
    "terms": "term_shift",
    "changes": "change_shift",
    "marks": "mark_shift",
    "term_planes": "planes",
    "mark_layers": "layers",
    "phases": "back",
    "groups": "order",
    "sides": "side_planes",
    "drawn": "drawn_shift",
    "choices": "choice_changes",
    "choice_changes": "drawn_plane",
}


class Lists:
    """Growing lists by name; in some of them, where the lists within another one begin."""

    def __init__(self) -> None:
        self.lists: dict[str, list[int]] = {name: [] for name in (*BYTES, *NUMBERS, *BEGINNINGS)}

    def add(self, name: str, value: int) -> None:
        """Add a number to a list."""
        self.lists[name].append(int(value))

    def count(self, name: str) -> int:
        """The length of a list."""
        return len(self.lists[name])

    def begin(self, name: str) -> None:
        """Note where a list within another one begins."""
        self.lists[name].append(self.count(BEGINNINGS[name]))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All lists as arrays. Each list of beginnings also has the end."""
        for name in BEGINNINGS:
            self.begin(name)
        return {name: np.array(each, np.uint8 if name in BYTES else np.int32) for name, each in self.lists.items()}


def as_words(number: int, words: int) -> npt.NDArray[np.uint64]:
    """The bits of a number as words, lowest first."""
    return np.array([number >> 64 * w & (1 << 64) - 1 for w in range(words)], np.uint64)


def sets_of(sets: Sequence[Iterable[int]], most: int) -> npt.NDArray[np.uint64]:
    """Sets of numbers up to `most`, as rows of bits."""
    words = most // 64 + 1
    rows = [as_words(sum(1 << number for number in set(each)), words) for each in sets]
    return np.array(rows, np.uint64).reshape(-1, words)


def turned(sets: Sequence[Iterable[int]], most: int) -> list[list[int]]:
    """For each number up to `most`, the numbers of the sets that it is in."""
    found: list[list[int]] = [[] for _ in range(most + 1)]
    for n, numbers in enumerate(sets):
        for each in numbers:
            found[each].append(n)
    return found


def ints(numbers: Iterable[int]) -> npt.NDArray[np.int32]:
    """Numbers as an array."""
    return np.array(list(numbers), np.int32)


def starts(lists: Iterable[Sequence[int]]) -> npt.NDArray[np.int32]:
    """Where each of the lists begins in all of them, and where the last one ends."""
    return ints(np.cumsum([0, *map(len, lists)]))
