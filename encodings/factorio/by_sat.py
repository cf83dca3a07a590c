"""The best layout by SAT, with linear programs between: each layout that the clauses allow is judged by its best
rates, and a clause says what a better one must have (`cuts.py`).

First the output: until no layout has more than the best. Then, of the layouts with just that output, the pieces
are counted by a totalizer and made fewer, or the loss is brought down. A proof holds for all rates.
"""

from dataclasses import dataclass
from fractions import Fraction

from puzzlemc.encodings.factorio import cuts
from puzzlemc.encodings.factorio.capacity import Capacity
from puzzlemc.encodings.factorio.clauses import Tag
from puzzlemc.encodings.factorio.constraint import plan
from puzzlemc.encodings.factorio.flow import Network, Program, told
from puzzlemc.encodings.factorio.optimise import Planned, Tell, greatest_output
from puzzlemc.encodings.factorio.rules import Measure, measure
from puzzlemc.encodings.factorio.simplex import Optimum
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.sat.solvers import Cadical
from puzzlemc.screens.factorio_level import MAXIMIZE_OUTPUT, MINIMIZE_LOSS, MINIMIZE_ROUTE, Layout, Level

PAUSE_SECONDS = 0.5  # between two looks at the clock
CONFLICTS = 3_000  # for an aim at first
LEAST_PART = Fraction(1, 16)


@dataclass(frozen=True)
class _Candidate:
    """A layout that the clauses allow, with its best rates."""

    layout: Layout
    program: Program
    best: Optimum


class BySat:
    """A run of the planner."""

    def __init__(self, level: Level, watch: Watch, tell: Tell | None = None) -> None:
        self._level, self._tell = level, tell
        self._plan = plan(level, numbered=False)
        self._capacity = Capacity(self._plan)
        # Tried false first, variables give layouts with little on the grid, and these are found sooner.
        self._solver = Cadical(watch, sparse=True, pause=PAUSE_SECONDS)
        self._sent = 0  # rows of the clauses that the solver has
        self._gates: dict[Fraction, int] = {}  # by output: the variable that asks for more
        self._aims: dict[Fraction, int] = {}  # by output: the variable that asks for that at least
        self._most = greatest_output(level)
        self._layout: Layout | None = None
        self._measure: Measure | None = None
        self.rounds = 0  # layouts that were judged

    def run(self) -> Planned:
        """Find the best layout, or as good a one as there is time for."""
        proved: tuple[str, ...] = ()
        bound = self._most
        try:
            self._most_output()
            proved = (MAXIMIZE_OUTPUT,)
            if self._measure is None:
                return Planned(None, None, proved, Fraction(0), True)
            bound = self._measure.output
            if self._level.optimize == MINIMIZE_ROUTE:
                self._shortest_route()
            elif self._level.optimize == MINIMIZE_LOSS:
                self._least_loss()
        except LimitReached as reached:
            return Planned(self._layout, self._measure, proved, bound, False, reached.reason)
        return Planned(self._layout, self._measure, self._level.criteria, bound, True)

    def _most_output(self) -> None:
        """Aim at some way up to the bound, at less where that takes too long; at last, at anything more."""
        part, conflicts = Fraction(0), CONFLICTS
        while self._measure is None or self._measure.output < self._most:
            best = Fraction(0) if self._measure is None else self._measure.output
            aim = best + part * (self._most - best) if part else None
            found = self._reach(aim, conflicts if self._measure is not None else None)
            if found is False and aim is None:
                self._most = best
                return
            if found is False:
                self._most = aim
            elif found:
                part = max(LEAST_PART, min(Fraction(1), 2 * part))
            elif part >= 2 * LEAST_PART:
                part /= 2
            elif part:
                part = Fraction(0)
            else:
                part, conflicts = Fraction(1, 2), 2 * conflicts

    def _reach(self, aim: Fraction | None, conflicts: int | None) -> bool | None:
        """Find a layout with that output at least, or with more than the best so far. None: it takes too long."""
        while True:
            best = None if self._measure is None else self._measure.output
            candidate = self._next(self._aim(aim), aim, conflicts)
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

    def _shortest_route(self) -> None:
        assert self._measure is not None
        pieces = list(self._plan.pieces.values())
        counter = self._plan.cnf.tally(Tag("route"), "route", pieces, self._measure.route)
        while (candidate := self._next([-counter[self._measure.route - 1]], self._measure.output)):
            if candidate.best.value == self._measure.output:
                self._note(candidate.layout)
            else:
                self._cut(candidate)

    def _least_loss(self) -> None:
        assert self._measure is not None
        while self._measure.loss > 0:
            candidate = self._next([], self._measure.output)
            if not candidate:
                return
            if candidate.best.value != self._measure.output:
                self._cut(candidate)
                continue
            loss = candidate.program.least_loss(self._measure.output).value
            if loss is not None and -loss < self._measure.loss:
                self._note(candidate.layout)
            self._block(candidate.layout)

    def _next(
        self, assumptions: list[int], output: Fraction | None = None, conflicts: int | None = None
    ) -> "_Candidate | bool | None":
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
            return found
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
        literals = []
        for cell in self._level.cells():
            belt, inserter = (grid[cell[0]][cell[1]] for grid in (layout.belts, layout.inserters))
            if belt:
                literals.append(-self._plan.belt[cell, belt])
            elif inserter:
                literals.append(-self._plan.inserter[cell, inserter])
            else:
                literals.append(self._plan.pieces[cell])
        literals += [-self._plan.assembler[key] for key in layout.assemblers]
        self._plan.cnf.add(Tag("belt rate"), *literals)

    def _note(self, layout: Layout) -> None:
        self._layout = told(self._level, layout)
        self._measure = measure(self._level, self._layout)
        if self._tell is not None:
            self._tell(self._layout, self._measure)
