"""Explicit search, bit-parallel on numpy: the oracle for the symbolic engines, and quick where states are few.

A state is a row of 64-bit words. An action with a literal guard and constant updates is four rows: it is
enabled where `row & mask == value`, and leads to `row & ~clear | set`. All actions of a location are tried
on all rows of a frontier at once. Guards and updates by formula are evaluated on columns of bits.
No pruning and no hint but the location, which only sorts the actions.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.formula import Bit, Formula, State, fold, literals
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Action, Model, cost_of
from puzzlemc.mc.shared import within_limits
from puzzlemc.mc.verdict import Reachable, Statistics, Trace, Unreachable, Verdict

Rows: TypeAlias = npt.NDArray[np.uint64]  # shape (states, words)
Numbers: TypeAlias = npt.NDArray[np.int64]  # shape (states,)
Truths: TypeAlias = npt.NDArray[np.bool_]

MOST_INITIAL_STATES = 1 << 20
CHUNK_BYTES = 1 << 24


class Layout:
    """Which word and shift a bit has in a row."""

    def __init__(self, bits: Sequence[Bit]) -> None:
        self.bits = bits
        self.place = {b: divmod(number, 64) for number, b in enumerate(bits)}
        self.words = max(1, (len(bits) + 63) // 64)

    def row(self, held: State | Sequence[Bit]) -> Rows:
        """The row, shape (words,), in which just these bits hold."""
        words = [0] * self.words
        for b in held:
            word, shift = self.place[b]
            words[word] |= 1 << shift
        return np.array(words, dtype=np.uint64)

    def state(self, row: Rows) -> State:
        """The state of a row of shape (words,)."""
        words = [int(word) for word in row]
        return frozenset(b for b, (word, shift) in self.place.items() if words[word] >> shift & 1)

    def column(self, rows: Rows, b: Bit) -> Truths:
        """The value of a bit in each row."""
        word, shift = self.place[b]
        return (rows[:, word] >> np.uint64(shift) & np.uint64(1)).astype(np.bool_)

    def holds(self, formula: Formula, rows: Rows) -> Truths:
        """Where the formula holds."""

        def conj(parts: list[Truths]) -> Truths:
            return np.logical_and.reduce(parts) if parts else np.ones(len(rows), np.bool_)

        def disj(parts: list[Truths]) -> Truths:
            return np.logical_or.reduce(parts) if parts else np.zeros(len(rows), np.bool_)

        return fold(formula, lambda b, value: self.column(rows, b) == value, conj, disj)


class Table:
    """Actions with literal guards and constant updates, by location, as arrays (locations, slots, words)."""

    def __init__(self, layout: Layout, model: Model, numbers: list[int]) -> None:
        # The bits of the location all lie in some words of a row; its code there is the key of an action.
        location = model.hints.location
        self.key = layout.row(location.bits if location is not None else ())
        groups: dict[bytes, list[int]] = {}
        anywhere: list[int] = []
        cubes = {number: literals(model.actions[number].guard) or {} for number in numbers}
        for number, cube in cubes.items():
            if location is not None and all(b in cube for b in location.bits):
                code = layout.row([b for b in location.bits if cube[b]])
                groups.setdefault(code.tobytes(), []).append(number)
            else:
                anywhere.append(number)
        codes = sorted(groups)
        self.codes = np.array([np.frombuffer(code, np.uint64) for code in codes]).reshape(-1, layout.words)
        self.codes_as_keys = keys(self.codes)
        order = np.argsort(self.codes_as_keys)
        self.codes_as_keys = self.codes_as_keys[order]
        members = [groups[codes[i]] + anywhere for i in order] + [anywhere]
        shape = (len(members), max(map(len, members)), layout.words)
        self.mask, self.clear, self.set = (np.zeros(shape, np.uint64) for _ in range(3))
        self.value = np.full(shape, ~np.uint64(0))  # an empty slot is never enabled
        self.action = np.zeros(shape[:2], np.int64)
        for at, slots in enumerate(members):
            for slot, number in enumerate(slots):
                action, cube = model.actions[number], cubes[number]
                self.mask[at, slot] = layout.row(list(cube))
                self.value[at, slot] = layout.row([b for b, held in cube.items() if held])
                self.clear[at, slot] = layout.row([b for b, new in action.update.items() if new is False])
                self.set[at, slot] = layout.row([b for b, new in action.update.items() if new is True])
                self.action[at, slot] = number

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
        if not len(self.codes):
            return np.zeros(len(rows), np.int64)
        here = keys(rows & self.key)
        at = np.searchsorted(self.codes_as_keys, here)
        at[at == len(self.codes_as_keys)] = 0
        return np.where(self.codes_as_keys[at] == here, at, len(self.codes_as_keys))


class Steps:
    """All actions of one cost."""

    def __init__(self, layout: Layout, model: Model, numbers: list[int]) -> None:
        self._layout = layout
        self._actions = model.actions
        plain = [number for number in numbers if is_plain(model.actions[number])]
        self._table = Table(layout, model, plain)
        self._others = [number for number in numbers if not is_plain(model.actions[number])]

    def successors(self, rows: Rows) -> Iterator[tuple[Rows, Numbers, Numbers]]:
        """Successor rows, the numbers of the rows that they come from, and of the actions."""
        yield from self._table.successors(rows)
        for number in self._others:
            action = self._actions[number]
            source = np.nonzero(self._layout.holds(action.guard, rows))[0]
            before = rows[source]
            after = before.copy()
            for b, new in action.update.items():
                truth = new if isinstance(new, bool) else self._layout.holds(new, before)
                word, shift = self._layout.place[b]
                one = np.uint64(1 << shift)
                after[:, word] = np.where(truth, after[:, word] | one, after[:, word] & ~one)
            yield after, source, np.full(len(source), number, np.int64)


class Seen:
    """A growing set of rows: a few sorted runs of keys, merged so that each is much longer than the next."""

    def __init__(self) -> None:
        self._runs: list[npt.NDArray[np.generic]] = []

    def holds(self, wanted: npt.NDArray[np.generic]) -> Truths:
        """Which of the keys are in the set?"""
        found = np.zeros(len(wanted), np.bool_)
        for run in self._runs:
            at = np.searchsorted(run, wanted)
            at[at == len(run)] = 0
            found |= run[at] == wanted
        return found

    def add(self, fresh: npt.NDArray[np.generic]) -> None:
        """Add keys, sorted and not yet in the set."""
        while self._runs and len(self._runs[-1]) < 2 * len(fresh):
            fresh = np.sort(np.concatenate([self._runs.pop(), fresh]), kind="stable")
        if len(fresh):
            self._runs.append(fresh)

    def __len__(self) -> int:
        return sum(map(len, self._runs))


def explicit(model: Model, metric: str, watch: Watch, diagrams: str = "") -> Verdict:
    """Decide reachability of the goal state by state, in order of cost. `diagrams` is not used.

    Raises Unsuitable where the model has too many initial states, ModelError where it has no cost for the metric.
    """
    return within_limits(watch, lambda: _search(model, metric, watch))


def _search(model: Model, metric: str, watch: Watch) -> Verdict:
    layout = Layout(model.bits)
    prices: dict[int, list[int]] = {}
    for number, action in enumerate(model.actions):
        prices.setdefault(cost_of(action, metric), []).append(number)
    steps = {price: Steps(layout, model, numbers) for price, numbers in sorted(prices.items())}

    history = History(layout)
    initial = initial_rows(layout, model.init)
    nowhere = np.full(len(initial), -1, np.int64)
    queue: dict[int, list[tuple[Rows, Numbers, Numbers]]] = {0: [(initial, nowhere, nowhere)]}
    layers = 0
    while queue:
        cost = min(queue)
        watch.prove(cost)
        arriving = queue.pop(cost)
        layers += 1
        while arriving:  # a round enters what has arrived; free actions lead to the next round
            rows, first = history.enter(arriving)
            arriving = []
            goal = np.nonzero(layout.holds(model.goal, rows))[0]
            if len(goal):
                trace = history.trace(model, first + int(goal[0]))
                return Reachable(trace, cost, metric != ANY, Statistics(layers, len(history.seen)))
            for price, step in steps.items() if len(rows) else ():
                for after, source, action_numbers in step.successors(rows):
                    into = arriving if price == 0 else queue.setdefault(cost + price, [])
                    new = ~history.seen.holds(keys(after))
                    into.append((after[new], source[new] + first, action_numbers[new]))
                    watch.check()
            pending = sum(len(part[0]) for parts in [arriving, *queue.values()] for part in parts)
            if (history.size + pending) * history.bytes_per_state > watch.limits.memory:
                raise LimitReached("memory")
    seen = history.seen
    return Unreachable(
        lambda state: bool(seen.holds(keys(layout.row(state)[None, :]))[0]), Statistics(layers, len(seen))
    )


class History:
    """All states entered, in order, each with the number of its parent and of the action that led to it."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._parts: list[tuple[Rows, Numbers, Numbers]] = []
        self._starts: list[int] = []
        self.size = 0
        self.seen = Seen()
        # A row, its key among the seen, its parent and action, and as much again while they are sorted.
        self.bytes_per_state = 2 * (2 * 8 * layout.words + 16)

    def enter(self, arriving: list[tuple[Rows, Numbers, Numbers]]) -> tuple[Rows, int]:
        """Add the rows that are new, each once; returns them and the number of the first."""
        rows, parents, actions = (np.concatenate(column) for column in zip(*arriving, strict=True))
        fresh, index = np.unique(keys(rows), return_index=True)
        new = ~self.seen.holds(fresh)
        index = index[new]
        self.seen.add(fresh[new])
        first = self.size
        self._starts.append(first)
        self._parts.append((rows[index], parents[index], actions[index]))
        self.size += len(index)
        return rows[index], first

    def trace(self, model: Model, number: int) -> Trace:
        """The run from an initial state to the state of that number."""
        states: list[State] = []
        actions: list[Action] = []
        while True:
            part = int(np.searchsorted(self._starts, number, side="right")) - 1
            rows, parents, action_numbers = self._parts[part]
            at = number - self._starts[part]
            states.append(self._layout.state(rows[at]))
            number = int(parents[at])
            if number < 0:
                return Trace(tuple(reversed(states)), tuple(reversed(actions)))
            actions.append(model.actions[int(action_numbers[at])])


