"""A set of packed states that is filled and cleared again and again.

A new state is written behind the rows in use, and then added. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.search.state_table import find
    from puzzlemc.mc.words import Index, Ints

    NO_ROOM = -1  # what `add` returns if the set is full


class StateSet(StateTable):
    """Packed states, each once, in the order in which they came.

    places  by row, its slot in the hash table
    marks   by row, a number that a user of the set gives to the state
    """

    places: Ints
    marks: Ints  # readonly

    def __init__(self, capacity: int, words: int) -> None:
        """An empty set of at most `capacity` states."""
        super().__init__(capacity + 1, words, 2 * capacity + 2)
        self.places, self.marks = (view(np.zeros(capacity + 1, np.int32)) for _ in range(2))


def clear(states: StateSet) -> None:
    """Remove all states."""
    i: Index
    for i in range(states.used):
        states.slots[states.places[i]] = -1
    states.used = 0


def add(states: StateSet) -> Index:
    """Add the state in the row behind those in use. Returns its number, NO_ROOM if the set is full."""
    slot: Index = find(states, states.rows, states.used)
    if states.slots[slot] >= 0:
        return states.slots[slot]
    if states.used + 1 >= states.rows.shape[0]:
        return NO_ROOM
    states.slots[slot] = states.used
    states.places[states.used] = slot
    states.used += 1
    return states.used - 1


def copy_row(source: StateSet, number: Index, target: StateSet) -> None:
    """Copy a state to the row behind those in use of another set with rows of equal length."""
    w: Index
    for w in range(source.rows.shape[1]):
        target.rows[target.used, w] = source.rows[number, w]


def number_of(states: StateSet, other: StateSet, i: Index) -> Index:
    """The number that a state of another set has in this one, -1 if it is not there."""
    return states.slots[find(states, other.rows, i)]
