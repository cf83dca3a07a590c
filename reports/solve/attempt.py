"""One level in workers: the best solution known so far, and a second worker that looks for any solution.

A search for a cheapest solution may find its first one at its very end. So where a third of the time has brought
none, a second worker begins to look for any, and both go on side by side. On a machine that has no core to spare
each of them has half of what is left: a third of the time. What the second one finds never reaches the search
for a cheapest solution, and counts only where that comes to no end. So which answer is given does not depend on
the clock: time only ends a search.

Solutions arrive here as they are found, each replayed by the plain rules, so none is lost with its worker.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import FormulaError, LimitReached, ModelError, Refuted
from puzzlemc.mc.lexicographic import COMMA
from puzzlemc.mc.limits import GIB
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import REFUTED, Result, bounded
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.workers.worker import GRACE_SECONDS, Worker, WorkerDied, elapsed, tell
from puzzlemc.screens.base.errors import LevelError

BESIDE = 0.3  # of the time: what is left is enough for a third of it, on half a core, and for starting a process
BESIDE_SECONDS = 20.0  # the same, where the time has no limit
INTERRUPTED = "interrupted"  # the reason for which a solution is not proved to be a cheapest one, after Ctrl-C


class Attempt:
    """What workers have found of a level. The thread that waits for the first worker calls its methods.

    best   the cheapest solution so far, without a bound
    bound  no solution costs less
    """

    def __init__(
        self,
        entry: Entry,
        options: Options,
        worker: Worker,
        changed: Callable[["Attempt"], None] = lambda _: None,
    ) -> None:
        """`worker` searches for a cheapest solution; `changed` gets this on each better solution or bound."""
        self.entry = entry
        self.best: Result | None = None
        self.bound = 0
        self._options = options
        self._worker = worker
        self._changed = changed
        self._began = time.monotonic()
        self._seconds = options.timeout or None
        self._first_has = False  # a solution, found by the first worker
        self._beside: Worker | None = None
        self._thread: threading.Thread | None = None
        self._unsolvable: Result | None = None
        self._wrong = ""  # how the second worker has failed, by a bug
        rules = entry.puzzle if entry.puzzle_name is not None else None
        self._is_cost = rules is None or rules.optimisation is None  # what makes one solution better than another
        self._lock = threading.Lock()
        self._ending = threading.Lock()

    def add(self, solution: Result, *, by_second: bool = False) -> None:
        """Take a solution that one of the workers has found, from any thread."""
        self._first_has = self._first_has or not by_second
        with self._lock:
            is_better = self.best is None or self._cost(solution) < self._cost(self.best)
            if not is_better and (self._is_cost or by_second):
                return
            self.best = solution
        self._changed(self)

    def prove(self, bound: int) -> None:
        """Note that no solution costs less than this bound."""
        self.bound = max(self.bound, bound)
        self._changed(self)

    def look(self, passed: float) -> None:
        """Begin to look for any solution when it is time; that ends where the first worker has one.

        Raises LimitReached where both workers together have too much memory, and the first one more than half.
        """
        self._began = time.monotonic() - passed
        beside = self._beside
        if beside is None:
            late = BESIDE_SECONDS if self._seconds is None else BESIDE * self._seconds
            if passed > late:
                self._begin()
        elif self._first_has:
            self._end()
        elif (size := beside.resident) + self._worker.resident > self._most(beside):
            if size <= self._worker.resident:
                raise LimitReached("memory")
            self._end()

    def ended(self, result: Result) -> Result:
        """The answer, where the first worker has come to this result."""
        if result.verdict == "error":
            self._end()
            return result
        if result.verdict == "unknown" and not self._first_has:
            if result.reason != "timeout" and self._beside is None:
                self._begin()
            self._wait()
        self._end()
        if self._beside is not None:
            seconds = result.effort.seconds + self._beside.seconds
            result = replace(result, effort=replace(result.effort, seconds=seconds))
        return self._merged(result)

    def killed(self, limit: LimitReached, lost: Result) -> Result:
        """The answer, where the first worker was killed at a limit; `lost` has what else is known of the level."""
        return self.ended(replace(lost, verdict="unknown", reason=limit.reason, bound=self.bound))

    def died(self, death: WorkerDied, lost: Result) -> Result:
        """The answer, where the first worker died otherwise. A crash is an error, whatever was found before."""
        self._end()
        if death.killed and self.best is not None:
            return self._merged(replace(lost, verdict="unknown", reason="memory", bound=self.bound))
        return lost.failed(f"{self.entry.id}: {death}", REFUTED)

    def so_far(self) -> Result | None:
        """The best solution so far, of a level whose search is interrupted."""
        best = self.best
        if best is None:
            return None
        seconds = self._worker.seconds + (self._beside.seconds if self._beside is not None else 0.0)
        wall = time.monotonic() - self._began
        best = replace(best, reason=INTERRUPTED, effort=replace(best.effort, seconds=seconds, wall_seconds=wall))
        try:
            return self._with_bound(best, self.bound)
        except Refuted as error:
            return self._refuted(best, str(error))

    def stop(self) -> None:
        """Look for no solution any more; from any thread."""
        self._end()

    def _merged(self, result: Result) -> Result:
        """The result with the best solution and bound that are known."""
        best, unsolvable = self.best, self._unsolvable
        if self._wrong and result.verdict == "unknown":
            return result.failed(self._wrong, REFUTED)
        if best is not None and "unsolvable" in (result.verdict, unsolvable and unsolvable.verdict):
            return self._refuted(result, "a solution, and a proof that there is none")
        if best is not None and result.verdict == "solvable" and self._cost(best) < self._cost(result):
            if result.optimal:
                return self._refuted(result, "a cheaper solution than one that is proved to be a cheapest")
            result = replace(result, verdict="unknown")
        if best is None or result.verdict != "unknown":
            return result if unsolvable is None or result.verdict != "unknown" else unsolvable
        search = replace(best.search, statistics=result.search.statistics)
        merged = replace(best, reason=result.reason, proof=result.proof, search=search, effort=result.effort)
        try:
            return self._with_bound(merged, max(self.bound, result.bound or 0))
        except Refuted as error:
            return self._refuted(result, str(error))

    def _refuted(self, result: Result, what: str) -> Result:
        reason = f"{self.entry.id}: refuted: {what}"
        return replace(result, solution=None).failed(reason, REFUTED)

    def _cost(self, solution: Result) -> list[int]:
        """What a solution costs by each metric that counts; under `any`, by the first of the puzzle."""
        metric = solution.metric or ANY
        names = self.entry.puzzle.metrics[:1] if metric == ANY else metric.split(COMMA)
        return [cost for name in names if (cost := solution.costs[name]) is not None]

    def _with_bound(self, solution: Result, bound: int) -> Result:
        """The solution with a bound by the metric, where costs make one better than another."""
        metric = solution.metric or ANY
        return solution if metric == ANY or not self._is_cost else bounded(solution, bound, metric)

    # The second worker

    def _begin(self) -> None:
        """Begin to look for any solution, where that is another question than the one that is asked."""
        options, entry = self._options, self.entry
        if self.best is not None or options.engine != "auto" or entry.puzzle_name is None:
            return
        rules = entry.puzzle
        if rules.game is not None or (options.metric or rules.metrics[0]) == ANY:
            return
        left = None
        if self._seconds is not None:
            left = self._seconds - (time.monotonic() - self._began)
            if left <= 0:
                return
        asked = replace(options, some=True, timeout=left or 0.0, count=False, every=False, why=False, prove=False)
        self._beside = Worker(int(options.memory * GIB))
        self._thread = threading.Thread(target=self._find, args=(self._beside, asked, left), daemon=True)
        self._thread.start()

    def _find(self, beside: Worker, asked: Options, seconds: float | None) -> None:
        """What the thread of the second worker does."""
        try:
            result = beside.run(
                find_some, self.entry, asked, seconds=seconds, receive=partial(self.add, by_second=True)
            )
        except WorkerDied as death:
            if not death.killed and not beside.stopped:
                self._wrong = f"{self.entry.id}: {death}"
            return
        except Refuted as error:
            self._wrong = f"{self.entry.id}: refuted: {error}"
            return
        except (LimitReached, ModelError, FormulaError, LevelError, OSError):
            return  # what it has found has arrived
        finally:
            self._end()
        if result.verdict == "error" and result.exit_code == REFUTED:
            self._wrong = result.reason or ""
        elif result.verdict == "solvable":
            self.add(result, by_second=True)
        elif result.verdict == "unsolvable":
            self._unsolvable = result

    def _wait(self) -> None:
        """Wait for the second worker, as long as there is time."""
        if self._thread is None:
            return
        left = None
        if self._seconds is not None:
            left = max(0.0, self._seconds + GRACE_SECONDS - (time.monotonic() - self._began))
        self._thread.join(left)

    def _end(self) -> None:
        with self._ending:
            if self._beside is not None:
                self._beside.stop()

    def _most(self, beside: Worker) -> int:
        """Bytes that both workers together may take."""
        return int(self._options.memory * GIB) + self._worker.spare + beside.spare


def find_some(entry: Entry, options: Options) -> Result:
    """In the second worker: any solution."""
    return solve_entry(entry, options, better=lambda solution: tell(solution.light), passed=elapsed()).light
