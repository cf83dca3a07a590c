"""A task without operators that are in no plan, by pairs of facts that exclude each other (`fact_pairs`).

Such operators lead into dead states: where floors are painted, to places that nobody reaches any more. No estimate
by a relaxed plan sees that, and a search that never enters these states may take a thousandth of the time. All
plans are kept. The pairs are looked for only if that takes little work.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from puzzlemc.mc.invariants.fact_pairs import SLICE, FactPairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.task import Task

RULES = 12_000  # work for an operator, beside that of the fixpoint
MOST_WORK = 1 << 26  # about 2 ns each


@dataclass(frozen=True)
class Reduction:
    """A task with fewer operators; `numbers` are theirs in the whole task."""

    task: Task
    numbers: Sequence[int]

    def plan(self, plan: Sequence[int]) -> tuple[int, ...]:
        """A plan of the smaller task as one of the whole task."""
        return tuple(self.numbers[operator] for operator in plan)


def reduction(task: Task, budget: Budget) -> Reduction | None:
    """The task without some operators that are in no plan; None if there are none, or if it takes too much work.

    Raises LimitReached.
    """
    left = MOST_WORK - RULES * len(task.arrays)
    if left < 0:
        return None
    pairs = FactPairs(task, [task.goal])
    for _ in pairs.turns(budget):
        left -= SLICE
        if left < 0:
            break
    if pairs.is_shown or len(pairs.useful) == len(task.arrays):
        return None
    return Reduction(replace(task, operators=tuple(task.operators[n] for n in pairs.useful)), pairs.useful)
