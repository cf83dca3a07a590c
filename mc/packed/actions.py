"""Actions on states as machine words: masks for a literal guard and constant updates, columns for formulas.

`Rules` are many actions as masks, an array of rows for each kind of mask. `Table` has them by location, so that
numpy tries all actions of a location on all rows at once; `tables.py` has them for compiled code. `Steps` adds the
actions whose guards or updates are formulas: these are evaluated on columns of bits.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, Formula, expression
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.layout import Layout, Numbers, Rows, Truths, keys

MOST_INITIAL_STATES = 1 << 20
CHUNK_BYTES = 1 << 21  # of what is tried at once


@dataclass(frozen=True)
class Rules:
    """Actions as rows: number i is enabled where `row & mask[i] == value[i]`, leads to `row & ~clear[i] | set[i]`.

    key     (words,): the bits of the location
    price   what each costs, `number` which of the model's actions it is
    """

    key: Rows
    mask: Rows
    value: Rows
    clear: Rows
    set: Rows
    price: Numbers
    number: Numbers

    def __len__(self) -> int:
        return len(self.number)

    def take(self, which: Truths | Numbers) -> "Rules":
        """Some of them."""
        return Rules(
            self.key,
            self.mask[which],
            self.value[which],
            self.clear[which],
            self.set[which],
            self.price[which],
            self.number[which],
        )

    @cached_property
    def changed(self) -> Rows:
        """The bits that each sets."""
        return self.clear | self.set

    @cached_property
    def is_somewhere(self) -> Truths:
        """Does each ask for one value of the location?"""
        whole: Truths = (self.mask & self.key == self.key).all(axis=1)
        return whole

    @cached_property
    def source(self) -> Numbers:
        """The location code that each leads from. The location is in the lowest word."""
        codes: Numbers = (self.value[:, 0] & self.key[0]).astype(np.int64)
        return codes

    @cached_property
    def target(self) -> Numbers:
        """The location code that each leads to."""
        after = self.value[:, 0] & ~self.clear[:, 0] | self.set[:, 0]
        codes: Numbers = (after & self.key[0]).astype(np.int64)
        return codes

    def without_prices(self) -> "Rules":
        """The same actions at cost 0."""
        return replace(self, price=np.zeros_like(self.price))

    def reverse(self) -> "Rules":
        """The rules that take the actions back. Raises Unsuitable where that is no single rule."""
        changed = self.changed
        if (changed & ~self.mask).any():
            raise Unsuitable("one of its actions forgets what it changes")
        value = self.value & ~changed | self.set
        return Rules(self.key, self.mask, value, changed, self.value & changed, self.price, self.number)


def compiled_rules(
    layout: Layout,
    actions: Sequence[Action],
    numbers: Sequence[int],
    prices: Sequence[int] | None = None,
    closed: Mapping[int, int] | None = None,
) -> Rules:
    """The rules of actions with these numbers. Raises Unsuitable where one has a formula that is no cube.

    `prices` are 0 where they are not given. `closed` are bits that do not hold anywhere at a location code,
    whatever a guard says of them.
    """
    cubes, updates = [], []
    for action in actions:
        cube = action.cube
        if cube is None:
            raise Unsuitable(f"its action {action.name!r} has a formula that is no cube")
        cubes.append(cube)
        updates.append(action.update)
    mask, value = _masks(layout, cubes)
    changed, new = _masks(layout, updates)
    key = layout.rows([layout.key])[0]
    rules = Rules(
        key,
        mask,
        value,
        changed & ~new,
        new,
        np.array(prices if prices is not None else [0] * len(numbers), np.int64),
        np.array(numbers, np.int64),
    )
    if closed:
        # By location code, and none where an action may be anywhere.
        shut = np.zeros((layout.key + 1, layout.words), np.uint64)
        shut[[*closed]] = layout.rows([*closed.values()])
        rules.mask[rules.is_somewhere] |= shut[rules.source[rules.is_somewhere]]
    return rules


def keeps_objects(layout: Layout, model: Model, rules: Rules) -> bool:
    """`Model.keeps_objects`, from the rules of all its actions."""
    objects = model.hints.objects.keys()
    if not objects or not any(objects == frozenset(formulas) for formulas, _ in model.hints.conserved):
        return False
    moved = rules.changed & layout.rows([layout.integer(objects)])[0]
    told = not (moved & ~rules.mask).any() and bool((moved & rules.value == moved & rules.clear).all())
    placed, all_moved = layout.unpacked(moved & rules.set), layout.unpacked(moved)
    return told and bool((2 * placed.sum(axis=1) == all_moved.sum(axis=1)).all())


def _masks(layout: Layout, cubes: Sequence[Mapping[Bit, bool | Formula]]) -> tuple[Rows, Rows]:
    """Which bits each cube names, and which of them hold. Raises Unsuitable for a formula that is no constant."""
    values = [value for cube in cubes for value in cube.values()]
    if not {*map(type, values)} <= {bool}:
        raise Unsuitable("it has an action whose update is a formula that is no constant")
    at = layout.places
    which = np.repeat(np.arange(len(cubes)), [len(cube) for cube in cubes])
    places = np.array([at[b] for cube in cubes for b in cube], np.int64)
    named = np.zeros((len(cubes), 64 * layout.words), np.bool_)
    held = np.zeros_like(named)
    named[which, places] = True
    held[which, places] = values
    return layout.packed(named), layout.packed(held)


def by_location(rules: Rules, codes: Rows) -> tuple[Numbers, Numbers]:
    """Which rules may be enabled at which of these locations: pairs of numbers, sorted by location and rule.

    `codes` are rows, in any order. A rule that does not ask for one value of the location may stand with several.
    """
    if not len(codes):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    known = codes[:, 0] & rules.key[0]
    order = np.argsort(known, kind="stable")
    whole = np.flatnonzero(rules.is_somewhere)
    at = order[np.searchsorted(known, rules.value[whole, 0] & rules.key[0], sorter=order)]
    if len(whole) == len(rules):
        order = np.argsort(at, kind="stable")
        return order, at[order]
    which, places = [whole], [at]
    for number in np.flatnonzero(~rules.is_somewhere):
        here = rules.value[number] & rules.key
        there = np.flatnonzero((codes & rules.mask[number] == here).all(axis=1))
        which.append(np.full(len(there), number))
        places.append(there)
    rule, place = np.concatenate(which), np.concatenate(places)
    order = np.lexsort((rule, place))
    return rule[order], place[order]


class Table:
    """Actions with literal guards and constant updates, by location, as arrays (locations, slots, words)."""

    def __init__(self, layout: Layout, model: Model, numbers: Sequence[int]) -> None:
        rules = compiled_rules(layout, [model.actions[number] for number in numbers], numbers)
        self._key = rules.key
        # A location that no rule names has those that name none: they are the last group.
        somewhere = rules.is_somewhere if layout.key else np.zeros(len(rules), np.bool_)
        sources = np.unique(keys(rules.value[somewhere] & rules.key), return_index=True)
        self._codes = sources[0]
        rule, place = by_location(rules, (rules.value[somewhere] & rules.key)[sources[1]])
        elsewhere = np.flatnonzero(~somewhere)
        rule = np.concatenate([rule, elsewhere])
        place = np.concatenate([place, np.full(len(elsewhere), len(self._codes))])
        count = np.bincount(place, minlength=len(self._codes) + 1)
        slot = np.arange(len(rule)) - np.repeat(np.cumsum(count) - count, count)
        shape = (len(count), int(count.max()), layout.words)
        self.mask, self.clear, self.set = (np.zeros(shape, np.uint64) for _ in range(3))
        self.value = np.full(shape, ~np.uint64(0))  # an empty slot is never enabled
        self.action = np.zeros(shape[:2], np.int64)
        self.mask[place, slot], self.value[place, slot] = rules.mask[rule], rules.value[rule]
        self.clear[place, slot], self.set[place, slot] = rules.clear[rule], rules.set[rule]
        self.action[place, slot] = rules.number[rule]

    def successors(self, rows: Rows) -> Iterator[tuple[Rows, Numbers, Numbers]]:
        """Successor rows, the numbers of the rows that they come from, and of the actions; in chunks."""
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

    def location(self, rows: Rows) -> Numbers:
        """For each row the number of its location's actions; the last group where the location has none."""
        if not len(self._codes):
            return np.zeros(len(rows), np.int64)
        here = keys(rows & self._key)
        at = np.searchsorted(self._codes, here)
        at[at == len(self._codes)] = 0
        return np.where(self._codes[at] == here, at, len(self._codes))


