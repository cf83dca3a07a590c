"""A cheapest plan of a finite-domain task, by A* with pattern databases out of the task.

Preparation and search take turns. Each stage has more patterns, more cost partitionings and more expansions than
the one before, so that an easy task is solved before much is prepared. If the bounds of the new stage are not
better for states of the search, the search goes on with the old ones. Where the task has symmetries, the second
stage begins a search of one state for all that are alike. All is counted work: no decision depends on a clock.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from puzzlemc.mc.errors import LIMITS, Unsuitable, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.partitioning import Partitionings
from puzzlemc.mc.patterns.potential import Potential
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.potential import potential
from puzzlemc.mc.planning.preparation import STAGES, Preparation, Stage
from puzzlemc.mc.planning.reduction import Reduction, reduction
from puzzlemc.mc.planning.search import Search, advance, go_on
from puzzlemc.mc.planning.stubborn_sets import StubbornSets
from puzzlemc.mc.search.growing import UNLIMITED
from puzzlemc.mc.search.state_table import ENDED, FOUND, PAUSED
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.symmetry.representatives import Symmetries
from puzzlemc.mc.symmetry.selection import cheapest, choices
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Searched, State, Task
from puzzlemc.mc.verdict import Statistics

GAIN = 1.02  # the least factor by which a stage must raise the mean bound
REDUCTION = 4  # the work that a smaller task may take, for each unit of the work of a stage
LAST_EXPANSIONS = 500_000  # of the first turn after the last stage; each later one has twice as many
IN_VAIN = 2  # stages one after the other that raise it by less; after them, nothing more is prepared
FIRST_STATES, FIRST_VALUES = 3_000, 600_000  # the most states by which symmetries are chosen, and their values


def cheapest_plan(task: Task, budget: Budget) -> Searched:
    """A cheapest plan of the task, or the proof by exhaustion that it has none.

    Raises Unsuitable if a cost is too large.
    """
    for found in in_turns(task, budget):
        if found is not None:
            return found
    raise AssertionError("a search ends with a result")


def is_dead(task: Task, state: State) -> bool:
    """Does no plan lead from the state to the goal? Decided by a new search."""
    derived = set(task.derived)
    initial = (task.initial[v] if v in derived else value for v, value in enumerate(state))
    return cheapest_plan(replace(task, initial=tuple(initial)), Budget()).plan is None


def in_turns(task: Task, budget: Budget) -> Iterator[Searched | None]:
    """Yield None after each turn, the result of `cheapest_plan` last.

    Each turn takes some times the work of the turn before. Raises Unsuitable if a cost is too large.
    """
    search = PatternSearch(task, budget, folds=True, reduces=True, prunes=True)
    try:
        yield from search.turns()
    except LIMITS as limit:
        yield Searched(None, 0, budget.bound, reason_of(limit))
    else:
        yield search.searched()


class PatternSearch:
    """A* with pattern databases, in turns.

    unit           costs in the search, times this, are those of the task
    partitionings  the bounds of the search, from the first turn on
    search         the search itself, likewise
    symmetries     those by which it folds states
    stubborn       stubborn sets, whose operators alone it applies
    reduced        the task that is searched
    """

    partitionings: Partitionings
    search: Search

    def __init__(
        self, task: Task, budget: Budget, *, folds: bool = False, reduces: bool = False, prunes: bool = False
    ) -> None:
        """A search of the task. No proof follows from one with any of these:

        folds    one state is searched for all that are alike
        reduces  operators that are in no plan are left out
        prunes   in each state, those that are not in a stubborn set are left out: some plans are not found

        Raises Unsuitable if a cost is too large.
        """
        self._task, self._budget, self._folds = task, budget, folds
        self._reduces = reduces  # until a smaller task has been looked for
        self.reduced = Reduction.whole(task)
        self.stubborn = StubbornSets(task, is_on=prunes)
        self.symmetries = Symmetries(task, [])
        costs = task.arrays.costs
        self.unit = int(np.gcd.reduce(costs)) or 1
        self._status, self._upper = PAUSED, UNLIMITED
        if costs.max(initial=0) // self.unit >= INFINITE:
            raise Unsuitable(f"an operator costs {INFINITE * self.unit} or more")

    def prune(self, cost: int) -> None:
        """Search only for plans that cost less than `cost`; another plan has this cost."""
        self._upper = min(cost // self.unit, UNLIMITED)

    def turns(self) -> Iterator[None]:
        """Search until a cheapest plan is found, or no state is open. Raises LimitReached."""
        budget, initial = self._budget, initial_state(self._task)
        preparation = Preparation(self._task, budget, self.unit)
        packed = PackedTask(self._task, preparation.abstracted.operators)
        turns = Turns(budget)

        def run(most: int) -> int:
            return turns.run_counted(self._advance, lambda: self.search.work, most)

        def begin(partitionings: Partitionings) -> None:
            # The estimate has a copy of the partitionings.
            self._memory = (
                budget.limits.memory - preparation.bytes - 2 * partitionings.bytes - self.symmetries.images.nbytes
            )
            self.partitionings = partitionings
            self.search = Search(packed, partitionings.estimate(), initial, self.symmetries, self.stubborn)

        begin(preparation.partition(STAGES[0], [initial]))
        self._status, in_vain = run(STAGES[0].expansions), 0
        more: Potential | None = None
        for stage in STAGES[1:]:
            if self._status != PAUSED or in_vain == IN_VAIN:
                break
            yield
            samples = [initial, *self.search.states(stage.samples)]
            # Not before the last stage: a search that begins anew loses more there than it gains.
            is_reduced = self._reduces and stage is not STAGES[-1] and self._reduce(stage)
            if is_reduced:
                preparation = Preparation(self.reduced.task, budget, self.unit, self.reduced.together)
                packed = PackedTask(self.reduced.task, preparation.abstracted.operators)
            found = preparation.partition(stage, samples, None if is_reduced else self.partitionings)
            if stage is STAGES[1]:
                more = potential(preparation.abstracted, self.unit)
                if more is not None and more.bound(initial) <= found.bound(initial):
                    more = None  # it costs more than it is worth
            found.potential = more
            if stage is STAGES[1] and self._folds:
                self._choose_symmetries()
            is_folded = self.symmetries.count > self.search.symmetries.count
            if is_reduced or is_folded or found.mean(samples) > GAIN * self.partitionings.mean(samples):
                begin(found)
                in_vain = 0
            else:
                in_vain += 1
            self._status = run(stage.expansions)
        expansions = LAST_EXPANSIONS
        while self._status == PAUSED:
            yield
            self._status = run(expansions)
            expansions *= 2

    def _reduce(self, stage: Stage) -> bool:
        """Look for operators that are in no plan, and for facts that never hold together; are there some?

        That is done once, in the first stage of which it takes no more than a part. Raises LimitReached.
        """
        found = reduction(self._task, self._budget, REDUCTION * stage.work)
        if found is None:
            return False
        self._reduces, self.reduced = False, found
        if found.is_smaller:
            self.stubborn = StubbornSets(found.task, is_on=self.stubborn.is_on)
        return found.together is not None

    def _choose_symmetries(self) -> None:
        """Look for symmetries, and choose those by which the search folds states. Raises LimitReached."""
        self._budget.check()
        some = choices(self.reduced.task)
        if some[-1].count:
            count = min(FIRST_STATES, FIRST_VALUES // len(self._task.domains))
            self.symmetries = cheapest(some, self.search.first_states(count))

    def go_on(self, most: int, expansions: int) -> tuple[bool, int | None]:
        """Go on behind the plan that was found: expand some states on plans that cost at most `most` units.

        Return whether such states are left, and the least cost that plans through further states may have, in
        units; None if there are none. Raises LimitReached.
        """
        go_on(self.search, most)
        self.search.enlarge(self._memory)  # there is room also where nothing is left to expand
        further = partial(advance, self.search, self._memory)
        status = Turns(self._budget).run_counted(further, lambda: self.search.work, expansions)
        return status == PAUSED, self.search.least_open

    def _advance(self, most: int) -> int:
        """Expand states until that is `most` work; return the status. Raises LimitReached."""
        self.search.upper = self._upper
        try:
            status = advance(self.search, self._memory, most)
        finally:
            self._budget.record_bound(self.unit * self.search.bound)
        if status == ENDED and self._upper < UNLIMITED:
            self._budget.record_bound(self.unit * self._upper)
        return status

    def searched(self) -> Searched:
        """The result of a search that has ended."""
        return Searched(self.plan(), self.search.expanded, self.search.bound * self.unit)

    def plan(self) -> tuple[int, ...] | None:
        """The plan, by the numbers of its operators; None: there is none so far."""
        return self.reduced.plan(self.search.path(self.search.goal)) if self._status == FOUND else None

    def statistics(self) -> Statistics:
        """The size of the search, with what it knows about the task."""
        if not hasattr(self, "search"):
            return Statistics()
        used, found = self.search.used, self.partitionings
        states = sum(each.size for each in found.databases)
        first = self.search.first_bound
        words = (
            f"{len(found.databases)} pattern databases of {states} states, {len(found.orders)} cost partitionings"
            f"{'' if found.potential is None else ', a potential'}"
            f"{', one state for all that are alike' if self.symmetries.count else ''}"
            f"{', stubborn sets' if self.stubborn.is_on else ''}:"
            f" the start is {'dead' if first >= INFINITE else f'at least {self.unit * first} from the goal'}"
        )
        return Statistics(states=used, found=(words,))

    def is_closed(self, state: State) -> bool:
        """Is the state in an inductive invariant, if there is no plan? The state must respect all mutex groups.

        Where that is not seen from the states of the search, another one decides whether a plan leads from there
        to the goal.
        """
        if self.symmetries.count or self.stubborn.states or self.reduced.together is not None:
            return is_dead(self._task, state)
        return self.search.holds(state) or self.partitionings.is_dead(state)
