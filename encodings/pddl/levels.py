"""Levels of both kinds under one name: PDDL by its own rules, and translated tasks by those of tasks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from puzzlemc.encodings.pddl import rules, task_level, written
from puzzlemc.encodings.pddl.task_level import TaskLevel
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.later import later
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.pddl.level import Level, Remark

AnyLevel: TypeAlias = Level | TaskLevel

_compact = later("puzzlemc.encodings.pddl.compact:compact")
_constants = later("puzzlemc.encodings.pddl.compact:constants")


def start(level: AnyLevel) -> Any:
    """The first position."""
    return task_level.start(level) if isinstance(level, TaskLevel) else rules.start(level)


def at(level: AnyLevel, position: Any) -> AnyLevel:
    """The level with `position` as its first one."""
    return task_level.at(level, position) if isinstance(level, TaskLevel) else rules.at(level, position)


def steps(level: AnyLevel, position: Any) -> Iterator[Step]:
    """Yield the steps from a position."""
    return task_level.steps(level, position) if isinstance(level, TaskLevel) else rules.steps(level, position)


def step(level: AnyLevel, position: Any, name: str) -> Step | None:
    """The step of that name, None if it is not legal."""
    if isinstance(level, TaskLevel):
        return task_level.step(level, position, name)
    return rules.step(level, position, name)


def solved(level: AnyLevel, position: Any) -> bool:
    """Does the goal hold?"""
    return task_level.solved(level, position) if isinstance(level, TaskLevel) else rules.solved(level, position)


def closing(level: AnyLevel, position: Any) -> Step | None:
    """The step that closes a level with soft goals where its goal holds, or settles a preference."""
    return None if isinstance(level, TaskLevel) else rules.closing(level, position)


def compact(level: AnyLevel) -> Encoded:
    """The level as a model. Raises ModelError, LimitReached."""
    found: Encoded = task_level.compact(level) if isinstance(level, TaskLevel) else _compact(level)
    return found


def constants(level: AnyLevel) -> Mapping[str, bool]:
    """The atoms that never change, and are no bits of the model."""
    found: Mapping[str, bool] = {} if isinstance(level, TaskLevel) else _constants(level)
    return found


def warnings(level: AnyLevel) -> Sequence[Remark]:
    """What is odd in the text of a level."""
    return () if isinstance(level, TaskLevel) else level.warnings


def made_by(level: AnyLevel) -> str:
    """The program that has made the model of a level, in words."""
    return "" if isinstance(level, TaskLevel) else "the translator of PDDL"


def content(level: AnyLevel) -> str:
    """A text without comments, names of files, titles, and the order of objects."""
    if isinstance(level, TaskLevel):
        return level.text
    ordered = replace(level, objects=dict(sorted(level.objects.items())))
    return written.domain(ordered) + written.problem(ordered) + written.penalties(ordered)


def held(level: AnyLevel, position: Any) -> frozenset[str]:
    """The facts that hold in a position, of those that may change."""
    if isinstance(level, TaskLevel):
        return task_level.names(level, position)
    found: frozenset[str] = position
    return found


RULES = Transition(start, steps, solved, step)
