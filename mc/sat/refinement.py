"""Lazy constraints: solve, look for constraints that the solution violates, add them as clauses, repeat.

Some constraints have too many clauses to write all of them, or no direct form as clauses, for example linear
programs over what the clauses choose. A *judge* checks such constraints on one solution at a time. If a solution
violates one, the judge adds a clause that every right solution satisfies and this one does not. The loop ends with
a solution that the judge accepts, or with clauses that have no solution; that proves that there is none.

Known as lazy SMT (Barrett, Sebastiani, Seshia and Tinelli 2009) and as logic-based Benders decomposition (Hooker
and Ottosson 2003).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Clauses
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.sat.solvers import Assignment, Cadical

PAUSE_SECONDS = 0.5  # between two checks of the clock: each check restarts the solver

T = TypeVar("T")


class Refinement:
    """A solver with a list of clauses that grows while it is in use.

    `clauses` is the list itself, not a copy: whoever appends a clause has it added before the next call of the
    solver. `rounds` counts the solutions that were judged.
    """

    def __init__(self, clauses: Sequence[Sequence[int]], solver: Cadical) -> None:
        self._clauses, self._solver = clauses, solver
        self._sent = 0  # clauses that the solver has
        self.rounds = 0

    def find(
        self,
        judge: Callable[[Assignment], T | None],
        assumptions: Callable[[], Sequence[int]] = list,
        conflicts: int | None = None,
    ) -> T | Literal[False] | None:
        """The judge's value for a solution that it accepts; False if there is no such solution.

        None if a call of the solver takes more than `conflicts` conflicts. The judge returns None to reject a
        solution, and appends a clause that this solution violates. `assumptions` is called before each call of
        the solver, and may append clauses. Raises LimitReached.
        """
        while True:
            assumed = assumptions()
            self._solver.add(self._clauses[self._sent :])
            self._sent = len(self._clauses)
            is_found = self._solver.attempt(assumed, conflicts)
            if not is_found:
                return None if is_found is None else False
            self.rounds += 1
            accepted = judge(self._solver.solution())
            if accepted is not None:
                return accepted
            assert len(self._clauses) > self._sent, "a solution was rejected, but no clause says why"


def written_out(model: Model, budget: Budget) -> Model:
    """An equivalent question without lazy constraints: the model with those written as clauses that decide it.

    Either the clauses of the new goal have no solution, or the solution finder of the new model has a goal state.
    A model without lazy constraints is returned as it is. Raises LimitReached.
    """
    goal = model.goal
    if not isinstance(goal, Clauses) or goal.violated is None:
        return model
    violated, clauses = goal.violated, list(goal.rows)

    def judge(solution: Assignment) -> Assignment | None:
        more = violated(solution.__contains__)
        clauses.extend(more)
        return None if more else solution

    solver = Cadical(budget, sparse=model.hints.sparse, pause=PAUSE_SECONDS)
    found = Refinement(clauses, solver).find(judge)
    state = frozenset(b for number, b in enumerate(goal.bits, 1) if number in found) if found else None
    written = Clauses(goal.bits, clauses)
    atoms = {name: written if formula is goal else formula for name, formula in model.atoms.items()}
    return replace(model, goal=written, atoms=atoms, hints=replace(model.hints, solution_finder=lambda _: state))
