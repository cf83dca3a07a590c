"""The names of a task without numbers, and the way back from what the translator makes of them.

A function becomes a predicate with one argument more, a number becomes an object: `(= (fuel t1) 5)` becomes
`(goal--value-fuel t1 goal--5)`, and a fact of the model is `fuel(t1)=5` again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from puzzlemc.encodings.pddl.numeric.values import EQUALS
from puzzlemc.mc.tasks.task import Operator, Task
from puzzlemc.screens.pddl.conditions import Atom, fact
from puzzlemc.screens.pddl.level import RESERVED
from puzzlemc.screens.pddl.numbers import Fluent, Value, show_number

NUMBER = f"{RESERVED}number"  # the type of numbers
THING = f"{RESERVED}thing"  # the type of everything else
VALUE = f"{RESERVED}value-"
TABLE = f"{RESERVED}table-"
COST = f"{RESERVED}cost-"
STEP = f"{RESERVED}step-"
_VARIABLE = f"?{RESERVED}"
_FACT = re.compile(rf"((?:Negated)?Atom ){VALUE}([^\s()]+)\(([^()]*)\)")  # as the translator writes it


def number_name(value: Value) -> str:
    """The object for a number."""
    return RESERVED + show_number(value)


def variable(number: int) -> str:
    """A variable for a number."""
    return f"{_VARIABLE}{number}"


def value_atom(function: Fluent, value: str) -> Atom:
    """The atom: the function has the value, an object for a number or a variable."""
    return Atom(VALUE + function.name, (*function.terms, value))


@dataclass(frozen=True)
class StepName:
    """The action that a step is one of, and its arguments: objects, or the numbers of arguments of the step."""

    action: str
    arguments: Sequence[str | int]

    def of(self, arguments: Sequence[str]) -> str:
        """The name of the step as an operator has it, `drive t1 c1 c2`."""
        return " ".join(
            (self.action, *(arguments[each] if isinstance(each, int) else each for each in self.arguments))
        )


def renamed(task: Task, steps: Mapping[str, StepName]) -> Task:
    """The task of the translator with the names of the level."""
    variables = (replace(each, values=tuple(map(_value, each.values))) for each in task.variables)
    operators = tuple(_operator(each, steps) for each in task.operators)
    return replace(task, variables=tuple(variables), operators=operators)


def _value(text: str) -> str:
    found = _FACT.fullmatch(text)
    if found is None:
        return text
    *objects, number = (each.strip() for each in found[3].split(","))
    return f"{found[1]}{fact(found[2], tuple(objects))}{EQUALS}{number.removeprefix(RESERVED)}"


def _operator(operator: Operator, steps: Mapping[str, StepName]) -> Operator:
    head, *arguments = operator.name.split()
    return replace(operator, name=steps[head].of(arguments)) if head in steps else operator
