"""Bidirectional proofs: two sets of positions with costs, one closed from the start and one closed from the goal.

The forward set holds what is near the start, up to cost `ahead`; the backward set holds what is near the goal, up
to cost `behind`. Together they show that no run costs less than `below`. This file defines the proof and its
format. The conditions on the sets, and the theorem behind them, are with the checker that a puzzle brings.

A state is a row of numbers (`blocks`): its cost, the place of the location, and the place of each object in rising
order. Places are numbered by their order. With costs by two metrics in order a row has one number more.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it needs numpy, and commands that only show results do not
    from puzzlemc.mc.proofs.blocks import Block


@dataclass(frozen=True)
class BidirectionalProof:
    """A proof that no run costs less than `below` under the metric; `below` None: no run reaches the goal.

    ahead, behind      the sets hold every state that matters of a cost less than that; None: of any cost
    objects            the number of objects of a state
    forward, backward  the sets
    scale              of two metrics in order: a cost is the first cost times the scale, plus the second. The last
                       number of a state is then the upper part of its cost: the cost divided by 2^16
    """

    metric: str
    below: int | None
    ahead: int | None
    behind: int | None
    objects: int
    forward: tuple["Block", ...]
    backward: tuple["Block", ...]
    scale: int | None = None

    @property
    def width(self) -> int:
        """The number of numbers of a state."""
        return 2 + self.objects + (self.scale is not None)

    @property
    def blocks(self) -> tuple["Block", ...]:
        """The blocks of both sets."""
        return self.forward + self.backward
