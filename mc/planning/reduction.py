"""A task without operators that are in no plan, by pairs of facts that exclude each other (`fact_pairs`).

Such pairs hold in no state on a plan.

Such operators lead into dead states: where floors are painted, to places that nobody reaches any more. No estimate
by a relaxed plan sees that, and a search that never enters these states may take a thousandth of the time. All
plans are kept. The pairs are looked for only if that takes little work.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from puzzlemc.mc.invariants.fact_pairs import SLICE, FactPairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.passes.exclusions import Rows
from puzzlemc.mc.tasks.task import Task

RULES = 12_000  # work for an operator, beside that of the fixpoint
MOST_WORK = 1 << 26  # about 2 ns each


@dataclass(frozen=True)
class Reduction:
    """A task with fewer operators, or as many.

    numbers   of the operators in the whole task
    together  for each fact of the task those that may hold with it in a state on a plan, as bits; None if nothing
              is known beside variables and mutex groups. Facts of derived variables have no bits
    """

    task: Task
    numbers: Sequence[int]
    together: Rows | None = None

    @classmethod
    def whole(cls, task: Task) -> "Reduction":
        """The task as it is."""
        return cls(task, range(len(task.arrays)))

    @property
    def is_smaller(self) -> bool:
        """Are there operators that are in no plan?"""
        return not isinstance(self.numbers, range)  # which are those of the whole task

    def plan(self, plan: Sequence[int]) -> tuple[int, ...]:
        """A plan of the smaller task as one of the whole task."""
        return tuple(self.numbers[operator] for operator in plan)


def reduction(task: Task, budget: Budget, most_work: int = MOST_WORK) -> Reduction | None:
    """The task without some operators that are in no plan; None if that takes more work, in units of 2 ns.

    It has no operators if it is shown to have no plan.

    Raises LimitReached.
    """
    left = most_work - RULES * len(task.arrays)
    if left < 0:
        return None
    pairs = FactPairs(task, [task.goal])
    for _ in pairs.turns(budget):
        left -= SLICE
        if left < 0:
            break
    if not pairs.rounds:
        return None
    numbers, together = range(len(task.arrays)), pairs.rounds[-1]
    useful = () if pairs.is_shown else pairs.useful
    if len(useful) < len(numbers):
        return Reduction(replace(task, operators=tuple(task.operators[n] for n in useful)), useful, together)
    known = _known(task, pairs)
    is_news = any(row & ~may for row, may in zip(known, together, strict=True))
    return Reduction(task, numbers, together if is_news else None)


def _known(task: Task, pairs: FactPairs) -> list[int]:
    """For each fact those that may hold with it by its variable and by mutex groups, which may be wrong."""
    rows = [*pairs.of_different_variables]
    for group in task.mutexes:
        facts = pairs.facts(group)
        every = sum(1 << fact for fact in facts)
        for fact in facts:
            rows[fact] &= ~every | 1 << fact
    derived = sum(1 << pairs.first[v] + value for v in task.derived for value in range(task.domains[v]))
    return [0 if derived >> fact & 1 else row & ~derived for fact, row in enumerate(rows)]
