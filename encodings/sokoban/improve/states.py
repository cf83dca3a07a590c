"""The states that a search between two vertices of a plan has generated, in a hash table. Compiled: `mc/words.py`.

A state is a row of numbers. It is written behind the last state and looked up; then it is inserted, or
the next row is written over it.
"""

import cython
import numpy as np

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Ints2, Word, mixed


class States:
    """States, by number.

    rows     (room + 1, numbers): the states, of which there are `count`, then the *newest* row
    buffer   the memory of `rows`
    parents  (room,): the state before each of them on the cheapest known path to it; -1 for the first
    slots    a hash table of numbers of states, -1 for an empty slot; `mask` is one less than a power of two
    slot_of  (room,): the slot of each state, and of the newest row once it was looked up
    """

    rows: Ints2
    buffer: Ints
    count: Index
    parents: Ints
    slots: Ints
    slot_of: Ints
    mask: Index

    def __init__(self, room: int, width: int) -> None:
        """Memory for `room` states of at most `width` numbers each."""
        slots = 1 << max(4, (2 * room - 1).bit_length())
        self.buffer = view(np.empty((room + 1) * width, np.int32))
        self.parents, self.slot_of = view(np.empty(room, np.int32)), view(np.empty(room + 1, np.int32))
        self.slots, self.mask = view(np.full(slots, -1, np.int32)), slots - 1
        self.count = 0
        self.rows = view(np.asarray(self.buffer).reshape(-1, width))

    def set_width(self, width: int) -> None:
        """From now on, a state has `width` numbers. There must be no states."""
        if self.rows.shape[1] == width:
            return
        rows: Index = self.slot_of.shape[0]
        self.rows = view(np.asarray(self.buffer)[: rows * width].reshape(-1, width))


def bytes_of(width: int) -> int:
    """The memory of one state with this number of numbers."""
    return 4 * width + 4 + 4 + 4 * 4


def known(states: States) -> Index:
    """The number of the state that equals the newest row, -1 if there is none."""
    rows = states.rows
    width: Index = rows.shape[1]
    newest: Index = states.count
    k: Index
    h: Word = rows[newest, width - 1]
    for k in range(1, width, 2):  # two numbers fit a word
        word: Word = rows[newest, k - 1]
        h = mixed(h, (word << 32) | rows[newest, k])
    mask: Word = states.mask
    at: Word = h & mask
    while states.slots[at] >= 0:
        other: Index = states.slots[at]
        same: Flag = True
        for k in range(width):
            if rows[other, k] != rows[newest, k]:
                same = False
                break
        if same:
            return other
        at = (at + 1) & mask
    states.slot_of[newest] = at
    return -1


def insert(states: States) -> Index:
    """Make the newest row, which `known` did not find, a state; return its number. There must be room."""
    new: Index = states.count
    states.slots[states.slot_of[new]] = new
    states.count += 1
    return new


def clear(states: States) -> None:
    """Remove all states."""
    i: Index
    for i in range(states.count):
        states.slots[states.slot_of[i]] = -1
    states.count = 0


def length_of_path(states: States, number: Index) -> Index:
    """The number of steps on the path from the first state to this one."""
    length: Index = 0
    while states.parents[number] >= 0:
        number = states.parents[number]
        length += 1
    return length
