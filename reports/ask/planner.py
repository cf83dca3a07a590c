"""puzzlemc as an engine of unified-planning, for programs and notebooks that use that library.

    from unified_planning.shortcuts import get_environment, OneshotPlanner
    get_environment().factory.add_engine("puzzlemc", "puzzlemc.reports.ask.planner", "PlannerEngine")
    with OneshotPlanner(name="puzzlemc") as planner:
        result = planner.solve(problem, timeout=60)

The problem is written as PDDL, and the answer is that of the command line: with an optimal plan, or the proof that
there is none, unless a limit comes first.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from unified_planning.engines import Credits, Engine, PlanGenerationResult, PlanGenerationResultStatus
from unified_planning.engines.mixins import OneshotPlannerMixin
from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
from unified_planning.engines.results import LogLevel, LogMessage
from unified_planning.io import PDDLReader, PDDLWriter
from unified_planning.model import AbstractProblem, ProblemKind
from unified_planning.plans import Plan

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry

CREDITS = Credits(
    name="puzzlemc",
    author="puzzlemc contributors",
    contact="",
    website="",
    license="MIT",
    short_description="A symbolic model checker",
    long_description="Cheapest plans with proofs, and proofs that there is no plan.",
)
NO_LIMIT_SECONDS = 1e6


class PlannerEngine(Engine, OneshotPlannerMixin):
    """A planner for classical problems: its plans are optimal, unless a limit of time ends the search."""

    def __init__(self, **options: Any) -> None:
        """No options are known. Raises TypeError for any."""
        if options:
            raise TypeError(f"found options {', '.join(options)}, expected none")
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)

    @property
    def name(self) -> str:
        """The name of the engine."""
        return "puzzlemc"

    @staticmethod
    def supported_kind() -> ProblemKind:
        """What a problem may have."""
        kind = ProblemKind(version=2)
        kind.set_problem_class("ACTION_BASED")
        for feature in ("FLAT_TYPING", "HIERARCHICAL_TYPING"):
            kind.set_typing(feature)
        for feature in ("NEGATIVE", "DISJUNCTIVE", "EXISTENTIAL", "UNIVERSAL"):
            kind.set_conditions_kind(f"{feature}_CONDITIONS")
        kind.set_conditions_kind("EQUALITIES")
        kind.set_effects_kind("CONDITIONAL_EFFECTS")
        kind.set_effects_kind("FORALL_EFFECTS")
        kind.set_effects_kind("STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS")
        for feature in ("ACTIONS_COST", "PLAN_LENGTH"):
            kind.set_quality_metrics(feature)
        kind.set_actions_cost_kind("STATIC_FLUENTS_IN_ACTIONS_COST")
        kind.set_actions_cost_kind("INT_NUMBERS_IN_ACTIONS_COST")
        return kind

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        """Can problems of that kind be solved?"""
        return bool(problem_kind <= PlannerEngine.supported_kind())

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        """Does each plan that is found within the limits have that guarantee?"""
        return True

    @staticmethod
    def get_credits(**options: Any) -> Credits:
        """Who has written it."""
        return CREDITS

    def _solve(
        self,
        problem: AbstractProblem,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: IO[str] | None = None,
    ) -> PlanGenerationResult:
        with tempfile.TemporaryDirectory(prefix="puzzlemc-") as folder:
            domain, task = Path(folder, "domain.pddl"), Path(folder, "problem.pddl")
            writer = PDDLWriter(problem)
            writer.write_domain(str(domain))
            writer.write_problem(str(task))
            (entry,) = load([str(task)])
            if entry.error is not None:
                return _failed(str(entry.error))
            metric = "cost" if problem.quality_metrics else "steps"
            result = solve_entry(entry, Options(metric=metric, timeout=timeout or NO_LIMIT_SECONDS))
            return _answer(problem, writer, result)


def _answer(problem: AbstractProblem, writer: PDDLWriter, result: Result) -> PlanGenerationResult:
    status = PlanGenerationResultStatus
    if result.verdict == "error":
        return _failed(result.reason or "")
    if result.verdict == "unsolvable":
        return PlanGenerationResult(status.UNSOLVABLE_PROVEN, None, "puzzlemc")
    if result.trace is None:
        reason = status.MEMOUT if result.reason == "memory" else status.TIMEOUT
        return PlanGenerationResult(reason, None, "puzzlemc")
    found = status.SOLVED_OPTIMALLY if result.optimal else status.SOLVED_SATISFICING
    return PlanGenerationResult(found, _plan(problem, writer, result), "puzzlemc")


def _plan(problem: AbstractProblem, writer: PDDLWriter, result: Result) -> Plan:
    """The plan in the words of the problem."""
    lines = []
    for move in result.trace or ():
        name, _, arguments = move.partition("(")
        lines.append(f"({' '.join([name, *arguments.removesuffix(')').split(',')]).strip()})")
    return PDDLReader().parse_plan_string(problem, "\n".join(lines), writer.get_item_named)


def _failed(reason: str) -> PlanGenerationResult:
    status = PlanGenerationResultStatus.INTERNAL_ERROR
    return PlanGenerationResult(status, None, "puzzlemc", log_messages=[LogMessage(LogLevel.ERROR, reason)])
