"""Translated tasks, `.sas`, as levels. Their plain rules are the meaning of tasks (`mc/tasks/semantics.py`)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.later import later
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.rules.plain import Step
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part

if TYPE_CHECKING:  # slow to load, and a command that leaves levels to its workers needs none of it
    from puzzlemc.encodings.pddl.model import Facts
    from puzzlemc.mc.tasks.task import State as Values
    from puzzlemc.mc.tasks.task import Task

_facts_of = later("puzzlemc.encodings.pddl.model:facts_of")
_named = later("puzzlemc.encodings.pddl.model:named")
_moves = later("puzzlemc.encodings.pddl.model:moves")
_initial_state = later("puzzlemc.mc.tasks.semantics:initial_state")
_holds = later("puzzlemc.mc.tasks.semantics:holds")
_applied = later("puzzlemc.mc.tasks.semantics:applied")
_completed = later("puzzlemc.mc.tasks.semantics:completed")


@dataclass(frozen=True, eq=False)
class TaskLevel:
    """A task with its text."""

    title: str
    task: "Task"
    text: str

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Name of a step -> the number of its operator. Of operators with one name, later ones get a number."""
        names = [_named(operator) for operator in self.task.operators]
        own, found = frozenset(names), dict[str, int]()
        for number, name in enumerate(names):
            if name in found:
                name = f"{name}#{number}"
                while name in own or name in found:  # an operator may be called so
                    name += f"#{number}"
            found[name] = number
        return found

    @cached_property
    def facts(self) -> "Facts":
        """The bits of the task."""
        found: Facts = _facts_of(self.task)
        return found


def build(part: Part) -> TaskLevel:
    """Read a task. Raises LevelError."""
    from puzzlemc.mc.tasks.sas import TextError, read

    try:
        return TaskLevel(part.title, read(part.text), part.text)
    except TextError as error:
        raise LevelError(error.message, source=part.source, line=error.line) from None


def start(level: TaskLevel) -> "Values":
    """The first position: the values of all variables."""
    found: Values = _initial_state(level.task)
    return found


def at(level: TaskLevel, position: "Values") -> TaskLevel:
    """The level with `position` as its first one."""
    task = level.task
    initial = list(position)
    for number in task.derived:
        initial[number] = task.initial[number]
    return replace(level, task=replace(task, initial=tuple(initial)))


def solved(level: TaskLevel, position: "Values") -> bool:
    """Does the goal hold?"""
    return bool(_holds(level.task.goal, position))


def steps(level: TaskLevel, position: "Values") -> Iterator[Step]:
    """Yield the steps of all applicable operators."""
    for name in level.numbers:
        found = step(level, position, name)
        if found is not None:
            yield found


def step(level: TaskLevel, position: "Values", name: str) -> Step | None:
    """The step of an operator, None if it is not applicable, or there is none."""
    if name not in level.numbers:
        return None
    operator = level.task.operators[level.numbers[name]]
    if not _holds(operator.precondition, position):
        return None
    costs = {"cost": operator.cost, "steps": 1}
    return Step(name, _applied(level.task, operator, position), costs)


def compact(level: TaskLevel) -> Encoded:
    """The task as a model. Raises LimitReached, ModelError."""
    goals = [[dict([fact])] for fact in level.task.goal.items()]
    model = level.facts.model(level.task.operators, list(level.numbers), goals)
    return Encoded(model, partial(decoded, level), lambda trace: _moves(trace.actions))


def decoded(level: TaskLevel, state: State) -> "Values":
    """The values of all variables in a state."""
    found: Values = _completed(level.task, level.facts.values(state))
    return found


def names(level: TaskLevel, position: "Values") -> frozenset[str]:
    """The facts that hold in a position."""
    bits = (each.bits[value] for each, value in zip(level.facts.variables, position, strict=True))
    return frozenset(str(b) for b in bits if b is not None)
