"""Potentials as lower bounds: a sum of weights of facts that falls by no more than what an operator costs
(Pommerening, Helmert, Röger and Seipp 2015)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from puzzlemc.mc.patterns.estimate import Table
from puzzlemc.mc.tasks.task import State


@dataclass(frozen=True)
class Potential:
    """The bound of a state is the sum of the weights of its facts, divided by `scale` and rounded up.

    weights  by variable and value
    """

    weights: Sequence[Sequence[int]]
    scale: int

    def bound(self, state: State) -> int:
        """The bound of a state."""
        total = sum(held[value] for held, value in zip(self.weights, state, strict=True))
        return max(0, -(-total // self.scale))

    def tables(self, order: int) -> list[Table]:
        """The weights as distances, of one variable each, under a partitioning with this number."""
        return [
            Table((variable,), (1,), np.array(held, np.int32)[:, None], (order,), np.ones(len(held), np.bool_))
            for variable, held in enumerate(self.weights)
            if any(held)
        ]
