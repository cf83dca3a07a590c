"""One level in one or two workers, and its best solution so far. The second worker searches for any solution.

A search for the least cost may find its first solution at its very end. After three tenths of its time, a second
worker starts to search for any solution and, if the puzzle can do that, to improve it for the rest of the time.
Both run at the same time. If a core is spare for it, it starts after a twentieth of the time. Without a spare core
each has half of one: a third of the time. The first search does not use the solutions of the second one. They
count only if the first search ends without an answer, or if one of them costs as little as the first search has
proved: then both searches end. So the least cost does not depend on the clock: time only ends a search.

Solutions arrive here as soon as they are found, and the plain rules have replayed each. So none is lost if its
worker is killed. The time of a level is that of both workers.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
from puzzlemc.mc.lexicographic import COMMA
from puzzlemc.mc.limits import GIB
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import REFUTED, Effort, Result, bounded
from puzzlemc.reports.solve.solve import solve_in_worker
from puzzlemc.reports.workers.worker import GRACE_SECONDS, Worker, WorkerDied
from puzzlemc.screens.base.errors import LevelError

# The second worker starts after this share of the time limit. The rest suffices to start a process and to run it
# on half a core for a third of the limit.
BESIDE = 0.3
BESIDE_SECONDS = 20.0  # the same without a time limit
# The same if a core is spare, but not in the first seconds, in which most searches end.
ON_SPARE = 0.05
ON_SPARE_SECONDS = 2.0
KNOWN_SECONDS = 0.5  # the same if it has a known solution to improve
INTERRUPTED = "interrupted"  # after Ctrl-C: why a level is unknown, or its solution not proved optimal


class Attempt:
    """The results of both workers on a level. The thread that waits for the first worker calls its methods.

    best   the cheapest solution so far, without a bound
    bound  no solution costs less
    limit  why the first worker ended without a verdict; None before, or with one
    """

    def __init__(
        self,
        entry: Entry,
        options: Options,
        worker: Worker,
        changed: Callable[["Attempt"], None] = lambda _: None,
        *,
        spare: bool = False,
    ) -> None:
        """`worker` is the first worker; `changed` gets this object after each better solution or bound.

        `spare` says that a core is spare for the second worker.
        """
        self.entry = entry
        self.best: Result | None = None
        self.bound = 0
        self.limit: str | None = None
        self._options = options
        self._worker = worker
        self._changed = changed
        self._spare = spare
        self._began = time.monotonic()
        self._seconds = options.timeout or None
        self._first_has_solution = False
        self._beside: Worker | None = None
        self._thread: threading.Thread | None = None
        self._second_limit: str | None = None  # why the second worker ended without a verdict
        self._waited = 0.0  # seconds of wall clock after the end of the first worker
        self._unsolvable: Result | None = None
        self._wrong = ""  # the message of a second worker that has crashed or was refuted: a bug
        rules = entry.puzzle if entry.puzzle_name is not None else None
        has_order = COMMA in (options.metric or "")
        self._improves = rules is not None and rules.improvements is not None and not has_order
        self._is_cost = rules is None or rules.optimisation is None  # solutions are compared by their costs
        self._lock = threading.Lock()
        self._ending = threading.Lock()

    def add(self, solution: Result, *, by_second: bool = False) -> None:
        """Take a solution that one of the workers has found, from any thread."""
        self._first_has_solution = self._first_has_solution or not by_second
        with self._lock:
            is_better = self.best is None or self._cost(solution) < self._cost(self.best)
            if not is_better and (self._is_cost or by_second):
                return
            self.best = solution
        self._changed(self)

    def prove(self, bound: int) -> None:
        """Note that no solution costs less than this bound."""
        if bound > self.bound:
            self.bound = bound
            self._changed(self)

    def look(self, passed: float) -> None:
        """Start the second worker when it is time. A solution of the first ends it if it cannot improve solutions.

        If the second one has found that there is none, or the best solution is proved optimal, the first one ends,
        unless it may still say more.
        If both together use too much memory, the larger one must end. Raises LimitReached if that is the first.

        passed  seconds of the time limit
        """
        self._began = time.monotonic() - passed
        beside = self._beside
        options = self._options
        if self._unsolvable is not None and not options.asks_more:
            raise LimitReached("cancelled")
        if not (options.prove or options.asks_more) and self._is_proved():
            raise LimitReached("cancelled")
        if beside is None:
            late = BESIDE_SECONDS if self._seconds is None else BESIDE * self._seconds
            if self._spare:
                late = min(late, max(ON_SPARE_SECONDS, ON_SPARE * (self._seconds or 0.0)))
            if options.known is not None and self._improves:
                late = min(late, KNOWN_SECONDS)
            if passed > late:
                self._begin()
        elif self._first_has_solution and not self._improves:
            self._end()
        elif (size := beside.resident) + self._worker.resident > self._most(beside):
            if size <= self._worker.resident:
                raise LimitReached("memory")
            self._second_limit = "memory"
            self._end()

    def ended(self, result: Result) -> Result:
        """The answer for the level, given the result of the first worker."""
        self.limit = result.reason if result.verdict == "unknown" else None
        if result.verdict == "error":
            self._end()
            return self._of_both(result)
        can_improve = self._improves and result.verdict == "solvable" and not result.optimal
        is_open = result.verdict == "unknown" or can_improve
        if is_open and result.reason != "cancelled" and (self._improves or not self._first_has_solution):
            if result.reason != "timeout" and self._beside is None:
                self._begin()
            self._wait()
        self._end()
        return self._of_both(self._merged(result))

    def killed(self, limit: LimitReached, lost: Result) -> Result:
        """The answer if the first worker was killed at a limit; `lost` is a result without a verdict."""
        return self.ended(
            replace(lost, verdict="unknown", reason=limit.reason, bound=self.bound, note=limit.words)
        )

    def died(self, death: WorkerDied, lost: Result) -> Result:
        """The answer if the first worker died for another reason. A crash is an error even after a solution."""
        self._end()
        if death.killed and self.best is not None:
            self.limit = "memory"
            lost = replace(lost, verdict="unknown", reason="memory", bound=self.bound)
            return self._of_both(self._merged(lost))
        return self._of_both(replace(lost.failed(f"{self.entry.id}: {death}", REFUTED), died=True))

    def so_far(self, lost: Result) -> Result | None:
        """The best solution so far, or the bound, for a search that Ctrl-C has ended; None if nothing is known.

        `lost` is a result without a verdict.
        """
        best, wall = self.best, time.monotonic() - self._began
        seconds = self._worker.seconds + (self._beside.seconds if self._beside is not None else 0.0)
        if best is None:
            effort = Effort(seconds, wall)
            known = replace(lost, verdict="unknown", reason=INTERRUPTED, bound=self.bound, effort=effort)
            return known if self.bound else None
        best = replace(best, reason=INTERRUPTED, effort=replace(best.effort, seconds=seconds, wall_seconds=wall))
        try:
            return self._with_bound(best, self.bound)
        except Refuted as error:
            return self._refuted(best, str(error))

    def stop(self) -> None:
        """End the second worker, from any thread."""
        self._end()

    def _merged(self, result: Result) -> Result:
        """Combine the result of the first worker with the best solution and the best bound."""
        best, unsolvable = self.best, self._unsolvable
        if self._wrong and result.verdict == "unknown":
            return result.failed(self._wrong, REFUTED)
        if best is not None and "unsolvable" in (result.verdict, unsolvable and unsolvable.verdict):
            return self._refuted(result, "a solution, and a proof that there is none")
        if best is not None and result.verdict == "solvable" and self._cost(best) < self._cost(result):
            if result.optimal:
                return self._refuted(result, "a cheaper solution than one that is proved to be a cheapest")
            result = replace(result, verdict="unknown")
        if result.verdict == "unknown" and unsolvable is not None:
            return replace(unsolvable, effort=replace(result.effort, peak_mb=unsolvable.effort.peak_mb))
        if best is None or result.verdict != "unknown":
            return result
        search = replace(best.search, statistics=result.search.statistics)
        merged = replace(best, reason=result.reason, proof=result.proof, search=search, effort=result.effort)
        try:
            return self._with_bound(merged, max(self.bound, result.bound or 0))
        except Refuted as error:
            return self._refuted(result, str(error))

    def _of_both(self, result: Result) -> Result:
        """The result with the time of the second worker, too, and a remark if a limit of its own has ended it.

        The time of the result is that of the first worker.
        """
        if self._beside is None:
            return result
        effort, limit = result.effort, self._second_limit
        wall = None if effort.wall_seconds is None else effort.wall_seconds + self._waited
        effort = replace(effort, seconds=effort.seconds + self._beside.seconds, wall_seconds=wall)
        result = replace(result, effort=effort)
        if result.limit and limit not in (None, result.limit):
            return result.noted(f"the second search, for any solution, ended: {limit}")
        return result

    def _refuted(self, result: Result, what: str) -> Result:
        reason = f"{self.entry.id}: refuted: {what}"
        return replace(result, solution=None).failed(reason, REFUTED)

    def _cost(self, solution: Result) -> list[int]:
        """The costs by which solutions are compared: of the metrics asked for; under `any`, the puzzle's first."""
        metric = solution.metric or ANY
        names = self.entry.puzzle.metrics[:1] if metric == ANY else metric.split(COMMA)
        return [cost for name in names if (cost := solution.costs[name]) is not None]

    def _with_bound(self, solution: Result, bound: int) -> Result:
        """Add a bound by the metric to the solution, if solutions are compared by cost. Raises Refuted."""
        metric = solution.metric or ANY
        return solution if metric == ANY or not self._is_cost else bounded(solution, bound, metric)

    def _is_proved(self) -> bool:
        """Does the best solution, found by the second worker, cost as little as the first one has proved?"""
        best, metric = self.best, self._options.metric or self.entry.puzzle.metrics[0]
        if best is None or self._beside is None or not self._is_cost or metric == ANY or COMMA in metric:
            return False
        return self._cost(best) == [self.bound]

    # The second worker

    def _begin(self) -> None:
        """Start the second worker, unless it would find nothing better, or the first one searches as it would."""
        options, entry = self._options, self.entry
        if (self.best is not None and not self._improves) or options.engine != "auto" or entry.puzzle_name is None:
            return
        rules = entry.puzzle
        if rules.game is not None or rules.alone is not None or (options.metric or rules.metrics[0]) == ANY:
            return
        left = None
        if self._seconds is not None:
            left = self._seconds - (time.monotonic() - self._began)
            if left <= 0:
                return
        asked = replace(
            options, some=True, timeout=left or 0.0, count=False, every=False, why=False, plans=1, prove=False
        )
        self._beside = Worker(int(options.memory * GIB))
        self._thread = threading.Thread(target=self._find, args=(self._beside, asked, left), daemon=True)
        self._thread.start()

    def _find(self, beside: Worker, asked: Options, seconds: float | None) -> None:
        """The thread of the second worker: run the search and keep its result."""
        try:
            result = beside.run(solve_in_worker, self.entry, asked, seconds=seconds, receive=self._add_second)
        except WorkerDied as death:
            if death.killed:
                self._second_limit = "memory"
            elif not beside.stopped:
                self._wrong = f"{self.entry.id}: {death}"
            return
        except Refuted as error:
            self._wrong = f"{self.entry.id}: refuted: {error}"
            return
        except LimitReached as limit:  # the solutions that it has found have arrived
            self._second_limit = limit.reason
            return
        except (ModelError, FormulaError, LevelError, OSError):
            return
        finally:
            self._end()
        if result.verdict == "error" and result.exit_code == REFUTED:
            self._wrong = result.reason or ""
        elif result.verdict == "unknown":
            self._second_limit = result.reason
        elif result.verdict == "solvable":
            self.add(result, by_second=True)
        elif result.verdict == "unsolvable":
            self._unsolvable = result

    def _add_second(self, news: tuple[str, Result]) -> None:
        self.add(news[1], by_second=True)  # it sends no bounds: it searches under `any`

    def _wait(self) -> None:
        """Wait for the second worker until the time limit."""
        if self._thread is None:
            return
        began, left = time.monotonic(), None
        if self._seconds is not None:
            left = max(0.0, self._seconds + GRACE_SECONDS - (began - self._began))
        self._thread.join(left)
        self._waited = time.monotonic() - began
        if self._thread.is_alive():
            self._second_limit = "timeout"

    def _end(self) -> None:
        with self._ending:
            if self._beside is not None:
                self._beside.stop()

    def _most(self, beside: Worker) -> int:
        """The limit for the resident memory of both workers together, in bytes."""
        return int(self._options.memory * GIB) + self._worker.spare + beside.spare
