"""One direction of a compiled transition system: what a search over sets of states needs.

`S` is a set of states, `P` a state, `L` the label of a step: an action or the number of an operator. Forward
search starts with the initial states, and `image` gives successors. In the reversed system, search starts with the
goal states, and `image` gives predecessors.
"""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from puzzlemc.mc.limits import Budget

S = TypeVar("S")
P = TypeVar("P")
L_co = TypeVar("L_co", covariant=True)


class Images(Protocol[S, P, L_co]):
    """Sets of states and the steps between them. Any operation may raise LimitReached."""

    @property
    def start(self) -> S:
        """The states that a search starts with."""

    @property
    def empty(self) -> S:
        """The empty set."""

    @property
    def costs(self) -> Sequence[int]:
        """The costs for which a search calls `image`, ascending."""

    @property
    def work(self) -> int:
        """The number of nodes of all images so far; 0 if nodes are not counted."""

    def reverse(self) -> "Images[S, P, L_co]":
        """The reversed system."""

    def image(self, states: S, cost: int, budget: Budget) -> S:
        """The successors by all actions of this cost."""

    def closure(self, states: S, closed: S, budget: Budget) -> S:
        """The states, and what actions without cost lead to outside `closed`; without these actions if 0 is one of
        `costs`. `closed` has none of the states."""

    def before(self, state: P, cost: int, states: S) -> tuple[P, L_co] | None:
        """One of the states from which an action of this cost leads to `state`, and the action."""

    def is_empty(self, f: S, /) -> bool:
        """Is the set empty?"""

    def union(self, f: S, g: S, /) -> S:
        """States in f or g."""

    def intersection(self, f: S, g: S, /) -> S:
        """States in f and g."""

    def difference(self, f: S, g: S, /) -> S:
        """States in f but not in g."""

    def single(self, state: P, /) -> S:
        """The set of one state."""

    def contains(self, f: S, state: P, /) -> bool:
        """Is the state in the set?"""

    def pick(self, f: S, /) -> P:
        """Some state of a set that is not empty; the same one in each run."""

    def size(self, f: S, /) -> int:
        """The number of nodes of its diagrams."""
