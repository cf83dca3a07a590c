"""The smallest part of what cannot be done that cannot be done either: a core, found by asking about parts.

What is asked has to be *monotone*: where a part cannot be done, no greater part can. Two ways are taken in turn.

Hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva 2015): a part that can be done misses something of each
core, so that each core has an object outside each such part. Of all sets that have, one with the fewest objects
is asked about: where it cannot be done it is a core, and none has fewer objects; else there is one part more that
can be done. Small cores are found so, and proved to be the smallest.

Deletion (Chinneck and Dravnieks 1991, Bakker et al. 1993): from all objects one after another is taken away, as
long as the rest cannot be done. What is left is a core of which nothing can be left out; there may be smaller
ones.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from pysat.examples.hitman import Hitman

from puzzlemc.mc.errors import LIMITS, Refuted, reason_of
from puzzlemc.mc.limits import Budget

SMALL = 3  # objects: all sets up to this size are tried as cores before deletion starts
QUESTIONS = 400  # asked about candidates for smallest cores, at most


class Answer(NamedTuple):
    """Can a part be done? Then `about` is a part, no smaller, that can; else one, no greater, that cannot."""

    possible: bool
    about: frozenset[str]


Ask = Callable[[frozenset[str], Budget], Answer]  # raises what limits raise


@dataclass(frozen=True)
class Core:
    """A part that cannot be done.

    kept      its objects, in the order of all
    minimal   whether it is known that without any one of them it can be done
    below     no part with fewer objects than this cannot be done
    reason    the limit that came first, None where none did
    """

    kept: tuple[str, ...]
    minimal: bool
    below: int
    reason: str | None = None

    @property
    def smallest(self) -> bool:
        """Is it known that no core has fewer objects?"""
        return self.below >= len(self.kept)


class Search:
    """Looks for a core of some objects which together cannot be done.

    Where that is not `known`, only `small` may be asked for. Where a limit comes first, the best that is known is
    told. Raises Refuted where all objects can be done.
    """

    def __init__(self, objects: Sequence[str], ask: Ask, *, known: bool = True) -> None:
        self._objects = objects
        self._ask = ask
        self._core = frozenset(objects)
        self._known = known
        self._done: list[frozenset[str]] = []  # parts that can be done
        self._needed: set[str] = set()  # without any of these, the rest of the core can be done
        self._below = 0
        self._questions = 0
        self._hitman = Hitman(solver="cadical153", htype="sorted")

    def small(self, budget: Budget, most: int = SMALL) -> Core | None:
        """The smallest core if it has at most `most` objects; None if it is larger, or a limit came first."""
        with suppress(*LIMITS):
            self._hit(budget, most)
        core = self._found(None)
        return core if self._known and core.smallest and len(core.kept) <= most else None

    def any_size(self, budget: Budget) -> Core:
        """A core of which nothing can be left out, and a smallest one where questions and limits suffice."""
        reason = None
        try:
            self._delete(budget)
            self._hit(budget, len(self._objects))
        except LIMITS as limit:
            reason = reason_of(limit)
        return self._found(reason)

    def _found(self, reason: str | None) -> Core:
        kept = tuple(each for each in self._objects if each in self._core)
        minimal = self._below >= len(kept) or self._needed >= self._core
        return Core(kept, minimal, min(self._below, len(kept)), reason)

    def _hit(self, budget: Budget, most: int) -> None:
        """Ask about smallest candidates, until a core is known to be smallest, or they have more objects."""
        while self._questions < QUESTIONS:
            budget.check()
            candidate = frozenset(self._hitman.get() or ())
            self._below = len(candidate)
            if (self._known and self._below >= len(self._core)) or self._below > most:
                return
            self._questions += 1
            self._is_possible(candidate, budget)

    def _delete(self, budget: Budget) -> None:
        """Take objects away one at a time."""
        if self._below >= len(self._core):
            return
        for each in self._objects:
            rest = self._core - {each}
            if each in self._core and (
                any(rest <= done for done in self._done) or self._is_possible(rest, budget)
            ):
                self._needed.add(each)

    def _is_possible(self, part: frozenset[str], budget: Budget) -> bool:
        """Ask, and learn from the answer."""
        budget.check()
        answer = self._ask(part, budget)
        if not answer.possible:
            self._known = True
            self._core = answer.about if len(answer.about) < len(self._core) else self._core
            self._needed &= self._core
        else:
            if not (others := [each for each in self._objects if each not in answer.about]):
                raise Refuted("what was said to be impossible can be done")
            self._done.append(answer.about)
            self._hitman.hit(others)
        return answer.possible
