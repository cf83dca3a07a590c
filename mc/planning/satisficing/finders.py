"""Some plan of a finite-domain task by searches that complement each other, in turns of counted work.

Best-first width search passes plateaus at little cost for a state, by the goals or the landmarks that are left, in
several orders of equal states. Lazy greedy search by relaxed plans is better where goals are easily undone.

The search with the least work so far has the next turn. What a search needs is prepared when its turn comes;
landmarks may take long, so their least work counts as work of a search that needs them. Each operator counts 1
for the estimates: a plan is short rather than cheap. After the first plan, the other searches get some work in the
hope of a cheaper one, and the cheapest plan is shortened. No decision depends on a clock.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeAlias

from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.relaxation import relaxation
from puzzlemc.mc.planning.satisficing import lazy_search, width_search
from puzzlemc.mc.planning.satisficing.landmark_count import LandmarkCount
from puzzlemc.mc.planning.satisficing.landmark_graph import goals_alone, landmark_graph
from puzzlemc.mc.planning.satisficing.lazy_search import LazySearch
from puzzlemc.mc.planning.satisficing.relaxed_plan import DEAD, RelaxedPlan
from puzzlemc.mc.planning.satisficing.shortening import shortened
from puzzlemc.mc.planning.satisficing.width_search import BROAD, DEEP, GUIDED, WidthSearch
from puzzlemc.mc.search.growing import CAPACITY
from puzzlemc.mc.search.state_table import FOUND, PAUSED
from puzzlemc.mc.search.turns import Turns
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Searched, Task

FIRST_TURN = 10_000_000  # work of the first turn of a search, in units of about 2 ns
LATER_TURN = 4  # each later one has this part of the work of the search so far
LEAST_MORE = 1_000_000  # work of each other search after the first plan, at least
MORE = 16  # otherwise it is this part of the work of all searches
LEAST_SHORTENING = 5_000_000  # work for a shorter plan, at least
SHORTENING = 4  # otherwise it is this part of the work of all searches

Search: TypeAlias = LazySearch | WidthSearch


class Prepared:
    """What the searches need of a task. Each part is made when it is needed for the first time."""

    def __init__(self, task: Task, budget: Budget) -> None:
        self.task, self._budget = task, budget
        self.initial = initial_state(task)
        self.relaxed = relaxation(task)
        self.plan = RelaxedPlan(self.relaxed, [1] * len(task.operators))

    @cached_property
    def packed(self) -> PackedTask:
        """The task for compiled search."""
        return PackedTask(self.task, Operators(self.task))

    @cached_property
    def goals(self) -> LandmarkCount:
        """The goals as landmarks."""
        return LandmarkCount(self.task, goals_alone(self.task))

    @cached_property
    def landmarks(self) -> LandmarkCount:
        """The landmarks, or the goals alone if landmarks take too much. Raises LimitReached."""
        graph = landmark_graph(self.task, self.relaxed, self.plan, self.initial, self._budget)
        return self.goals if graph is None else LandmarkCount(self.task, graph)

    @property
    def landmark_work(self) -> int:
        """The least work for the landmarks, 0 once they are known: a set of facts for each fact of a condition."""
        return 0 if "landmarks" in self.__dict__ else len(self.relaxed.condition) * self.relaxed.facts // 64


@dataclass(frozen=True)
class Member:
    """A search: how it begins, with what part of the memory, and how it goes on."""

    begin: Callable[[Prepared, int], Search]
    advance: Callable[[Any, int, int], int]
    has_landmarks: bool


def _by_goals(prepared: Prepared, memory: int, *, order: int) -> WidthSearch:
    packed, plan, goals, initial = prepared.packed, prepared.plan, prepared.goals, prepared.initial
    return WidthSearch(packed, plan, goals, initial, CAPACITY, memory, order)


def _by_landmarks(prepared: Prepared, memory: int) -> WidthSearch:
    packed, plan, landmarks, initial = prepared.packed, prepared.plan, prepared.landmarks, prepared.initial
    return WidthSearch(packed, plan, landmarks, initial, CAPACITY, memory, BROAD)


def _lazily(prepared: Prepared, _: int) -> LazySearch:
    return LazySearch(prepared.packed, prepared.plan, prepared.landmarks, prepared.initial, CAPACITY)


MEMBERS = (
    Member(partial(_by_goals, order=GUIDED), width_search.advance, has_landmarks=False),
    Member(_by_landmarks, width_search.advance, has_landmarks=True),
    Member(_lazily, lazy_search.advance, has_landmarks=True),
    Member(partial(_by_goals, order=DEEP), width_search.advance, has_landmarks=False),
)


class _Finder:
    """A member at work. `work` and `states` stay when its search is given up."""

    def __init__(self, member: Member, prepared: Prepared, budget: Budget) -> None:
        self.member, self._prepared, self._memory = member, prepared, budget.limits.memory
        self._turns = Turns(budget)
        self._search: Search | None = None
        self.work = self.states = 0

    @property
    def due(self) -> int:
        """The work so far and that of its preparation: the less of it, the earlier its turn."""
        return self.work + self.preparation

    @property
    def preparation(self) -> int:
        """The least work before the search can go on."""
        return self._prepared.landmark_work if self.member.has_landmarks else 0

    def turn(self, work: int) -> int:
        """Search for about that much work; return the status. Raises LimitReached."""
        try:
            if self._search is None:
                self._search = self.member.begin(self._prepared, self._memory)
            search = self._search
            return self._turns.run_counted(
                partial(self.member.advance, search, self._memory), lambda: search.work, work
            )
        except LIMITS:
            self._search = None
            raise
        finally:
            if self._search is not None:
                self.work, self.states = self._search.work, self._search.used

    def plan(self) -> tuple[int, ...]:
        """The plan that was found."""
        assert self._search is not None
        return tuple(self._search.path(self._search.goal))


def finders(task: Task, budget: Budget, work: int, *, improving: bool = True) -> Iterator[Searched | None]:
    """Yield None after each round, the result last. Raises LimitReached. Each search may take all of the memory.

    The first round has `work` in units of about 2 ns, each later one as much as all before it. With `improving`,
    there is some work after the first plan for a cheaper one.
    """
    prepared = Prepared(task, budget)
    if prepared.plan.estimate(prepared.initial) == DEAD:
        yield Searched(None, 0, 0)
        return
    everybody = [_Finder(member, prepared, budget) for member in MEMBERS]
    waiting = [*everybody]
    while True:
        finder = min(waiting, key=lambda each: each.due)
        try:
            status = finder.turn(max(FIRST_TURN, finder.work // LATER_TURN))
        except LIMITS as limit:
            waiting.remove(finder)
            if reason_of(limit) in TIME or not waiting:
                raise
            continue
        states, done = sum(each.states for each in everybody), sum(each.work for each in everybody)
        if status == FOUND:
            waiting.remove(finder)
            plan = finder.plan()
            if improving:
                plan = _cheapest(prepared, budget, plan, waiting, done)
            yield Searched(plan, states, 0)
            return
        if status != PAUSED:
            yield Searched(None, states, 0)
            return
        while done >= work:
            work *= 2
            yield None


def _cheapest(
    prepared: Prepared, budget: Budget, plan: tuple[int, ...], others: Sequence[_Finder], work: int
) -> tuple[int, ...]:
    """A plan that costs at most as much, after some more work."""
    costs = prepared.packed.operators.costs
    allowance = max(LEAST_MORE, work // MORE)
    for finder in others:
        if finder.preparation > allowance:
            continue
        try:
            status = finder.turn(allowance)
        except LIMITS:
            continue
        if status == FOUND:
            plan = min(plan, finder.plan(), key=lambda each: sum(costs[operator] for operator in each))
    allowance = max(LEAST_SHORTENING, work // SHORTENING)
    return tuple(shortened(prepared.packed, prepared.initial, plan, budget, allowance))
