"""Dead patterns for compiled search: the same relaxations as in `deadness`, searched in rows of words."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from puzzlemc.mc import kernel
from puzzlemc.mc.distances import nothing_told
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.formula import Bit, State
from puzzlemc.mc.kernel import Space, Tables, Words
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model, Relaxation
from puzzlemc.mc.packing import Packing, Rule
from puzzlemc.mc.shared import is_possible
from puzzlemc.mc.space import STEPS, roomier, settled, start_space

MOST_MARKS = 1 << 28  # bytes that the patterns of one size may take


def _satisfying(relaxation: Relaxation, objects: list[Bit]) -> list[tuple[Bit, ...]]:
    """The sets of as many objects as the relaxation keeps that hold enough targets."""
    others = [b for b in objects if b not in relaxation.targets]
    return [
        on + off
        for held in range(relaxation.held, relaxation.keep + 1)
        for on in combinations(relaxation.targets, held)
        for off in combinations(others, relaxation.keep - held)
    ]


class DeadRows:
    """Dead single objects, pairs and triples by the relaxations of a model, as `deadness` has them, in rows."""

    def __init__(
        self,
        packing: Packing,
        model: Model,
        rules: list[Rule],
        walks: frozenset[Rule],
        patterns: int,
        watch: Watch,
    ) -> None:
        self._packing = packing
        self._model = model
        self._objects: dict[Bit, int] = {}
        self._one: npt.NDArray[np.bool_] | None = None  # (location code, object): alive
        self._two: npt.NDArray[np.bool_] | None = None  # (location code, object, object): alive
        self._three: npt.NDArray[np.bool_] | None = None  # likewise
        location = model.hints.location
        if location is None or not model.keeps_objects:
            return
        for relaxation in model.hints.relaxations:
            objects = tuple(model.hints.objects)
            if set(objects) != set(packing.bits[len(location.bits) :]):
                raise Unsuitable("the objects of a relaxation must be all the bits outside the location")
            self._objects = {b: number for number, b in enumerate(objects)}
            if relaxation.keep == 1:
                self._one = self._alive(relaxation, rules, walks, watch)[:, :, 0, 0]
            elif relaxation.keep == 2 and patterns >= 2:
                spared = [rule for rule in rules if not self.enters(rule)]
                alive = self._alive(relaxation, spared, walks, watch)[:, :, :, 0]
                self._two = alive | alive.transpose(0, 2, 1)
            elif (
                relaxation.keep == 3 and patterns >= 3 and (packing.key + 1) * len(packing.bits) ** 3 <= MOST_MARKS
            ):
                spared = [rule for rule in rules if not self.enters(rule)]
                alive = self._alive(relaxation, spared, walks, watch)
                for swapped in [(0, 2, 1, 3), (0, 1, 3, 2), (0, 3, 2, 1)]:
                    alive |= alive.transpose(swapped)
                self._three = alive

    def _alive(
        self, relaxation: Relaxation, rules: list[Rule], walks: frozenset[Rule], watch: Watch
    ) -> npt.NDArray[np.bool_]:
        """For each location code and `keep` objects: can they reach the relaxed goal?"""
        packing, location = self._packing, self._model.hints.location
        assert location is not None
        objects, keep = list(self._objects), relaxation.keep
        codes = [packing.integer(b for b, held in location.literals(v).items() if held) for v in location.values]
        kept = [packing.integer(some) for some in _satisfying(relaxation, objects)]
        start = packing.rows([code | pair for code in codes for pair in kept])
        bits = len(packing.bits)
        marked = np.zeros((packing.key + 1, bits, *(bits if size <= keep else 1 for size in (2, 3))), np.bool_)
        if len(start):
            back = [rule.reverse(0) for rule in rules if rule not in walks]
            free = [replace(rule, price=0) for rule in walks]
            tables = packing.tables(back, nothing_told(packing), walks=free)
            space = start_space(settled(tables, start))
            nothing = start[:0]
            status = kernel.PAUSED
            while status in (kernel.PAUSED, kernel.FULL):
                space = roomier(space, tables)
                status, _, _ = kernel.search(tables, nothing, nothing, space, 0, STEPS, False)
                watch.check()
            kernel.mark(tables, space, marked)
        columns = [packing.bits.index(b) for b in objects]
        for axis in range(1, keep + 1):
            marked = marked.take(columns, axis)
        return marked

    def _placed(self, rule: Rule) -> list[tuple[int, int]]:
        """Target location code and object, for each object that the rule places."""
        if rule.mask & self._packing.key != self._packing.key:
            return []  # the action may be anywhere: nothing is told of it
        after = rule.value & ~rule.clear | rule.set
        code = after & self._packing.key
        return [(code, n) for b, n in self._objects.items() if rule.set & self._packing.one[b]]

    def enters(self, rule: Rule) -> bool:
        """Does the rule place an object where it is dead by itself?"""
        one = self._one
        return one is not None and any(not one[code, number] for code, number in self._placed(rule))

    def partners(self, rule: Rule) -> int:
        """The objects that make a dead pair with one that the rule places."""
        if self._two is None:
            return 0
        found = 0
        for code, number in self._placed(rule):
            row = self._two[code, number]
            for b, other in self._objects.items():
                if other != number and not row[other]:
                    found |= self._packing.one[b]
        return found

    @property
    def triples(self) -> Callable[[Rule], Words] | None:
        """The objects that make a dead triple with one that a rule places and each other; None where not known."""
        return None if self._three is None else self._completing

    def _completing(self, rule: Rule) -> Words:
        assert self._three is not None
        packing = self._packing
        columns = [packing.bits.index(b) for b in self._objects]
        found = np.zeros((len(packing.bits), len(packing.bits)), np.bool_)
        for code, number in self._placed(rule):
            dead = ~self._three[code, number]
            np.fill_diagonal(dead, val=False)
            dead[number, :] = dead[:, number] = False
            found[np.ix_(columns, columns)] |= dead
        return packing.packed(found)

    def covers(self, state: State) -> bool:
        """Does the state hold a dead pattern? Asked of possible states only."""
        packing, location = self._packing, self._model.hints.location
        if location is None or not self._objects:
            return False
        code = packing.integer(b for b in location.bits if b in state)
        held = [number for b, number in self._objects.items() if b in state]
        tables = {1: self._one, 2: self._two, 3: self._three}
        return any(
            not alive[(code, *kept)]
            for keep, alive in tables.items()
            if alive is not None
            for kept in combinations(held, keep)
        )

    def invariant(self, space: Space, tables: Tables, *, backward: bool) -> Callable[[State], bool]:
        """The invariant of a search that ended: reached or dead, or, backward, not reached."""
        packing, model = self._packing, self._model

        def invariant(state: State) -> bool:
            if not is_possible(model, state):
                return False
            (row,) = settled(tables, packing.rows([packing.integer(state)]))
            reached = bool(space.slots[kernel.find(space.rows, space.slots, row)] >= 0)
            return not reached if backward else reached or self.covers(state)

        return invariant
