"""Can a player force a win within n own turns?

An and/or search with iterative deepening: a win within n is a turn after which every reply leaves a win within n -
1. The last two turns are searched in compiled code (`threats.py`). Turns whose stones add most to own rows come
first; of replies, those that refuted most turns come first. Proved results are kept by position. As in
`threats.py`, one refutation excludes many turns.

The search considers only replies that prevent an immediate win; against a threat, few replies do.
"""

from collections.abc import Iterator
from itertools import count

import numpy as np

from puzzlemc.encodings.fabrik.fast import (
    NOWHERE,
    Array,
    completes_row,
    geometry,
    has_turn,
    key,
    move,
    player_of,
    put,
    state,
    take,
    turn_of,
    turns_of,
    workers_of,
)
from puzzlemc.encodings.fabrik.threats import Row, Scratch, can, defences, win_in_one, win_in_two
from puzzlemc.encodings.fabrik.tree import Tree
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.fabrik import Level, Position

KEPT = 1_000_000  # the most positions with kept results
BARE = Position(frozenset(), frozenset(), frozenset({(0, 0), (1, 1)}), "black")


class Search:
    """The search for one player, FIRST for Black. Proved results are kept for later calls."""

    def __init__(self, level: Level, player: int, budget: Budget) -> None:
        self._level = level
        self._watch = budget
        self._table = geometry(level.size, level.row)
        self._through = np.asarray(self._table.through)
        self._scratch = Scratch(level.size)
        self._me = player
        self._now = state(level, BARE)
        self._mine = False  # is this player to move in the current position?
        # By position with this player to move: the least number of turns of a known win with its first turn; and
        # the largest number of turns within which there is no win.
        self._won: dict[bytes, tuple[int, Row]] = {}
        self._lost: dict[bytes, int] = {}
        self._refuted = np.zeros(level.size**2, np.int64)  # by cell, the number of refutations with a stone there

    def place(self, position: Position) -> "Search":
        """Set the current position. It must have two workers, a player to move, and no winner."""
        self._now = state(self._level, position)
        self._mine = player_of(position) == self._me
        return self

    def wins(self, within: int) -> bool:
        """Can the player force a win from here within this number of own turns? Raises LimitReached."""
        if within == 0:
            return False
        return self.attack(within) is not None if self._mine else self._refute(within) is None

    def attack(self, within: int) -> Row | None:
        """The first turn of a forced win within a number of own turns, or None. Raises LimitReached."""
        here = key(self._now)
        known = self._won.get(here)
        if known is not None and known[0] <= within:
            return known[1]
        if self._lost.get(here, 0) >= within:
            return None
        self._watch.check()
        if within == 1:
            turn = win_in_one(self._level, self._now, self._me, self._scratch)
        elif within == 2:
            turn = win_in_two(self._level, self._now, self._me, self._scratch)
        else:
            turn = self.attack(within - 1) or self._attack(within)
        if len(self._won) + len(self._lost) > KEPT:
            self._won.clear()
            self._lost.clear()
        if turn is None:
            self._lost[here] = within
        elif here not in self._won or self._won[here][0] > within:
            self._won[here] = within, turn
        return turn

    def _attack(self, within: int) -> Row | None:
        """A first turn of a win within `within` own turns, three or more, if none is quicker; else None."""
        return next(self.attacks(within), None)

    def first_turns(self, within: int) -> Iterator[str]:
        """The first turns, by name, of forced wins within the least number of own turns. Raises LimitReached."""
        return map(self.named, self.attacks(within))

    def attacks(self, within: int) -> Iterator[Row]:
        """The first turns of forced wins within the least number of own turns. Raises LimitReached."""
        refutations: dict[int, list[set[int]]] = {}  # by the player's stone: the workers' cells after a refutation
        for stone, source, target in self._attacks().tolist():
            move(self._now, source, target)
            workers = workers_of(self._now)
            wins = not any(workers & config for config in refutations.get(stone, ()))
            if wins:
                ends = completes_row(self._now, self._me, stone)
                put(self._table, self._now, stone, self._me)
                if within == 1:
                    wins = ends or not has_turn(self._table, self._now)
                elif reply := self._refute(within - 1):
                    _, came, went = reply
                    refutations.setdefault(stone, []).append(
                        workers - {came} | {went} if came != went else workers
                    )
                    wins = False
                take(self._table, self._now, stone, self._me)
            move(self._now, target, source)
            if wins:
                self._watch.check()
                yield stone, source, target

    def _refute(self, within: int) -> Row | None:
        """A reply after which the player cannot force a win within this number of own turns, or None."""
        opponent = 1 - self._me
        if reply := win_in_one(self._level, self._now, opponent, self._scratch):
            return reply
        for stone, source, target in self._replies().tolist():
            move(self._now, source, target)
            put(self._table, self._now, stone, opponent)
            turn = self.attack(within)
            take(self._table, self._now, stone, opponent)
            move(self._now, target, source)
            if turn is None:
                self._refuted[stone] += 1
                return stone, source, target
        return None

    def _attacks(self) -> Array:
        """All turns of the player, those first whose stones add most to windows without stones of the opponent."""
        turns = turns_of(self._table, self._now)
        worth = self._worth(self._me)
        return turns[np.argsort(-worth[turns[:, 0]], kind="stable")]

    def _replies(self) -> Array:
        """The replies that prevent an immediate win, those first that refuted turns often or fill windows."""
        replies = defences(self._level, self._now, 1 - self._me, self._scratch)
        worth = self._worth(self._me) + self._worth(1 - self._me) + 1000 * self._refuted
        return replies[np.argsort(-worth[replies[:, 0]], kind="stable")]

    def _worth(self, player: int) -> Array:
        """By cell, the value of a stone of the player there.

        It is the sum of 8 to the number of own stones over all windows through the cell without stones of the
        other.
        """
        counts = np.asarray(self._now.counts).astype(np.int64)
        worth = np.where(counts[1 - player] == 0, 8 ** counts[player], 0)
        added = np.append(worth, 0)[self._through]  # NOWHERE is -1, the appended 0
        return np.asarray(added.sum(axis=1))

    def add(self, tree: Tree) -> int:
        """Add the player's forced win, which must exist, to a tree; return its node. Raises LimitReached."""
        return self._mine_into(tree) if self._mine else self._theirs_into(tree)

    def _mine_into(self, tree: Tree) -> int:
        here = key(self._now)
        if here not in tree.known:
            turn = next(turn for within in count(1) if (turn := self.attack(within)) is not None)
            stone, source, target = turn
            ends = completes_row(self._now, self._me, stone)
            move(self._now, source, target)
            put(self._table, self._now, stone, self._me)
            ends = ends or not has_turn(self._table, self._now)
            after = tree.end() if ends else self._theirs_into(tree)
            take(self._table, self._now, stone, self._me)
            move(self._now, target, source)
            tree.known[here] = tree.own(self.named(turn), after)
        return tree.known[here]

    def _theirs_into(self, tree: Tree) -> int:
        now, opponent = self._now, 1 - self._me
        nodes: dict[str, int] = {}
        finishes: list[Row] = []
        for reply in turns_of(self._table, now).tolist():
            self._watch.check()
            stone, source, target = reply
            move(now, source, target)
            put(self._table, now, stone, opponent)
            if not any(
                completes_row(now, self._me, turn[0]) and can(self._table, now, *turn) for turn in finishes
            ):
                turn = win_in_one(self._level, now, self._me, self._scratch)
                if turn is not None and completes_row(now, self._me, turn[0]):
                    finishes.append(turn)
                else:
                    nodes[self.named((stone, source, target))] = self._mine_into(tree)
            take(self._table, now, stone, opponent)
            move(now, target, source)
        return tree.replies(nodes, map(self.named, finishes))

    def named(self, turn: Row) -> str:
        """The name of a turn."""
        stone, source, target = turn
        return turn_of(self._level.size, stone, NOWHERE if source == target else source, target).name
