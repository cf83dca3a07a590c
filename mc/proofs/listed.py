"""Listed states: all states of a model near the start, each with a cost.

A state is a row of numbers (`blocks`): its cost, and the bits of the model, 16 in a number, the first bit lowest.
`states.py` has the conditions and checks them.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.model.action import ANY

if TYPE_CHECKING:  # it needs numpy, and commands that only show results do not
    from puzzlemc.mc.proofs.blocks import Block

BITS = 16  # in a number


@dataclass(frozen=True)
class ListedStates:
    """A proof that no run costs less than `below` under the metric; `below` None: no run reaches the goal.

    bits     the names of the model's bits
    forward  the states of a cost less than `below`
    fault    why the file of the proof contradicts itself; the checker refutes such a proof
    """

    metric: str
    below: int | None
    bits: tuple[str, ...]
    forward: tuple["Block", ...]
    fault: str | None = None

    def check_form(self) -> None:
        """Raise Refuted if the proof contradicts itself, or is about costs that do not exist."""
        if self.fault is not None:
            raise Refuted(self.fault)
        if self.below is not None and self.metric == ANY:
            raise Refuted(f"there are no costs of {self.metric!r}")

    @property
    def width(self) -> int:
        """The number of numbers of a state."""
        return 1 + -(-len(self.bits) // BITS)

    @property
    def blocks(self) -> tuple["Block", ...]:
        """The blocks of all states."""
        return self.forward
