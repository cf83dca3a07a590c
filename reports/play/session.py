"""A game in progress: its positions and moves, undo and redo, and files. It does not depend on the terminal.

Moves that were taken back can be redone until another move is played.
"""

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.by_hand import ByHand
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.rules.plain import Step
from puzzlemc.reports.output.files import write as write_file
from puzzlemc.reports.play.listed import listed
from puzzlemc.reports.play.records import read, write
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import read_text

MOST_BYTES = 1 << 20  # of a saved game


class Session:
    """A game of a level."""

    def __init__(self, puzzle: Puzzle, level: Any) -> None:
        played: list[str] = []
        if puzzle.text.game_record is not None:
            level, played = puzzle.text.game_record.split(level)
        self.puzzle = puzzle
        self.level = level
        self.by_hand: ByHand = puzzle.by_hand or listed(puzzle)
        self._positions: list[Hashable] = [puzzle.rules.start(level)]
        self._costs: list[Mapping[str, int]] = [dict.fromkeys(puzzle.metrics, 0)]
        self._moves: list[str] = []
        self._at = 0
        for move in played:
            self.play(move)

    @property
    def at(self) -> int:
        """The number of moves before the current position."""
        return self._at

    @property
    def position(self) -> Hashable:
        """The current position."""
        return self._positions[self._at]

    @property
    def positions(self) -> Sequence[Hashable]:
        """The positions from the first to the current one."""
        return self._positions[: self._at + 1]

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that lead to the current position."""
        return tuple(self._moves[: self._at])

    @property
    def costs(self) -> Mapping[str, int]:
        """The costs of these moves by metric."""
        return self._costs[self._at]

    @property
    def is_solved(self) -> bool:
        """Is the current position solved?"""
        return self.puzzle.rules.solved(self.level, self.position)

    @property
    def is_over(self) -> bool:
        """Is the game over?"""
        game = self.puzzle.game
        return self.is_solved if game is None else game.rules.over(self.level, self.position)

    @property
    def side(self) -> int:
        """The side to move in a game of two sides."""
        assert self.puzzle.game is not None
        return self.puzzle.game.rules.turn(self.level, self.position)

    @property
    def winner(self) -> int | None:
        """The winner of a game of two sides that is over; None for a draw."""
        assert self.puzzle.game is not None
        return self.puzzle.game.rules.result(self.level, self.position)

    def say(self, move: str) -> str:
        """A move in words."""
        return self.by_hand.say(self.level, move)

    @property
    def can_redo(self) -> bool:
        """Is there a move to redo?"""
        return self._at < len(self._moves)

    def play(self, move: str) -> None:
        """Play a move by name. Raises Refuted for an illegal one."""
        found = self._step(move)
        if found is None:
            raise Refuted(f"{move} is not a legal move")
        if self.can_redo and self._moves[self._at] == move:
            self._at += 1
            return
        now = self.costs
        costs = {metric: now[metric] + found.costs[metric] for metric in now}
        self._positions[self._at + 1 :] = [found.position]
        self._costs[self._at + 1 :] = [costs]
        self._moves[self._at :] = [move]
        self._at += 1

    def undo(self, to: int | None = None) -> bool:
        """Take back the last move, or all moves after the position `to`; returns False if there was none."""
        before = self._at
        self._at = max(0, self._at - 1) if to is None else min(self._at, max(0, to))
        return self._at < before

    def redo(self) -> bool:
        """Redo a move; returns False if there was none."""
        if not self.can_redo:
            return False
        self._at += 1
        return True

    def restart(self) -> bool:
        """Take back all moves, which can be redone; returns False if there was none."""
        return self.undo(0)

    def record(self) -> str:
        """The game so far as a text."""
        return write(self.puzzle, self.level, self.moves)

    def load(self, text: str, source: str) -> None:
        """Go to the end of a game that `record` wrote. Raises LevelError, and then changes nothing."""
        moves = read(self.puzzle, self.level, text, source)
        fresh = Session(self.puzzle, self.level)
        for number, move in enumerate(moves, 1):
            try:
                fresh.play(move)
            except Refuted as error:
                raise LevelError(f"move {number}: {error}", source=source) from None
        self.__dict__.update(fresh.__dict__)

    def open(self, path: Path) -> None:
        """Go to the end of a game in a file. Raises LevelError, and then changes nothing."""
        self.load(read_text(path, MOST_BYTES, "a saved game"), str(path))

    def save(self, path: Path) -> None:
        """Write the game so far to a file. Raises OutputError."""
        write_file(path, self.record())

    def _step(self, move: str) -> Step | None:
        """The legal step of a name; None without one."""
        game = self.puzzle.game
        rules = self.puzzle.rules if game is None else game.rules
        return rules.reply(self.level, self.position, move)
