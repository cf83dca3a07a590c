"""SAT solvers behind one small protocol: CaDiCaL through `python-sat`, PicoSAT through `pyeda`."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from pyeda.boolalg import picosat
from pysat.solvers import Solver as PySat

from puzzlemc.mc.limits import Budget

CONFLICTS = 2_000  # between two looks at the clock, at most
PAUSE_SECONDS = 0.03  # between them, about


class Assignment:
    """The variables that hold in a solution: `variable in assignment`."""

    def __init__(self, literals: Sequence[int]) -> None:
        """`literals` are those of the variables 1, 2, … in order."""
        self._literals = literals

    def __contains__(self, variable: int) -> bool:
        return variable <= len(self._literals) and self._literals[variable - 1] > 0


class Solver(Protocol):
    """Clauses that grow, solved under assumptions."""

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses, each a disjunction of literals."""
        ...

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there a solution? Raises LimitReached."""
        ...

    def solution(self) -> Assignment:
        """The last solution, until there are more clauses."""
        ...


class Cadical:
    """CaDiCaL (Biere et al. 2024), incremental.

    `sparse`  variables are tried false first
    `pause`   seconds of processor time between two looks at the clock, about: each makes the search begin anew,
              so that a hard problem takes less time with longer ones
    """

    def __init__(self, budget: Budget, *, sparse: bool = False, pause: float = PAUSE_SECONDS) -> None:
        self._budget = budget
        self._solver: Any = PySat("cadical195")
        if sparse:
            # Without the guess that all variables are true, or all false, which it begins with.
            self._solver.configure({"phase": 0, "lucky": 0})
        self._pause = pause
        self._most = int(CONFLICTS * pause / PAUSE_SECONDS)
        self._conflicts = 1 << 6  # until the next look at the clock

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses, each a disjunction of literals."""
        for clause in clauses:
            self._solver.add_clause(clause)

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there a solution? Raises LimitReached."""
        return bool(self.attempt(assumptions, None))

    def attempt(self, assumptions: Sequence[int], conflicts: int | None) -> bool | None:
        """Is there a solution? None where that takes more conflicts. Raises LimitReached."""
        answer = None
        while answer is None and (conflicts is None or conflicts > 0):
            self._budget.check()
            share = self._conflicts if conflicts is None else min(self._conflicts, conflicts)
            self._solver.conf_budget(share)
            # Of the processor: where that is shared, a pause in wall clock would be no time to find anything.
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

    def solution(self) -> Assignment:
        """The last solution, until there are more clauses."""
        return Assignment(self._solver.get_model())

    def core(self) -> frozenset[int]:
        """Assumptions that suffice for the last False."""
        return frozenset(self._solver.get_core() or ())


class Picosat:
    """PicoSAT (Biere 2008), which begins anew each time: a second opinion."""

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


SOLVERS: dict[str, Callable[[Budget], Solver]] = {"cadical": Cadical, "picosat": Picosat}
