"""The levels of a collection, which are played one after another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from puzzlemc.reports.output.words import counted
from puzzlemc.reports.play.advisor import Advisor
from puzzlemc.reports.play.progress import Costs, Progress
from puzzlemc.reports.play.referee import Referee
from puzzlemc.reports.play.session import Session

Helper: TypeAlias = Advisor | Referee


@dataclass(frozen=True)
class Opened:
    """A level that is ready to play.

    title   the title in the head line
    record  the suggested file name for the game
    make    makes the helper, which calls its argument when it has new results
    """

    session: Session
    title: str
    record: Path
    make: Callable[[Callable[[], None]], Helper]


@dataclass(frozen=True)
class Levels:
    """A collection.

    names    of the levels
    digests  of their texts; empty for an unreadable level
    open     opens the level of a number, from 0. Raises LevelError
    """

    names: Sequence[str]
    digests: Sequence[str]
    open: Callable[[int], Opened]
    progress: Progress

    def best(self, number: int) -> Costs | None:
        """The least costs of a solution that was played; None if the level was not solved."""
        return self.progress.best(self.digests[number])

    def best_in_words(self, number: int) -> str:
        """The best costs in words: `best 13 pushes, 41 moves`; empty if the level was not solved."""
        best = self.best(number)
        if best is None:
            return ""
        return f"best {', '.join(counted(cost, metric) for metric, cost in best.items())}"

    @property
    def solved(self) -> int:
        """The number of levels that were solved."""
        return sum(self.best(number) is not None for number in range(len(self.names)))

    @property
    def first_unsolved(self) -> int:
        """The number of the first level that was not solved; 0 if all were."""
        unsolved = (number for number in range(len(self.names)) if self.best(number) is None)
        return next(unsolved, 0)
