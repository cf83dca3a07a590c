"""Shows that no goal of a task can be reached, without a search of its states: several ways in turns.

What takes the least comes first: sums of facts, pairs of facts that exclude each other, potentials, sums of pairs
of facts. The work of each is estimated from the size of the task before it begins, so that no search which has the
other turns waits long. All is counted work: no decision depends on a clock.
"""

from collections.abc import Iterator, Sequence

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.equations import CASE, MOST_WORK
from puzzlemc.mc.invariants.fact_pairs import SLICE, FactPairs
from puzzlemc.mc.invariants.search import SEARCHES
from puzzlemc.mc.invariants.sums import Sum, kinds_of, most_pairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.task import Condition, Task

FIRST_TURN = 1 << 24  # work of the first turn, about 2 ns each; each later one has twice as much
KINDS = 500  # work for each fact of an operator and each of its variables
MOST_KINDS = 100_000_000  # of this work; without it, each variable is of a kind of its own
PAIRS = 12_000  # work for an operator, beside that of the fixpoint
SUMS = 15_000, 15_000, 20_000  # work for an operator, of each of SEARCHES but the last
PAIRS_OF_FACTS = 100  # work of the last one for an operator and a pair of facts


class Refutation:
    """What shows that a task has no plan.

    kinds  the kind of each variable in the sums
    sums   a sum against each goal; None if none was found
    pairs  pairs of facts that exclude all goals or the start; None if they do not
    """

    kinds: tuple[int, ...]
    sums: tuple[Sum, ...] | None = None
    pairs: FactPairs | None = None

    def __init__(
        self, task: Task, goals: Sequence[Condition], values: Sequence[object], *, has_pairs: bool = False
    ) -> None:
        """Of a task whose goal states satisfy one of the conditions `goals`. Its mutex groups must be true.

        values     what the values of each variable stand for
        has_pairs  are pairs of facts known, so that they need not be looked for?
        """
        self._task, self._goals, self._values, self._has_pairs = task, goals, values, has_pairs

    @property
    def is_shown(self) -> bool:
        """Is it shown that the task has no plan?"""
        return self.sums is not None or self.pairs is not None

    def turns(self, budget: Budget, effort: int | None = None) -> Iterator[bool]:
        """After each turn, yield whether it is shown that the task has no plan, until all ways of the effort have
        ended.

        effort  1: sums of facts, and pairs of facts that exclude each other; 2: the others; None: all

        Raises LimitReached.
        """
        left = turn = FIRST_TURN
        for work in self._steps(budget, effort):
            while work > left:
                yield False
                turn *= 2
                left += turn
            left -= work
        yield self.is_shown

    def _steps(self, budget: Budget, effort: int | None) -> Iterator[int]:
        """Yield the work of each step before it is made."""
        if effort != 2:
            yield from self._by_sums(budget, 1)
            if not self.is_shown and not self._has_pairs:
                yield from self._by_pairs(budget)
        if effort != 1 and not self.is_shown:
            yield from self._by_sums(budget, 2)

    def _by_sums(self, budget: Budget, effort: int) -> Iterator[int]:
        operators = len(self._task.arrays)
        if CASE * operators > MOST_WORK:
            return
        if not hasattr(self, "_question"):
            yield from self._prepare()
        each = [*SUMS, PAIRS_OF_FACTS * most_pairs(self._task, self.kinds)]
        for work, (at, find) in zip(each, SEARCHES, strict=True):
            if at == effort:
                yield work * operators
                try:
                    self.sums = find(self._question, budget)
                except Unsuitable:
                    return  # the others look at the same cases
                if self.sums is not None:
                    return

    def _by_pairs(self, budget: Budget) -> Iterator[int]:
        yield PAIRS * len(self._task.arrays)
        pairs = FactPairs(self._task, self._goals)
        for _ in pairs.turns(budget):
            yield SLICE
        if pairs.is_shown:
            self.pairs = pairs

    def _prepare(self) -> Iterator[int]:
        """Find the kinds of the variables."""
        work = KINDS * sum(
            (len(operator.precondition) + sum(1 + len(effect.condition) for effect in operator.effects))
            * (len(operator.precondition) + len(operator.effects))
            for operator in self._task.operators
        )
        self.kinds = tuple(range(len(self._task.variables)))
        if work <= MOST_KINDS:
            yield work
            self.kinds = kinds_of(self._task, self._values)
        self._question = Question(self._task, self.kinds, self._goals)
