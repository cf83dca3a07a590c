"""The sides of a search by waves: their arrays, which grow from outside, and the actions of the plan found."""

import numpy as np

from puzzlemc.mc.astar import waves
from puzzlemc.mc.astar.problem import Problem
from puzzlemc.mc.astar.space import make_room
from puzzlemc.mc.astar.waves import Waves
from puzzlemc.mc.packed.layout import Numbers, PackedStates
from puzzlemc.mc.packed.tables import Tables
from puzzlemc.mc.words import view

WAVES = 6  # an estimate of the number of waves of a row, for the memory limit


def can_use_waves(problem: Problem) -> bool:
    """Are there two sides, and walks that cost something and that only objects block?"""
    tables = problem.forward.tables
    near, triples = tables.walks.near.shape[0], tables.triples.shape[0]
    return problem.backward is not None and tables.walks.cost > 0 and near > 0 and not triples


class WaveSide(waves.Side):
    """One side of a search by waves.

    numbers  the numbers of the actions in the model, sorted
    origin   for each of them, the location code that it leads from, in the direction of this side
    """

    def __init__(self, tables: Tables, rows: PackedStates, numbers: Numbers, origin: Numbers) -> None:
        """A new side that starts from the rows."""
        capacity = max(1 << 12, 2 * len(rows))
        super().__init__(tables, Waves(capacity, rows.shape[1], tables.walks.near.shape[1]))
        waves.begin(self, view(np.ascontiguousarray(rows)))
        self.numbers, self.origin = numbers, origin

    @property
    def bytes_per_row(self) -> int:
        """An estimate of the memory for a row: its arrays, and at most four slots of the hash table."""
        words, parts = self.waves.rows.shape[1], self.waves.fronts.shape[1]
        return 8 * words + 16 * parts + 3 * 4 + WAVES * (7 * 4 + 8 * parts) + 4 * 4

    @property
    def size(self) -> int:
        """The number of rows in the search."""
        return self.waves.used

    def grow(self) -> None:
        """Enlarge the arrays that are full. Raises LimitReached past the largest cost."""
        now, most_new = self.waves, self.tables.most
        if now.used + most_new >= now.rows.shape[0]:
            now.lengthen(2 * now.rows.shape[0] + most_new, *now.columns())
        if 2 * (now.used + most_new) >= now.slots.shape[0]:
            now.resize(2 * max(now.slots.shape[0], 1 << most_new.bit_length()))
        if now.entry_count + most_new >= now.entries.shape[0]:
            now.lengthen(2 * now.entries.shape[0] + most_new, "entries", "fronts")
        more = self.tables.largest_increase
        make_room(now, now.least_open + more, more)

    def actions_to(self, row: int, code: int) -> list[int]:
        """The numbers of the actions on a cheapest path to a location of a row, from there back to the start."""
        actions: list[int] = []
        while True:
            waves.least_cost(self, row, code)
            row, action = (self.waves.entries[self.arrival, what] for what in (waves.BEFORE, waves.ACTION))
            if row < 0:
                return actions
            actions.append(action)
            code = int(self.origin[np.searchsorted(self.numbers, action)])


def wave_sides(problem: Problem) -> tuple[WaveSide, WaveSide]:
    """The forward and the backward side of a problem for which `can_use_waves` is true."""
    assert problem.backward is not None
    assert problem.goal_states is not None
    moving = problem.moving
    ahead = WaveSide(problem.forward.tables, problem.start[None, :], moving.number, moving.source)
    return ahead, WaveSide(problem.backward.tables, problem.goal_states, moving.number, moving.target)
