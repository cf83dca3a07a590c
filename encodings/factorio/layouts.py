"""Layouts that come from a planner or from outside: the best one of a level, and what is right and wrong with one.

A layout from outside is the planner's JSON or a blueprint string. First the plain rules judge it, then model
checking says whether items flow along it (`transport.py`), also where the rules have faults to tell.
"""

from dataclasses import replace
from fractions import Fraction

from puzzlemc.encodings.factorio import rules
from puzzlemc.encodings.factorio.by_sat import BySat
from puzzlemc.encodings.factorio.model import can_work
from puzzlemc.encodings.factorio.optimise import Planned
from puzzlemc.encodings.factorio.transport import flow
from puzzlemc.encodings.puzzle import Best, Judged
from puzzlemc.mc.errors import LIMITS, ModelError, reason_of
from puzzlemc.mc.limits import Watch
from puzzlemc.screens import factorio_blueprint as blueprints
from puzzlemc.screens import factorio_json
from puzzlemc.screens.factorio import draw
from puzzlemc.screens.factorio_level import MAXIMIZE_OUTPUT, Layout, Level

SHARE = 0.9  # of the time is for the search: the layout that was found so far must still be told


def best(level: Level, watch: Watch) -> Best:
    """The best layout, or as good a one as there is time for."""
    planned = plan(level, watch)
    if planned.layout is None or planned.measure is None:
        return Best(None, planned.complete, "sat", reason=planned.reason or None)
    words = measured(planned.measure)
    if planned.optimal:
        words += "; proved: no layout is better"
    elif planned.proved:
        words += f"; proved: no layout has more output; not proved that it is the best ({planned.reason})"
    else:
        words += (
            f"; not proved that it is the best ({planned.reason}): no layout has more output than {planned.bound}"
        )
    told = {
        **_numbers(planned.measure),
        "bound": str(planned.bound),
        "proved": list(planned.proved),
    }
    moves = [factorio_json.write_layout(planned.layout).strip()]
    return Best(moves, planned.optimal, "sat", words, told, planned.reason or None)


def plan(level: Level, watch: Watch) -> Planned:
    """What the planner finds in most of the time that is left."""
    if not can_work(level):
        return Planned(None, None, (MAXIMIZE_OUTPUT,), Fraction(0), True)
    limits = watch.limits
    if watch.left is not None:
        limits = replace(limits, seconds=SHARE * watch.left)
    return BySat(level, watch.part(limits)).run()


def judged(level: Level, text: str, source: str, watch: Watch) -> Judged:
    """What is right and wrong with a layout. Raises LevelError where it cannot be read."""
    layout = read(text, source, level)
    faults = rules.faults(level, layout)
    if (layout.width, layout.height) != (level.width, level.height):
        return Judged(tuple(map(str, faults)), "", {}, draw(level, layout))
    words = [str(fault) for fault in faults]
    told: dict[str, object] = {}
    measure = None if faults else rules.check(level, layout)
    if measure is not None:
        told |= _numbers(measure)
    try:
        moving = flow(level, layout, watch)
    except LIMITS as limit:
        told["flow"] = f"not checked: {reason_of(limit)}"
    else:
        words += [f"flow: {fault}" for fault in moving.faults]
        if moving.goes_on is None:
            told["flow"] = f"not checked: {moving.reason}"
        elif not moving.faults:
            told["flow"] = f"every item arrives, nothing blocks ({moving.states:,} states)"
    said = f"{measured(measure)}; flow: {told.get('flow')}" if measure is not None else ""
    return Judged(tuple(words), said, told, draw(level, layout))


def read(text: str, source: str, level: Level | None = None) -> Layout:
    """A layout in the planner's JSON or as a blueprint string. Raises LevelError."""
    if blueprints.looks_like(text):
        return blueprints.read(text, source, level)
    return factorio_json.read_layout(text, source)


def measured(measure: rules.Measure) -> str:
    """How good a layout is, in words."""
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
    return {".json": factorio_json.write_layout(_layout(level))}


def _layout(level: Level) -> Layout:
    layout = plan(level, Watch()).layout
    if layout is None:
        raise ModelError("the level has no layout")
    return layout
