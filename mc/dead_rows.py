"""Dead patterns for compiled search: the same relaxations as in `deadness`, searched in rows of words."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from puzzlemc.mc import kernel
from puzzlemc.mc.distances import nothing_told
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.formula import Bit, Formula, State, fold
from puzzlemc.mc.kernel import Space, Tables
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model, Relaxation
from puzzlemc.mc.packing import Packing, Rule
from puzzlemc.mc.shared import is_possible
from puzzlemc.mc.space import STEPS, roomier, settled, start_space


def _satisfying(formula: Formula, objects: list[Bit], keep: int) -> list[tuple[Bit, ...]]:
    """The sets of `keep` objects that satisfy the formula, all other objects being absent."""
    chosen = list(combinations(range(len(objects)), keep))
    held = np.zeros((len(chosen), len(objects)), np.bool_)
    held[np.arange(len(chosen))[:, None], np.array(chosen, np.int64).reshape(-1, keep)] = True
    column = {b: held[:, number] for number, b in enumerate(objects)}
    good = fold(
        formula,
        lambda b, value: column[b] == value,
        lambda parts: np.logical_and.reduce([np.ones(len(chosen), np.bool_), *parts]),
        lambda parts: np.logical_or.reduce([np.zeros(len(chosen), np.bool_), *parts]),
    )
    return [tuple(objects[n] for n in chosen[at]) for at in np.nonzero(good)[0]]


class DeadRows:
    """Dead single objects and pairs by the relaxations of a model, as `deadness` has them, in rows."""

    def __init__(
        self, packing: Packing, model: Model, rules: list[Rule], walks: frozenset[Rule], patterns: int, watch: Watch
    ) -> None:
        self._packing = packing
        self._model = model
        self._objects: dict[Bit, int] = {}
        self._one: npt.NDArray[np.bool_] | None = None  # (location code, object): alive
        self._two: npt.NDArray[np.bool_] | None = None  # (location code, object, object): alive
        location = model.hints.location
        if location is None or not model.hints.objects:
            return
        for relaxation in model.hints.relaxations:
            objects = tuple(model.hints.objects)
            if set(objects) != set(packing.bits[len(location.bits) :]):
                raise ModelError("the objects of a relaxation must be all the bits outside the location")
            self._objects = {b: number for number, b in enumerate(objects)}
            if relaxation.keep == 1:
                self._one = self._alive(relaxation, rules, walks, watch)
            elif relaxation.keep == 2 and patterns >= 2:
                spared = [rule for rule in rules if not self.enters(rule)]
                self._two = self._alive(relaxation, spared, walks, watch)

    def _alive(
        self, relaxation: Relaxation, rules: list[Rule], walks: frozenset[Rule], watch: Watch
    ) -> npt.NDArray[np.bool_]:
        """For each location code and `keep` objects: can they reach the relaxed goal?"""
        packing, location = self._packing, self._model.hints.location
        assert location is not None
        objects, keep = list(self._objects), relaxation.keep
        codes = [packing.integer(b for b, held in location.literals(v).items() if held) for v in location.values]
        kept = [packing.integer(some) for some in _satisfying(relaxation.goal, objects, keep)]
        start = packing.rows([code | pair for code in codes for pair in kept])
        marked = np.zeros((packing.key + 1, len(packing.bits), len(packing.bits) if keep == 2 else 1), np.bool_)
        if len(start):
            back = [rule.reverse(0) for rule in rules if rule not in walks]
            free = [replace(rule, price=0) for rule in walks]
            tables = packing.tables(back, nothing_told(packing), None, free)
            space = start_space(settled(tables, start))
            nothing = start[:0]
            status = kernel.PAUSED
            while status in (kernel.PAUSED, kernel.FULL):
                space = roomier(space, tables)
                status, _, _ = kernel.search(tables, nothing, nothing, space, 0, STEPS, False)
                watch.check()
            kernel.mark(tables, space, marked)
        columns = [packing.bits.index(b) for b in objects]
        if keep == 1:
            return marked[:, columns, 0]
        alive = marked[:, columns][:, :, columns]
        return alive | alive.transpose(0, 2, 1)

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

    def invariant(self, space: Space, tables: Tables, *, backward: bool) -> Callable[[State], bool]:
        """The invariant of a search that ended: reached or dead, or, backward, not reached."""
        packing, model, location = self._packing, self._model, self._model.hints.location

        def dead(state: State) -> bool:
            if location is None or not self._objects:
                return False
            code = packing.integer(b for b in location.bits if b in state)
            held = [number for b, number in self._objects.items() if b in state]
            one, two = self._one, self._two
            return (one is not None and any(not one[code, n] for n in held)) or (
                two is not None and any(not two[code, n, m] for n, m in combinations(held, 2))
            )

        def invariant(state: State) -> bool:
            if not is_possible(model, state):
                return False
            (row,) = settled(tables, packing.rows([packing.integer(state)]))
            reached = bool(space.slots[kernel.find(space.rows, space.slots, row)] >= 0)
            return not reached if backward else reached or dead(state)

        return invariant
