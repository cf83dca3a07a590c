"""The steps between states that A* has expanded, listed again: A* keeps one way to each state.

The search has no symmetries. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.planning.search import Search
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.planning.packed_task import (
        apply,
        find_applicable,
        forget_successor,
        is_goal,
        read_state,
        write_successor,
    )
    from puzzlemc.mc.planning.search import BOUND, COST
    from puzzlemc.mc.search.state_table import find
    from puzzlemc.mc.words import Flag, Index, Ints, Ints2

ENTRIES = 1 << 16  # steps that are listed at once


class KnownSteps:
    """A part of the steps, in arrays.

    steps  (entries, 3): the number of a state, the operator, the number of its successor
    used   the number of them
    goals  the goal states among those whose steps are here
    found  the number of goals
    next   the first state whose steps are not listed yet
    """

    steps: Ints2  # readonly
    used: Index  # readonly
    goals: Ints  # readonly
    found: Index  # readonly
    next: Index  # readonly

    def __init__(self, search: Search) -> None:
        entries = ENTRIES + search.task.applicable.shape[0]
        self.steps, self.goals = view(np.zeros((entries, 3), np.int32)), view(np.zeros(entries, np.int32))
        self.used = self.found = self.next = 0


def list_more(known: KnownSteps, search: Search, most: int) -> bool:
    """List a part of the steps on plans that cost at most `most`, and perhaps others; is there a next part?"""
    return _list_more(known, search, most)


def _list_more(known: KnownSteps, search: Search, most: Index) -> Flag:
    known.used = known.found = 0
    while known.next < search.used:
        is_full: Flag = known.used + search.task.applicable.shape[0] > known.steps.shape[0]
        if is_full or known.found == known.goals.shape[0]:
            return True
        number: Index = known.next
        known.next += 1
        if search.node_info[number, BOUND] < 0 and _is_within(search, number, most):
            _list_steps(known, search, number, most)
    return False


def _is_within(search: Search, number: Index, most: Index) -> Flag:
    """May a plan through this state cost at most `most`?"""
    bound: Index = search.node_info[number, BOUND]
    if bound < 0:
        bound = -1 - bound
    return bound < INFINITE and search.node_info[number, COST] + bound <= most


def _list_steps(known: KnownSteps, search: Search, number: Index, most: Index) -> None:
    i: Index
    read_state(search.task, search.rows, number)
    if is_goal(search.task):
        known.goals[known.found] = number
        known.found += 1
    for i in range(find_applicable(search.task)):
        operator: Index = search.task.applicable[i]
        apply(search.task, operator)
        write_successor(search.task, search.rows, number, search.used)
        forget_successor(search.task)
        successor: Index = search.slots[find(search, search.rows, search.used)]
        if _is_within(search, successor, most):
            known.steps[known.used, 0] = number
            known.steps[known.used, 1] = operator
            known.steps[known.used, 2] = successor
            known.used += 1


def expanded(search: Search, row: npt.NDArray[np.uint64]) -> tuple[bool, list[tuple[int, int, bytes]]]:
    """Is a state, packed in an array of shape (words,), a goal state? And for each operator that is applicable in
    it: the operator, the number of the successor, -1 if it is not known, and the successor itself, packed.

    The search has room for two further states.
    """
    free = search.used  # the state is written there, and a successor behind it
    rows = search.rows
    np.asarray(rows)[free] = row
    read_state(search.task, rows, free)
    found, goal = [], is_goal(search.task)
    for i in range(find_applicable(search.task)):
        operator = search.task.applicable[i]
        apply(search.task, operator)
        write_successor(search.task, rows, free, free + 1)
        forget_successor(search.task)
        number = search.slots[find(search, rows, free + 1)]
        found.append((operator, number, np.asarray(rows)[free + 1].tobytes()))
    return goal, found
