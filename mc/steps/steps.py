"""The successors of packed states, as a compiled function: the base class of all step systems.

A subclass overrides `enter` and `successor`. What all successors of a state need is computed once, by `enter`.
Compiled: see `mc/words.py`.
"""

from typing import TypeAlias

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

PackedStates: TypeAlias = npt.NDArray[np.uint64]
Places: TypeAlias = npt.NDArray[np.int64]

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Numbers

    # What `Steps.successor` returns.
    NOTHING = 0  # the action does nothing here: there is no successor
    CHANGED = 1  # the successor is written
    WON = 2  # the successor is written, and the step has reached the goal
    UNSETTLED = 3  # the successor could not be computed within a limit


class Steps:
    """A function from packed states to their successors.

    words    the number of words of a packed state
    actions  the number of actions
    """

    words: Index  # readonly
    actions: Index  # readonly

    def __init__(self, words: int, actions: int) -> None:
        self.words, self.actions = words, actions

    def enter(self, table: StateTable, number: Index) -> Flag:
        """Take a state of the table as the source of `successor`. Returns False if it is won: it has none."""
        return False

    def successor(self, action: Index, table: StateTable, place: Index) -> Index:
        """Write the successor by an action to a row of the table. Returns one of the codes above."""
        return NOTHING


class Successors:
    """The successors of several states.

    after      their packed states, from row 0 on
    source     (successors,): the number of the predecessor of each
    action     (successors,): the number of the action that leads to each
    unsettled  the number of steps that could not be computed
    """

    after: StateTable  # readonly
    source: Numbers
    action: Numbers
    unsettled: Index  # readonly

    def __init__(self, capacity: int, words: int) -> None:
        """No successors, with room for `capacity`. All of them need an entry for each state and action."""
        self.after = StateTable(capacity, words, 1)
        self.source = view(np.zeros(capacity, np.int64))
        self.action = view(np.zeros(capacity, np.int64))
        self.unsettled = 0

    def arrays(self, count: int) -> tuple[PackedStates, Places, Places]:
        """Packed states, sources and actions of the first successors."""
        return (
            np.asarray(self.after.rows)[:count],
            np.asarray(self.source)[:count],
            np.asarray(self.action)[:count],
        )


def expand(steps: Steps, states: StateTable, first: int, last: int, found: Successors) -> int:
    """Write the successors of the states from `first` to before `last` to `found`; return their number."""
    return _expand(steps, states, first, last, found)


def _expand(steps: Steps, states: StateTable, first: Index, last: Index, found: Successors) -> Index:
    count: Index = 0
    number: Index
    action: Index
    for number in range(first, last):
        if not steps.enter(states, number):
            continue
        for action in range(steps.actions):
            code: Index = steps.successor(action, found.after, count)
            if code == UNSETTLED:
                found.unsettled += 1
            elif code != NOTHING:
                found.source[count] = number
                found.action[count] = action
                count += 1
    return count
