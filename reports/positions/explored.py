"""All positions of a level, with their moves by names and costs."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.graph.state_graph import Indices, StateGraph, explore
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import cost_of
from puzzlemc.reports.formats.state_graph import has_positions

MOST = 1_000_000  # positions
BYTES_PER_EDGE = 60  # of arrays that are made of the edges
PART = 1 << 20  # edges in a slice: arrays of large numbers about them stay small
LOOK = 1 << 10  # positions between two looks at the time

Numbers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Explored:
    """The state graph of a level; its states are the positions of the plain rules.

    metric  what a best solution costs least of
    budget  of all that is made of the graph
    """

    puzzle: Puzzle
    level: Any
    metric: str
    encoded: Encoded
    graph: StateGraph
    budget: Budget

    def __len__(self) -> int:
        return len(self.graph)

    def positions(self) -> Iterator[Any]:
        """Yield the positions by their numbers; the start comes first. Raises LimitReached."""
        for start in range(0, len(self), LOOK):
            self.budget.check()
            states = self.graph.layout.states(self.graph.rows[start : start + LOOK])
            yield from map(self.encoded.decode, states)

    @cached_property
    def solved(self) -> Truths:
        """Is each position solved?"""
        return self.graph.holds(self.graph.model.goal)

    def parts(self) -> Iterator[slice]:
        """Yield slices of the edges, in their order. All edges of a position are in one slice."""
        first = self.graph.forth.first
        start = 0
        while start < len(self):
            end = max(start + 1, int(np.searchsorted(first, first[start] + PART, "right")) - 1)
            yield slice(int(first[start]), int(first[end]))
            start = end

    @cached_property
    def sources(self) -> Indices:
        """The position that each edge leaves."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.graph.forth.first))

    @cached_property
    def costs(self) -> Indices:
        """The cost of each action under the metric."""
        return np.array([cost_of(action, self.metric) for action in self.graph.model.actions], np.int32)

    @cached_property
    def names(self) -> list[str]:
        """The names of the moves, in the order in which JavaScript sorts them."""
        return sorted(set(self._name_of_action.values()), key=lambda name: name.encode("utf-16-be"))

    @cached_property
    def name(self) -> Indices:
        """For each edge, the place of the name of its move in `names`."""
        places = {name: place for place, name in enumerate(self.names)}
        of_action = np.zeros(len(self.graph.model.actions), np.int32)
        for action, name in self._name_of_action.items():
            of_action[action] = places[name]
        return of_action[self.graph.forth.action]

    @cached_property
    def _name_of_action(self) -> dict[int, str]:
        """The name of the move of each action that is an edge. Raises ModelError for one that is no move."""
        found: dict[int, str] = {}
        forth = self.graph.forth
        for action, edge in zip(*np.unique(forth.action, return_index=True), strict=True):
            ends = [int(self.sources[edge]), int(forth.other[edge])]
            moves = self.encoded.moves(self.graph.trace(ends, [int(action)]))
            if len(moves) != 1:
                raise ModelError(f"found {len(moves)} moves of one action")
            found[int(action)] = moves[0]
        return found


def explored(entry: Entry, metric: str, budget: Budget, most: int = MOST) -> Explored:
    """The positions of a level, `most` at most.

    Raises LimitReached if a limit comes first, and ModelError for a level without such positions: of a game of two
    sides, or one whose turns are drawn.
    """
    puzzle = entry.puzzle
    puzzle.need_steps()
    if puzzle.optimisation is not None or puzzle.chance(entry.level) is not None:
        raise ModelError(f"{puzzle.name}: not every move of the level leads to one position")
    encoded = puzzle.encode_faithfully(entry.level)
    graph = explore(encoded.model, budget, most=most)
    if graph.reason is not None:
        if graph.met > most:
            raise LimitReached("bound", f"more than {most} positions")
        raise LimitReached(graph.reason.partition(" ")[0])
    if BYTES_PER_EDGE * len(graph.forth.other) > budget.limits.memory:
        raise LimitReached("memory")
    if not has_positions(graph, encoded, entry.level, puzzle):
        raise ModelError(f"{puzzle.name}: the states of the model are not the positions of the level")
    return Explored(puzzle, entry.level, metric, encoded, graph, budget)
