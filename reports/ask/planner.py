"""puzzlemc as two planners of unified-planning, for programs and notebooks that use that library.

    from unified_planning.shortcuts import get_environment, OneshotPlanner
    get_environment().factory.add_engine("puzzlemc", "puzzlemc.reports.ask.planner", "PlannerEngine")
    with OneshotPlanner(name="puzzlemc") as planner:
        result = planner.solve(problem, timeout=60)

The problem is written as PDDL, and the answer is that of the command line: a plan, the proof that there is none,
or a limit that came first. `PlannerEngine` returns the best plan within the limits; its status is the optimal one
only with a proof. `OptimalPlannerEngine` returns proved plans only, so it guarantees optimality.
"""

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from unified_planning.engines import PlanGenerationResult, PlanGenerationResultStatus
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
from unified_planning.engines.results import LogLevel, LogMessage
from unified_planning.io import PDDLReader, PDDLWriter
from unified_planning.model import AbstractProblem
from unified_planning.plans import Plan

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.ask import unified_problem
from puzzlemc.reports.ask.unified_engine import UnifiedEngine
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.formats.traces import FORMATS, play
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry


class PlannerEngine(UnifiedEngine, OneshotPlannerMixin):
    """A planner for classical problems: the best plan that is found within the limits."""

    NAME = "puzzlemc"

    def __init__(self, *, first: bool = False, memory: float = 4.0, certificate: str | None = None) -> None:
        """Make a planner.

        first        return the first plan that is found, whatever it costs
        memory       the limit, in GiB
        certificate  the file to which the certificate of each answer is written
        """
        UnifiedEngine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        self._first = first
        self._options = Options(timeout=0, memory=memory, prove=certificate is not None)
        self._certificate = None if certificate is None else Path(certificate)

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Has every plan that is returned that guarantee? A limit may come before the proof that it is optimal."""
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    def _solve(
        self,
        problem: AbstractProblem,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        for name, value in (("heuristic", heuristic), ("output_stream", output_stream)):
            if value is not None:
                warnings.warn(f"{self.name} does not use {name}", stacklevel=2)
        metric = ANY if self._first else unified_problem.metric_of(problem)
        options = replace(self._options, metric=metric, timeout=timeout or 0)
        with unified_problem.written(problem) as (writer, entry):
            if entry.error is not None:
                return self._result(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, None, str(entry.error))
            result = solve_entry(entry, options)
            if self._certificate is not None:
                result = certify(entry, options, result, self._certificate)
            return self._answer(result, lambda: _plan(problem, writer, entry, result))

    def _answer(self, result: Result, plan: Callable[[], Plan]) -> PlanGenerationResult:
        """The answer with its status."""
        if result.verdict == "error":
            return self._result(PlanGenerationResultStatus.INTERNAL_ERROR, None, result.reason or "")
        if result.verdict == "unsolvable":
            return self._result(PlanGenerationResultStatus.UNSOLVABLE_PROVEN, None, result.note)
        if result.trace is None:
            return self._result(_limit(result), None, result.note)
        found = (
            PlanGenerationResultStatus.SOLVED_OPTIMALLY
            if result.optimal
            else PlanGenerationResultStatus.SOLVED_SATISFICING
        )
        return self._result(found, plan(), result.note)

    def _result(self, status: PlanGenerationResultStatus, plan: Plan | None, note: str) -> PlanGenerationResult:
        """The result in the form of the library. The metrics name the certificate, if there is one."""
        level = LogLevel.ERROR if status == PlanGenerationResultStatus.INTERNAL_ERROR else LogLevel.INFO
        path = self._certificate
        metrics = None if path is None or not path.exists() else {"certificate": str(path)}
        return PlanGenerationResult(status, plan, self.name, metrics, [LogMessage(level, note)] if note else [])


class OptimalPlannerEngine(PlannerEngine):
    """A planner that returns only plans that are proved to be optimal."""

    NAME = "puzzlemc-opt"

    def __init__(self, *, memory: float = 4.0, certificate: str | None = None) -> None:
        """Make a planner: the same options, but for `first`."""
        super().__init__(memory=memory, certificate=certificate)

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Has every plan that is returned that guarantee?"""
        return True

    def _answer(self, result: Result, plan: Callable[[], Plan]) -> PlanGenerationResult:
        """The answer with its status."""
        if result.trace is not None and not result.optimal:
            costs = result.cost_in_words(result.claimed)
            return self._result(_limit(result), None, f"a plan was found, not proved to be optimal: {costs}")
        return super()._answer(result, plan)


def _limit(result: Result) -> PlanGenerationResultStatus:
    """The status for the limit that ended a search."""
    return PlanGenerationResultStatus.MEMOUT if result.reason == "memory" else PlanGenerationResultStatus.TIMEOUT


def _plan(problem: AbstractProblem, writer: PDDLWriter, entry: Entry, result: Result) -> Plan:
    """The plan in the words of the problem."""
    text = FORMATS["plan"].write(play(entry, result))
    assert isinstance(text, str)
    return PDDLReader().parse_plan_string(problem, text, writer.get_item_named)
