"""Dead patterns for search over packed states, from the same relaxations as in `mc/symbolic/dead_patterns.py`."""

from collections.abc import Callable, Iterator

import numpy as np

from puzzlemc.mc.astar import search, space
from puzzlemc.mc.astar.sides import Goal, Progress, Side
from puzzlemc.mc.astar.space import canonical_states, enlarge, is_going_on, start_space
from puzzlemc.mc.heuristics.build_tables import no_frozen, no_pairs, no_stubborn_sets
from puzzlemc.mc.heuristics.distances import no_distances
from puzzlemc.mc.heuristics.single_objects import single_object_costs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, State
from puzzlemc.mc.model.hints import Relaxation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.actions import PackedActions, keeps_objects, pack_actions
from puzzlemc.mc.packed.build_tables import check_locations, tables_of, walks_of
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.packed.inspection import places_dead
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates, Truths
from puzzlemc.mc.packed.tables import Tables, Walks, free_walks
from puzzlemc.mc.packed.walks import free_to_leave_out, regions_beside
from puzzlemc.mc.passes.relaxations import patterns, relaxed_objects, satisfying
from puzzlemc.mc.search.buckets import Space
from puzzlemc.mc.search.state_table import PAUSED
from puzzlemc.mc.search.turns import Turns

MOST_MARKS = 1 << 28  # bytes for the patterns of one size
MARKING = 8  # the patterns take at most one MARKING-th of the memory, since they are copied
AT_ONCE = 64  # sets of objects that are combined with all locations between two checks of the budget


