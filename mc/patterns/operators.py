"""The operators of a task as arrays for compiled code. Compiled: see `mc/words.py`."""

from collections.abc import Iterable, Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.tasks.task import Fact, Task
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Numbers, Numbers2


class Operators:
    """The operators of a task. A fact is a row of two numbers, a variable and a value.

    precondition_first  (operators + 1,): the facts of operator o are those from `precondition_first[o]` to before
                        `precondition_first[o + 1]`
    precondition        (facts, 2)
    effect_first        (operators + 1,): likewise for effects
    effect              (effects, 2): the fact that an effect makes true
    condition_first     (effects + 1,): likewise for the condition of each effect
    condition           (facts, 2)
    costs               (operators,)
    """

    precondition_first: Numbers  # readonly
    precondition: Numbers2  # readonly
    effect_first: Numbers  # readonly
    effect: Numbers2  # readonly
    condition_first: Numbers  # readonly
    condition: Numbers2  # readonly
    costs: Numbers  # readonly

    def __init__(self, task: Task, divisor: int = 1) -> None:
        """The operators of a task; their costs are divided by a common divisor."""
        operators = task.operators
        effects = [effect for operator in operators for effect in operator.effects]
        self.precondition_first = view(starts(len(operator.precondition) for operator in operators))
        self.precondition = view(facts([fact for each in operators for fact in each.precondition.items()]))
        self.effect_first = view(starts(len(operator.effects) for operator in operators))
        self.effect = view(facts([(effect.variable, effect.value) for effect in effects]))
        self.condition_first = view(starts(len(effect.condition) for effect in effects))
        self.condition = view(facts([fact for effect in effects for fact in effect.condition.items()]))
        self.costs = view(np.array([operator.cost // divisor for operator in operators], np.int64))


def starts(lengths: Iterable[int]) -> npt.NDArray[np.int64]:
    """Where each of several lists starts that are written one after the other; last, where they end."""
    return np.cumsum([0, *lengths], dtype=np.int64)


def facts(pairs: Sequence[Fact]) -> npt.NDArray[np.int64]:
    """Facts as rows; one row that nobody reads if there are none."""
    return np.array(pairs or [(0, 0)], np.int64).reshape(-1, 2)
