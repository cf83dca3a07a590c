"""Does the player to move win within n own turns, whatever the opponent does?

An and/or search, deeper by one turn at a time: within n there is a turn after which every reply leaves a win
within n - 1. The last two turns are compiled (`threats.py`). Turns that threaten to win come first, and replies
that have refuted most. What is proved of a position is kept. And a refutation holds for many turns, as there.

A reply after which the win is immediate is never looked at again: against a threat few replies are left.
"""

from dataclasses import dataclass

import numpy as np

from puzzlemc.encodings.fabrik.fast import (
    NOWHERE,
    Array,
    generate,
    geometry,
    move,
    player_of,
    put,
    room,
    state,
    take,
    turn_of,
)
from puzzlemc.encodings.fabrik.rules import Turn, winner
from puzzlemc.encodings.fabrik.strategy import Strategy
from puzzlemc.encodings.fabrik.threats import Row, Scratch, can, defences, win_in_one, win_in_two
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Watch
from puzzlemc.screens.fabrik import Level, Position

KEPT = 1_000_000  # positions about which something is kept


@dataclass(frozen=True)
class Forced:
    """The player to move wins within so many own turns, and not within less."""

    within: int
    strategy: Strategy


@dataclass(frozen=True)
class NotForced:
    """There is no win within so many own turns. `reason` says which limit ended the search, empty: none."""

    refuted: int
    reason: str = ""


def solve(level: Level, position: Position, within: int, watch: Watch) -> Forced | NotForced:
    """Find the least number of own turns, at most `within`, in which the player to move wins.

    The position has two workers, somebody whose turn it is, and no winner yet: else ValueError.
    """
    if not position.turn or winner(level, position):
        raise ValueError("there is nobody who has a turn")
    search = Search(level, position, watch)
    refuted = 0
    try:
        for turns in range(1, within + 1):
            if search.attack(turns) is not None:
                return Forced(turns, search.strategy(turns))
            refuted = turns
            watch.prove(turns + 1)
    except LimitReached as limit:
        return NotForced(refuted, limit.reason)
    return NotForced(within)


class Search:
    """The search from one position, for the player to move there."""

    def __init__(self, level: Level, position: Position, watch: Watch) -> None:
        self._level = level
        self._watch = watch
        self._table = geometry(level.size, level.row)
        self._scratch = Scratch(level.size)
        self._me = player_of(position)
        self._now = state(level, position)
        # By position with this player to move: the fewest turns of a win that is known and its first turn, and the
        # most turns within which there is none.
        self._won: dict[bytes, tuple[int, Row]] = {}
        self._lost: dict[bytes, int] = {}
        self._refuted = np.zeros(level.size**2, np.int64)  # by cell, how often a stone there was a refutation

    def attack(self, within: int) -> Row | None:
        """The first turn of a win within so many, None if there is none. Raises LimitReached."""
        key = self._key()
        known = self._won.get(key)
        if known is not None and known[0] <= within:
            return known[1]
        if self._lost.get(key, 0) >= within:
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
            self._lost[key] = within
        elif key not in self._won or self._won[key][0] > within:
            self._won[key] = within, turn
        return turn

    def _attack(self, within: int) -> Row | None:
        """The same, for more than two turns, where fewer do not do."""
        refutations: dict[int, list[set[int]]] = {}  # by my stone, where the workers are after the reply
        for stone, source, target in self._attacks().tolist():
            move(self._now, source, target)
            workers = set(self._now.workers.tolist())
            turn: Row | None = (stone, source, target)
            if any(workers & config for config in refutations.get(stone, ())):
                turn = None
            else:
                put(self._table, self._now, stone, self._me)
                reply = self._refute(within - 1)
                take(self._table, self._now, stone, self._me)
                if reply is not None:
                    _, came, went = reply
                    refutations.setdefault(stone, []).append(
                        workers - {came} | {went} if came != went else workers
                    )
                    turn = None
            move(self._now, target, source)
            if turn is not None:
                return turn
        return None

    def _refute(self, within: int) -> Row | None:
        """A reply after which I do not win within so many turns, None if there is none."""
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
        """My turns: first those that threaten, then by what their stones add to."""
        turns = room(self._level.size)
        turns = turns[: generate(self._table, self._now, turns)]
        worth = self._worth(self._me)
        return turns[np.argsort(-worth[turns[:, 0]], kind="stable")]

    def _replies(self) -> Array:
        """The replies after which I do not win at once: first stones that have refuted often or are in my way."""
        replies = defences(self._level, self._now, 1 - self._me, self._scratch)
        worth = self._worth(self._me) + self._worth(1 - self._me) + 1000 * self._refuted
        return replies[np.argsort(-worth[replies[:, 0]], kind="stable")]

    def _worth(self, player: int) -> Array:
        """By cell, what a stone of a player there adds to: windows without stones of the opponent."""
        counts = self._now.counts[player].astype(np.int64)
        worth = np.where(self._now.counts[1 - player] == 0, 8**counts, 0)
        added = np.append(worth, 0)[self._table.through]  # the last one stands for no window
        return np.asarray(added.sum(axis=1))

    def _key(self) -> bytes:
        return self._now.board.tobytes()

    def strategy(self, within: int) -> Strategy:
        """How to win within so many turns, which is possible. Raises LimitReached."""
        turn = self.attack(within)
        assert turn is not None
        stone, source, target = turn
        won = self._now.completes[self._me, stone] > 0
        answers: dict[Turn, Strategy] = {}
        finishes: list[Row] = []
        move(self._now, source, target)
        put(self._table, self._now, stone, self._me)
        if not won:
            replies = room(self._level.size)
            replies = replies[: generate(self._table, self._now, replies)]
            for reply in replies.tolist():
                self._watch.check()
                self._answer(reply, within - 1, answers, finishes)
        take(self._table, self._now, stone, self._me)
        move(self._now, target, source)
        return Strategy(self._named(turn), answers, tuple(map(self._named, finishes)))

    def _answer(self, reply: list[int], within: int, answers: dict[Turn, Strategy], finishes: list[Row]) -> None:
        """Add what is to be done after a reply."""
        stone, source, target = reply
        now = self._now
        move(now, source, target)
        put(self._table, now, stone, 1 - self._me)
        if not any(now.completes[self._me, turn[0]] > 0 and can(self._table, now, *turn) for turn in finishes):
            if turn := win_in_one(self._level, now, self._me, self._scratch):
                if now.completes[self._me, turn[0]] > 0:
                    finishes.append(turn)
                else:
                    answers[self._named((stone, source, target))] = Strategy(self._named(turn))
            else:
                least = next(turns for turns in range(2, within + 1) if self.attack(turns) is not None)
                answers[self._named((stone, source, target))] = self.strategy(least)
        take(self._table, now, stone, 1 - self._me)
        move(now, target, source)

    def _named(self, turn: Row) -> Turn:
        stone, source, target = turn
        return turn_of(self._level.size, stone, NOWHERE if source == target else source, target)
