"""Soft goals of unified-planning as preferences of PDDL, which its writer does not write.

The metric `Oversubscription` has a gain for each goal, and the greatest sum of gains is wanted. A goal with a gain
becomes a preference with that penalty; one with a loss, the preference for its negation. So the cost of a plan is
what its gain falls short of the sum of all positive gains, times a scale that makes fractions whole.
"""

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

from unified_planning.io.pddl_writer import ConverterToPDDLString, PDDLWriter
from unified_planning.model import AbstractProblem, FNode
from unified_planning.model.metrics import Oversubscription

_GOAL = " (:goal (and "


def metric_of(problem: AbstractProblem) -> Oversubscription | None:
    """The metric of a problem, if it is one with soft goals and no other."""
    metrics = problem.quality_metrics
    return metrics[0] if len(metrics) == 1 and isinstance(metrics[0], Oversubscription) else None


def without_metric(problem: AbstractProblem) -> AbstractProblem:
    """A copy of the problem with its hard goals alone."""
    copy = problem.clone()
    copy.clear_quality_metrics()
    return copy


def with_preferences(writer: PDDLWriter, metric: Oversubscription) -> str:
    """The PDDL of the problem of a writer, with the goals of the metric as preferences."""
    convert = ConverterToPDDLString(writer.problem.environment, writer._get_mangled_name).convert
    goals, penalties = [], []
    for number, (goal, gain) in enumerate(metric.goals.items()):
        wanted = _written(goal, convert)
        goals.append(f"(preference g{number} {wanted if gain >= 0 else f'(not {wanted})'})")
        penalties.append(f"(* {abs(gain) * _scale(metric)} (is-violated g{number}))")
    if not goals:  # a metric must mention one
        goals, penalties = ["(preference g0 (and))"], ["(is-violated g0)"]
    head, found, rest = writer.get_problem().partition(_GOAL)
    assert found
    body = rest.rstrip().removesuffix(")")
    return f"{head}{_GOAL}{' '.join(goals)} {body} (:metric minimize (+ {' '.join(penalties)})))\n"


def gain(metric: Oversubscription, cost: int) -> Fraction | int:
    """The gain of a plan with that cost."""
    found = sum(gain for gain in metric.goals.values() if gain > 0) - Fraction(cost, _scale(metric))
    return int(found) if found.denominator == 1 else found


def _scale(metric: Oversubscription) -> int:
    """The least number that makes all gains whole."""
    return lcm(*(Fraction(gain).denominator for gain in metric.goals.values()))


def _written(goal: FNode, convert: Callable[[FNode], Any]) -> str:
    """A condition in PDDL; the converter has no constants."""
    simple = goal.simplify()
    if simple.is_bool_constant():
        return "(and)" if simple.bool_constant_value() else "(or)"
    return str(convert(simple))
