"""How many solutions a constraint model has: exactly, in a decision diagram where it fits, else one by one."""

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.sat.solutions import solutions
from puzzlemc.mc.symbolic.capacity import with_capacity
from puzzlemc.mc.symbolic.system import compile_system


def count_solutions(model: Model, budget: Budget, diagrams: str = "zdd") -> int:
    """How many initial states are goal states: exactly, by diagrams, or one by one where those run out of memory.

    Raises LimitReached.
    """

    def attempt(capacity: int) -> int:
        system = compile_system(model, ANY, diagrams, capacity)
        return system.count(system.finish.meet(system.start.states))

    try:
        return with_capacity(diagrams, budget, attempt)
    except LimitReached as limit:
        if limit.reason in TIME:
            raise
        return sum(1 for _ in solutions(model, budget))
