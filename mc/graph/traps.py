"""How deep the traps of a state graph are: lost states after which no loss is seen for long. Compiled."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Index, Ints, Numbers

    MOST_VISITS = 30_000_000  # states that are looked at, for all starts together


class Trap:
    """The search from a start: states in the order of their distance.

    seen    by state, the number of the last search that has found it
    queue   (states,)
    visits  the number of steps that were looked at, in all searches
    """

    seen: Ints
    queue: Ints
    visits: Index  # readonly

    def __init__(self, states: int) -> None:
        self.seen, self.queue = view(np.zeros(states, np.int32)), view(np.zeros(states, np.int32))
        self.visits = 0


def depth_of_traps(
    first: npt.NDArray[np.int64],
    targets: npt.NDArray[np.int32],
    plain: npt.NDArray[np.bool_],
    starts: npt.NDArray[np.int32],
    budget: Budget,
) -> int | None:
    """One more than the greatest distance of a state from one of the starts, through states that are not `plain`.

    0 without starts; None after too many visits. The steps from state s lead to `targets`, from `first[s]` to
    before `first[s + 1]`. Raises LimitReached.
    """
    trap, deepest = Trap(len(plain)), 0
    from_state, to_state, is_plain = view(first), view(targets), view(plain.view(np.uint8))
    for number, start in enumerate(starts.tolist(), 1):
        budget.check()
        depth: Index = _depth(trap, from_state, to_state, is_plain, start, number)
        if trap.visits > MOST_VISITS:
            return None
        deepest = max(deepest, depth)
    return deepest


def _depth(trap: Trap, first: Numbers, targets: Ints, plain: Bytes, start: Index, number: Index) -> Index:
    """One more than the greatest distance of a state from the start."""
    head: Index = 0
    tail: Index = 1
    depth: Index = 0
    e: Index
    trap.queue[0] = start
    trap.seen[start] = number
    while head < tail and trap.visits <= MOST_VISITS:
        end: Index = tail
        depth += 1
        while head < end:
            at: Index = trap.queue[head]
            head += 1
            trap.visits += first[at + 1] - first[at]
            for e in range(first[at], first[at + 1]):
                to: Index = targets[e]
                if plain[to] == 0 and trap.seen[to] != number:
                    trap.seen[to] = number
                    trap.queue[tail] = to
                    tail += 1
    return depth
