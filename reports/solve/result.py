"""The answer for one level: the verdict, its evidence, and what it cost to find."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any, TypeAlias

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.lexicographic import first, second
from puzzlemc.reports.output.words import cost_in_digits, cost_in_words, counted, none_below
from puzzlemc.reports.solve.options import ALMOST, CHANCES, PROBABILITY

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzles import Entry
    from puzzlemc.mc.games.chance import ChanceProof
    from puzzlemc.mc.games.strategy import GameProof
    from puzzlemc.mc.proofs.proof import Proof
    from puzzlemc.mc.verdict import Statistics
    from puzzlemc.reports.solve.given import Given
    from puzzlemc.reports.solve.plan import Plan
    from puzzlemc.reports.solve.why import Why

REFUTED, BAD_INPUT, UNSOLVABLE, UNKNOWN, SOLVABLE = 4, 2, 1, 3, 0
PRECEDENCE = (REFUTED, BAD_INPUT, UNSOLVABLE, UNKNOWN, SOLVABLE)
CODES = {"solvable": SOLVABLE, "unsolvable": UNSOLVABLE, "unknown": UNKNOWN, "error": BAD_INPUT}

PLAYING_ON = (ALMOST, PROBABILITY)  # questions without a number of turns
DIGITS = 10  # of a probability
MOST_EXACT = 24  # characters of a fraction that is shown to people

Evidence: TypeAlias = "Proof | GameProof | ChanceProof"


@dataclass(frozen=True)
class Solution:
    """A solution of a level.

    trace    as text or as a list of moves
    cost     under the metric of the question, or the first of two; None under `any`
    optimal  no solution costs less
    costs    by metric of the puzzle
    """

    trace: str | list[str]
    cost: int | None
    optimal: bool
    costs: Mapping[str, int | None]


@dataclass(frozen=True)
class Probability:
    """The best probability of winning: it is from `low` to `high`, which are equal if it is known."""

    low: Fraction
    high: Fraction

    @classmethod
    def read(cls, found: Mapping[str, Any]) -> "Probability":
        """The probability that is written so for programs."""
        exact = found["fraction"]
        return cls(Fraction(exact or found["low"]), Fraction(exact or found["high"]))

    def __str__(self) -> str:
        if self.low == self.high:
            exact, about = str(self.low), f"{float(self.low):.{DIGITS}g}"
            return about if len(exact) > MOST_EXACT or exact == about else f"{exact} ({about})"
        low, high = (f"{float(value):.{DIGITS}f}" for value in self._rounded(10**DIGITS))
        return f"from {low} to {high}"

    def as_json(self) -> dict[str, object]:
        """For programs: as a fraction, if it is known, and as two numbers that enclose it."""
        if self.low == self.high:
            return {"fraction": str(self.low), "low": float(self.low), "high": float(self.high)}
        low, high = (float(value) for value in self._rounded(2**50))
        return {"fraction": None, "low": low, "high": high}

    def _rounded(self, parts: int) -> tuple[Fraction, Fraction]:
        """The bounds in whole parts of 1, rounded apart."""
        return Fraction(floor(self.low * parts), parts), Fraction(ceil(self.high * parts), parts)


@dataclass(frozen=True)
class Drawing:
    """A position as text; `tints` are its colours on a terminal, by character."""

    text: str
    tints: Sequence[Sequence[str]] | None = None


@dataclass(frozen=True)
class Search:
    """The search that decided a level: its engine, decision-diagram package, encoding, and size."""

    engine: str | None = None
    diagrams: str | None = None
    encoding: str | None = None
    statistics: "Statistics | None" = None


@dataclass(frozen=True)
class Effort:
    """Time and memory that a level took in its worker, from its text to the checked verdict.

    seconds       of processor time
    wall_seconds  of wall clock
    peak_mb       largest resident memory of the worker, in MiB
    """

    seconds: float = 0.0
    wall_seconds: float | None = None
    peak_mb: float | None = None


@dataclass(frozen=True)
class Count:
    """The number of solutions; `what` says when two solutions are one. `traces` lists them, if the user asked."""

    number: int
    what: str
    traces: tuple[str | list[str], ...] | None = None


@dataclass(frozen=True)
class ListedPlan:
    """A plan: its moves, and its cost under the metric of the question."""

    trace: str | list[str]
    cost: int


@dataclass(frozen=True)
class BestPlans:
    """Plans of a level, the cheapest first: each other one costs at least as much as the last.

    is_all  the level has no other plans; of the plans of the least cost: no others
    """

    plans: tuple[ListedPlan, ...]
    is_all: bool

    def __str__(self) -> str:
        costs = sorted({plan.cost for plan in self.plans})
        found = counted(len(self.plans), "plans")
        span = f"{costs[0]} to {costs[-1]}" if len(costs) > 1 else str(costs[0])
        return f"{'all ' * (self.is_all and len(self.plans) > 1)}{found} of cost {span}"

    def as_json(self) -> dict[str, object]:
        """The fields of a result for programs."""
        return {
            "plans": [{"cost": plan.cost, "trace": plan.trace} for plan in self.plans],
            "all_plans": self.is_all,
        }


@dataclass(frozen=True)
class Result:
    """The answer for one level. `as_json` gives the fixed form for programs.

    verdict   `solvable`, `unsolvable`, `unknown` or `error`
    metric    of the question; `metrics` are those of the puzzle
    bound     no solution costs less: for `unknown`, and for a solution that may not be optimal; under `any`, by
              the first metric of the puzzle for a solution, and 0 for `unknown`
    reason    for `unknown`, and for a solution that is not proved optimal: `timeout`, `memory`, `bound` or
              `interrupted`; for `error`: the message; for `unsolvable`: why, if that is known
    note      remarks on the certificate and the bound, and on answers that were asked for and are not there
    uncertified  why a certificate that was asked for is not there, was not checked, or shows less than the answer;
              `note` says so, too
    certificate  the file of the certificate, if one was asked for and is written
    checked   the plain rules replayed the trace; with a certificate, its proof was checked, too
    code      the exit code of a program that solves this level alone, if another one than the verdict implies
    proof     of the verdict or of the bound, if the engine has one
    plans     the best plans, if the user asked for several
    best      the quality of the solution, for a puzzle whose solutions are optimised
    probability  the best probability of winning, if the question was for it
    game      for a game of two sides: who wins, in how many turns, and by which first moves
    plan      the strategy that wins a level with chance whatever is drawn
    drawing   the position after the last move of the solution, or of the main line of a game, if the user asked
              for it
    given     the solutions in the level's file, followed by the plain rules
    why       the smallest part of an unsolvable level that already has no solution
    warnings  what is odd in the text of the level, with file, line and column
    died      for `error`: the process of the search has crashed or was killed; no check has failed
    """

    id: str
    title: str = ""
    puzzle: str | None = None
    verdict: str = "error"
    metric: str | None = None
    metrics: tuple[str, ...] = ()
    solution: Solution | None = None
    bound: int | None = None
    reason: str | None = None
    note: str = ""
    uncertified: str = ""
    certificate: str | None = None
    checked: bool = False
    code: int | None = None
    search: Search = Search()
    effort: Effort = Effort()
    proof: "Evidence | None" = None
    count: Count | None = None
    plans: BestPlans | None = None
    best: Mapping[str, object] | None = None
    probability: Probability | None = None
    game: Mapping[str, Any] | None = None
    plan: "Plan | None" = None
    drawing: Drawing | None = None
    given: "Sequence[Given] | None" = None
    why: "Why | None" = None
    warnings: tuple[str, ...] = ()
    died: bool = False

    @property
    def exit_code(self) -> int:
        """The exit code of a program that solves this level alone."""
        return CODES[self.verdict] if self.code is None else self.code

    @property
    def trace(self) -> str | list[str] | None:
        """The trace of the solution, if there is one."""
        return None if self.solution is None else self.solution.trace

    @property
    def cost(self) -> int | None:
        """The cost of the solution under the metric of the question; None without a solution, or under `any`."""
        return None if self.solution is None else self.solution.cost

    @property
    def optimal(self) -> bool | None:
        """Is the solution known to be optimal? None without a solution."""
        return None if self.solution is None else self.solution.optimal

    @property
    def costs(self) -> Mapping[str, int | None]:
        """The costs of the solution by metric of the puzzle; None for each metric without a solution."""
        return dict.fromkeys(self.metrics) if self.solution is None else self.solution.costs

    @property
    def least(self) -> tuple[str, int | None]:
        """The first metric of the question, and the least cost of a solution under it, if known."""
        metric = first(self.metric or "")
        known = self.verdict == "solvable" and self.optimal and metric in self.costs
        return metric, self.costs[metric] if known else None

    @property
    def claimed(self) -> str:
        """The metric under which the solution may claim to be optimal; empty if the level has no costs.

        It is the first metric of the question, or under `any` the first of the puzzle. For two metrics in order it
        is the second if only that one is not proved. The moves of a strategy that plays on as long as it takes
        claim nothing.
        """
        if self.search.engine in PLAYING_ON:
            return ""
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

    @property
    def limit(self) -> str:
        """The limit that left the level unknown, or its solution not proved optimal; empty if none did."""
        is_open = self.verdict == "unknown" or (self.verdict == "solvable" and not self.optimal)
        return (self.reason or "") if is_open else ""

    def _is_least(self, metric: str) -> bool:
        """Is the cost under a metric shown without a sign: proved to be least, or not claimed to be?"""
        return metric != self.claimed or (bool(self.optimal) and first(self.metric or "") in self.costs)

    def cost_in_digits(self, metric: str, write: Callable[[int], str] = str) -> str:
        """The cost of the solution under a metric, `≤ 96` if it is claimed to be least and not proved to be.

        Empty if the puzzle does not have the metric.
        """
        if metric not in self.costs:
            return ""
        return cost_in_digits(self.costs[metric], least=self._is_least(metric), bound=self.bound, write=write)

    @property
    def costs_in_words(self) -> str:
        """The costs of the solution under all metrics, with signs as in tables."""
        return ", ".join(self.cost_in_words(metric) for metric, cost in self.costs.items() if cost is not None)

    def cost_in_words(self, metric: str) -> str:
        """The cost of the solution with its metric, such as `≤ 96 pushes`; empty if there is no cost."""
        cost = self.costs.get(metric)
        if cost is None:
            return ""
        return cost_in_words(cost, metric, least=self._is_least(metric), bound=self.bound)

    @property
    def search_in_words(self) -> str:
        """The search, for people: `solvable by explicit (compact): 27 states, 3 layers; 0.02 s …`."""
        if self.verdict == "error":
            return self.reason or ""
        search, effort = self.search, self.effort
        why = f" ({'not proved best: ' * (self.verdict == 'solvable')}{self.limit})" if self.limit else ""
        means = ", ".join(filter(None, (search.encoding, search.diagrams)))
        by = f" by {search.engine}{f' ({means})' if means else ''}" if search.engine else ""
        found = []
        if (size := search.statistics) is not None:
            found += [counted(size.states, "states")] if size.states is not None else []
            found += [counted(size.layers, "layers")] if size.layers else []
            found += [counted(size.nodes, "diagram nodes")] if size.nodes is not None else []
        cost = [f"{effort.seconds:.2f} s of processor time"]
        cost += [f"{effort.wall_seconds:.2f} s of wall clock"] if effort.wall_seconds is not None else []
        cost += [f"{effort.peak_mb:.0f} MB at most"] if effort.peak_mb is not None else []
        of_model = size.found if size is not None else ()
        parts = (", ".join(found), ", ".join(cost), *of_model)
        return f"{self.verdict}{why}{by}: {'; '.join(filter(None, parts))}"

    @property
    def light(self) -> "Result":
        """The result without proofs, which are in files and need not travel between processes."""
        return replace(self, proof=None, why=self.why and replace(self.why, proof=None))

    def noted(self, note: str, code: int | None = None) -> "Result":
        """The result with one more remark, and another exit code if one is given."""
        return replace(self, note=joined(self.note, note), code=self.code if code is None else code)

    def without_certificate(self, why: str, code: int | None = None) -> "Result":
        """The result with the remark why its certificate is not there or shows less, and another exit code."""
        return replace(self.noted(why, code), uncertified=joined(self.uncertified, why))

    def failed(self, reason: str | None, code: int) -> "Result":
        """The result as an error with this message and exit code."""
        return replace(self, verdict="error", reason=reason, code=code)

    def as_json(self) -> dict[str, object]:
        """The fields in their fixed order, with one for each metric of the puzzle; then the optional ones."""
        effort, count = self.effort, self.count
        wall = effort.wall_seconds
        asked: dict[str, object] = {
            "wall_seconds": None if wall is None else round(wall, 4),
            "solutions": count and count.number,
            "counted": count and count.what,
            "traces": count and count.traces,
            **({} if self.plans is None else self.plans.as_json()),
            "best": self.best,
            "probability": self.probability and self.probability.as_json(),
            "game": self.game,
            "chance": self.search.engine if self.search.engine in CHANCES else None,
            "strategy": self.plan and self.plan.as_json(),
            "drawing": self.drawing and self.drawing.text,
            "why": self.why and self.why.as_json(),
        }
        certified: dict[str, object] = {}
        if self.certificate is not None or self.uncertified:  # a certificate was asked for
            certified = {"certificate": self.certificate}
            certified |= {"uncertified": self.uncertified} if self.uncertified else {}
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
            # `cost` is that of the question, for a puzzle with a metric of this name as well.
            **{name: cost for name, cost in sorted(self.costs.items()) if name != "cost"},
            "engine": self.search.engine,
            "diagrams": self.search.diagrams,
            "encoding": self.search.encoding,
            "checked": self.checked,
            "bound": self.bound,
            "reason": self.reason,
            "seconds": round(effort.seconds, 4),
            "peak_mb": effort.peak_mb,
            **{name: value for name, value in asked.items() if value is not None},
            **certified,
        }


def joined(*notes: str) -> str:
    """Remarks as one, each once."""
    return "; ".join(dict.fromkeys(part for note in notes if note for part in note.split("; ")))


def unreadable(entry: "Entry") -> Result:
    """The result of an entry that holds an error in the place of a level."""
    return Result(entry.id, entry.title, entry.puzzle_name).failed(str(entry.error), BAD_INPUT)


def bounded(result: Result, bound: int, metric: str) -> Result:
    """Combine a solution that is not proved optimal with a lower bound by the metric on the cost of any solution.

    If its cost equals the bound, it is optimal; for two metrics in order, by the first. Raises Refuted if its cost
    is less than the bound.
    """
    cost = result.costs[first(metric)]
    assert cost is not None
    assert result.solution is not None
    least = counted(cost, metric)
    if cost < bound:
        raise Refuted(f"a solution of {least}, and a proof that none has fewer than {bound}")
    if cost > bound:
        note = f"perhaps not the cheapest; at least {counted(bound, metric)}" if bound else ""
        return replace(result, bound=bound, note=note)
    if result.cost is None:  # any solution was wanted
        return replace(result, bound=bound, note=none_below(cost, metric))
    if other := second(metric):
        return replace(result, bound=None, note=f"not proved: that no trace of {least} has fewer {other}")
    proved = replace(result.solution, optimal=True)
    return replace(result, solution=proved, bound=None, reason=None, note="")


def compared(result: Result, given: "Sequence[Given]") -> Result:
    """Add the solutions of the file. A wrong one is an error in the file, a better one refutes the result."""
    compared = replace(result, given=tuple(given))
    metric, least = result.least
    right = [each for each in given if each.right]
    if right and result.verdict == "unsolvable":
        return compared.failed(f"{result.id}: refuted: unsolvable, but a solution in its file solves it", REFUTED)
    if least is not None and any(each.costs[metric] < least for each in right):
        message = f"{result.id}: refuted: {counted(least, metric)}, but a solution in its file has fewer"
        return compared.failed(message, REFUTED)
    if any(each.wrong for each in given):
        return replace(compared, code=gravest([result.exit_code, BAD_INPUT]))
    return compared


def exit_code(results: Iterable[Result]) -> int:
    """The exit code of a program that solves these levels."""
    return gravest(result.exit_code for result in results)


def gravest(codes: Iterable[int]) -> int:
    """The exit code that takes precedence over the others."""
    found = set(codes)
    return next((code for code in PRECEDENCE if code in found), SOLVABLE)
