"""Dead patterns for compiled search: the same relaxations as in `sets/deadness`, searched in rows of words."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import numpy as np

from puzzlemc.mc.formula import State
from puzzlemc.mc.hints import Relaxation
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model
from puzzlemc.mc.relaxations import patterns, placed, relaxed_objects, satisfying
from puzzlemc.mc.rows import search
from puzzlemc.mc.rows.buckets import Space
from puzzlemc.mc.rows.distances import no_distances
from puzzlemc.mc.rows.layout import Layout, Rows, Truths
from puzzlemc.mc.rows.space import Chunks, grown, is_going_on, number_of, settled, start_space
from puzzlemc.mc.rows.steps import Rule
from puzzlemc.mc.rows.tables import Tables, tables_of

MOST_MARKS = 1 << 28  # bytes that the patterns of one size may take


class DeadRows:
    """Dead single objects, pairs and triples by the relaxations of a model, in rows."""

    def __init__(
        self, layout: Layout, model: Model, rules: list[Rule], walks: list[Rule], largest: int, watch: Watch
    ) -> None:
        """`rules` are those of all actions, `walks` some of them; no pattern has more than `largest` objects.

        Raises LimitReached, and Unsuitable where the objects are not all the bits outside the location.
        """
        self._layout = layout
        self._model = model
        self._watch = watch
        self._objects = relaxed_objects(model)
        self._at = {b: number for number, b in enumerate(self._objects)}
        # By the number of objects kept: (location code, object, ...): are these alive?
        self._alive: dict[int, Truths] = {}
        if not self._objects:
            return
        among_walks = frozenset(walks)
        moving = [rule for rule in rules if rule not in among_walks]
        for relaxation in model.hints.relaxations:
            keep = relaxation.keep
            if keep > largest or (keep == 3 and (layout.key + 1) * len(layout.bits) ** 3 > MOST_MARKS):
                continue
            spared = [rule for rule in moving if not self.enters(rule)]
            self._alive[keep] = _symmetric(self._search(relaxation, spared, walks))

    def _search(self, relaxation: Relaxation, rules: list[Rule], walks: list[Rule]) -> Truths:
        """For each location code and `keep` objects, the later ones the lower: can they reach the relaxed goal?"""
        layout, keep = self._layout, relaxation.keep
        kept = [layout.integer(some) for some in satisfying(relaxation, self._objects)]
        start = layout.rows([code | some for code in layout.codes for some in kept])
        bits = len(layout.bits)
        marked = np.zeros((layout.key + 1, bits, *(bits if size <= keep else 1 for size in (2, 3))), np.bool_)
        if len(start):
            back = [rule.reverse(0) for rule in rules]
            free = [replace(rule, price=0) for rule in walks]
            tables = tables_of(layout, back, no_distances(layout), walks=free)
            search.mark(tables, self._closed(tables, start), marked)
        columns = [layout.place(b) for b in self._objects]
        for axis in range(1, keep + 1):
            marked = marked.take(columns, axis)
        return marked.reshape(marked.shape[: keep + 1])

    def _closed(self, tables: Tables, start: Rows) -> Space:
        """The search from these rows, when all that it reaches is closed."""
        space = start_space(settled(tables, start))
        nothing = start[:0]
        chunks = Chunks(self._watch)

        def close(most: int) -> int:
            status, _, _ = search.search(tables, nothing, nothing, space, 0, most, False)
            return int(status)

        status = search.PAUSED
        while is_going_on(status):
            space = grown(space, tables)
            status = chunks.run(close)
        return space

    def _placed(self, rule: Rule) -> list[tuple[int, int]]:
        """Target location code and object, for each object that the rule places."""
        key = self._layout.key
        if rule.mask & key != key:
            return []  # the action may be anywhere: nothing is told of it
        constants = self._model.actions[rule.number].constants
        return [(rule.target(key), self._at[b]) for b in placed(constants, self._objects)]

    def enters(self, rule: Rule) -> bool:
        """Does the rule place an object where it is dead by itself?"""
        alive = self._alive.get(1)
        return alive is not None and any(not alive[code, number] for code, number in self._placed(rule))

    def partners(self, rule: Rule) -> int:
        """The objects that make a dead pair with one that the rule places, as an integer."""
        alive, partners = self._alive.get(2), 0
        if alive is not None:
            for code, number in self._placed(rule):
                row = alive[code, number]
                for b, other in self._at.items():
                    if other != number and not row[other]:
                        partners |= self._layout.one[b]
        return partners

    @property
    def triples(self) -> Callable[[Rule], Rows] | None:
        """The objects that make a dead triple with one that a rule places and each other; None where not known."""
        return self._completing if 3 in self._alive else None

    def _completing(self, rule: Rule) -> Rows:
        self._watch.check()
        layout = self._layout
        columns = [layout.place(b) for b in self._objects]
        completing = np.zeros((len(layout.bits), len(layout.bits)), np.bool_)
        for code, number in self._placed(rule):
            dead = ~self._alive[3][code, number]
            np.fill_diagonal(dead, val=False)
            dead[number, :] = dead[:, number] = False
            completing[np.ix_(columns, columns)] |= dead
        return layout.packed(completing)

    def covers(self, state: State) -> bool:
        """Does the state hold a dead pattern? Asked of possible states only."""
        layout, location = self._layout, self._model.hints.location
        if location is None or not self._objects:
            return False
        code = layout.integer(b for b in location.bits if b in state)
        return any(
            not self._alive[len(kept)][(code, *(self._at[b] for b in kept))]
            for kept in patterns(state, self._objects, self._alive)
        )

    def invariant(self, space: Space, tables: Tables, *, backward: bool) -> Callable[[State], bool]:
        """The invariant of a search that ended: reached or dead, or, backward, not reached."""
        layout, model = self._layout, self._model

        def invariant(state: State) -> bool:
            if not model.hints.allow(state):
                return False
            (row,) = settled(tables, layout.rows([layout.integer(state)]))
            reached = number_of(space, row) >= 0
            return not reached if backward else reached or self.covers(state)

        return invariant


def _symmetric(alive: Truths) -> Truths:
    """The same with its objects in any order."""
    keep = alive.ndim - 1
    whole = np.zeros_like(alive)
    for order in permutations(range(1, keep + 1)):
        whole |= alive.transpose(0, *order)
    return whole
