"""Sets of states as decision diagrams: one small protocol, one class for each diagram package.

A set is over the bits that the manager was made with. Engines write only against this protocol; the
registry `DIAGRAMS` names the packages, and one shared test class runs on every one of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Protocol, TypeVar

from puzzlemc.mc.limits import Limits
from puzzlemc.mc.model.formula import Bit, Cube, Formula, State

S = TypeVar("S")

Updates = Mapping[Bit, Formula]


class Diagrams(Protocol[S]):
    """Operations on sets of type S. Any of them may raise an error for which `ran_out` is true."""

    name: str
    empty: S
    universe: S

    def __init__(self, bits: Sequence[Bit], primed: Set[Bit], capacity: int) -> None:
        """Make a manager for `bits` in this order, next-state variables for the `primed`, `capacity` nodes."""

    @staticmethod
    def capacities(limits: Limits) -> Iterator[int]:
        """Capacities to try in turn, in nodes, none past the limits."""

    @staticmethod
    def ran_out(error: Exception) -> bool:
        """Does this exception say that the manager is full?"""

    def is_empty(self, f: S, /) -> bool:
        """Is the set empty?"""

    def union(self, f: S, g: S, /) -> S:
        """States in f or g."""

    def intersection(self, f: S, g: S, /) -> S:
        """States in f and g."""

    def difference(self, f: S, g: S, /) -> S:
        """States in f but not in g."""

    def selector(self, formula: Formula) -> Callable[[S], S]:
        """The function that keeps of a set the states in which the formula holds."""

    def image(self, guard: Cube, constants: Cube) -> Callable[[S], S]:
        """From a set to the states that an action with a literal guard and constant updates leads to."""

    def preimage(self, guard: Cube, constants: Cube) -> Callable[[S], S]:
        """From a set to the states from which such an action leads into it."""

    def relational_image(self, guard: Formula, constants: Cube, formulas: Updates) -> Callable[[S], S]:
        """From a set to the states that any action leads to, by the relation of its bits."""

    def relational_preimage(self, guard: Formula, constants: Cube, formulas: Updates) -> Callable[[S], S]:
        """From a set to the states from which any action leads into it."""

    def single(self, state: State) -> S:
        """The set of one state."""

    def contains(self, f: S, state: State) -> bool:
        """Is the state in the set?"""

    def count(self, f: S) -> int:
        """The exact number of states."""

    def size(self, f: S) -> int:
        """The nodes of its diagram."""

    def pick(self, f: S) -> State:
        """Some state of a set that is not empty."""

    def held(self, f: S) -> Set[Bit]:
        """The bits that hold in some state of the set."""

    def subsets(self, bits: Set[Bit]) -> S:
        """All states in which no other bits hold than these."""

    def tidy(self) -> int:
        """Collect garbage if it is time to; the number of nodes. Raises LimitReached where there is no room."""
