"""For each position of a level: is it lost, and which of its moves are best?

A move is best if it begins one of the cheapest solutions from there, and among these one with the fewest moves. So
the solution that follows best moves is a cheapest one, and never comes to a position twice: each move lowers the
cost, or keeps the cost and lowers the number of moves.
"""

from dataclasses import dataclass

import numpy as np

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.graph.paths import FAR, distances
from puzzlemc.mc.graph.state_graph import Edges, Indices
from puzzlemc.reports.positions.explored import Explored, Numbers, Truths


@dataclass(frozen=True)
class BestMoves:
    """The best moves of each position.

    left    the least cost to a solved position, FAR for lost ones
    places  for each edge, the place of its move among the moves of its position, sorted by their names
    best    for each edge, whether it is a best move
    """

    left: Indices
    places: Indices
    best: Truths

    @property
    def lost(self) -> Truths:
        """Does no move lead to a solved position?"""
        found: Truths = self.left == FAR
        return found


def best_moves(level: Explored) -> BestMoves:
    """The best moves of each position. Raises ModelError if two moves of a position have the same name."""
    forth, sources = level.graph.forth, level.sources
    goals = np.flatnonzero(level.solved).astype(np.int32)
    left = distances(level.graph.back.adjacency, level.costs, goals)
    best, places = np.zeros(len(sources), np.bool_), np.zeros(len(sources), np.int32)
    for edges in level.parts():
        level.budget.check()
        before, after = left[sources[edges]], left[forth.other[edges]]
        cost = level.costs[forth.action[edges]].astype(np.int64)
        best[edges] = (after != FAR) & (before == after + cost)
        places[edges] = _places(level, edges)
    tight = np.flatnonzero(best)
    before, after = sources[tight], forth.other[tight]
    first = np.zeros(len(level) + 1, np.int64)
    np.cumsum(np.bincount(before, minlength=len(level)), out=first[1:])
    cheapest = Edges(first, after, np.zeros(len(tight), np.int32))
    steps = distances(cheapest.turned().adjacency, np.ones(1, np.int32), goals)
    best[tight] = steps[before] == steps[after] + 1
    return BestMoves(left, places, best)


def _places(level: Explored, edges: slice) -> Numbers:
    """For each edge of whole positions, its place among the edges of its position, sorted by their names."""
    keys = level.sources[edges] * np.int64(len(level.names)) + level.name[edges]
    order = np.argsort(keys, kind="stable")
    if (np.diff(keys[order]) == 0).any():
        raise ModelError("two moves of a position have the same name")
    places = np.empty(len(keys), np.int64)
    places[order] = np.arange(edges.start, edges.stop) - level.graph.forth.first[level.sources[edges][order]]
    return places
