"""The operators of a task as arrays for compiled code. Compiled: see `mc/words.py`."""

import cython

from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Numbers, Numbers2


class Operators:
    """The fields of `OperatorArrays` in `mc/tasks/operators.py`, as views for compiled code."""

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
