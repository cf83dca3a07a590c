"""The bits for the variables of a finite-domain task: a bit for each fact, named like the fact.

A variable has several facts, of which at most one holds. Its value *none of those* has no bit: then all are false.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from puzzlemc.mc.model.formula import Bit, bit
from puzzlemc.mc.model.variables import Variable
from puzzlemc.mc.tasks.task import Task, TaskVariable

ATOM = re.compile(r"Atom ([^\s()]+)\(([^()]*)\)")
VALUED = re.compile(r"Atom ([^\s()=]+(?:\([^\s()=]*\))?=[^\s()=]+)")  # a function has a value
NEGATED = "NegatedAtom "
NONE = "<none of those>"
_OTHER = re.compile(r"[^a-z0-9_]+")


@dataclass(frozen=True)
class Coded:
    """A variable of a task as bits: the bit of each value, None for the value whose code has no true bit."""

    name: str
    values: tuple[str, ...]
    bits: tuple[Bit | None, ...]

    @cached_property
    def variable(self) -> Variable:
        """The variable of the model."""
        bits = tuple(b for b in self.bits if b is not None)
        codes = tuple(tuple(own is b for b in bits) for own in self.bits)
        return Variable(self.name, self.values, bits, codes)

    @cached_property
    def cubes(self) -> tuple[dict[Bit, bool], ...]:
        """For each value the condition that the variable has it: one literal, but for the value without a bit."""
        return tuple(dict.fromkeys(self.variable.bits, False) if own is None else {own: True} for own in self.bits)

    @cached_property
    def codes(self) -> tuple[dict[Bit, bool], ...]:
        """For each value all bits."""
        return tuple({b: b is own for b in self.variable.bits} for own in self.bits)


def coded(task: Task) -> list[Coded]:
    """The variables of a task as bits, derived ones as well."""
    every = [_names(number, variable) for number, variable in enumerate(task.variables)]
    own, known = {name for names in every for name in names}, set[str]()
    found = []
    for number, (variable, names) in enumerate(zip(task.variables, every, strict=True)):
        for at, name in enumerate(names):
            if name in known:  # a task may have one fact in two variables, or twice in one
                name = f"value({number},{at})"
                while name in own or name in known:  # a fact may be called so
                    name += "_"
                names[at] = name
            if name is not None:
                known.add(name)
        bits = tuple(None if name is None else bit(name) for name in names)
        found.append(Coded(f"var{number}", variable.values, bits))
    return found


def _names(number: int, variable: TaskVariable) -> list[str | None]:
    """The name of each value's fact; None for one value at most."""
    names: list[str | None] = []
    for at, value in enumerate(variable.values):
        atom, valued = ATOM.fullmatch(value), VALUED.fullmatch(value)
        if valued is not None:
            names.append(valued[1])
        elif atom is not None:
            arguments = "".join(atom[2].split())
            names.append(f"{atom[1]}({arguments})" if arguments else atom[1])
        elif None not in names and (value == NONE or value.startswith(NEGATED) or at == len(variable.values) - 1):
            names.append(None)
        else:
            names.append(f"value({number},{_OTHER.sub('_', value.lower())[:60]}_{at})")
    if len(names) == 1 and names[0] is None:  # a variable needs a bit
        names = [f"value({number},0)"]
    return names
