"""Relays: the farthest position of one side becomes the goal of the other side.

With many boxes, two searches that each fill their own targets seldom meet. A *leg* is a search between one end and
the position in which the other side has filled the most targets, where few boxes are out of place. Its farthest
positions start further legs. Legs with the fewest boxes to go come first; legs whose predecessors made no progress
come later.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from puzzlemc.encodings.sokoban.board.numbered import NumberedLevel, Words
from puzzlemc.encodings.sokoban.fess.domain.counters import CELLS
from puzzlemc.encodings.sokoban.fess.search.entering import ENDED, MET, NO_ROOM, PAUSED
from puzzlemc.encodings.sokoban.fess.search.past import Place, past_of
from puzzlemc.encodings.sokoban.fess.search.sides import Side

WORK_OF_LEG = 10_000_000  # visited cells of a leg, at first
LEGS = 32  # the work of a leg grows by WORK_OF_LEG after each LEGS legs
TRIED = 512  # positions of a side that are candidates for an end
APART = 2  # the least number of boxes in which an end differs from each other end
STALL = 2  # added to the score for each predecessor that made no progress


class Search(Protocol):
    """The search of a leg."""

    board: NumberedLevel
    sides: list[Side]

    @property
    def work(self) -> int:
        """The number of visited cells."""
        ...

    def go_on(self) -> int:
        """Search for a turn; return PAUSED, or the reason of the end."""
        ...

    def end(self) -> None:
        """End the search."""
        ...

    def positions(self) -> list[Place]:
        """The positions from the start to the goal, after a meeting."""
        ...


class Leg(NamedTuple):
    """A search to run; legs with few boxes `left` go first.

    score          `left`, plus STALL for each predecessor without progress
    number         legs with equal score run in order of number
    board          from its boxes and player to its goals
    players        cells on which the player may be at the end; None for anywhere
    before, after  the positions on the way to it, and on the way from it
    """

    score: int
    number: int
    board: NumberedLevel
    players: list[int] | None
    before: list[Place]
    after: list[Place]
    left: int


class Relays:
    """The queue of legs, run one after another."""

    def __init__(
        self, search: Callable[[NumberedLevel, list[int] | None, list[Place], list[Place]], Search]
    ) -> None:
        self.work = 0
        self._search = search
        self._legs: list[Leg] = []
        self._ends: tuple[list[Words], list[Words]] = ([], [])  # by game, the boxes of positions as bits
        self._made = self._run = 0
        self._now: tuple[Leg, Search] | None = None

    def has_legs(self) -> bool:
        """Is there a leg to run?"""
        return bool(self._legs) or self._now is not None

    def add(self, search: Search, leg: Leg | None = None) -> None:
        """Add legs from and to the farthest positions of a search, which belongs to `leg` or is a first search."""
        board, before, after = search.board, leg.before if leg else [], leg.after if leg else []
        for game, side in enumerate(search.sides):
            way = self._farthest(game, side)
            if not way:
                continue
            boxes, player = way[-1]
            there = np.array(sorted(boxes), np.int32)
            ends = set((board.goals if game == 0 else board.boxes).tolist())
            left, stalls = len(ends - boxes), 0
            if leg:
                stalls = leg.score - leg.left + (STALL if left >= leg.left else 0)
            self._made += 1
            if game == 0:
                made = board._replace(boxes=there, player=player)
                players = leg.players if leg else None
                ways = (before + way[:-1], after)
            else:
                made = board._replace(goals=there)
                players = [player]
                ways = (before, way[-2::-1] + after)
            self._legs.append(Leg(left + stalls, self._made, made, players, *ways, left))

    def go_on(self) -> int:
        """Search for a turn; return PAUSED, MET, or ENDED if no legs are left."""
        if self._now is None:
            if not self._legs:
                return ENDED
            leg = min(self._legs)
            self._legs.remove(leg)
            self._run += 1
            self._now = leg, self._search(leg.board, leg.players, leg.before, leg.after)
        leg, search = self._now
        begun = search.work
        status = search.go_on()
        self.work += search.work - begun
        if status == MET:
            return MET
        if status in (ENDED, NO_ROOM) or search.work >= WORK_OF_LEG * (1 + self._run // LEGS):
            self.add(search, leg)
            search.end()
            self._now = None
        return PAUSED

    def positions(self) -> list[Place]:
        """The positions from the start to the goal, after a leg has met."""
        assert self._now is not None
        return self._now[1].positions()

    def _farthest(self, game: int, side: Side) -> list[Place]:
        """The path of a side to its farthest position that differs enough from the ends of all legs; or empty."""
        count, past = side.positions.count, past_of(side.positions)
        if not count:
            return []
        keys, cells = np.asarray(side.heaps.keys)[:count], np.asarray(side.cells)[:count]
        merit = keys - (cells.astype(np.int64) // (CELLS * side.turns.kinds) << 48)
        # Ties go to the earliest position on every machine; the choice of `argpartition` differs between machines.
        tried = min(TRIED, count)
        best = np.flatnonzero(merit <= np.partition(merit, tried - 1)[tried - 1])
        best = best[np.argsort(merit[best], kind="stable")][:TRIED]
        best = best[past.parents[best] >= 0]
        rows = past.bits[best]
        is_new = np.ones(len(best), np.bool_)
        for end in self._ends[game]:
            is_new &= np.bitwise_count(rows ^ end).sum(axis=1) >= 2 * APART
        for at in np.flatnonzero(is_new)[:1]:
            self._ends[game].append(rows[at].copy())
            return past.way(int(best[at]))
        return []
