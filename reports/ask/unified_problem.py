"""A problem of unified-planning as a level: what the engines in `planner.py` and `validator.py` share."""

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from unified_planning.engines import Credits
from unified_planning.io import PDDLWriter
from unified_planning.model import AbstractProblem, ProblemKind

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.reports.ask import oversubscription

CREDITS = Credits(
    name="puzzlemc",
    author="puzzlemc contributors",
    contact="",
    website="",
    license="MIT",
    short_description="A symbolic model checker",
    long_description="Cheapest plans with proofs, and proofs that there is no plan.",
)


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
    kind.set_effects_kind("FLUENTS_IN_BOOLEAN_ASSIGNMENTS")
    for feature in ("ACTIONS_COST", "PLAN_LENGTH", "OVERSUBSCRIPTION"):
        kind.set_quality_metrics(feature)
    for numbers in ("INT", "REAL"):
        kind.set_oversubscription_kind(f"{numbers}_NUMBERS_IN_OVERSUBSCRIPTION")
    for feature in ("SIMPLE", "GENERAL"):
        kind.set_problem_type(f"{feature}_NUMERIC_PLANNING")
    for feature in ("INT_FLUENTS", "REAL_FLUENTS"):
        kind.set_fluents_type(feature)
    kind.set_numbers("BOUNDED_TYPES")
    for feature in ("INCREASE_EFFECTS", "DECREASE_EFFECTS"):
        kind.set_effects_kind(feature)
    for feature in ("STATIC_FLUENTS", "FLUENTS"):
        kind.set_effects_kind(f"{feature}_IN_NUMERIC_ASSIGNMENTS")
    kind.set_actions_cost_kind("FLUENTS_IN_ACTIONS_COST")
    kind.set_actions_cost_kind("STATIC_FLUENTS_IN_ACTIONS_COST")
    kind.set_actions_cost_kind("INT_NUMBERS_IN_ACTIONS_COST")
    return kind


def metric_of(problem: AbstractProblem) -> str:
    """The metric of the question: without one in the problem, the number of actions."""
    return "cost" if problem.quality_metrics else "steps"


def value_of(problem: AbstractProblem, cost: int) -> Fraction | int:
    """What the metric of a problem says of a plan with that cost."""
    gains = oversubscription.metric_of(problem)
    return cost if gains is None else oversubscription.gain(gains, cost)


def _bounded(problem: AbstractProblem, writer: PDDLWriter, domain: str) -> str:
    """The domain with the bounds of the types of its numbers."""
    limits = []
    for fluent in problem.fluents:
        if fluent.type.is_int_type() or fluent.type.is_real_type():
            least, largest = map(_limit, (fluent.type.lower_bound, fluent.type.upper_bound))
            if (least, largest) != ("-", "-"):
                limits.append(f"({writer.get_pddl_name(fluent)} {least} {largest})")
    if not limits:
        return domain
    return domain.replace("\n (:functions", f"\n (:bounds {' '.join(limits)})\n (:functions", 1)


def _limit(value: Fraction | int | None) -> str:
    """A bound as text. Raises ValueError for one that no decimal is exactly."""
    if value is None:
        return "-"
    number = Fraction(value)
    exact = Decimal(number.numerator) / Decimal(number.denominator)
    if Fraction(exact) != number:
        raise ValueError(f"found the bound {value}, expected one that is exactly a decimal")
    return f"{exact:f}"


@contextmanager
def written(problem: AbstractProblem) -> Iterator[tuple[PDDLWriter, Entry]]:
    """The problem as PDDL: its writer, which knows the names in it, and the entry of its file."""
    with tempfile.TemporaryDirectory(prefix="puzzlemc-") as folder:
        gains = oversubscription.metric_of(problem)
        plain = problem if gains is None else oversubscription.without_metric(problem)
        writer = PDDLWriter(plain, rewrite_bool_assignments=True)  # y := x as two conditional effects
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "The PDDL printer cannot exactly represent")
            domain = writer.get_domain()
        Path(folder, "domain.pddl").write_text(_bounded(plain, writer, domain), encoding="utf-8")
        text = writer.get_problem() if gains is None else oversubscription.with_preferences(writer, gains)
        Path(folder, "problem.pddl").write_text(text, encoding="utf-8")
        (entry,) = load([str(Path(folder, "problem.pddl"))])
        yield writer, entry
