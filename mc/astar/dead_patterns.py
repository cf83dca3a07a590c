"""Dead patterns for packed search: the same relaxations as in `symbolic/dead_patterns`, over packed states."""

from collections.abc import Callable
from itertools import permutations

import numpy as np

from puzzlemc.mc.astar import search
from puzzlemc.mc.astar.space import Chunks, canonical_states, grown, is_going_on, no_run, number_of, start_space
from puzzlemc.mc.heuristics.distances import no_distances
from puzzlemc.mc.heuristics.frozen import no_frozen
from puzzlemc.mc.heuristics.pairs import no_pairs
from puzzlemc.mc.heuristics.stubborn import no_stubborn_sets
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.hints import Relaxation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.relaxations import patterns, relaxed_objects, satisfying
from puzzlemc.mc.packed.actions import Rules
from puzzlemc.mc.packed.buckets import Space
from puzzlemc.mc.packed.layout import Layout, Numbers, Rows, Truths
from puzzlemc.mc.packed.successors import regions_beside
from puzzlemc.mc.packed.tables import Tables, Walks, tables_of

MOST_MARKS = 1 << 28  # bytes that the patterns of one size may take
MARKING = 8  # marks take at most one MARKING-th of the memory, since they are copied
AT_ONCE = 64  # sets of objects that are put beside each location between two looks at the budget


class DeadRows:
    """Dead single objects, pairs and triples by the relaxations of a model, in rows."""

    def __init__(
        self, layout: Layout, model: Model, moving: Rules, walks: Walks, kept: bool, largest: int, budget: Budget
    ) -> None:
        """`moving` and `walks` are the rules of all actions; `kept` says whether the model keeps its objects;
        no pattern has more than `largest` of them.

        Raises LimitReached, and Unsuitable where the objects are not all the bits outside the location.
        """
        self._layout = layout
        self._model = model
        self._watch = budget
        self._objects = relaxed_objects(model, kept=kept)
        self._at = {b: number for number, b in enumerate(self._objects)}
        self._columns = [layout.place(b) for b in self._objects]
        # By the number of objects kept: (location code, object, ...): are these alive?
        self._alive: dict[int, Truths] = {}
        if not self._objects:
            return
        most = min(MOST_MARKS, budget.limits.memory // MARKING)
        for relaxation in model.hints.relaxations:
            keep = relaxation.keep
            if keep > largest or (layout.key + 1) * len(layout.bits) ** keep > most:
                continue
            spared = moving.take(~self.enters(moving))
            self._alive[keep] = _symmetric(self._search(relaxation, spared, walks))

    def _search(self, relaxation: Relaxation, rules: Rules, walks: Walks) -> Truths:
        """For each location code and `keep` objects, the later ones the lower: can they reach the relaxed goal?"""
        layout, keep = self._layout, relaxation.keep
        kept = layout.rows([layout.integer(some) for some in satisfying(relaxation, self._objects)])
        bits = len(layout.bits)
        marked = np.zeros((layout.key + 1, bits, *(bits if size <= keep else 1 for size in (2, 3))), np.bool_)
        if len(kept):
            back = rules.reverse().without_prices()
            tables = tables_of(layout, back, no_distances(layout), walks.free())
            search.mark(tables, self._closed(tables, self._beside(tables, kept)), marked)
        for axis in range(1, keep + 1):
            marked = marked.take(self._columns, axis)
        return marked.reshape(marked.shape[: keep + 1])

    def _beside(self, tables: Tables, kept: Rows) -> Rows:
        """These objects with the location anywhere, as one row for each region. Raises LimitReached."""
        layout = self._layout
        codes = np.array(layout.codes, np.int64)
        objects = layout.rows([layout.objects_at.get(code, 0) for code in layout.codes])
        found = []
        for first in range(0, len(kept), AT_ONCE):
            self._watch.check()
            some = kept[first : first + AT_ONCE]
            free = ~(some[:, None] & objects).any(axis=2)
            rows = np.empty((free.size, layout.words), np.uint64)
            found.append(rows[: regions_beside(tables, some, codes, free, rows)].copy())
        return np.concatenate(found)

    def _closed(self, tables: Tables, start: Rows) -> Space:
        """The search from these rows, when all that it reaches is closed."""
        space = start_space(start)
        nothing, known = start[:0], (no_frozen(self._layout), no_stubborn_sets(self._layout), no_pairs())
        chunks, best = Chunks(self._watch), no_run()

        def close(most: int) -> int:
            status, _, _ = search.search(tables, *known, nothing, nothing, space, best, 0, most, False)
            return int(status)

        status = search.PAUSED
        while is_going_on(status):
            space = grown(space, tables)
            status = chunks.run(close)
        return space

    def _placed(self, rules: Rules) -> tuple[Numbers, Numbers, Numbers]:
        """For each object that a rule places: the rule's place, its target location code, the object's number.

        An action without a location gets no entry.
        """
        sets = self._layout.unpacked(rules.set)[:, self._columns]
        rule, number = np.nonzero(sets & rules.is_somewhere[:, None])
        return rule, rules.target[rule], number

    def enters(self, rules: Rules) -> Truths:
        """Does each rule place an object where it is dead by itself?"""
        entering = np.zeros(len(rules), np.bool_)
        if (alive := self._alive.get(1)) is not None:
            rule, code, number = self._placed(rules)
            entering[rule[~alive[code, number]]] = True
        return entering

    def partners(self, rules: Rules) -> Rows | None:
        """For each rule the objects that make a dead pair with one that it places; None where none are known."""
        if (alive := self._alive.get(2)) is None:
            return None
        rule, code, number = self._placed(rules)
        dead = ~alive[code, number]
        dead[np.arange(len(rule)), number] = False
        partners = np.zeros((len(rules), 64 * self._layout.words), np.bool_)
        for column, other in enumerate(self._columns):
            partners[rule[dead[:, column]], other] = True
        return self._layout.packed(partners)

    def triples(self, rules: Rules) -> Rows | None:
        """For each rule and object those that make a dead triple with it and one that the rule places.

        Shape (rules, bits, words); None where none are known.
        """
        if (alive := self._alive.get(3)) is None:
            return None
        layout = self._layout
        bits = len(layout.bits)
        found = np.zeros((len(rules), bits, layout.words), np.uint64)
        for rule, code, number in zip(*self._placed(rules), strict=True):
            self._watch.check()
            dead = ~alive[code, number]
            np.fill_diagonal(dead, val=False)
            dead[number, :] = dead[:, number] = False
            completing = np.zeros((bits, bits), np.bool_)
            completing[np.ix_(self._columns, self._columns)] = dead
            found[rule] |= layout.packed(completing)
        return found

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
            (row,) = canonical_states(tables, layout.rows([layout.integer(state)]))
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
