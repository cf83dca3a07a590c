"""The capability to count the solutions of a level."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from puzzlemc.mc.limits import Budget


@dataclass(frozen=True)
class Counting:
    """How the solutions of a level are counted.

    what   names the objects that are counted, and when two of them are equal, for people
    count  the number of solutions. Raises LimitReached
    each   yields the solutions as lists of moves; None if the puzzle only counts. Raises LimitReached
    """

    what: str
    count: Callable[[Any, Budget], int]
    each: Callable[[Any, Budget], Iterator[list[str]]] | None = None
