"""The best layout of a level as an answer, and the judgement of a layout that comes from outside.

A layout from outside is the planner's JSON or a blueprint string. The plain rules check it. Model checking decides
whether items flow along it (`transport.py`), also if the plain rules find faults.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from puzzlemc.encodings.factorio.domain import rules
from puzzlemc.encodings.factorio.domain.rules import Measure
from puzzlemc.encodings.factorio.flow.network import completed
from puzzlemc.encodings.factorio.flow.transport import flow
from puzzlemc.encodings.factorio.planner.encodings import can_work
from puzzlemc.encodings.factorio.planner.optimise import Bounds, Planned, Report
from puzzlemc.encodings.factorio.planner.search import LayoutSearch
from puzzlemc.encodings.puzzle.questions import Assessment, BestSolution
from puzzlemc.mc.errors import LIMITS, ModelError, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.factorio import MAXIMIZE_OUTPUT, Layout, Level, draw, json_form
from puzzlemc.screens.factorio import blueprint as blueprints

SHARE = 0.9  # part of the time for the search; the rest is for the result


def best(level: Level, budget: Budget, better: Callable[[BestSolution], None] = lambda _: None) -> BestSolution:
    """The best layout, or the best one within the limits. `better` receives each better one as it is found."""

    def found(layout: Layout, measure: Measure) -> None:
        better(_best(Planned(layout, measure, (), Bounds(level).greatest_output(), False)))

    return _best(plan(level, budget, found))


def _best(planned: Planned) -> BestSolution:
    """The result of the planner, in words and numbers."""
    because = planned.reason and f" ({planned.reason})"
    if planned.layout is None or planned.measure is None:
        return BestSolution(None, planned.complete, "sat", reason=planned.reason or None)
    words = measured(planned.measure)
    if planned.optimal:
        words += "; proved: no layout is better"
    elif planned.proved:
        words += f"; proved: no layout has more output; not proved that it is the best{because}"
    else:
        words += f"; not proved that it is the best{because}: no layout has more output than {planned.bound}"
    data = {
        **_numbers(planned.measure),
        "bound": str(planned.bound),
        "proved": list(planned.proved),
    }
    moves = [json_form.write_layout(planned.layout).strip()]
    return BestSolution(moves, planned.optimal, "sat", words, data, planned.reason or None)


def plan(level: Level, budget: Budget, report: Report | None = None) -> Planned:
    """The result of the planner within SHARE of the time that is left; `report` receives each better layout."""
    if not can_work(level):
        return Planned(None, None, (MAXIMIZE_OUTPUT,), Fraction(0), True)
    limits = budget.limits
    if budget.left is not None:
        limits = replace(limits, seconds=SHARE * budget.left)
    return LayoutSearch(level, budget.part(limits), report).run()


def judged(level: Level, text: str, source: str) -> Assessment:
    """The judgement of the plain rules on a layout. Raises LevelError if it cannot be read."""
    layout = read(text, source, level)
    faults = tuple(map(str, rules.faults(level, layout, Fraction(0))))
    if faults:
        return Assessment(faults, "", {}, draw(level, layout))
    measure = rules.measure(level, completed(level, layout))
    words = measured(measure)
    if rules.faults(level, layout):
        words += f"; an inserter moves less than {rules.LEAST_RATE} a minute, which `solve` never plans"
    return Assessment((), words, _numbers(measure), draw(level, layout))


def judged_flow(level: Level, text: str, source: str, budget: Budget) -> Assessment:
    """The judgement of model checking on the flow of items along a layout, which may be invalid.

    Raises LevelError if the layout cannot be read.
    """
    layout = read(text, source, level)
    if (layout.width, layout.height) != (level.width, level.height):
        return Assessment((), "not checked: the layout does not have the size of the level", {})
    try:
        moving = flow(level, layout, budget)
    except LIMITS as limit:
        return Assessment((), "", {}, reason=reason_of(limit))
    faults = tuple(map(str, moving.faults))
    words = "" if faults or moving.reason else "every item arrives, nothing blocks"
    return Assessment(faults, words, {}, reason=moving.reason)


def read(text: str, source: str, level: Level | None = None) -> Layout:
    """A layout in the planner's JSON or as a blueprint string. Raises LevelError."""
    if blueprints.looks_like(text):
        return blueprints.read(text, source, level)
    start = text.lstrip("\ufeff \t\r\n")[:20]
    if not start.startswith(("{", "[")):
        expected = "expected a layout as a JSON object, or a blueprint string, which starts with 0"
        raise LevelError(f"found {start!r}, {expected}", source=source, line=1, column=1)
    return json_form.read_layout(text, source)


def measured(measure: rules.Measure) -> str:
    """The measure of a layout, in words."""
    return (
        f"output {_rate(measure.output)} a minute, loss {_rate(measure.loss)}, {measure.route} belts and inserters"
    )


def _rate(rate: Fraction) -> str:
    return str(rate) if rate.denominator == 1 else f"{rate} ({float(rate):.1f})"


def _numbers(measure: rules.Measure) -> dict[str, object]:
    return {"output": str(measure.output), "loss": str(measure.loss), "route": measure.route}


# Exports


def as_blueprint(level: Level) -> dict[str, str]:
    """The best layout as blueprint strings of both versions of the game."""
    layout = _layout(level)
    return {
        f".{version}.txt": blueprints.write(layout, version, level.title) + "\n" for version in blueprints.VERSIONS
    }


def as_json(level: Level) -> dict[str, str]:
    """The best layout in the planner's JSON."""
    return {".json": json_form.write_layout(_layout(level))}


def _layout(level: Level) -> Layout:
    layout = plan(level, Budget()).layout
    if layout is None:
        raise ModelError("the level has no layout")
    return layout