class DeadPatterns:
    """The dead single objects, pairs and triples of a model, from its relaxations."""

    def __init__(
        self,
        layout: Layout,
        model: Model,
        actions: PackedActions,
        walking: Truths,
        walks: Walks,
        kept: bool,
        largest: int,
        budget: Budget,
    ) -> None:
        """Find the dead patterns of at most `largest` objects.

        `actions` are all actions of the model; those that are `walking` are `walks`. `kept` is the value of
        `Model.keeps_objects`. Raises LimitReached, and Unsuitable if the objects are not all the bits outside the
        location.
        """
        self._layout = layout
        self._model = model
        self._budget = budget
        self._objects = relaxed_objects(model, kept=kept)
        self._at = {b: number for number, b in enumerate(self._objects)}
        self._columns = [layout.place(b) for b in self._objects]
        # By the number of objects: an array over (location code, object, ...), true if that pattern is alive. The
        # objects are in falling order.
        self._alive: dict[int, Truths] = {}
        if not self._objects:
            return
        most = min(MOST_MARKS, budget.limits.memory // MARKING)
        for relaxation in model.hints.relaxations:
            keep = relaxation.keep
            if keep > largest or (layout.key + 1) * len(layout.bits) ** keep > most:
                continue
            if keep == 1:
                self._alive[keep] = self._alone(relaxation, actions)
                continue
            spared = actions.take(~(walking | self.enters(actions)))
            self._alive[keep] = self._search(relaxation, spared, walks)

    def _alone(self, relaxation: Relaxation, actions: PackedActions) -> Truths:
        """For each location code and object: can it reach the relaxed goal?"""
        layout = self._layout
        ends = [layout.place(b) for (b,) in satisfying(relaxation, self._objects)]
        tables = tables_of(layout, actions.reverse().divided(0), no_distances(layout))
        costs = single_object_costs(tables, layout.codes, [ends], len(layout.bits))
        alive: Truths = costs[:, :, 0].take(self._columns, axis=1) < INFINITE
        return alive

    def _search(self, relaxation: Relaxation, actions: PackedActions, walks: Walks) -> Truths:
        """For each location code and `keep` objects in falling order: can they reach the relaxed goal?"""
        layout, keep, count = self._layout, relaxation.keep, len(self._objects)
        kept = layout.from_integers([layout.integer(some) for some in satisfying(relaxation, self._objects)])
        marked = np.zeros((layout.key + 1, count, *(count if size <= keep else 1 for size in (2, 3))), np.bool_)
        if len(kept):
            back = actions.reverse().divided(0)
            tables = tables_of(layout, back, no_distances(layout), free_walks(walks))
            search.mark(tables, self._closed(tables, self._beside(tables, kept)), self._numbers(), marked)
        return marked.reshape(marked.shape[: keep + 1])

    def _beside(self, tables: Tables, kept: PackedStates) -> PackedStates:
        """Each set of objects with each location, one row for each region. Raises LimitReached."""
        layout = self._layout
        codes = np.array(layout.codes, np.int64)
        objects = layout.from_integers([layout.objects_at.get(code, 0) for code in layout.codes])
        found = []
        for first in range(0, len(kept), AT_ONCE):
            self._budget.check()
            some = kept[first : first + AT_ONCE]
            free: Truths = np.logical_not((some[:, None] & objects).any(axis=2))
            found.append(regions_beside(tables.walks, some, codes, free))
        return np.concatenate(found)

    def _closed(self, tables: Tables, start: PackedStates) -> Space:
        """The closed list of an exhaustive search from these rows. Raises LimitReached."""
        layout, turns = self._layout, Turns(self._budget)
        side = Side(tables, no_frozen(layout), no_stubborn_sets(layout), no_pairs(), start_space(start))
        goal, progress = Goal(start[:0], start[:0]), Progress(1)
        status = PAUSED
        while is_going_on(status):
            enlarge(side.space, tables)
            status = turns.run(lambda most: search.search(side, goal, progress, most, False), space.STEPS)
        return side.space

    def _placed(self, actions: PackedActions) -> tuple[Numbers, Numbers, Numbers]:
        """For each object that an action places: the action, its target location code, the number of the object.

        An action without a fixed location gets no entry.
        """
        sets = self._layout.unpacked(actions.set)[:, self._columns]
        rule, number = np.nonzero(sets & actions.is_somewhere[:, None])
        return rule, actions.target[rule], number

    def _numbers(self) -> Numbers:
        """By place in a row: the number of the object; -1 if there is none."""
        numbers = np.full(64 * self._layout.words, -1, np.int64)
        numbers[self._columns] = np.arange(len(self._columns))
        return numbers

    def enters(self, actions: PackedActions) -> Truths:
        """Does each action place an object that is dead by itself?"""
        if (alive := self._alive.get(1)) is None:
            return np.zeros(len(actions), np.bool_)
        return places_dead(actions.masks, self._numbers(), alive)

    def partners(self, actions: PackedActions) -> PackedStates | None:
        """For each action the objects that form a dead pair with an object that it places; None without pairs."""
        if (alive := self._alive.get(2)) is None:
            return None
        rule, code, number = self._placed(actions)
        dead = ~(alive[code, number] | alive[code, :, number])
        dead[np.arange(len(rule)), number] = False
        partners = np.zeros((len(actions), 64 * self._layout.words), np.bool_)
        for column, other in enumerate(self._columns):
            partners[rule[dead[:, column]], other] = True
        return self._layout.packed(partners)

    def triples(self, actions: PackedActions) -> PackedStates | None:
        """For each action and object the objects that complete a dead triple with an object that the action
        places.

        Shape (actions, bits, words); None without triples. Raises LimitReached.
        """
        if (alive := self._alive.get(3)) is None:
            return None
        layout = self._layout
        bits = len(layout.bits)
        found = np.zeros((len(actions), bits, layout.words), np.uint64)
        for rule, code, number in zip(*self._placed(actions), strict=True):
            self._budget.check()
            ordered = alive[code, number] | alive[code, :, number] | alive[code, :, :, number]
            dead = ~(ordered | ordered.T)
            np.fill_diagonal(dead, val=False)
            dead[number, :] = dead[:, number] = False
            completing = np.zeros((bits, bits), np.bool_)
            completing[np.ix_(self._columns, self._columns)] = dead
            found[rule] |= layout.packed(completing)
        return found

    def covers(self, state: State) -> bool:
        """Does the state contain a dead pattern? The state must satisfy `Hints.allow`."""
        layout, location = self._layout, self._model.hints.location
        if location is None or not self._objects:
            return False
        code = layout.integer(b for b in location.bits if b in state)
        return any(
            not self._alive[len(kept)][(code, *sorted((self._at[b] for b in kept), reverse=True))]
            for kept in patterns(state, self._objects, self._alive)
        )

    def smallest(self) -> Iterator[tuple[tuple[Bit, ...], Truths]]:
        """Yield the dead patterns that contain no smaller one: objects, and for which locations they are dead.

        Shape (values of the location,); false for the places of these objects. Raises LimitReached.
        """
        location, objects = self._model.hints.location, list(self._objects)
        if location is None or not objects:
            return
        codes = np.array(self._layout.codes, np.int64)
        free = np.array([[value != self._objects[b] for b in objects] for value in location.values], np.bool_)
        ones = np.zeros((len(codes), len(objects)), np.bool_)
        pairs = np.zeros((len(objects), len(codes), len(objects)), np.bool_)
        if (alive := self._alive.get(1)) is not None:
            ones = ~alive[codes] & free
            yield from self._partners(ones, ())
        if (alive := self._alive.get(2)) is not None:
            for first in range(len(objects)):
                one = ones[:, first, None] | ~free[:, first, None]
                pairs[first, :, :first] = (~alive[codes, first] & free & ~ones & ~one)[:, :first]
                yield from self._partners(pairs[first], (objects[first],))
        if (alive := self._alive.get(3)) is not None:
            for first in range(len(objects)):
                for second in range(first):
                    own = ones[:, [first, second]].any(axis=1) | ~free[:, [first, second]].all(axis=1)
                    smaller = (
                        ones | ~free | pairs[first] | pairs[second] | (own | pairs[first, :, second])[:, None]
                    )
                    dead = ~alive[codes, first, second] & ~smaller
                    dead[:, second:] = False
                    yield from self._partners(dead, (objects[first], objects[second]))

    def _partners(self, dead: Truths, others: tuple[Bit, ...]) -> Iterator[tuple[tuple[Bit, ...], Truths]]:
        """Yield the other objects with each object for which they are dead: `dead` is (locations, objects)."""
        self._budget.check()
        objects = list(self._objects)
        for number in np.flatnonzero(dead.any(axis=0)).tolist():
            yield (*others, objects[number]), dead[:, number]

    def invariant(self, space: Space, tables: Tables, *, backward: bool) -> Callable[[State], bool]:
        """The invariant of an exhausted search: the reached and the dead states; backward, those not reached."""
        layout, model = self._layout, self._model

        def invariant(state: State) -> bool:
            if not model.hints.allow(state):
                return False
            (row,) = canonical_states(tables, layout.from_integers([layout.integer(state)]))
            reached = space.number_of(row) >= 0
            return not reached if backward else reached or self.covers(state)

        return invariant


def dead_patterns(model: Model, largest: int, budget: Budget) -> DeadPatterns:
    """The dead patterns of at most `largest` objects of a model.

    Raises Unsuitable for a model that compiled search cannot take, and LimitReached.
    """
    layout = Layout(model)
    check_locations(layout)
    actions = pack_actions(layout, model.actions, range(len(model.actions)), None, layout.closed)
    walking = free_to_leave_out(layout, model, actions)
    kept = keeps_objects(layout, model, actions)
    return DeadPatterns(
        layout, model, actions, walking, walks_of(layout, actions.take(walking)), kept, largest, budget
    )
