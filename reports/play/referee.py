"""The referee of a game of two sides: lets bots move, and searches for forced wins, in the background.

Moves of bots and forced wins are searched for in separate processes, each as long as its question is current.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, LimitReached, reason_of
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.play.background import Background
from puzzlemc.reports.workers.current import Wanted
from puzzlemc.reports.workers.worker import Worker, tell


@dataclass(frozen=True)
class Forced:
    """Results about a forced win from a position.

    winner   the side that wins by force; None if unknown, or for a draw
    turns    the least number of turns in which it wins
    move     its first move, if it is to move
    refuted  the side to move cannot win in this number of turns
    reason   why the search has ended without a result; empty while it goes on
    is_draw  neither side can force a win
    """

    winner: int | None = None
    turns: int = 0
    move: str = ""
    refuted: int = 0
    reason: str = ""
    is_draw: bool = False

    @property
    def is_decided(self) -> bool:
        """Is the winner known, or that neither side can force a win?"""
        return self.winner is not None or self.is_draw


def bot_move(entry: Entry, position: Hashable, name: str, seed: str) -> str:
    """In a worker: the move of a bot, which depends only on position and seed."""
    assert entry.puzzle.game is not None
    return entry.puzzle.game.bots[name](_from(entry, position), position, Random(seed))


def forced(entry: Entry, position: Hashable, limits: Limits, path: str, number: int) -> Forced:
    """In a worker: search for a forced win. Sends the refuted number of turns on the way."""
    game = entry.puzzle.game
    assert game is not None
    budget = Budget(limits, tell, 0, Wanted(path, number))
    try:
        found = game.decide(_from(entry, position), None, budget)
    except LIMITS as limit:
        return Forced(refuted=max(0, budget.bound - 1), reason=reason_of(limit))
    first = found.strategy.nodes[0].move if found.strategy is not None else None
    if found.is_draw:
        holds = found.defence.nodes[0].move if found.defence is not None else None
        return Forced(move=holds or "", is_draw=True)
    if found.winner is None or found.turns is None:
        return Forced(refuted=found.refuted, reason=found.reason or "bound")
    return Forced(found.winner, found.turns, first or "", found.refuted)


def _from(entry: Entry, position: Hashable) -> object:
    assert entry.puzzle.starting_at is not None
    return entry.puzzle.starting_at(entry.level, position)


class Referee(Background):
    """The referee of one game. `bots` has the names of bots by side; persons are left out."""

    def __init__(
        self,
        entry: Entry,
        workers: tuple[Worker, Worker],
        limits: Limits,
        bots: Mapping[int, str],
        seed: int,
        notify: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(workers, (self._play_bots, self._prove), notify)
        self.bots = dict(bots)
        self._entry = entry
        self._limits = limits
        self._player, self._prover = workers
        self._seed = seed
        self._moves: dict[Hashable, str] = {}  # of the bots, by position
        self._wins: dict[Hashable, Forced] = {}
        self._to_move: tuple[Hashable, str, int] | None = None  # position, bot, moves so far
        self._to_prove: Hashable | None = None

    def ask_bot(self, position: Hashable, bot: str, played: int) -> None:
        """Ask a bot for its move, after `played` moves of the game."""
        with self._changed:
            self._to_move = position, bot, played
            self._changed.notify_all()

    def bots_move(self, position: Hashable) -> str | None:
        """The move of the bot at a position; None until it is known."""
        return self._moves.get(position)

    def ask(self, position: Hashable | None) -> None:
        """Search for a forced win from this position only; None ends all searches."""
        with self._changed:
            if position != self._to_prove:
                self._to_prove = position
                self._want_another()

    def known(self, position: Hashable) -> Forced | None:
        """The results about a forced win from a position."""
        return self._wins.get(position)

    # Within the threads

    def _play_bots(self) -> None:
        while True:
            with self._changed:
                while not self._closed and self._to_move is None:
                    self._changed.wait()
                if self._closed or self._to_move is None:
                    return
                (position, bot, played), self._to_move = self._to_move, None
            seed = f"{self._seed}-{played}"
            move = self._player.run(bot_move, self._entry, position, bot, seed)
            self._moves[position] = move
            self._notify()

    def _prove(self) -> None:
        while True:
            with self._changed:
                while not self._closed and (self._to_prove is None or self._is_settled(self._to_prove)):
                    self._changed.wait()
                if self._closed:
                    return
                position, number = self._to_prove, self._number
            seconds = self._limits.seconds
            learn = partial(self._progress, position)
            question = (self._entry, position, self._limits, self._current.path, number)
            try:
                found = self._prover.run(forced, *question, seconds=seconds, receive=learn)
            except LimitReached as limit:
                found = replace(self._wins.get(position, Forced()), reason=limit.reason)
            if found.is_decided or number == self._number:
                self._wins[position] = found
                self._notify()

    def _is_settled(self, position: Hashable) -> bool:
        found = self._wins.get(position)
        return found is not None and (found.is_decided or bool(found.reason))

    def _progress(self, position: Hashable, bound: int) -> None:
        self._wins[position] = Forced(refuted=bound - 1)
        self._notify()