class Steps:
    """Actions of a model, by number: plain ones as a table, others one by one."""

    def __init__(self, layout: Layout, model: Model, numbers: Iterable[int]) -> None:
        self._layout = layout
        self._actions = model.actions
        numbers = list(numbers)
        self._table = Table(layout, model, [n for n in numbers if model.actions[n].is_plain])
        self._others = [n for n in numbers if not model.actions[n].is_plain]

    def successors(self, rows: Rows) -> Iterator[tuple[Rows, Numbers, Numbers]]:
        """Successor rows, the numbers of the rows that they come from, and of the actions."""
        layout = self._layout
        yield from self._table.successors(rows)
        for number in self._others:
            action = self._actions[number]
            source = np.nonzero(layout.holds(action.guard, rows))[0]
            before = rows[source]
            after = before.copy()
            for b, new in action.constants.items():
                layout.assign(after, b, new)
            for b, formula in action.formulas.items():
                layout.assign(after, b, layout.holds(formula, before))
            yield after, source, np.full(len(source), number, np.int64)


def initial_rows(layout: Layout, init: Formula) -> Rows:
    """The rows of all initial states. Raises Unsuitable where they are too many to list."""
    states: list[int] = []
    for point in expression(init).satisfy_all():
        free = [layout.one[b] for b in layout.bits if b not in point]
        if len(free) >= MOST_INITIAL_STATES.bit_length() or len(states) << len(free) > MOST_INITIAL_STATES:
            raise Unsuitable(f"it has more than {MOST_INITIAL_STATES:,} initial states, too many to list")
        held = layout.integer(b for b, value in point.items() if value)
        states += [
            held + sum(one for i, one in enumerate(free) if number >> i & 1) for number in range(1 << len(free))
        ]
    return layout.rows(states)
