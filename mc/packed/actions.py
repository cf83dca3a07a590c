"""Actions on packed states: bit masks for literal guards and constant updates, columns of bits for formulas.

`PackedActions` holds many actions as masks, one array for each kind of mask. `Table` groups them by location, so
that numpy tries all actions of a location on many states at once; `build_tables.py` makes arrays of them.
`Steps` adds the actions with formulas, which are evaluated on columns of bits.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, Formula, Gates, Signal, expression
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.plain_actions import Cubes, PlainActions
from puzzlemc.mc.packed import inspection
from puzzlemc.mc.packed.cubes import complete, write_cubes
from puzzlemc.mc.packed.inspection import Masks
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates, Truths, keys

# Literals of many cubes: where those of each cube begin and end, the place of the bit of each literal (-1 for no
# literal), and the value that is required of it.
Literals: TypeAlias = tuple[Numbers, Numbers, Truths]

MOST_INITIAL_STATES = 1 << 20
CHUNK_BYTES = 1 << 21  # size of the arrays of states that are tried at once
AT_ONCE = 1 << 12  # states in which formulas are evaluated at once: their values for all gates are kept


@dataclass(frozen=True, eq=False)
class PackedActions:
    """Actions as masks: action i is enabled if `state & mask[i] == value[i]`, and leads to `state & ~clear[i] |
    set[i]`.

    key   (words,): the bits of the location
    rows  (actions, 4, words): mask, value, clear and set of each action
    info  (actions, 2): the cost of each action, and its number in the model
    """

    key: PackedStates
    rows: PackedStates
    info: Numbers

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def mask(self) -> PackedStates:
        """The bits that each guard names, shape (actions, words)."""
        return self.rows[:, 0]

    @cached_property
    def value(self) -> PackedStates:
        """The bits that each guard requires true."""
        return self.rows[:, 1]

    @cached_property
    def clear(self) -> PackedStates:
        """The bits that each action sets to false."""
        return self.rows[:, 2]

    @cached_property
    def set(self) -> PackedStates:
        """The bits that each action sets to true."""
        return self.rows[:, 3]

    @cached_property
    def step_cost(self) -> Numbers:
        """The cost of each action."""
        return self.info[:, 0]

    @cached_property
    def number(self) -> Numbers:
        """The number of each action in the model."""
        return self.info[:, 1]

    @cached_property
    def masks(self) -> Masks:
        """The arrays as compiled code takes them."""
        return Masks(self.key, self.rows, self.info)

    def take(self, which: Truths | Numbers) -> "PackedActions":
        """The chosen actions."""
        places = which.nonzero()[0] if which.dtype == np.bool_ else which
        return PackedActions(self.key, self.rows.take(places, axis=0), self.info.take(places, axis=0))

    @cached_property
    def changed(self) -> PackedStates:
        """The bits that each action changes."""
        return self.clear | self.set

    @cached_property
    def is_somewhere(self) -> Truths:
        """Does the guard of each action require one value of the location?"""
        whole: Truths = (self.mask & self.key == self.key).all(axis=1)
        return whole

    @cached_property
    def source(self) -> Numbers:
        """The location code that each action leads from. The location is in the lowest word."""
        codes: Numbers = (self.value[:, 0] & self.key[0]).astype(np.int64)
        return codes

    @cached_property
    def target(self) -> Numbers:
        """The location code that each action leads to."""
        after = self.value[:, 0] & ~self.clear[:, 0] | self.set[:, 0]
        codes: Numbers = (after & self.key[0]).astype(np.int64)
        return codes

    def divided(self, unit: int) -> "PackedActions":
        """The actions with their costs divided by `unit`, without remainders; 0: all at cost 0."""
        info = self.info.copy()
        info[:, 0] = info[:, 0] // unit if unit else 0
        return PackedActions(self.key, self.rows, info)

    def reverse(self) -> "PackedActions":
        """The reversed actions. Raises Unsuitable if the reverse of an action is not one action of this form."""
        rows = inspection.reversed_rows(self.masks)
        if rows is None:
            raise Unsuitable("one of its actions forgets what it changes")
        return PackedActions(self.key, rows, self.info)


def pack_actions(
    layout: Layout,
    actions: Sequence[Action],
    numbers: Sequence[int] | Numbers,
    step_costs: Sequence[int] | None = None,
    closed: PackedStates | None = None,
) -> PackedActions:
    """These actions as masks. Raises Unsuitable if an action has a guard or an update that is not a cube.

    `numbers` are their numbers in the model. `step_costs` defaults to 0 for all. `closed` (location codes, words)
    are the bits that are false in every state with that code: guards with that code then require it.
    """
    rows = np.zeros((len(actions), 4, layout.words), np.uint64)
    for at, literals in zip((0, 2), _literals(layout, actions), strict=True):
        write_cubes(*literals, rows, at)
    key = layout.from_integers([layout.key])[0]
    complete(rows, key, closed)
    info = np.zeros((len(actions), 2), np.int64)
    if step_costs is not None:
        info[:, 0] = step_costs
    info[:, 1] = numbers
    return PackedActions(key, rows, info)


def keeps_objects(layout: Layout, model: Model, actions: PackedActions) -> bool:
    """Does each action only move objects? `Model.keeps_objects`, computed from the masks of all actions."""
    objects = model.hints.objects.keys()
    if not objects or not any(objects == frozenset(formulas) for formulas, _ in model.hints.conserved):
        return False
    return inspection.keeps_objects(actions.masks, layout.objects)


def _literals(layout: Layout, actions: Sequence[Action]) -> tuple[Literals, Literals]:
    """The literals of all guards, and those of all updates. Raises Unsuitable for a formula that is no cube."""
    if isinstance(actions, PlainActions):
        place = np.array(
            [*(layout.places[b] for b in actions.bits), -1], np.int64
        )  # -1 is the number of no literal
        return _literals_at(place, actions.guards), _literals_at(place, actions.updates)
    cubes = []
    for action in actions:
        cube = action.cube
        if cube is None:
            raise Unsuitable(f"its action {action.name!r} has a formula that is no cube")
        cubes.append(cube)
    return _literals_of(layout, cubes), _literals_of(layout, [action.update for action in actions])


def _literals_at(place: Numbers, cubes: Cubes) -> Literals:
    """The literals of cubes, whose bits have these places in a packed state."""
    count, most = cubes.bit.shape
    return np.arange(count + 1) * most, place.take(cubes.bit.ravel()), cubes.value.ravel()


def _literals_of(layout: Layout, cubes: Sequence[Mapping[Bit, bool | Formula]]) -> Literals:
    """The literals of cubes. Raises Unsuitable for a formula."""
    values = [value for cube in cubes for value in cube.values()]
    if not {*map(type, values)} <= {bool}:
        raise Unsuitable("it has an action whose update is a formula that is no constant")
    at = layout.places
    first = np.cumsum([0, *(len(cube) for cube in cubes)])
    places = np.array([at[b] for cube in cubes for b in cube], np.int64)
    return first, places, np.array(values, np.bool_)


def by_location(actions: PackedActions, codes: PackedStates) -> tuple[Numbers, Numbers]:
    """The pairs (action, location) such that the action may be enabled there, sorted by location and action.

    Returns two arrays: places in `actions`, and places in `codes`. `codes` are packed states of which only the
    location counts, in any order. An action without a fixed location may be paired with several locations.
    """
    if not len(codes):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    known = codes[:, 0] & actions.key[0]
    order = np.argsort(known, kind="stable")
    whole = np.flatnonzero(actions.is_somewhere)
    at = order[np.searchsorted(known, actions.value[whole, 0] & actions.key[0], sorter=order)]
    if len(whole) == len(actions):
        order = np.argsort(at, kind="stable")
        return order, at[order]
    which, places = [whole], [at]
    for number in np.flatnonzero(~actions.is_somewhere):
        here = actions.value[number] & actions.key
        there = np.flatnonzero((codes & actions.mask[number] == here).all(axis=1))
        which.append(np.full(len(there), number))
        places.append(there)
    rule, place = np.concatenate(which), np.concatenate(places)
    order = np.lexsort((rule, place))
    return rule[order], place[order]


class Table:
    """Actions with literal guards and constant updates, grouped by location, as arrays (groups, slots, words)."""

    def __init__(self, layout: Layout, model: Model, numbers: Sequence[int]) -> None:
        actions = pack_actions(layout, [model.actions[number] for number in numbers], numbers)
        self._key = actions.key
        # The last group is for locations that no action requires: it has the actions that require no location.
        somewhere = actions.is_somewhere if layout.key else np.zeros(len(actions), np.bool_)
        sources = np.unique(keys(actions.value[somewhere] & actions.key), return_index=True)
        self._codes = sources[0]
        rule, place = by_location(actions, (actions.value[somewhere] & actions.key)[sources[1]])
        elsewhere = np.flatnonzero(~somewhere)
        rule = np.concatenate([rule, elsewhere])
        place = np.concatenate([place, np.full(len(elsewhere), len(self._codes))])
        count = np.bincount(place, minlength=len(self._codes) + 1)
        slot = np.arange(len(rule)) - np.repeat(np.cumsum(count) - count, count)
        shape = (len(count), int(count.max()), layout.words)
        self.mask, self.clear, self.set = (np.zeros(shape, np.uint64) for _ in range(3))
        self.value = np.full(shape, ~np.uint64(0))  # an empty slot is never enabled
        self.action = np.zeros(shape[:2], np.int64)
        self.mask[place, slot], self.value[place, slot] = actions.mask[rule], actions.value[rule]
        self.clear[place, slot], self.set[place, slot] = actions.clear[rule], actions.set[rule]
        self.action[place, slot] = actions.number[rule]

    def successors(self, rows: PackedStates) -> Iterator[tuple[PackedStates, Numbers, Numbers]]:
        """Yield chunks of successors: packed states, places of their predecessors in `rows`, action numbers."""

        slots = self.mask.shape[1]
        if not slots:
            return
        chunk = max(1, CHUNK_BYTES // (8 * slots * rows.shape[1]))
        for first in range(0, len(rows), chunk):
            part = rows[first : first + chunk]
            at = self.location(part)
            enabled = ((part[:, None, :] & self.mask[at]) == self.value[at]).all(axis=2)
            source, slot = np.nonzero(enabled)
            at = at[source]
            after = part[source] & ~self.clear[at, slot] | self.set[at, slot]
            yield after, source + first, self.action[at, slot]

    def location(self, rows: PackedStates) -> Numbers:
        """The number of the group of actions of each state."""
        if not len(self._codes):
            return np.zeros(len(rows), np.int64)
        here = keys(rows & self._key)
        at = np.searchsorted(self._codes, here)
        at[at == len(self._codes)] = 0
        return np.where(self._codes[at] == here, at, len(self._codes))


class Steps:
    """The successors by some actions of a model: plain actions as a table, others one by one."""

    def __init__(self, layout: Layout, model: Model, numbers: Iterable[int]) -> None:
        self._layout = layout
        self._actions = model.actions
        numbers = list(numbers)
        self._table = Table(layout, model, [n for n in numbers if model.actions[n].is_plain])
        self._others = [n for n in numbers if not model.actions[n].is_plain]

    def successors(self, rows: PackedStates) -> Iterator[tuple[PackedStates, Numbers, Numbers]]:
        """Yield chunks of successors: packed states, places of their predecessors in `rows`, action numbers."""

        yield from self._table.successors(rows)
        for first in range(0, len(rows) if self._others else 0, AT_ONCE):
            for after, source, numbers in self._by_formulas(rows[first : first + AT_ONCE]):
                yield after, source + first, numbers

    def _by_formulas(self, rows: PackedStates) -> Iterator[tuple[PackedStates, Numbers, Numbers]]:
        """Yield the successors of a few states by each action with formulas."""
        layout = self._layout
        known: dict[Gates, dict[int, Truths]] = {}  # actions share parts of circuits, so values are of all rows
        for number in self._others:
            action = self._actions[number]
            source = np.nonzero(layout.holds(action.guard, rows, known))[0]
            if not len(source):
                yield rows[:0], source, source  # the caller checks its limits after each action
                continue
            before = rows[source]
            after = before.copy()
            for b, new in action.constants.items():
                layout.assign(after, b, new)
            for b, formula in action.formulas.items():
                if isinstance(formula, Signal):
                    layout.assign(after, b, layout.holds(formula, rows, known)[source])
                else:
                    layout.assign(after, b, layout.holds(formula, before))
            yield after, source, np.full(len(source), number, np.int64)


def packed_initial_states(layout: Layout, init: Formula) -> PackedStates:
    """All initial states. Raises Unsuitable if there are more than MOST_INITIAL_STATES."""

    states: list[int] = []
    for point in expression(init).satisfy_all():
        free = [layout.one[b] for b in layout.bits if b not in point]
        if len(free) >= MOST_INITIAL_STATES.bit_length() or len(states) << len(free) > MOST_INITIAL_STATES:
            raise Unsuitable(f"it has more than {MOST_INITIAL_STATES:,} initial states, too many to list")
        held = layout.integer(b for b, value in point.items() if value)
        states += [
            held + sum(one for i, one in enumerate(free) if number >> i & 1) for number in range(1 << len(free))
        ]
    return layout.from_integers(states)
