"""What is asked of a level, and what a strategy answers.

Each kind of question is a strategy: one function from a `Question` to an `Outcome`, in a file of its own.
`solve.py` picks the strategy, has the plain rules replay the moves of the outcome, and makes the result of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.games.chance import ChanceProof
from puzzlemc.mc.games.strategy import GameProof
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.proofs.proof import Proof
from puzzlemc.mc.verdict import LazyProof
from puzzlemc.reports.solve.options import Choice, Options
from puzzlemc.reports.solve.plan import Plan
from puzzlemc.reports.solve.result import Probability, Search


@dataclass(frozen=True)
class Claim:
    """What a search claims of a solution, under the metric of the question.

    cost  the cost of the verdict; an optimal solution costs no less
    most  the cost of the trace; its moves may have been improved, and cost no more
    """

    cost: int
    most: int


@dataclass(frozen=True)
class LowerBound:
    """No solution costs less than `cost` under `metric`."""

    cost: int
    metric: str


@dataclass(frozen=True)
class Outcome:
    """The verdict of a strategy with its evidence. The plain rules have not replayed the moves yet.

    verdict  `solvable`, `unsolvable` or `unknown`
    moves    of the solution; for a game that is lost, those of its main line
    optimal  no solution costs less than this one
    claim    costs that the replay must confirm; None: the search claims none
    bound    for `unknown`: no solution costs less
    below    a lower bound beside a solution that may not be optimal
    proof    the proof, or a lazy one; strategies of a game; what makes the strategies of a level
             with chance

    The other fields are those of a `Result`.
    """

    verdict: str
    search: Search
    moves: Sequence[str] | None = None
    optimal: bool = False
    claim: Claim | None = None
    bound: int | None = None
    below: LowerBound | None = None
    reason: str | None = None
    note: str = ""
    proof: Proof | LazyProof | GameProof | Callable[[], ChanceProof | None] | None = None
    best: Mapping[str, object] | None = None
    probability: Probability | None = None
    game: Mapping[str, Any] | None = None
    plan: Plan | None = None


@dataclass
class Question:
    """A level, and the options of the question about it.

    choice  the metric and the encoding
    better  gets each solution that is better than those before; None: nobody wants them
    known   the moves of a solution that is known before the search
    search  the search so far; it stays in the result if an error stops the strategy
    """

    entry: Entry
    options: Options
    choice: Choice
    budget: Budget
    better: Callable[[Outcome], None] | None = None
    known: Sequence[str] | None = None
    search: Search = field(init=False)

    def __post_init__(self) -> None:
        self.search = Search(encoding=self.choice.encoding)

    @property
    def rules(self) -> Puzzle:
        """The puzzle."""
        return self.entry.puzzle

    @property
    def level(self) -> Any:
        """The level, built from its text on first use."""
        return self.entry.level

    @property
    def metric(self) -> str:
        """The metric that the answer is about."""
        return self.choice.metric

    @property
    def searched_metric(self) -> str:
        """The metric of the search: `any` if any solution will do."""
        return ANY if self.options.some else self.metric

    @property
    def encoded(self) -> Encoded:
        """The level as a model, made anew."""
        return self.rules.encodings[self.options.encoding](self.level)
