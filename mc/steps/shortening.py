"""A plan gets shorter: breadth-first searches from its states look for shorter ways to later ones, or to the win.

Each search expands a limited number of states. If none of a round along the plan finds a shorter way, those of the
next round may expand several times as many (neighbourhoods as windows: Nakhost and Müller 2010).
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from puzzlemc.mc.packed.layout import PackedStates
from puzzlemc.mc.search.state_table import FOUND
from puzzlemc.mc.steps.frontier import Frontier, advance
from puzzlemc.mc.steps.system import StepSystem

FIRST, GROWTH = 1 << 6, 4  # states that a search expands in the first round, and the factor for the next one
MOST = 1 << 16  # states that a search expands in the last round
CAPACITY = 1 << 8  # states at the beginning; a power of two

Run = Callable[[Callable[[int], int], int], int]  # `Turns.run`


class Shortening:
    """A plan, with the searches for shorter ways from its states.

    rows     the packed states from the start; `actions[k]` is taken in state k, and the last one wins
    work     the states that were expanded
    rounds   the rounds that have ended
    is_over  the last round has found nothing
    """

    def __init__(self, system: StepSystem, rows: PackedStates, actions: Sequence[int], run: Run) -> None:
        self.rows, self.actions, self.work, self.is_over = rows, list(actions), 0, False
        self._system, self._run = system, run
        self._at, self._states, self._cost_before, self.rounds = 0, FIRST, len(actions), 0

    def go_on(self, work: int, memory: int) -> None:
        """Search until `work` states are expanded altogether, or until a round ends. Raises LimitReached."""
        rounds = self.rounds
        while self.work < work and self.rounds == rounds:
            self._look_ahead(memory)

    def _look_ahead(self, memory: int) -> None:
        """Search from the next state of the plan."""
        if self._at >= len(self.actions) - 1:
            if len(self.actions) == self._cost_before:
                self._states *= GROWTH
                self.is_over = self._states > MOST
            self._at, self._cost_before = 0, len(self.actions)
            self.rounds += 1
        at = self._at
        space = Frontier(self.rows[at], CAPACITY, self._system.bounds, self._system.frozen)
        status = self._run(partial(advance, space, self._system.steps, memory), self._states)
        self.work += max(1, space.expanded)
        if status == FOUND and space.depth + 1 < len(self.actions) - at:
            self._replace(space, space.expanded, len(self.actions), [space.won_by])
            return
        for last in range(len(self.actions) - 1, at + 1, -1):
            number = space.number_of(self.rows[last])
            if number >= 0 and len(space.path(number)) < last - at:
                self._replace(space, number, last, [])
                return
        self._at += 1

    def _replace(self, space: Frontier, number: int, last: int, then: list[int]) -> None:
        """Replace the plan between the state of the search and state `last` by the way to a state found."""
        at = self._at
        way = space.way(number)
        kept = way if then else way[:-1]  # the rows of the plan go on with its last state, or end before the win
        self.rows = np.concatenate([self.rows[:at], np.asarray(space.rows)[kept], self.rows[last:]])
        self.actions[at:last] = [*space.path(number), *then]
