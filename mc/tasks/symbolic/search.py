"""Symbolic uniform-cost search over a task: forward, backward, or from both sides (Torralba et al. 2017).

From both sides, the side whose next step promises less work continues. Work is counted in nodes of diagrams, so
that the same task has the same answer in each run.

**When the search may end.** On each side, all states with a cost below `cost` are expanded, and all with a cost
below `next_cost` are closed. A meeting is noticed if a state that is found or closed on one side is closed on the
other. Take an optimal plan of cost C without a noticed meeting, the last of its states s that is closed forward,
and the state t after it.

If C < forward.next_cost + backward.cost, then t was expanded backward, because it costs at least forward.next_cost
from the start. So s was found backward, and was not yet closed forward, or that meeting had been noticed. Nor has
s been expanded forward since, or t had been found there; so s costs at least forward.cost. It is not closed
backward, so it costs at least backward.next_cost to the goal. Hence C >= forward.cost + backward.next_cost.

So C is at least the lesser of forward.next_cost + backward.cost and forward.cost + backward.next_cost. This is the
proved bound. It is infinite if one side has no open state.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet, memory_limit
from puzzlemc.mc.tasks.symbolic.derived import define_derived
from puzzlemc.mc.tasks.symbolic.layers import Layers
from puzzlemc.mc.tasks.symbolic.mutexes import Exclusions
from puzzlemc.mc.tasks.symbolic.order import variable_order
from puzzlemc.mc.tasks.symbolic.plan import operators_between, path
from puzzlemc.mc.tasks.symbolic.relations import Relation, transition_relations
from puzzlemc.mc.tasks.symbolic.verdicts import Solved, TaskVerdict, Unknown, Unsolvable
from puzzlemc.mc.tasks.task import State, Task
from puzzlemc.mc.verdict import Statistics


def bidirectional(task: Task, budget: Budget) -> TaskVerdict:
    """A cheapest plan, by a search from both sides. Raises Unsuitable."""
    return _searched(task, budget, ahead=True, behind=True)


def forward(task: Task, budget: Budget) -> TaskVerdict:
    """A cheapest plan, by a search from the initial state. Raises Unsuitable."""
    return _searched(task, budget, ahead=True, behind=False)


def backward(task: Task, budget: Budget) -> TaskVerdict:
    """A cheapest plan, by a search from the goal. Raises Unsuitable."""
    return _searched(task, budget, ahead=False, behind=True)


SEARCHES: dict[str, Callable[[Task, Budget], TaskVerdict]] = {
    "forward": forward,
    "backward": backward,
    "bidirectional": bidirectional,
}


@dataclass(frozen=True)
class _Meeting:
    """States with these costs from the start and to the goal."""

    states: StateSet
    ahead: int
    behind: int

    @property
    def cost(self) -> int:
        return self.ahead + self.behind


class SymbolicSearch:
    """The two sides of a search, and the cheapest meeting so far. A side that does not move has one layer."""

    def __init__(self, task: Task, budget: Budget) -> None:
        self._task = task
        self._budget = budget
        self._meeting: _Meeting | None = None
        self._sides: tuple[Layers, ...] = ()

    @property
    def work(self) -> int:
        """The nodes of all images so far."""
        return sum(side.work for side in self._sides)

    def turns(self, ahead: bool = True, behind: bool = True) -> Iterator[float]:
        """Search until the cheapest meeting costs no more than the bound; a turn is one image.

        Yields before each image the work that it promises. Raises LimitReached, Unsuitable.
        """
        with memory_limit():
            yield from self._images(ahead, behind)

    def _images(self, ahead: bool, behind: bool) -> Iterator[float]:
        task, budget = self._task, self._budget
        coding = Coding(task, variable_order(task), budget)
        define_derived(task, coding, budget)
        exclusions = Exclusions(task, coding)
        relations = transition_relations(task, coding, exclusions, budget)
        self._sides = (
            Layers(coding, relations.forward if ahead else {}, Relation.image),
            Layers(coding, relations.backward if behind else {}, Relation.preimage, relations.cut),
        )
        starts = coding.single(initial_state(task)), exclusions.within(self._goal(coding))
        steps = {side: side.steps(start, budget) for side, start in zip(self._sides, starts, strict=True)}
        moving = [side for side, moves in zip(self._sides, (ahead, behind), strict=True) if moves]
        for side in self._sides:
            self._advance(side, steps[side])
        while self._bound() < (inf if self._meeting is None else self._meeting.cost):
            budget.prove(int(self._bound()))
            side = min(moving, key=lambda some: some.promised_work)
            yield side.promised_work
            self._advance(side, steps[side])

    def verdict(self) -> Solved | Unsolvable:
        """The verdict of a search that has ended. Raises LimitReached."""
        with memory_limit():
            return Unsolvable(self.statistics()) if self._meeting is None else self._solved(optimal=True)

    def plan(self) -> tuple[int, ...] | None:
        """The cheapest plan so far, by the numbers of its operators. Raises LimitReached."""
        with memory_limit():
            return None if self._meeting is None else self._solved(optimal=False).plan

    def is_closed(self, state: State) -> bool:
        """Is the state in an inductive invariant, if there is no plan? The state must respect all mutex groups."""
        ahead, behind = self._sides
        if ahead.is_over:
            return ahead.coding.contains(ahead.closed, state)
        return not behind.coding.contains(behind.closed, state)

    def best(self) -> Solved | None:
        """The cheapest plan so far."""
        return None if self._meeting is None else self._solved(optimal=False)

    def statistics(self) -> Statistics:
        """The size of the search."""
        nodes = self._sides[0].coding.nodes() if self._sides else None
        layers = [len(side.layers) for side in self._sides]
        found = (
            f"decision diagrams in binary: {layers[0]} layers from the start, {layers[1]} from the goal"
            if layers
            else ""
        )
        return Statistics(sum(layers), None, nodes, (found,) if found else ())

    def _goal(self, coding: Coding) -> StateSet:
        """The goal states, by values only."""
        states = coding.condition(self._task.goal)
        for domain in coding.domains.values():
            states &= domain
        return states

    def _bound(self) -> float:
        """No plan that was not noticed costs less."""
        ahead, behind = self._sides
        return min(ahead.next_cost + behind.cost, ahead.cost + behind.next_cost)

    def _advance(self, side: Layers, steps: Iterator[Sequence[tuple[int, StateSet]]]) -> None:
        """Make the next step of a side."""
        for cost, states in next(steps):
            self._meet(side, cost, states)

    def _meet(self, side: Layers, cost: int, states: StateSet) -> None:
        """Notice where states, with this cost on their side, are closed on the other side."""
        ahead, behind = self._sides
        other = behind if side is ahead else ahead
        if states & other.closed == other.coding.empty:
            return
        for layer in other.layers:
            if self._meeting is not None and cost + layer.cost >= self._meeting.cost:
                return
            met = states & layer.states
            if met != other.coding.empty:
                costs = (cost, layer.cost) if side is ahead else (layer.cost, cost)
                self._meeting = _Meeting(met, *costs)
                return

    def _solved(self, optimal: bool) -> Solved:
        meeting = self._meeting
        assert meeting is not None
        ahead, behind = self._sides
        state = ahead.coding.pick(meeting.states)
        before = list(path(ahead, Relation.preimage, state, meeting.ahead))
        after = list(path(behind, Relation.image, state, meeting.behind))
        states = [*(some for some, _ in reversed(before)), state, *(some for some, _ in after)]
        costs = [*(cost for _, cost in reversed(before)), *(cost for _, cost in after)]
        return Solved(operators_between(self._task, states, costs), meeting.cost, optimal, self.statistics())


def _searched(task: Task, budget: Budget, ahead: bool, behind: bool) -> TaskVerdict:
    found = SymbolicSearch(task, budget)
    try:
        for _ in found.turns(ahead, behind):
            pass
        return found.verdict()
    except LIMITS as limit:
        bound, statistics = budget.bound, found.statistics()
        return Unknown(reason_of(limit), bound, statistics, found.best())
