"""The operators of a task as arrays for compiled code. Compiled: see `mc/words.py`."""

import cython

from puzzlemc.mc.tasks.task import Task
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
        arrays = task.arrays
        self.precondition_first, self.precondition = view(arrays.precondition_first), view(arrays.precondition)
        self.effect_first, self.effect = view(arrays.effect_first), view(arrays.effect)
        self.condition_first, self.condition = view(arrays.condition_first), view(arrays.condition)
        self.costs = view(arrays.costs // divisor)
