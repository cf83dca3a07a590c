"""Finite-domain tasks as files, with errors that name the file (`mc/tasks/sas.py` has the format)."""

import re
from dataclasses import replace

from puzzlemc.mc.tasks.sas import MOST_BYTES, TextError, write
from puzzlemc.mc.tasks.sas import read as task_of
from puzzlemc.mc.tasks.task import Task
from puzzlemc.screens.base.errors import LevelError

__all__ = ["MOST_BYTES", "for_planners", "read", "write"]

_NAMED = re.compile(r"(Negated)?Atom |<none of those>$")
_BIT = re.compile(r"([^\s\[\]]+)\[([^\[\]]*)\]")
_SEPARATORS = re.compile(r"[\s()\[\],]+")


def read(text: str, source: str) -> Task:
    """The task of a text. Raises LevelError with the line of what is wrong."""
    try:
        return task_of(text)
    except TextError as error:
        raise LevelError(error.message, source=source, line=error.line) from None


def for_planners(task: Task) -> Task:
    """The task with names that planners read.

    Facts are named as translators of PDDL name them, `Atom at(0, 1)`: LAMA takes no others. A name of an operator
    is a line that is not empty.
    """
    from puzzlemc.reports.formats.legend import plain  # it loads all of models, which a reader does without

    variables = (replace(each, values=tuple(map(_atom, each.values))) for each in task.variables)
    operators = (
        replace(each, name=plain(each.name).strip() or f"action {number}")
        for number, each in enumerate(task.operators)
    )
    return replace(task, variables=tuple(variables), operators=tuple(operators))


def _atom(value: str) -> str:
    if _NAMED.match(value):
        return value
    sign, name = ("NegatedAtom", value[4:]) if value.startswith("not ") else ("Atom", value)
    bit = _BIT.fullmatch(name)
    if bit is None:
        return f"{sign} {_SEPARATORS.sub('_', name).strip('_')}()"
    return f"{sign} {bit[1]}({', '.join(bit[2].split(','))})"
