"""puzzlemc as a plan validator of unified-planning: plain rules replay a plan, and a certificate is checked.

    get_environment().factory.add_engine("puzzlemc-val", "puzzlemc.reports.ask.validator", "ValidatorEngine")
    with PlanValidator(name="puzzlemc-val", params={"certificate": "proof.cert"}) as validator:
        result = validator.validate(problem, plan)

With a certificate, `result.metrics["optimal"]` says whether it proves that no plan is better: `yes`, `no` for a
plan that is worse than the one in it, or `unknown`. No engine takes part.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

from unified_planning.engines.mixins import PlanValidatorMixin
from unified_planning.engines.results import (
    FailedValidationReason,
    LogLevel,
    LogMessage,
    ValidationResult,
    ValidationResultStatus,
)
from unified_planning.model import AbstractProblem
from unified_planning.plans import Plan, PlanKind, SequentialPlan

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.reports.ask import unified_problem
from puzzlemc.reports.ask.unified_engine import UnifiedEngine
from puzzlemc.reports.certify.verify import Verification, verify


class ValidatorEngine(UnifiedEngine, PlanValidatorMixin):
    """A validator of sequential plans, and of certificates about their problems."""

    NAME = "puzzlemc-val"

    def __init__(self, *, certificate: str | None = None, timeout: float = 0, memory: float = 4.0) -> None:
        """Make a validator. The limits, in seconds and GiB, are for the check of the certificate in that file."""
        UnifiedEngine.__init__(self)
        PlanValidatorMixin.__init__(self)
        self._certificate = None if certificate is None else Path(certificate)
        self._limits = Limits(timeout or None, int(memory * GIB))

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        """Can plans of that kind be validated?"""
        return bool(plan_kind == PlanKind.SEQUENTIAL_PLAN)

    def _validate(self, problem: AbstractProblem, plan: Plan) -> ValidationResult:
        assert isinstance(plan, SequentialPlan)
        with unified_problem.written(problem) as (writer, entry):
            if entry.level is None:
                return self._result(ValidationResultStatus.UNKNOWN, f"the problem cannot be read: {entry.error}")
            moves = entry.puzzle.text.read_moves
            assert moves is not None
            names = [move.name for move in moves(writer.get_plan(plan), "the plan", 1)]
            position, total = entry.puzzle.rules.start(entry.level), 0
            metric = unified_problem.metric_of(problem)
            for name, action in zip(names, plan.actions, strict=True):
                step = entry.puzzle.rules.reply(entry.level, position, name)
                if step is None:
                    reason = FailedValidationReason.INAPPLICABLE_ACTION
                    words = f"{name} is not applicable"
                    return self._result(
                        ValidationResultStatus.INVALID, words, reason=reason, inapplicable_action=action
                    )
                position, total = step.position, total + step.costs[metric]
            closing = entry.puzzle.text.closing
            while closing is not None and (step := closing(entry.level, position)) is not None:
                position, total = step.position, total + step.costs[metric]
            if not entry.puzzle.rules.solved(entry.level, position):
                reason = FailedValidationReason.UNSATISFIED_GOALS
                return self._result(
                    ValidationResultStatus.INVALID, "the goal does not hold after the plan", reason=reason
                )
            evaluations = dict.fromkeys(problem.quality_metrics, unified_problem.value_of(problem, total))
            if self._certificate is None:
                return self._result(ValidationResultStatus.VALID, "", metric_evaluations=evaluations)
            done = verify(self._certificate, [entry], budget=Budget(self._limits))
            return self._certified(done, total, metric, evaluations)

    def _certified(
        self, done: Verification, total: int, metric: str, evaluations: dict[Any, Fraction | int]
    ) -> ValidationResult:
        """The result for a valid plan of that cost, with the certificate checked."""
        certificate = done.certificate
        if done.status != "valid" or certificate is None:
            return self._result(ValidationResultStatus.UNKNOWN, done.as_text(), metric_evaluations=evaluations)
        optimal = "unknown"
        if certificate.optimal and certificate.metric == metric and certificate.cost is not None:
            optimal = "yes" if total == certificate.cost else "no"
        if certificate.verdict == "unsolvable" or (optimal == "no" and total < (certificate.cost or 0)):
            raise Refuted(f"a plan that costs {total} is valid, and the certificate proves that there is none")
        return self._result(
            ValidationResultStatus.VALID,
            done.as_text(),
            metric_evaluations=evaluations,
            metrics={"optimal": optimal},
        )

    def _result(self, status: ValidationResultStatus, words: str, **fields: Any) -> ValidationResult:
        logs = [LogMessage(LogLevel.INFO, words)] if words else []
        return ValidationResult(status, self.name, logs, **fields)
