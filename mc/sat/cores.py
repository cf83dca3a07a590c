"""Minimal cores: a smallest infeasible subset of a set of objects, found by asking which subsets are feasible.

A *part* is a subset of the objects. Feasibility has to be *monotone*: every superset of an infeasible part is
infeasible. Two algorithms alternate.

Implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva 2015): each core contains an object outside
each feasible part. The search asks about a smallest set that hits the complements of all known feasible parts. If
that set is infeasible, it is a core, and no core is smaller; if it is feasible, it is a new feasible part. This
finds small cores, and proves that they are the smallest.

Deletion (Chinneck and Dravnieks 1991, Bakker et al. 1993): start with all objects, and remove each object whose
removal leaves the rest infeasible. The result is a minimal core; smaller cores may exist.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from pysat.examples.hitman import Hitman

from puzzlemc.mc.errors import LIMITS, Refuted, reason_of
from puzzlemc.mc.limits import Budget

T = TypeVar("T", bound=Hashable)

SMALL = 3  # objects: all parts up to this size are candidates before deletion starts
MOST_CANDIDATES = 400  # hitting sets that the search asks about


class Answer(NamedTuple, Generic[T]):
    """Is a part feasible? If so, `witness` is a feasible superset of it; if not, an infeasible subset of it."""

    feasible: bool
    witness: frozenset[T]


Ask = Callable[[frozenset[T], Budget], Answer[T]]  # may raise one of LIMITS


@dataclass(frozen=True)
class Core(Generic[T]):
    """An infeasible part.

    objects      its objects, in the order of the whole set
    minimal      whether every proper subset is known to be feasible
    lower_bound  every part with fewer objects than this is feasible
    reason       the limit that ended the search, None if it finished
    """

    objects: tuple[T, ...]
    minimal: bool
    lower_bound: int
    reason: str | None = None

    @property
    def smallest(self) -> bool:
        """Is it known that no core has fewer objects?"""
        return self.lower_bound >= len(self.objects)


class MinimalCoreSearch(Generic[T]):
    """A search for a smallest infeasible part of `objects`.

    `is_infeasible` says that the set of all objects is known to be infeasible. Without it, call only `small`,
    which does not rely on that. When a limit ends the search, its result is the best core so far. Raises Refuted
    if all objects together turn out to be feasible.
    """

    def __init__(self, objects: Sequence[T], ask: Ask[T], *, is_infeasible: bool = True) -> None:
        self._objects = objects
        self._ask = ask
        self._core = frozenset(objects)
        self._is_infeasible = is_infeasible
        self._feasible: list[frozenset[T]] = []  # known feasible parts
        self._needed: set[T] = set()  # objects of the core whose removal makes it feasible
        self._lower_bound = 0
        self._candidates = 0
        self._hitman = Hitman(solver="cadical153", htype="sorted")

    def small(self, budget: Budget, most: int = SMALL) -> Core[T] | None:
        """A smallest core if it has at most `most` objects; None if it is larger, or a limit came first."""
        with suppress(*LIMITS):
            self._search_hitting_sets(budget, most)
        core = self._best(None)
        return core if self._is_infeasible and core.smallest and len(core.objects) <= most else None

    def any_size(self, budget: Budget) -> Core[T]:
        """A minimal core, and a smallest one if MOST_CANDIDATES and the limits suffice."""
        reason = None
        try:
            self._delete(budget)
            self._search_hitting_sets(budget, len(self._objects))
        except LIMITS as limit:
            reason = reason_of(limit)
        return self._best(reason)

    def minimal(self, budget: Budget) -> Core[T]:
        """A minimal core by deletion alone, which removes the first objects first."""
        reason = None
        try:
            self._delete(budget)
        except LIMITS as limit:
            reason = reason_of(limit)
        return self._best(reason)

    def _best(self, reason: str | None) -> Core[T]:
        objects = tuple(each for each in self._objects if each in self._core)
        minimal = self._lower_bound >= len(objects) or self._needed >= self._core
        return Core(objects, minimal, min(self._lower_bound, len(objects)), reason)

    def _search_hitting_sets(self, budget: Budget, most: int) -> None:
        """Ask about smallest hitting sets, until a core is proved smallest or they exceed `most` objects."""
        while self._candidates < MOST_CANDIDATES:
            budget.check()
            candidate = frozenset(self._hitman.get() or ())
            self._lower_bound = len(candidate)
            if (self._is_infeasible and self._lower_bound >= len(self._core)) or self._lower_bound > most:
                return
            self._candidates += 1
            self._is_feasible(candidate, budget)

    def _delete(self, budget: Budget) -> None:
        """Remove objects from the core one at a time."""
        if self._lower_bound >= len(self._core):
            return
        for each in self._objects:
            rest = self._core - {each}
            if each in self._core and (
                any(rest <= part for part in self._feasible) or self._is_feasible(rest, budget)
            ):
                self._needed.add(each)

    def _is_feasible(self, part: frozenset[T], budget: Budget) -> bool:
        """Ask about a part, and record the answer."""
        budget.check()
        answer = self._ask(part, budget)
        if not answer.feasible:
            self._is_infeasible = True
            self._core = answer.witness if len(answer.witness) < len(self._core) else self._core
            self._needed &= self._core
        else:
            if not (others := [each for each in self._objects if each not in answer.witness]):
                raise Refuted("the set of all objects is feasible, which contradicts an earlier answer")
            self._feasible.append(answer.witness)
            self._hitman.hit(others)
        return answer.feasible
