"""The best layout by CP-SAT of OR-tools, which is an extra: the same clauses, and rates in whole grains.

A second opinion: rates are multiples of 1/GRAINS items a minute, so its optimum is one for such rates. What it
finds is valid for all that; where a better layout has other rates, it misses that.
"""

from fractions import Fraction
from functools import reduce
from math import gcd, inf, lcm
from typing import Any

from puzzlemc.encodings.factorio.domain.rules import Measure, measure
from puzzlemc.encodings.factorio.flow.network import BELT, INSERTER, LEAST, told
from puzzlemc.encodings.factorio.model.constraint import around, enters, plan
from puzzlemc.encodings.factorio.planner.optimise import Planned, Tell, greatest_output
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.factorio import (
    DIRECTIONS,
    MAXIMIZE_OUTPUT,
    MINIMIZE_LOSS,
    OPPOSITE,
    Cell,
    Layout,
    Level,
)

GRAINS = lcm(*range(1, 13), LEAST.denominator)  # an inserter's 50 can be shared by any number of cells up to 12


class ByCpSat:
    """A run of the planner. Raises ImportError where there is no OR-tools."""

    def __init__(self, level: Level, budget: Budget, tell: Tell | None = None) -> None:
        from ortools.sat.python import cp_model

        self._cp: Any = cp_model
        self._level, self._watch, self._tell = level, budget, tell
        self._plan = plan(level)
        for cell in level.cells():
            for word in DIRECTIONS:
                for item in level.items:
                    enters(self._plan, cell, word, item)
        self._model: Any = cp_model.CpModel()
        self._bools = [self._model.new_bool_var("") for _ in range(self._plan.cnf.top)]
        for row in self._plan.cnf.rows:
            self._model.add_bool_or([self._literal(number) for number in row])
        self._outflow: dict[Cell, Any] = {}
        self._rates()

    def run(self) -> Planned:
        """Find the best layout, or as good a one as there is time for."""
        cp = self._cp
        bound = greatest_output(self._level)
        output = sum(self._outflow[port.cell] for port in self._level.outputs)
        self._model.maximize(output)
        solver, status = self._solve()
        if status == cp.INFEASIBLE:
            return Planned(None, None, (MAXIMIZE_OUTPUT,), Fraction(0), True)
        if status == cp.UNKNOWN:
            return Planned(None, None, (), bound, False, "timeout")
        layout, found = self._note(solver)
        if status != cp.OPTIMAL:
            return Planned(layout, found, (), bound, False, "timeout")
        bound = Fraction(round(solver.objective_value), GRAINS)
        if self._level.optimize != MAXIMIZE_OUTPUT:
            self._model.add(output >= round(solver.objective_value))
            self._model.clear_hints()
            for variable in self._bools:
                self._model.add_hint(variable, solver.value(variable))
            if self._level.optimize == MINIMIZE_LOSS:
                self._model.minimize(sum(self._loss()))
            else:
                self._model.minimize(sum(self._literal(number) for number in self._plan.pieces.values()))
            solver, status = self._solve()
            if status in (cp.OPTIMAL, cp.FEASIBLE):
                layout, found = self._note(solver)
            if status != cp.OPTIMAL:
                return Planned(layout, found, (MAXIMIZE_OUTPUT,), bound, False, "timeout")
        return Planned(layout, found, self._level.criteria, bound, True)

    def _solve(self) -> tuple[Any, Any]:
        solver = self._cp.CpSolver()
        left = self._watch.left
        solver.parameters.max_time_in_seconds = inf if left is None else max(left, 0.001)
        solver.parameters.num_workers = 8  # its strategies, of which no single one is good here
        return solver, solver.solve(self._model)

    def _note(self, solver: Any) -> tuple[Layout, Measure]:
        layout = told(self._level, self._plan.layout(lambda number: bool(solver.value(self._bools[number - 1]))))
        found = measure(self._level, layout)
        if self._tell is not None:
            self._tell(layout, found)
        return layout, found

    def _literal(self, number: int) -> Any:
        variable = self._bools[abs(number) - 1]
        return variable if number > 0 else variable.negated()

    def _amount(self, most: Fraction) -> Any:
        return self._model.new_int_var(0, int(most * GRAINS), "")

    def _where(self, literal: Any, amount: Any, most: Fraction) -> Any:
        """An amount where a literal holds, else 0."""
        made = self._amount(most)
        self._model.add(made == amount).only_enforce_if(literal)
        self._model.add(made == 0).only_enforce_if(literal.negated())
        return made

    def _rates(self) -> None:
        """Belt rate, inserter rate and recipe ratio."""
        plan, level, model = self._plan, self._level, self._model
        moved: dict[Cell, Any] = {}
        by_word: dict[tuple[Cell, str], Any] = {}
        passed: dict[tuple[Cell, str], Any] = {}
        for cell in level.cells():
            moved[cell] = self._amount(INSERTER)
            self._outflow[cell] = self._amount(BELT)
            inserters = {word: self._literal(plan.inserter[cell, word]) for word in DIRECTIONS}
            for word, inserter in inserters.items():
                model.add(moved[cell] >= int(LEAST * GRAINS)).only_enforce_if(inserter)
                by_word[cell, word] = self._where(inserter, moved[cell], INSERTER)
                belt = self._literal(plan.belt[cell, word])
                carried = self._where(belt, self._outflow[cell], BELT)
                passed[cell, word] = carried + by_word[cell, word]
        inputs = {port.cell for port in level.inputs}
        outputs = {port.cell for port in level.outputs}
        for cell in level.cells():
            belt = self._literal(plan.belts[cell])
            got = self._amount(BELT)
            if cell not in inputs:
                feeders = [
                    passed[beside, OPPOSITE[side]]
                    for side in DIRECTIONS
                    if (beside := level.ahead(cell, side)) is not None and beside not in outputs
                ]
                model.add(got == sum(feeders)).only_enforce_if(belt)
            takers = [
                by_word[beside, side] for side in DIRECTIONS if (beside := level.ahead(cell, side)) is not None
            ]
            model.add(self._outflow[cell] == got - sum(takers)).only_enforce_if(belt)
        brought: dict[tuple[Cell, str, str], Any] = {}
        for (centre, name), number in plan.assembler.items():
            recipe, assembler = level.recipe(name), self._literal(number)
            rates = [recipe.gives[1], *(rate for _, rate in recipe.takes)]
            scale = lcm(*(rate.denominator for rate in rates))
            unit = Fraction(reduce(gcd, (int(rate * scale) for rate in rates)), scale)
            work = self._amount(unit)
            nearby = around(level, centre)
            share = self._amount(INSERTER)
            leaving = [by_word[cell, away] for cell, away in nearby]
            model.add(sum(leaving) == int(recipe.gives[1] / unit) * work).only_enforce_if(assembler)
            for cell, away in nearby:
                given = [assembler, self._literal(plan.inserter[cell, away])]
                model.add(moved[cell] == share).only_enforce_if(given)
            for item, rate in recipe.takes:
                entering = []
                for cell, away in nearby:
                    key = (cell, OPPOSITE[away], item)
                    if key not in brought:
                        brought[key] = self._where(self._literal(enters(plan, *key)), moved[cell], INSERTER)
                    entering.append(brought[key])
                model.add(sum(entering) == int(rate / unit) * work).only_enforce_if(assembler)

    def _loss(self) -> list[Any]:
        """What belts pass on that point at an inserter of their direction."""
        found = []
        outputs = {port.cell for port in self._level.outputs}
        for (cell, word), number in self._plan.belt.items():
            ahead = self._level.ahead(cell, word)
            if ahead is not None and cell not in outputs:
                lost = self._amount(BELT)
                given = [self._literal(number), self._literal(self._plan.inserter[ahead, word])]
                self._model.add(lost >= self._outflow[cell]).only_enforce_if(given)
                found.append(lost)
        return found
