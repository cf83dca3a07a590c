"""What a batch is asked to do, and what it reports while it runs."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import PRECEDENCE, SOLVABLE, Result


@dataclass(frozen=True)
class Orders:
    """How a batch solves levels, and which levels it solves again.

    retry         verdicts to try again: `unknown`, if the limits are larger than before, and `error`. A solution
                  whose cost is not proved to be least counts as unknown
    symmetry      levels that are equal up to rotation and reflection are solved once
    certificates  the folder for certificates
    certified     make certificates; without a folder they are kept in the store
    measured      measure each level before it is solved
    """

    options: Options
    retry: frozenset[str] = frozenset()
    symmetry: bool = False
    certificates: Path | None = None
    certified: bool = False
    measured: bool = False


@dataclass
class Progress:
    """The progress of a run; all of it is committed.

    named     the number of different names so far
    verdicts  the number of names by verdict
    unproved  names of solvable levels whose cost is not proved to be least
    solved    levels that this run has answered; `turned` of them by the result of a symmetric level
    tried     unknown levels that were not tried again, because the limits are no larger
    problems  levels whose puzzle does not have the options
    codes     exit codes of all results
    choices   the numbers of the options in the store, by puzzle
    """

    named: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    unproved: int = 0
    solved: int = 0
    turned: int = 0
    tried: int = 0
    problems: int = 0
    codes: set[int] = field(default_factory=set)
    choices: dict[str, int] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """The number of names that have an answer, or can have none."""
        return self.verdicts.total() + self.problems

    @property
    def exit_code(self) -> int:
        """The gravest of all exit codes."""
        return next((code for code in PRECEDENCE if code in self.codes), SOLVABLE)


@dataclass(frozen=True)
class Named:
    """A name of a level that has an answer now. `reason` says what is wrong with a level that cannot be read."""

    id: str
    title: str
    level: int
    choice: int
    reason: str = ""


@dataclass
class Listener:
    """Functions that a run calls.

    committed  with the progress and the names that have new answers
    read       with each level before it is looked up in the store
    problem    with a message about levels that cannot be solved, or about a refuted answer, and its exit code
    unread     with the result for a name that is no level, or cannot be read; it is not in the store
    warned     with what is odd in the text of a level that this run has solved
    """

    committed: Callable[[Progress, list[Named]], None] = lambda *_: None
    read: Callable[[Entry], None] = lambda _: None
    problem: Callable[[str, int], None] = lambda *_: None
    unread: Callable[[Result], None] = lambda _: None
    warned: Callable[[Sequence[str]], None] = lambda _: None
