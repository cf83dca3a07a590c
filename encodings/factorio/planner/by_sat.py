"""The best layout by SAT, with linear programs between: each layout that the clauses allow is judged by its best
rates, and a clause says what a better one must have (`cuts.py`).

First the output: until no layout has more than the best. Then, of the layouts with just that output, the pieces
are counted by a totalizer and made fewer, or the loss is brought down. Better layouts are looked for near the best
one first, and each search has so many conflicts, more each time that none has come to an end. A proof holds for
all rates.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Literal

from puzzlemc.encodings.factorio.domain.rules import Measure, measure
from puzzlemc.encodings.factorio.flow.network import Network, Program, told
from puzzlemc.encodings.factorio.flow.simplex import Optimum
from puzzlemc.encodings.factorio.model.clauses import Tag
from puzzlemc.encodings.factorio.model.constraint import plan
from puzzlemc.encodings.factorio.model.planar import crossing
from puzzlemc.encodings.factorio.planner import cuts
from puzzlemc.encodings.factorio.planner.capacity import Capacity
from puzzlemc.encodings.factorio.planner.optimise import Planned, Tell, greatest_output
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.sat.solvers import Cadical
from puzzlemc.screens.factorio import MAXIMIZE_OUTPUT, MINIMIZE_LOSS, MINIMIZE_ROUTE, Cell, Layout, Level

Step = Callable[[Sequence[int], int], bool | None]

PAUSE_SECONDS = 0.5  # between two looks at the clock
CONFLICTS = 3_000  # for an aim at first
TRIES = 24  # near the best layout, before a search that is not near it
NEARBY_CONFLICTS = 300  # for each
SIDES = (4, 6)  # of the square that is not as it is
PARTS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 16), Fraction(0))
GRAIN = 6  # aims are multiples of 1, 1/2, … 1/GRAIN


@dataclass(frozen=True)
class _Candidate:
    """A layout that the clauses allow, with its best rates."""

    layout: Layout
    program: Program
    best: Optimum


class BySat:
    """A run of the planner."""

    def __init__(self, level: Level, budget: Budget, tell: Tell | None = None) -> None:
        self._level, self._tell = level, tell
        self._plan = plan(level, numbered=False)
        self._capacity = Capacity(self._plan)
        # Tried false first, variables give layouts with little on the grid, and these are found sooner.
        self._solver = Cadical(budget, sparse=True, pause=PAUSE_SECONDS)
        self._sent = 0  # rows of the clauses that the solver has
        self._gates: dict[Fraction, int] = {}  # by output: the variable that asks for more
        self._aims: dict[Fraction, int] = {}  # by output: the variable that asks for that at least
        self._most = greatest_output(level)
        self._layout: Layout | None = None
        self._measure: Measure | None = None
        self._counter: list[int] | None = None  # of pieces
        self._chance = Random(0)
        self.rounds = 0  # layouts that were judged

    def run(self) -> Planned:
        """Find the best layout, or as good a one as there is time for."""
        proved: tuple[str, ...] = ()
        bound = self._most
        if crossing(self._level) is not None:
            return Planned(None, None, (MAXIMIZE_OUTPUT,), Fraction(0), True)
        try:
            self._most_output()
            proved = (MAXIMIZE_OUTPUT,)
            if self._measure is None:
                return Planned(None, None, proved, Fraction(0), True)
            bound = self._measure.output
            if self._level.optimize == MINIMIZE_ROUTE:
                self._refine(self._shorter)
            elif self._level.optimize == MINIMIZE_LOSS:
                self._refine(self._less_loss)
        except LimitReached as reached:
            return Planned(self._layout, self._measure, proved, bound, False, reached.reason)
        return Planned(self._layout, self._measure, self._level.criteria, bound, True)

    def _most_output(self) -> None:
        """Find any layout, then better ones: near the best so far; some way up to the bound; anything more."""
        conflicts = CONFLICTS
        self._reach(None)
        if self._measure is None:
            return
        while self._measure.output < self._most:
            for part in PARTS:
                if self._nearby(self._more):
                    break
                aim = self._part(part)
                found = self._reach(aim, conflicts)
                if found:
                    break
                if found is False:
                    self._most = self._measure.output if aim is None else aim
                    if aim is None:
                        return
            else:
                conflicts *= 2

    def _part(self, part: Fraction) -> Fraction | None:
        """An output some part of the way up from the best so far to what bounds it; None if that is next to it."""
        assert self._measure is not None
        best = self._measure.output
        aim = (best + part * (self._most - best)).limit_denominator(GRAIN)
        return aim if best < aim <= self._most else None

    def _reach(self, aim: Fraction | None, conflicts: int | None = None, kept: Sequence[int] = ()) -> bool | None:
        """Find a layout with that output at least, or with more than the best so far. None: it takes too long."""
        while True:
            best = None if self._measure is None else self._measure.output
            candidate = self._next([*self._aim(aim), *kept], aim, conflicts)
            if not isinstance(candidate, _Candidate):
                return candidate
            value = candidate.best.value
            if value is not None and (best is None or value > best):
                self._note(candidate.layout)
                if aim is None or value >= aim:
                    return True
            self._cut(candidate)

    def _aim(self, output: Fraction | None) -> list[int]:
        """Assumptions of layouts with that output at least."""
        if output is None:
            return []
        if output not in self._aims:
            self._aims[output] = self._plan.cnf.new(("at least", output))
            for clause in self._capacity.needed(output, more=False):
                self._plan.cnf.add(Tag("belt rate"), -self._aims[output], *clause)
        return [self._aims[output]]

    def _more(self, kept: Sequence[int], conflicts: int) -> bool | None:
        return self._reach(None, conflicts, kept)

    def _shorter(self, kept: Sequence[int], conflicts: int) -> bool | None:
        """Find a layout with the best output and fewer pieces. None: it takes too long."""
        assert self._measure is not None
        if self._counter is None:
            pieces = list(self._plan.pieces.values())
            self._counter = self._plan.cnf.tally(Tag("route"), "route", pieces, self._measure.route)
        while True:
            fewer = -self._counter[self._measure.route - 1]
            candidate = self._next([fewer, *kept], self._measure.output, conflicts)
            if not isinstance(candidate, _Candidate):
                return candidate
            if candidate.best.value == self._measure.output:
                self._note(candidate.layout)
                return True
            self._cut(candidate)

    def _less_loss(self, kept: Sequence[int], conflicts: int) -> bool | None:
        """Find a layout with the best output and less loss. None: it takes too long."""
        assert self._measure is not None
        while self._measure.loss > 0:
            candidate = self._next(kept, self._measure.output, conflicts)
            if not isinstance(candidate, _Candidate):
                return candidate
            if candidate.best.value != self._measure.output:
                self._cut(candidate)
                continue
            loss = candidate.program.least_loss(self._measure.output).value
            better = loss is not None and -loss < self._measure.loss
            self._block(candidate.layout)
            if better:
                self._note(candidate.layout)
                return True
        return False

    def _refine(self, step: Step) -> None:
        """Take steps until there is none, near the best layout first."""
        conflicts = CONFLICTS
        while True:
            while self._nearby(step):
                pass
            found = step([], conflicts)
            if found is False:
                return
            if found is None:
                conflicts *= 2

    def _nearby(self, step: Step) -> bool:
        """Take a step to a layout that is like the best one but for a square of cells, or for all but assemblers.

        A large neighbourhood search (Shaw 1998).
        """
        height, width = self._level.height, self._level.width
        for number in range(TRIES):
            side = self._chance.randint(*SIDES)
            top, left = (
                self._chance.randint(1 - side // 2, max(1, length - 1) - side // 2) for length in (height, width)
            )
            free = {(row, column) for row in range(top, top + side) for column in range(left, left + side)}
            if number % 4 == 3:
                free = set(self._level.cells())
            if step(self._as_it_is(free, assemblers=number % 4 > 1), NEARBY_CONFLICTS):
                return True
        return False

    def _as_it_is(self, free: Collection[Cell], assemblers: bool) -> list[int]:
        """Assumptions that all is as in the best layout but on some cells, with `assemblers` but for these."""
        assert self._layout is not None
        found = []
        for variables, grid in (
            (self._plan.belt, self._layout.belts),
            (self._plan.inserter, self._layout.inserters),
        ):
            for (cell, word), variable in variables.items():
                if cell not in free:
                    found.append(variable if grid[cell[0]][cell[1]] == word else -variable)
        for key, variable in self._plan.assembler.items():
            if assemblers or key[0] not in free:
                found.append(variable if key in self._layout.assemblers else -variable)
        return found

    def _next(
        self, assumptions: Sequence[int], output: Fraction | None = None, conflicts: int | None = None
    ) -> "_Candidate | Literal[False] | None":
        """A layout that no clause forbids: with more output than any so far, or with `output` at least.

        False where there is none, None where that takes more conflicts.
        """
        if output is None and self._measure is not None:
            self._gate(self._measure.output)
        self._solver.add(self._plan.cnf.rows[self._sent :])
        self._sent = len(self._plan.cnf.rows)
        gates = [gate for value, gate in self._gates.items() if output is None or value < output]
        found = self._solver.attempt([*gates, *assumptions], conflicts)
        if not found:
            return None if found is None else False
        self.rounds += 1
        solution = self._solver.solution()
        layout = self._plan.layout(solution.__contains__)
        program = Program(Network(self._level, layout))
        return _Candidate(layout, program, program.greatest())

    def _gate(self, value: Fraction) -> int:
        """The variable that asks for more output."""
        if value not in self._gates:
            self._gates[value] = self._plan.cnf.new(("more than", value))
            for clause in self._capacity.needed(value, more=True):
                self._plan.cnf.add(Tag("belt rate"), -self._gates[value], *clause)
        return self._gates[value]

    def _cut(self, candidate: _Candidate) -> None:
        """Ask for more output than this layout has."""
        literals = cuts.better(self._plan, candidate.program, candidate.best)
        if candidate.best.value is not None:
            literals.append(-self._gate(candidate.best.value))
        self._plan.cnf.add(Tag("belt rate"), *literals)

    def _block(self, layout: Layout) -> None:
        """Forbid just this layout."""
        self._plan.cnf.add(Tag("belt rate"), *(-literal for literal in self._plan.stands(layout)))

    def _note(self, layout: Layout) -> None:
        self._layout = told(self._level, layout)
        self._measure = measure(self._level, self._layout)
        if self._tell is not None:
            self._tell(self._layout, self._measure)
