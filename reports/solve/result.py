"""What is told of one level: the verdict, its evidence in short, and what it cost to find."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.games.strategy import Strategy
from puzzlemc.mc.lexicographic import first, second
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.layered import Proof
from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.output.words import cost_in_digits, cost_in_words, counted
from puzzlemc.reports.solve.why import Why

if TYPE_CHECKING:
    from puzzlemc.reports.solve.given import Given

REFUTED, BAD_INPUT, UNSOLVABLE, UNKNOWN, SOLVABLE = 4, 2, 1, 3, 0
PRECEDENCE = (REFUTED, BAD_INPUT, UNSOLVABLE, UNKNOWN, SOLVABLE)


@dataclass(frozen=True)
class Result:
    """The answer for one level. `as_json` gives the fixed form for programs.

    verdict   `solvable`, `unsolvable`, `unknown` or `error`
    costs     what the trace costs under each metric of the puzzle
    checked   the trace was replayed by the plain rules; with a certificate, its proof was checked, too
    bound     for `unknown`, and a solution that may not be the cheapest: no solution costs less; under `any`, by
              the first metric of the puzzle for a solution, and 0 for `unknown`
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
    counted   of that number, what it counts
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
    proof: Proof | BidirectionalProof | None = None
    strategies: Sequence[Strategy] = ()
    note: str = ""
    solutions: int | None = None
    counted: str | None = None
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
    def claimed(self) -> str:
        """The metric of which the solution may claim to cost least; empty where the level has no costs.

        The first that was asked for, or under `any` the puzzle's first. Of two in order it is the second where
        only that is left to prove.
        """
        one, other = first(self.metric or ""), second(self.metric or "")
        if other in self.costs and not self.optimal and self.bound is None:
            return other
        return one if one in self.costs else next(iter(self.costs), "")

    @property
    def is_unproved(self) -> bool:
        """Is there a solution with a cost that is not proved to be least?"""
        cost = self.costs.get(self.claimed)
        return (
            self.verdict == "solvable" and cost not in (None, 0, self.bound) and not self._is_least(self.claimed)
        )

    def _is_least(self, metric: str) -> bool:
        """Needs the cost under a metric no sign, as it is proved to be least or not said to be?"""
        return metric != self.claimed or (bool(self.optimal) and first(self.metric or "") in self.costs)

    def cost_in_digits(self, metric: str, write: Callable[[int], str] = str) -> str:
        """What the solution costs under a metric, `≤ 96` if that ought to be least and is not proved to be.

        Empty where the puzzle has no such metric.
        """
        if metric not in self.costs:
            return ""
        return cost_in_digits(self.costs[metric], least=self._is_least(metric), bound=self.bound, write=write)

    @property
    def costs_in_words(self) -> str:
        """What the solution costs under all metrics, with signs as in tables."""
        return ", ".join(self.cost_in_words(metric) for metric, cost in self.costs.items() if cost is not None)

    def cost_in_words(self, metric: str) -> str:
        """The same with the metric, such as `≤ 96 pushes`; empty where there is no cost."""
        cost = self.costs.get(metric)
        if cost is None:
            return ""
        return cost_in_words(cost, metric, least=self._is_least(metric), bound=self.bound)

    @property
    def search_in_words(self) -> str:
        """What the engine did, for people: `solvable by explicit (compact): 27 states, 3 layers; 0.02 s …`."""
        if self.verdict == "error":
            return self.reason or ""
        why = f" ({self.reason})" if self.verdict == "unknown" else ""
        means = ", ".join(filter(None, (self.encoding, self.diagrams)))
        by = f" by {self.engine}{f' ({means})' if means else ''}" if self.engine else ""
        found = []
        if (search := self.statistics) is not None:
            found += [counted(search.states, "states")] if search.states is not None else []
            found += [counted(search.layers, "layers")] if search.layers else []
            found += [counted(search.nodes, "diagram nodes")] if search.nodes is not None else []
        cost = [f"{self.seconds:.2f} s of processor time"]
        cost += [f"{self.wall_seconds:.2f} s of wall clock"] if self.wall_seconds is not None else []
        cost += [f"{self.peak_mb:.0f} MB at most"] if self.peak_mb is not None else []
        return f"{self.verdict}{why}{by}: {'; '.join(filter(None, (', '.join(found), ', '.join(cost))))}"

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
            "counted": self.counted,
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


def bounded(result: Result, bound: int, metric: str) -> Result:
    """A solution that is not proved to be a cheapest one, with a lower bound by the metric on any solution's cost.

    Where its cost is that bound, it is a cheapest one; of two metrics in order, by the first. Raises Refuted where
    its cost is less.
    """
    cost = result.costs[first(metric)]
    assert cost is not None
    least = counted(cost, metric)
    if cost < bound:
        raise Refuted(f"a solution of {least}, and a proof that none has fewer than {bound}")
    if cost > bound:
        note = f"perhaps not the fewest; at least {counted(bound, metric)}" if bound else ""
        return replace(result, bound=bound, note=note)
    if result.cost is None:  # any solution was wanted
        return replace(result, bound=bound, note=f"no solution has fewer than {least}")
    if other := second(metric):
        return replace(result, bound=None, note=f"not proved: that no trace of {least} has fewer {other}")
    return replace(result, optimal=True, bound=None, reason=None, note="")


def exit_code(results: Iterable[Result]) -> int:
    """The exit code of a run: that of the gravest result."""
    codes = {result.exit_code for result in results}
    return next((code for code in PRECEDENCE if code in codes), SOLVABLE)
