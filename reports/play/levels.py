"""The levels of a collection as they are played one after another."""

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
    """A level to be played.

    title   what the head line calls it
    record  the file that is proposed for the game
    make    a helper that calls what it is given where it knows something new
    """

    session: Session
    title: str
    record: Path
    make: Callable[[Callable[[], None]], Helper]


@dataclass(frozen=True)
class Levels:
    """A collection.

    names    of its levels
    digests  of their texts; empty for what is no level
    open     opens the level of a number, from 0. Raises LevelError
    """

    names: Sequence[str]
    digests: Sequence[str]
    open: Callable[[int], Opened]
    progress: Progress

    def best(self, number: int) -> Costs | None:
        """The least costs at which the level of that number was solved, None where it was not."""
        return self.progress.best(self.digests[number])

    def best_in_words(self, number: int) -> str:
        """The same for people: `best 13 pushes, 41 moves`; empty where it was not solved."""
        best = self.best(number)
        if best is None:
            return ""
        return f"best {', '.join(counted(cost, metric) for metric, cost in best.items())}"

    @property
    def solved(self) -> int:
        """How many levels were solved."""
        return sum(self.best(number) is not None for number in range(len(self.names)))

    @property
    def first_unsolved(self) -> int:
        """The number of the first level that was not solved, 0 where all were."""
        unsolved = (number for number in range(len(self.names)) if self.best(number) is None)
        return next(unsolved, 0)
