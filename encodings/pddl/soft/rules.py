"""The plain rules of the closing phase: conditions are evaluated on the PDDL itself, see `phases`."""

from collections.abc import Callable

from puzzlemc.encodings.pddl.soft.phases import named, phases, step_names
from puzzlemc.mc.rules.plain import Step
from puzzlemc.screens.pddl.conditions import Condition
from puzzlemc.screens.pddl.level import Level

Position = frozenset[str]


def is_open(level: Level, position: Position) -> bool:
    """Can actions be applied?"""
    return not level.preferences or phases(level)[0] in position


def is_settled(level: Level, position: Position) -> bool:
    """Is each preference settled?"""
    return phases(level)[-1] in position


def closing_step(level: Level, position: Position, holds: Callable[[Condition], bool]) -> Step | None:
    """The only step from a position that is no action, if there is one. `holds` evaluates conditions there."""
    known = phases(level)
    at = next((number for number, phase in enumerate(known[:-1]) if phase in position), None)
    if at is None or (at == 0 and not holds(level.goal)):
        return None
    end, collect, forgo = step_names(level)
    name, cost = end, 0
    if at:
        preference = level.preferences[at - 1]
        held = holds(preference.condition)
        name = named(collect if held else forgo, preference)
        cost = 0 if held else preference.penalty
    return Step(name, position - {known[at]} | {known[at + 1]}, {"cost": cost, "steps": 0})
