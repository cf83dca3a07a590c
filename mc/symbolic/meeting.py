"""Symbolic uniform-cost search from both sides, or from one (Torralba, Alcázar, Kissmann and Edelkamp 2017).

From both sides, the side whose next step promises less work continues. Work is counted in nodes of diagrams, so
that the same question has the same answer in each run.

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
from typing import Generic, TypeAlias, TypeVar

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.symbolic.images import Images
from puzzlemc.mc.symbolic.side import Layer, Side, Step

S = TypeVar("S")
P = TypeVar("P")
L = TypeVar("L")


@dataclass
class FixedSide(Generic[S, P, L]):
    """A side that does not search: `among` selects its states, whose costs are all 0, from a set."""

    images: Images[S, P, L]
    among: Callable[[S], S]
    cost: float = 0
    next_cost: float = inf
    promised_work: float = inf
    layers: tuple[Layer[S], ...] = ()

    def steps(self) -> Iterator[Sequence[tuple[int, S]]]:
        """Yield the only step, which does nothing."""
        yield ()

    def meeting(self, states: S, below: float) -> tuple[int, S] | None:
        """Cost 0 and the states of this side among the states; None if there is none."""
        met = self.among(states)
        return None if below <= 0 or self.images.is_empty(met) else (0, met)

    def path(self, state: P, cost: int) -> list[Step[P, L]]:
        """The path without steps."""
        return []


AnySide: TypeAlias = Side[S, P, L] | FixedSide[S, P, L]


@dataclass(frozen=True)
class Meeting(Generic[S]):
    """States with these costs from the start and to the goal."""

    states: S
    ahead: int
    behind: int

    @property
    def cost(self) -> int:
        """The cost of a plan through one of the states."""
        return self.ahead + self.behind


class Search(Generic[S, P, L]):
    """A search from the start and one from the goal, at least one of which moves, and their cheapest meeting."""

    def __init__(self, ahead: AnySide[S, P, L], behind: AnySide[S, P, L], budget: Budget) -> None:
        self.ahead = ahead
        self.behind = behind
        self.meeting: Meeting[S] | None = None
        self._budget = budget

    def turns(self) -> Iterator[float]:
        """Search until the cheapest meeting costs no more than the bound; a turn is one step of a side.

        Yields before each step the work that it promises. Raises LimitReached.
        """
        sides = (self.ahead, self.behind)
        steps = [side.steps() for side in sides]
        for number in (0, 1):
            self._advance(number, steps[number])
        while (bound := self.bound()) < (inf if self.meeting is None else self.meeting.cost):
            self._budget.record_bound(int(bound))
            number = min((0, 1), key=lambda number: sides[number].promised_work)
            yield sides[number].promised_work
            self._advance(number, steps[number])

    def bound(self) -> float:
        """No plan that was not noticed costs less."""
        ahead, behind = self.ahead, self.behind
        return min(ahead.next_cost + behind.cost, ahead.cost + behind.next_cost)

    def halves(self) -> tuple[list[Step[P, L]], P, list[Step[P, L]]]:
        """The path through the cheapest meeting: from a state back to the start, the state, and on to the goal."""
        assert self.meeting is not None
        state = self.ahead.images.pick(self.meeting.states)
        return self.ahead.path(state, self.meeting.ahead), state, self.behind.path(state, self.meeting.behind)

    def _advance(self, number: int, steps: Iterator[Sequence[tuple[int, S]]]) -> None:
        """Make the next step of a side, and notice the cheapest meeting of its states with the other side."""
        other = (self.behind, self.ahead)[number]
        for cost, states in next(steps):
            below = inf if self.meeting is None else self.meeting.cost - cost
            if (found := other.meeting(states, below)) is not None:
                costs = (cost, found[0]) if number == 0 else (found[0], cost)
                self.meeting = Meeting(found[1], *costs)


def joined(before: list[Step[P, L]], state: P, after: list[Step[P, L]]) -> tuple[list[P], list[L]]:
    """The states and labels of a plan whose halves are these."""
    states = [*(step.state for step in reversed(before)), state, *(step.state for step in after)]
    return states, [*(step.label for step in reversed(before)), *(step.label for step in after)]
