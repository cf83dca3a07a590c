"""What is told of one level: the verdict, its evidence in short, and what it cost to find."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from puzzlemc.mc.ends import Ends
from puzzlemc.mc.lexicographic import first
from puzzlemc.mc.proof import Proof
from puzzlemc.mc.strategy import Strategy
from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.run.why import Why

if TYPE_CHECKING:
    from puzzlemc.reports.run.given import Given

REFUTED, BAD_INPUT, UNSOLVABLE, UNKNOWN, SOLVABLE = 4, 2, 1, 3, 0
PRECEDENCE = (REFUTED, BAD_INPUT, UNSOLVABLE, UNKNOWN, SOLVABLE)


@dataclass(frozen=True)
class Result:
    """The answer for one level. `as_json` gives the fixed form for programs.

    verdict   `solvable`, `unsolvable`, `unknown` or `error`
    costs     what the trace costs under each metric of the puzzle
    checked   the trace was replayed by the plain rules; with a certificate, its proof was checked, too
    bound     for `unknown`, and a solution that may not be the cheapest: no solution costs less; under `any`, of
              the first metric of the puzzle
    reason    for `unknown`: `timeout`, `memory` or `bound`; for `error`: the message; for `unsolvable`: why, where
              a look at the level tells
    seconds   processor time of the level in its worker, from parsed level to checked verdict
    wall_seconds  of wall clock, of the same
    peak_mb   largest resident memory of the worker while it worked on the level
    exit_code what this level alone would end the program with
    statistics of the search
    strategies that show who wins a game
    proof     of the verdict or of the bound, from engines that have it at hand
    note      what is to be said of its certificate, or of solutions that could not be counted
    solutions how many there are, where that was asked for
    traces    of all of them, where that was asked for
    best      how good the solution is, of a puzzle that is optimised
    game      of a game of two sides, who wins, in how many turns, and by which first moves
    drawing   of the position after the last move, where that was asked for
    tints     its colours on a terminal, by character
    why       of an unsolvable level, the smallest part that already cannot be done, where that was asked for
    """

    id: str
    title: str = ""
    puzzle: str | None = None
    verdict: str = "error"
    metric: str | None = None
    cost: int | None = None
    optimal: bool | None = None
    trace: str | list[str] | None = None
    costs: Mapping[str, int | None] = field(default_factory=dict)
    engine: str | None = None
    diagrams: str | None = None
    encoding: str | None = None
    checked: bool = False
    bound: int | None = None
    reason: str | None = None
    seconds: float = 0.0
    peak_mb: float | None = None
    exit_code: int = BAD_INPUT
    statistics: Statistics | None = None
    proof: Proof | Ends | None = None
    strategies: Sequence[Strategy] = ()
    note: str = ""
    solutions: int | None = None
    traces: tuple[str | list[str], ...] | None = None
    best: Mapping[str, object] | None = None
    game: Mapping[str, Any] | None = None
    drawing: str | None = None
    tints: Sequence[Sequence[str]] | None = None
    wall_seconds: float | None = None
    given: "Sequence[Given] | None" = None
    why: Why | None = None

    @property
    def least(self) -> tuple[str, int | None]:
        """The metric by which the level was solved first of all, and what a solution costs at least, if known."""
        metric = first(self.metric or "")
        known = self.verdict == "solvable" and self.optimal and metric in self.costs
        return metric, self.costs[metric] if known else None

    @property
    def light(self) -> "Result":
        """The same without proofs: they stand in files, and need not travel."""
        why = self.why and replace(self.why, proof=None)
        return replace(self, proof=None, why=why)

    def as_json(self) -> dict[str, object]:
        """The fields in their fixed order, with one for each metric of the puzzle; then what was asked for."""
        asked: dict[str, object] = {
            "wall_seconds": None if self.wall_seconds is None else round(self.wall_seconds, 4),
            "solutions": self.solutions,
            "traces": self.traces,
            "best": self.best,
        }
        asked |= {"game": self.game, "drawing": self.drawing, "why": self.why and self.why.as_json()}
        if self.given is not None:
            asked["given"] = [each.as_json(*self.least) for each in self.given]
        return {
            "id": self.id,
            "title": self.title,
            "puzzle": self.puzzle,
            "verdict": self.verdict,
            "metric": self.metric,
            "cost": self.cost,
            "optimal": self.optimal,
            "trace": self.trace,
            **dict(sorted(self.costs.items())),
            "engine": self.engine,
            "diagrams": self.diagrams,
            "encoding": self.encoding,
            "checked": self.checked,
            "bound": self.bound,
            "reason": self.reason,
            "seconds": round(self.seconds, 4),
            "peak_mb": self.peak_mb,
            **{name: value for name, value in asked.items() if value is not None},
        }


def exit_code(results: Iterable[Result]) -> int:
    """The exit code of a run: that of the gravest result."""
    codes = {result.exit_code for result in results}
    return next((code for code in PRECEDENCE if code in codes), SOLVABLE)
