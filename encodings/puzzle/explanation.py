"""The capability to explain why a level has no solution."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from puzzlemc.encodings.puzzle.parts import Parts
from puzzlemc.mc.limits import Budget


@dataclass(frozen=True)
class Explanation:
    """How an unsolvable level is explained, from cheap to expensive. A puzzle has `parts` or `words`, not both.

    obvious  a reason that needs no search; empty if there is none, or if the level is solvable
    parts    loads the kinds of objects that can be left out. A search then finds a smallest part of the level
             that is already unsolvable, see `puzzlemc.encodings.puzzle.parts`
    words    a reason in words, found by a method of the puzzle; empty if there is none. Raises LimitReached
    """

    obvious: Callable[[Any], str] = lambda _: ""
    parts: Callable[[], tuple[Parts, ...]] | None = None
    words: Callable[[Any, Budget], str] | None = None

    def __post_init__(self) -> None:
        if self.parts is not None and self.words is not None:
            raise ValueError("found both parts and words, expected one of them")

    @property
    def needs_search(self) -> bool:
        """Can a search find a reason that is not obvious?"""
        return self.parts is not None or self.words is not None

    @property
    def kinds(self) -> tuple[Parts, ...]:
        """The kinds of objects that can be left out of a level."""
        return self.parts() if self.parts is not None else ()
