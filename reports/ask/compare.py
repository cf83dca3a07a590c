"""Textbook searches over the plain rules, beside the engines: answer, time and visited states."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.engines.registry import ENGINES, engine
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted, Unsuitable
from puzzlemc.mc.lexicographic import first
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.mc.rules.textbook import breadth_first
from puzzlemc.mc.verdict import Reachable, Unknown
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.words import cost_in_words
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.question import Question
from puzzlemc.reports.solve.solve import answer, strategy
from puzzlemc.reports.workers.worker import Worker, WorkerDied, next_stage
from puzzlemc.screens.base.errors import LevelError

COST = 16  # cells
AUTO = "auto"
REFUSED = "refused"  # the verdict of an engine that cannot take the level


@dataclass(frozen=True)
class Row:
    """The result of one method on a level: verdict, cost of its trace, visited states, seconds of processor time.

    The cost is by `metric`; `optimal` means that this method proves that no solution costs less. `visited` is
    the number of expanded or counted states, None if the method does not count. `reason` explains `unknown`, or
    why an engine cannot solve the level; the verdict is then `refused`. `engine` is the choice of `auto`.
    """

    id: str
    method: str
    verdict: str
    cost: int | None
    visited: int | None
    seconds: float
    reason: str | None
    metric: str
    optimal: bool = False
    engine: str | None = None

    def as_json(self) -> dict[str, object]:
        """The row for programs."""
        return {
            "id": self.id,
            "method": self.method,
            "verdict": self.verdict,
            "metric": self.metric,
            "cost": self.cost,
            "optimal": None if self.cost is None else self.optimal,
            "visited": self.visited,
            "seconds": round(self.seconds, 4),
            "reason": self.reason,
            "engine": self.engine,
        }

    @staticmethod
    def heading(width: int | None) -> str:
        """The heading of the rows, for ids of that width; None: for rows without ids."""
        level = "" if width is None else f"{'level':{width}}"
        return f"{level}  {'method':21}{'verdict':18}{'cost':>{COST}}{'visited':>12}{'seconds':>10}"

    def as_text(self, *, alone: bool = False) -> str:
        """The row for people; below the id of its level if it is `alone`."""
        cost = "-" if self.cost is None else cost_in_words(self.cost, self.metric, least=self.optimal)
        visited = "-" if self.visited is None else self.visited
        verdict = f"{self.verdict} ({self.reason})" if self.verdict == "unknown" else self.verdict
        id = "" if alone else plain(self.id)
        method = f"{self.method} ({self.engine})" if self.engine else self.method
        row = f"{id}  {method:21}{verdict:18}{cost:>{COST}}{visited:>12}{self.seconds:>10.3f}"
        if self.verdict != REFUSED:
            return row
        between = "\n    " if alone else "  "
        return f"{row}{between}{plain(self.reason or '')}"


Attempt: TypeAlias = Callable[[Entry, str], Row]


def ways(puzzle: Puzzle) -> list[str]:
    """The names of all methods for a level of the puzzle: searches first, then engines, which need a model.

    Raises ModelError for a game of two sides.
    """
    puzzle.need_steps()
    return [*puzzle.methods, AUTO, *(ENGINES if puzzle.alone is None else ())]


def compare(entry: Entry, names: Sequence[str], attempt: Attempt) -> Iterator[Row]:
    """Solve a level with each method.

    An engine that cannot solve the level has a row with the reason.

    Raises Refuted if the plain rules reject a trace, if one method finds no solution and another finds one, or if
    a trace costs less than a proved least cost.
    """
    rows: list[Row] = []
    least: int | None = None
    for name in names:
        row = attempt(entry, name)
        rows.append(row)
        yield row
        least = row.cost if row.optimal else least
        if {"solvable", "unsolvable"} <= {row.verdict for row in rows}:
            raise Refuted(f"{entry.id}: {name} contradicts what was found before")
        if least is not None and any(row.cost is not None and row.cost < least for row in rows):
            raise Refuted(f"{entry.id}: there is a solution that costs less than the least cost {least}")


def attempt(entry: Entry, name: str, metric: str | None, timeout: float, memory: float) -> Row:
    """Solve a level with one method, by a metric or the puzzle's own, with limits in seconds and GiB.

    The searches know no metric: their solution is measured by it, under `any` by the puzzle's own. A solution of
    breadth-first search is optimal if it costs 1 a step, and no step that the search has met costs less: those are
    all steps from nearer positions. Raises Refuted if the plain rules reject a trace.
    """
    next_stage()
    rules = entry.puzzle
    metric = metric or rules.metrics[0]
    measured = _measured(entry, metric)
    methods = rules.methods
    options = Options(metric=metric, timeout=timeout, memory=memory)
    budget = Budget(options.limits)
    started = time.process_time()
    visited: int | None
    if name == AUTO:
        return _by_auto(Question(entry, options, choices(rules, options), budget), measured, started)
    if name in methods:
        costs: set[int] = set()
        found = methods[name](_observed(rules.rules, measured, costs), entry.level, budget)
        moves, visited, reason = found.moves, found.visited, found.limit
        is_shortest = methods[name] is breadth_first and metric == measured and min(costs, default=1) >= 1
        optimal = is_shortest and moves is not None and len(moves) == _cost(entry, moves, measured)
    else:
        try:
            encoded = rules.encodings["compact"](entry.level)
            verdict = engine(name)(encoded.model, metric, budget)
        except Unsuitable as error:
            seconds = time.process_time() - started
            return Row(entry.id, name, REFUSED, None, None, seconds, str(error), measured)
        moves = tuple(encoded.moves(verdict.trace)) if isinstance(verdict, Reachable) else None
        visited, reason = verdict.statistics.states, verdict.reason if isinstance(verdict, Unknown) else None
        optimal = isinstance(verdict, Reachable) and verdict.optimal and metric != ANY
    seconds = time.process_time() - started
    cost = None if moves is None else _cost(entry, moves, measured)
    word = "solvable" if moves is not None else "unsolvable" if reason is None else "unknown"
    return Row(entry.id, name, word, cost, visited, seconds, reason, measured, optimal)


def _observed(rules: Transition, metric: str, costs: set[int]) -> Transition:
    """The rules of a puzzle; the costs of all steps that a search asks for are added to `costs`."""

    def steps(level: Any, position: Any) -> Iterator[Step]:
        for step in rules.steps(level, position):
            costs.add(step.costs[metric])
            yield step

    return replace(rules, steps=steps)


def _cost(entry: Entry, moves: Sequence[str], metric: str) -> int:
    """The cost of a solution by the plain rules. Raises Refuted if it is none."""
    return entry.puzzle.replay(entry.level, moves).costs[metric]


def _measured(entry: Entry, metric: str | None) -> str:
    """The metric by which costs are reported."""
    return first(metric) if metric not in (None, ANY) else entry.puzzle.metrics[0]


def attempt_in(worker: Worker, metric: str | None, timeout: float, memory: float) -> Attempt:
    """Run `attempt` in a worker; the row also reports that the worker was killed at a limit, or died."""

    def tried(entry: Entry, name: str) -> Row:
        try:
            row: Row = worker.run(attempt, entry, name, metric, timeout, memory, seconds=timeout or None)
        except LimitReached as limit:
            verdict, reason = "unknown", limit.reason
        except (LevelError, ModelError) as error:  # a mistake in the code of a puzzle from a file
            verdict, reason = "error", str(error)
        except WorkerDied as death:
            verdict, reason = "error", str(death)
        else:
            return row
        return Row(entry.id, name, verdict, None, None, worker.seconds, reason, _measured(entry, metric))

    return tried


def _by_auto(question: Question, measured: str, started: float) -> Row:
    """The row of `auto`, which answers as for `solve`, with the engine that it has chosen."""
    outcome = strategy(question)(question)
    found, search = answer(question, outcome), outcome.search
    return Row(
        question.entry.id,
        AUTO,
        outcome.verdict,
        None if found.solution is None else found.costs[measured],
        None if search.statistics is None else search.statistics.states,
        time.process_time() - started,
        outcome.reason if outcome.verdict == "unknown" else None,
        measured,
        outcome.optimal and question.metric != ANY,
        search.engine,
    )