def keys(rows: Rows) -> npt.NDArray[np.generic]:
    """One sortable value a row: the word itself, or the bytes of several words."""
    rows = np.ascontiguousarray(rows)
    if rows.shape[1] == 1:
        return rows[:, 0]
    # Byte strings of equal length: that numpy ignores trailing zeros in comparing them does no harm.
    return rows.view(f"S{8 * rows.shape[1]}")[:, 0]


def is_plain(action: Action) -> bool:
    """Has the action a literal guard and constant updates?"""
    return literals(action.guard) is not None and all(isinstance(new, bool) for new in action.update.values())


def initial_rows(layout: Layout, init: Formula) -> Rows:
    """The rows of all initial states."""
    rows: list[Rows] = []
    for point in init.satisfy_all():
        free = [b for b in layout.bits if b not in point]
        if len(free) >= MOST_INITIAL_STATES.bit_length() or len(rows) << len(free) > MOST_INITIAL_STATES:
            raise Unsuitable(f"it has more than {MOST_INITIAL_STATES:,} initial states, too many to list")
        held = [b for b, value in point.items() if value]
        rows += [
            layout.row(held + [b for i, b in enumerate(free) if number >> i & 1])
            for number in range(1 << len(free))
        ]
    if not rows:
        return np.zeros((0, layout.words), np.uint64)
    return np.array(rows)
