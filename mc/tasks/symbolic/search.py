"""Symbolic uniform-cost search over a task, from both sides."""

from collections.abc import Generator, Iterator, Sequence
from typing import TypeVar

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.symbolic.meeting import Search, joined
from puzzlemc.mc.symbolic.side import Side
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet, memory_limit
from puzzlemc.mc.tasks.symbolic.constraints import constraints, within
from puzzlemc.mc.tasks.symbolic.derived import define_derived
from puzzlemc.mc.tasks.symbolic.images import OperatorFinder, TaskImages
from puzzlemc.mc.tasks.symbolic.order import variable_order
from puzzlemc.mc.tasks.symbolic.relations import transition_relations
from puzzlemc.mc.tasks.task import State, Task
from puzzlemc.mc.verdict import Statistics

T = TypeVar("T")

TaskSide = Side[StateSet, State, int]


class SymbolicSearch:
    """A search over sets of states of a task, and the cheapest plan so far."""

    def __init__(self, task: Task, budget: Budget, together: Sequence[int] | None = None) -> None:
        """`together`: for each fact those that may hold with it in a state on a plan, as bits."""
        self._task, self._together = task, together
        self._budget = budget
        self._coding: Coding | None = None
        self._made = 0  # nodes of relations and constraints
        self._sides: Sequence[TaskSide] = ()
        self._search: Search[StateSet, State, int] | None = None

    @property
    def work(self) -> int:
        """The nodes of all relations, constraints and images so far."""
        return self._made + sum(side.images.work for side in self._sides)

    @property
    def cost(self) -> int | None:
        """The cost of the cheapest plan so far, None before there is one."""
        meeting = None if self._search is None else self._search.meeting
        return None if meeting is None else meeting.cost

    def turns(self) -> Iterator[float]:
        """Search until the cheapest plan costs no more than the bound; a turn makes one relation or one image.

        Yields before each image the work that it promises. Raises LimitReached, Unsuitable.
        """
        task, budget = self._task, self._budget
        with memory_limit():
            self._coding = coding = Coding(task, variable_order(task), budget)
            define_derived(task, coding, budget)
            relations = yield from self._in_turns(transition_relations(task, coding, budget))
            excluding = yield from self._in_turns(constraints(task, coding, budget, self._together))
            finder = OperatorFinder(task)
            start = coding.single(initial_state(task))
            goal, used = within(self._goal(coding), excluding)
            ahead = TaskSide(TaskImages(coding, finder, relations, start, True), budget)
            behind = TaskSide(TaskImages(coding, finder, relations, goal, False, used), budget)
            self._sides = ahead, behind
            self._search = Search(ahead, behind, budget)
            yield from self._search.turns()

    def _in_turns(self, making: Generator[int, None, T]) -> Generator[float, None, T]:
        """Make something, step by step, whose nodes are counted. Raises LimitReached."""
        while True:
            try:
                self._made += next(making)
            except StopIteration as made:
                whole: T = made.value
                return whole
            yield 0.0

    def plan(self) -> tuple[int, ...] | None:
        """The cheapest plan so far, by the numbers of its operators. Raises LimitReached."""
        if self._search is None or self._search.meeting is None:
            return None
        with memory_limit():
            _, operators = joined(*self._search.halves())
            return tuple(operators)

    def is_closed(self, state: State) -> bool:
        """Is the state in an inductive invariant, if there is no plan? The state must respect all mutex groups.

        Not for a search with `together`, which leaves out states that lead to others.
        """
        ahead, behind = self._sides
        if ahead.is_over:
            return ahead.images.contains(ahead.closed, state)
        return not behind.images.contains(behind.closed, state)

    def statistics(self) -> Statistics:
        """The size of the search."""
        if not self._sides or self._coding is None:
            return Statistics()
        ahead, behind = (len(side.layers) for side in self._sides)
        found = f"decision diagrams in binary: {ahead} layers from the start, {behind} from the goal"
        return Statistics(ahead + behind, None, self._coding.nodes(), (found,))

    def _goal(self, coding: Coding) -> StateSet:
        """The goal states, by values only."""
        states = coding.condition(self._task.goal)
        for domain in coding.domains.values():
            states &= domain
        return states
