"""Sets of states as decision diagrams: one small protocol, one class for each diagram package.

A set is over the bits that the manager was made with. Engines write only against this protocol; the
`packages` names the packages, and one shared test class runs on every one of them.
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
        """Make a manager of `capacity` nodes for `bits` in this order, with next-state variables for `primed`."""

    @staticmethod
    def capacities(limits: Limits) -> Iterator[int]:
        """Growing capacities to try, in nodes, within the limits."""

    @staticmethod
    def ran_out(error: Exception) -> bool:
        """Does this exception mean that the manager is full?"""

    def is_empty(self, f: S, /) -> bool:
        """Is the set empty?"""

    def union(self, f: S, g: S, /) -> S:
        """States in f or g."""

    def intersection(self, f: S, g: S, /) -> S:
        """States in f and g."""

    def difference(self, f: S, g: S, /) -> S:
        """States in f but not in g."""

    def selector(self, formula: Formula) -> Callable[[S], S]:
        """The function from a set to its states in which the formula holds."""

    def image(self, guard: Cube, constants: Cube) -> Callable[[S], S]:
        """The image by an action with a cube as guard and constant updates, as a function on sets."""

    def preimage(self, guard: Cube, constants: Cube) -> Callable[[S], S]:
        """The preimage by such an action, as a function on sets."""

    def relational_image(self, guard: Formula, constants: Cube, formulas: Updates) -> Callable[[S], S]:
        """The image by any action, through its transition relation, as a function on sets."""

    def relational_preimage(self, guard: Formula, constants: Cube, formulas: Updates) -> Callable[[S], S]:
        """The preimage by any action, through its transition relation, as a function on sets."""

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
        """The bits that hold in at least one state of the set."""

    def subsets(self, bits: Set[Bit]) -> S:
        """All states whose true bits are among these."""

    def tidy(self) -> int:
        """Collect garbage if needed; return the number of nodes. Raises LimitReached if the manager is full."""
