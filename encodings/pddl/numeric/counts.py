"""The values of functions as numbers in formulas: `fuel(t1) >= 3`.

A formula counts which of some formulas hold. Here these are: the value is at least 1, at least 2, and so on.
"""

from collections.abc import Iterable, Mapping, Sequence

from puzzlemc.encodings.pddl.numeric.values import EQUALS
from puzzlemc.mc.model.expressions import Or
from puzzlemc.mc.model.formula import Bit, Formula
from puzzlemc.screens.pddl.level import Level
from puzzlemc.screens.pddl.numbers import Value, shown_value

LARGEST = 100  # a function with a larger value is no number in formulas


def counted(level: Level, bits: Iterable[Bit]) -> Mapping[str, Sequence[Formula]]:
    """The functions that always have a value, each a whole number from 0, with the formulas to count."""
    found: dict[str, dict[Value, Bit]] = {}
    for b in bits if level.tracked else ():
        function, equals, number = str(b).partition(EQUALS)
        if equals and function in level.values:
            found.setdefault(function, {})[shown_value(number)] = b
    return {
        function: [
            Or(*(b for value, b in known.items() if value >= least)) for least in range(1, int(max(known)) + 1)
        ]
        for function, known in found.items()
        if all(isinstance(value, int) and 0 <= value <= LARGEST for value in known)
    }
