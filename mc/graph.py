"""The state graph of a model: every reachable state and every action between them, as arrays.

Nothing is pruned. States are numbered as breadth-first search meets them, so the initial ones come first.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.explicit import Layout, Rows
from puzzlemc.mc.formula import State
from puzzlemc.mc.model import Model

Indices = npt.NDArray[np.int32]
Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True)
class StateGraph:
    """States and edges. The edges of state s are those from `first[s]` to before `first[s + 1]`.

    rows     (states, words) of uint64: the states, see `state`
    first    (states + 1,)
    target   (edges,): the state that an edge leads to
    action   (edges,): the number of its action in `model.actions`
    rounds   the states that n actions lead to, and no fewer, are those from `rounds[n]` to before `rounds[n + 1]`;
             those of round 0 are the initial ones
    reason   None where the graph is whole; else the limit, `timeout` or `memory`, that ended it: the states
             of the last round have no edges then
    """

    model: Model
    rows: Rows
    first: Offsets
    target: Indices
    action: Indices
    rounds: tuple[int, ...]
    reason: str | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def state(self, number: int) -> State:
        """The state of that number, as the model's engines and `Encoded.decode` take it."""
        return Layout(self.model.bits).state(self.rows[number])
