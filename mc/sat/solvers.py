"""SAT solvers behind one small protocol: CaDiCaL by `python-sat`, PicoSAT by `pyeda` if it is installed."""

import time
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from typing import Any, Protocol

from pysat.solvers import Solver as PySat

from puzzlemc.mc.limits import Budget

CONFLICTS = 2_000  # the largest number of conflicts between two checks of the clock
PAUSE_SECONDS = 0.03  # the time between two checks of the clock, roughly


class Assignment:
    """A satisfying assignment: `variable in assignment` is its value."""

    def __init__(self, literals: Sequence[int]) -> None:
        """`literals` are the true literals of the variables 1, 2, … in order."""
        self._literals = literals

    def __contains__(self, variable: int) -> bool:
        return variable <= len(self._literals) and self._literals[variable - 1] > 0


class Solver(Protocol):
    """An incremental SAT solver with assumptions."""

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses, each a disjunction of literals."""
        ...

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there a solution? Raises LimitReached."""
        ...

    def solution(self) -> Assignment:
        """The last solution; valid until clauses are added."""
        ...


class Cadical:
    """CaDiCaL (Biere et al. 2024), incremental.

    `sparse`  decide variables to false first
    `pause`   seconds of processor time between two checks of the clock, roughly. Each check restarts the search,
              so hard problems are faster with longer pauses
    """

    def __init__(self, budget: Budget, *, sparse: bool = False, pause: float = PAUSE_SECONDS) -> None:
        self._budget = budget
        self._solver: Any = PySat("cadical195")
        if sparse:
            # Also switch off the initial test of the assignments all true and all false.
            self._solver.configure({"phase": 0, "lucky": 0})
        self._pause = pause
        self._most = int(CONFLICTS * pause / PAUSE_SECONDS)
        self._conflicts = 1 << 6  # until the next check of the clock

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses, each a disjunction of literals."""
        for clause in clauses:
            self._solver.add_clause(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there a solution? Raises LimitReached."""
        return bool(self.attempt(assumptions, None))

    def attempt(self, assumptions: Sequence[int], conflicts: int | None) -> bool | None:
        """Is there a solution? None if the solver needs more conflicts than that. Raises LimitReached."""
        answer = None
        while answer is None and (conflicts is None or conflicts > 0):
            self._budget.check()
            share = self._conflicts if conflicts is None else min(self._conflicts, conflicts)
            self._solver.conf_budget(share)
            # Processor time: on a shared processor, a pause in wall-clock time could be too short to find
            # anything.
            started = time.thread_time()
            answer = self._solver.solve_limited(assumptions=list(assumptions))
            seconds = time.thread_time() - started
            if conflicts is not None:
                conflicts -= share
            if seconds > self._pause:
                self._conflicts = max(1, self._conflicts // 2)
            elif answer is None and seconds < self._pause / 2:
                self._conflicts = min(self._most, 2 * self._conflicts)
        return answer

    @property
    def conflicts(self) -> int:
        """The number of conflicts of all questions."""
        return int(self._solver.accum_stats()["conflicts"])

    def solution(self) -> Assignment:
        """The last solution; valid until clauses are added."""
        return Assignment(self._solver.get_model())

    def core(self) -> frozenset[int]:
        """An unsatisfiable core of the assumptions, after the last call returned False."""
        return frozenset(self._solver.get_core() or ())


class Picosat:
    """PicoSAT (Biere 2008), not incremental: a second solver to compare with."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._clauses: list[tuple[int, ...]] = []
        self._variables = 0
        self._point: Sequence[int] = ()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses, each a disjunction of literals."""
        for clause in clauses:
            self._clauses.append(tuple(clause))
            self._variables = max(self._variables, *map(abs, clause), 0)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there a solution? Raises LimitReached."""
        from pyeda.boolalg import picosat  # an optional package

        self._budget.check()
        if any(not clause for clause in self._clauses):
            return False
        variables = max(self._variables, *map(abs, assumptions), 1)
        point = picosat.satisfy_one(variables, self._clauses, assumptions=list(assumptions))
        self._budget.check()
        self._point = point or ()
        return point is not None

    def solution(self) -> Assignment:
        """The last solution."""
        return Assignment(self._point)


SOLVERS: dict[str, Callable[[Budget], Solver]] = {"cadical": Cadical}
if find_spec("pyeda") is not None:
    SOLVERS["picosat"] = Picosat
