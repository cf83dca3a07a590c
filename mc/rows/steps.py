"""Actions on states as machine words: masks for a literal guard and constant updates, columns for formulas.

A `Rule` is an action as masks over states as integers. `Table` has many of them as arrays, by location, so that
numpy tries all actions of a location on all rows at once; `tables.py` has them for compiled code. `Steps` adds the
actions whose guards or updates are formulas: these are evaluated on columns of bits.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.formula import Formula, expression
from puzzlemc.mc.model import Action, Model
from puzzlemc.mc.rows.layout import Layout, Numbers, Rows, keys

MOST_INITIAL_STATES = 1 << 20
CHUNK_BYTES = 1 << 21  # of what is tried at once


@dataclass(frozen=True)
class Rule:
    """An action on states as integers: enabled where `state & mask == value`; leads to `state & ~clear | set`."""

    mask: int
    value: int
    clear: int
    set: int
    price: int
    number: int

    def source(self, key: int) -> int:
        """The location code, under the key, that it leads from."""
        return self.value & key

    def target(self, key: int) -> int:
        """The location code, under the key, that it leads to."""
        return (self.value & ~self.clear | self.set) & key

    def reverse(self, price: int) -> "Rule":
        """The rule that takes the action back, at that price. Raises Unsuitable where that is no single rule."""
        changed = self.clear | self.set
        if changed & ~self.mask:
            raise Unsuitable("one of its actions forgets what it changes")
        return Rule(self.mask, self.value & ~changed | self.set, changed, self.value & changed, price, self.number)


def compiled_rule(
    layout: Layout, action: Action, number: int, price: int = 0, closed: Mapping[int, int] | None = None
) -> Rule:
    """The rule of an action with that number. Raises Unsuitable where it has a formula that is no cube.

    `closed` are bits that do not hold anywhere at a location code, whatever the guard says of them.
    """
    cube = action.cube
    if cube is None or action.formulas:
        raise Unsuitable(f"its action {action.name!r} has a formula that is no cube")
    one = layout.one
    value = sum(one[b] for b, held in cube.items() if held)
    mask = sum(one[b] for b in cube)
    if closed and mask & layout.key == layout.key:
        mask |= closed.get(value & layout.key, 0)
    return Rule(
        mask,
        value,
        sum(one[b] for b, new in action.constants.items() if not new),
        sum(one[b] for b, new in action.constants.items() if new),
        price,
        number,
    )


def by_location(rules: Iterable[Rule], key: int, codes: Sequence[int]) -> list[list[Rule]]:
    """For each of the location codes the rules that may be enabled there: one may stand with several."""
    groups: dict[int, list[Rule]] = {code: [] for code in codes}
    for rule in rules:
        if rule.mask & key == key:
            groups[rule.value & key].append(rule)
        else:
            for code, group in groups.items():
                if code & rule.mask == rule.value & key:
                    group.append(rule)
    return list(groups.values())


class Table:
    """Actions with literal guards and constant updates, by location, as arrays (locations, slots, words)."""

    def __init__(self, layout: Layout, model: Model, numbers: Iterable[int]) -> None:
        rules = [compiled_rule(layout, model.actions[number], number) for number in numbers]
        key = layout.key
        # A location that no rule names has those that name none: they are the last group.
        codes = sorted({rule.source(key) for rule in rules if rule.mask & key == key}) if key else []
        self._key = layout.rows([key])[0]
        self._codes = keys(layout.rows(codes))
        order = np.argsort(self._codes)
        self._codes = self._codes[order]
        groups = by_location(rules, key, codes) if codes else []
        members = [groups[i] for i in order] + [[rule for rule in rules if not key or rule.mask & key != key]]
        shape = (len(members), max(map(len, members)), layout.words)
        self.mask, self.clear, self.set = (np.zeros(shape, np.uint64) for _ in range(3))
        self.value = np.full(shape, ~np.uint64(0))  # an empty slot is never enabled
        self.action = np.zeros(shape[:2], np.int64)
        for at, slots in enumerate(members):
            some = slice(0, len(slots))
            self.mask[at, some] = layout.rows([rule.mask for rule in slots])
            self.value[at, some] = layout.rows([rule.value for rule in slots])
            self.clear[at, some] = layout.rows([rule.clear for rule in slots])
            self.set[at, some] = layout.rows([rule.set for rule in slots])
            self.action[at, some] = [rule.number for rule in slots]

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
