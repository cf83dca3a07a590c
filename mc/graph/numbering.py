"""Successors and numbers of packed states, when all states are explored. Compiled: see `mc/words.py`."""

from typing import TypeAlias

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.search.growing import CAPACITY, UNLIMITED, Growing
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.search.state_table import find
    from puzzlemc.mc.words import ALL, Bytes, Flag, Index, Ints, Ints2, Numbers, Numbers2, Word, Words2, Words3

PackedStates: TypeAlias = npt.NDArray[np.uint64]
Truths: TypeAlias = npt.NDArray[np.bool_]


class Actions:
    """Actions in groups of slots, as in `packed.actions.Table`.

    mask, value, clear, set  (groups, slots, words)
    number                   (groups, slots): the number of each action in the model
    """

    mask: Words3
    value: Words3
    clear: Words3
    set: Words3
    number: Numbers2

    def __init__(
        self,
        mask: PackedStates,
        value: PackedStates,
        clear: PackedStates,
        set: PackedStates,
        number: npt.NDArray[np.int64],
    ) -> None:
        self.mask, self.value, self.clear, self.set = view(mask), view(value), view(clear), view(set)
        self.number = view(number)


class Successors:
    """The successors of several states.

    after   (successors, words)
    source  (successors,): the place of the predecessor of each
    action  (successors,): the number of the action that leads to each
    """

    after: Words2
    source: Numbers
    action: Numbers

    def __init__(self, after: PackedStates, source: npt.NDArray[np.int64], action: npt.NDArray[np.int64]) -> None:
        """Arrays to write to. They must have an entry for each state and slot."""
        self.after, self.source, self.action = view(after), view(source), view(action)


class NumberedStates(Growing):
    """A set of packed states, numbered in the order of insertion.

    A state is found by its rest, which is all but the location bits under `key`, in a hash table, and then by its
    location code in `number`. So states that differ only in the location are near each other in memory.

    rows    (capacity, words): the states; `used` of them
    rests   the rests
    number  (rests, location codes): the number of each state, -1 if it is not there
    rest    (1, words): scratch
    """

    key: Word
    rows: Words2  # public
    used: Index  # public
    rests: StateTable  # readonly
    number: Ints2  # public
    rest: Words2

    def __init__(self, words: int, key: int) -> None:
        """No states. `key` are the location bits, 0 to find states without them."""
        super().__init__()
        self.key, self.used = key, 0
        self.rows = view(np.zeros((CAPACITY, words), np.uint64))
        self.rests = StateTable(CAPACITY, words, 2 * CAPACITY)
        self.number = view(np.zeros((CAPACITY, key + 1), np.int32))
        self.rest = view(np.zeros((1, words), np.uint64))

    @property
    def bytes(self) -> int:
        """The memory of its states."""
        rests = self.rests
        rest = rests.bytes_of("rows") + self.bytes_of("number")
        return self.used * self.bytes_of("rows") + rests.used * rest + 4 * rests.slots.shape[0]

    def make_room(self, more: int) -> None:
        """Make room for `more` further states. Raises LimitReached if there are too many for their numbers."""
        rests = self.rests
        rests.make_room(more, UNLIMITED)
        if self.used + more > self.rows.shape[0]:
            self.grow(self.used + more, UNLIMITED, "rows")
        if rests.used + more > self.number.shape[0]:
            self.grow(rests.used + more, UNLIMITED, "number")


def counted_cubes(rows: PackedStates, chosen: Truths, mask: PackedStates, value: PackedStates) -> list[list[int]]:
    """For each cube, the number of rows in which it holds, and the number of those that are chosen.

    A cube holds if the bits under its `mask`, of shape (cubes, words), have the `value`.
    """
    counts = np.zeros((len(mask), 2), np.int64)
    _count_cubes(view(rows), view(chosen.view(np.uint8)), view(mask), view(value), view(counts))
    counted: list[list[int]] = counts.tolist()
    return counted


def expand(actions: Actions, rows: Words2, groups: Numbers, found: Successors) -> Index:  # public
    """Write the successors of the rows to `found`; return their number. `groups` is the group of each row."""
    count: Index = 0
    words: Index = rows.shape[1]
    i: Index
    slot: Index
    w: Index
    for i in range(rows.shape[0]):
        group: Index = groups[i]
        for slot in range(actions.mask.shape[1]):
            enabled: Flag = True
            for w in range(words):
                if rows[i, w] & actions.mask[group, slot, w] != actions.value[group, slot, w]:
                    enabled = False
                    break
            if enabled:
                for w in range(words):
                    kept: Word = rows[i, w] & (ALL ^ actions.clear[group, slot, w])
                    found.after[count, w] = kept | actions.set[group, slot, w]
                found.source[count] = i
                found.action[count] = actions.number[group, slot]
                count += 1
    return count


def insert(states: NumberedStates, fresh: Words2, numbers: Ints) -> None:  # public
    """Insert those of the rows of `fresh` that are new, and write the number of each row to `numbers`."""
    words: Index = fresh.shape[1]
    i: Index
    w: Index
    for i in range(fresh.shape[0]):
        for w in range(words):
            states.rest[0, w] = fresh[i, w]
        code: Index = fresh[i, 0] & states.key
        states.rest[0, 0] &= ALL ^ states.key
        slot: Index = find(states.rests, states.rest, 0)
        which: Index = states.rests.slots[slot]
        if which < 0:
            which = states.rests.used
            for w in range(words):
                states.rests.rows[which, w] = states.rest[0, w]
            for w in range(states.number.shape[1]):
                states.number[which, w] = -1
            states.rests.slots[slot] = which
            states.rests.used += 1
        if states.number[which, code] < 0:
            for w in range(words):
                states.rows[states.used, w] = fresh[i, w]
            states.number[which, code] = states.used
            states.used += 1
        numbers[i] = states.number[which, code]


def _count_cubes(rows: Words2, chosen: Bytes, mask: Words2, value: Words2, counts: Numbers2) -> None:
    """Add to `counts` (cubes, 2) the number of rows in which each cube holds, and of those also chosen."""
    words: Index = rows.shape[1]
    i: Index
    c: Index
    w: Index
    for i in range(rows.shape[0]):
        for c in range(mask.shape[0]):
            holds: Flag = True
            for w in range(words):
                if rows[i, w] & mask[c, w] != value[c, w]:
                    holds = False
                    break
            if holds:
                counts[c, 0] += 1
                counts[c, 1] += chosen[i]
