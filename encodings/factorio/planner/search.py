"""Search for the best layout by SAT and linear programs.

SAT finds layouts that the clauses allow, a linear program computes the best rates of each, and a cut (`cuts.py`)
states what a better layout needs. First the search maximizes the output. Then, among layouts with that output, it
minimizes the number of pieces, counted by a totalizer, or the loss. It tries layouts near the best one first. Each
call of the solver has a limit of conflicts, which doubles when no call ends within it. Proofs hold for all rates.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from puzzlemc.encodings.factorio.domain.rules import Measure, measure
from puzzlemc.encodings.factorio.flow.network import Network, Program, completed
from puzzlemc.encodings.factorio.flow.simplex import Optimum
from puzzlemc.encodings.factorio.model.clauses import Tag
from puzzlemc.encodings.factorio.model.constraint import plan
from puzzlemc.encodings.factorio.model.planar import crossing
from puzzlemc.encodings.factorio.planner import cuts
from puzzlemc.encodings.factorio.planner.capacity import Capacity
from puzzlemc.encodings.factorio.planner.optimise import Bounds, Planned, Report
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.sat.refinement import PAUSE_SECONDS, Refinement
from puzzlemc.mc.sat.solvers import Assignment, Cadical
from puzzlemc.screens.factorio import MAXIMIZE_OUTPUT, MINIMIZE_LOSS, MINIMIZE_ROUTE, Cell, Layout, Level

Step = Callable[[Sequence[int], int], bool | None]

CONFLICTS = 3_000  # the first limit for a search with an aim
TRIES = 24  # searches near the best layout before one over all layouts
NEARBY_CONFLICTS = 300  # limit for each of them
SIDES = (4, 6)  # least and greatest side of the square that a search near the best layout may change
PARTS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 16), Fraction(0))
GRAIN = 6  # an aim is a multiple of 1, 1/2, … or 1/GRAIN


@dataclass(frozen=True)
class _Candidate:
    """A layout that the clauses allow, with its best rates."""

    layout: Layout
    program: Program
    best: Optimum


_Judge = Callable[[_Candidate], bool]  # accepts a candidate, or adds a clause that forbids it


class LayoutSearch:
    """One search for the best layout of a level.

    `report` receives each better layout with its measure as it is found.
    """

    def __init__(self, level: Level, budget: Budget, report: Report | None = None) -> None:
        self._level, self._report = level, report
        self._plan = plan(level, numbered=False)
        bounds = Bounds(level)
        self._capacity = Capacity(self._plan, bounds)
        # Sparse: layouts with few pieces are easier to find than others.
        solver = Cadical(budget, sparse=True, pause=PAUSE_SECONDS)
        self._refinement = Refinement(self._plan.cnf.rows, solver)
        self._gates: dict[Fraction, int] = {}  # by output: the variable that requires more
        self._aims: dict[Fraction, int] = {}  # by output: the variable that requires at least that
        self._most = bounds.greatest_output()
        self._layout: Layout | None = None
        self._measure: Measure | None = None
        self._counter: list[int] | None = None  # of pieces
        self._chance = Random(0)

    @property
    def rounds(self) -> int:
        """The number of layouts that were judged."""
        return self._refinement.rounds

    def run(self) -> Planned:
        """Find the best layout. At a limit, the result is the best layout so far, with a bound."""
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
            return Planned(self._layout, self._measure, proved, min(bound, self._most), False, reached.reason)
        return Planned(self._layout, self._measure, self._level.criteria, bound, True)

    def _most_output(self) -> None:
        """Maximize the output: near the best layout; then up to some part of the bound; then anything better."""
        conflicts = CONFLICTS
        self._reach(None)
        if self._measure is None:
            return
        while self._measure.output < self._most:
            asked: set[Fraction] = set()
            for part in PARTS:
                aim, floor = self._part(part)
                if floor in asked:
                    continue
                asked.add(floor)
                if self._nearby(self._more):
                    break
                found = self._reach(aim, conflicts)
                if found:
                    break
                if found is False:
                    # Cuts of better layouts may have excluded others that are no better than the best by now.
                    self._most = max(floor, self._measure.output)
                    break
            else:
                conflicts *= 2

    def _part(self, part: Fraction) -> tuple[Fraction | None, Fraction]:
        """The output at this part of the interval from the best output to the bound, and its floor.

        None if the clauses say no more of this output than of any that is better than the best.
        """
        assert self._measure is not None
        best = self._measure.output
        aim = (best + part * (self._most - best)).limit_denominator(GRAIN)
        if part and best < aim < self._most:
            floor = self._capacity.floor(aim)
            if floor > best:
                return aim, floor
        return None, best

    def _reach(self, aim: Fraction | None, conflicts: int | None = None, kept: Sequence[int] = ()) -> bool | None:
        """Find a layout with at least the output `aim`; with None, one with more output than the best.

        Returns None if that takes more than `conflicts` conflicts.
        """

        def judge(candidate: _Candidate) -> bool:
            value = candidate.best.value
            if value is not None and (self._measure is None or value > self._measure.output):
                self._note(candidate.layout)
                if aim is None or value >= aim:
                    return True
            self._cut(candidate)
            return False

        return self._find(judge, aim, lambda: [*self._aim(aim), *kept], conflicts)

    def _aim(self, output: Fraction | None) -> list[int]:
        """Assumptions that require at least that output."""
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
        """Find a layout with the best output and fewer pieces. None: that takes too many conflicts."""
        assert self._measure is not None
        output, route = self._measure.output, self._measure.route
        if self._counter is None:
            pieces = list(self._plan.pieces.values())
            self._counter = self._plan.cnf.tally(Tag("route"), "route", pieces, route)
        fewer = -self._counter[route - 1]

        def judge(candidate: _Candidate) -> bool:
            if candidate.best.value == output:
                self._note(candidate.layout)
                return True
            self._cut(candidate)
            return False

        return self._find(judge, output, lambda: [fewer, *kept], conflicts)

    def _less_loss(self, kept: Sequence[int], conflicts: int) -> bool | None:
        """Find a layout with the best output and less loss. None: that takes too many conflicts."""
        assert self._measure is not None
        output, least = self._measure.output, self._measure.loss
        if not least:
            return False

        def judge(candidate: _Candidate) -> bool:
            if candidate.best.value != output:
                self._cut(candidate)
                return False
            loss = candidate.program.least_loss(output).value
            self._block(candidate.layout)
            if loss is None or -loss >= least:
                return False
            self._note(candidate.layout)
            return True

        return self._find(judge, output, lambda: kept, conflicts)

    def _refine(self, step: Step) -> None:
        """Take steps until no step is possible, near the best layout first."""
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
        """Take a step to a layout that differs from the best one only in a square, or not in assemblers.

        Large neighbourhood search (Shaw 1998).
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
        """Assumptions that fix the best layout outside some cells; with `assemblers`, all assemblers, too."""
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

    def _find(
        self,
        judge: _Judge,
        output: Fraction | None,
        assumed: Callable[[], Sequence[int]],
        conflicts: int | None,
    ) -> bool | None:
        """Find a layout that the judge accepts, with at least `output`; with None, with more than the best.

        Returns False if there is none, None if a call of the solver takes more than `conflicts` conflicts.
        """

        def judged(solution: Assignment) -> bool | None:
            layout = self._plan.layout(solution.__contains__)
            program = Program(Network(self._level, layout))
            return judge(_Candidate(layout, program, program.greatest())) or None

        def assumptions() -> list[int]:
            others = assumed()
            if output is None and self._measure is not None:
                self._gate(self._measure.output)
            gates = [gate for value, gate in self._gates.items() if output is None or value < output]
            return [*gates, *others]

        return self._refinement.find(judged, assumptions, conflicts)

    def _gate(self, value: Fraction) -> int:
        """The variable that requires more output than this."""
        if value not in self._gates:
            self._gates[value] = self._plan.cnf.new(("more than", value))
            for clause in self._capacity.needed(value, more=True):
                self._plan.cnf.add(Tag("belt rate"), -self._gates[value], *clause)
        return self._gates[value]

    def _cut(self, candidate: _Candidate) -> None:
        """Add the cut of a layout: what a layout with more output has."""
        literals = cuts.better(self._plan, candidate.program, candidate.best)
        if candidate.best.value is not None:
            literals.append(-self._gate(candidate.best.value))
        self._plan.cnf.add(Tag("belt rate"), *literals)

    def _block(self, layout: Layout) -> None:
        """Forbid this layout and no other."""
        self._plan.cnf.add(Tag("belt rate"), *(-literal for literal in self._plan.stands(layout)))

    def _note(self, layout: Layout) -> None:
        """Keep a layout as the best so far."""
        layout = completed(self._level, layout)
        self._layout, self._measure = layout, measure(self._level, layout)
        if self._report is not None:
            self._report(self._layout, self._measure)
