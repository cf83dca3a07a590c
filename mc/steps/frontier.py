"""The states of a breadth-first search over a step system, and its compiled loop.

States are numbered in the order of discovery, so the queue of the search is the rest of the array. Compiled: see
`mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps.bounds import CountBounds
from puzzlemc.mc.steps.frozen import FrozenBits
from puzzlemc.mc.steps.steps import Steps
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.search.state_table import ENDED, FOUND, FULL, PAUSED, find_hashed, has_room, hash_of, home
    from puzzlemc.mc.steps.bounds import broken
    from puzzlemc.mc.steps.frozen import is_lost_by_step
    from puzzlemc.mc.steps.steps import CHANGED, UNSETTLED, WON
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Word, Words

    MOST_ACTIONS = 256  # their numbers are bytes


class Frontier(StateTable):
    """The states found so far.

    parent     (capacity,): the state that each was found from, -1 for the start
    action     (capacity,): the number of the action that led there
    expanded   the number of states that are expanded: the next one to expand
    depth      the depth of that state
    layer_end  the first state of the next depth, as far as it is known
    unsettled  the least depth of a state with a step that could not be computed, -1 if there is none
    won_by     the number of the action that wins, -1 if none is known
    hashes     by action, the hash of a successor
    likely     by action, the state in the first slot where a successor can be, -1 if it is free
    met        so that reading ahead has a result
    bounds     a successor that breaks one of them is left out
    frozen     a successor that is lost by bits that no step makes false any more is left out
    is_lost    whether the start is lost by its bounds or frozen bits: so are its successors, which are left out
    """

    parent: Ints  # public
    action: Bytes  # public
    expanded: Index  # readonly
    depth: Index  # readonly
    layer_end: Index  # readonly
    unsettled: Index  # readonly
    won_by: Index  # readonly
    hashes: Words
    likely: Ints
    met: Word
    bounds: CountBounds
    frozen: FrozenBits
    is_lost: Flag

    def __init__(
        self,
        start: npt.NDArray[np.uint64],
        capacity: int,
        bounds: CountBounds | None = None,
        frozen: FrozenBits | None = None,
    ) -> None:
        """A search from a packed state of shape (words,). Without bounds and frozen bits, no state is left out."""
        super().__init__(capacity, len(start), 2 * capacity)
        self.parent, self.action = view(np.empty(capacity, np.int32)), view(np.empty(capacity, np.uint8))
        self.begin(start)
        self.parent[0], self.action[0] = -1, 0
        self.layer_end = 1
        self.expanded, self.depth = 0, 0
        self.unsettled, self.won_by = -1, -1
        self.hashes, self.likely = view(np.zeros(MOST_ACTIONS, np.uint64)), view(np.zeros(MOST_ACTIONS, np.int32))
        self.bounds = CountBounds() if bounds is None else bounds
        self.frozen = FrozenBits(len(start)) if frozen is None else frozen
        self.is_lost = self.bounds.are_broken(self, 0) or self.frozen.is_lost(self, 0)

    def columns(self) -> list[str]:
        """The names of the arrays that have an entry for each state."""
        return ["rows", "parent", "action"]

    def way(self, number: int) -> list[int]:
        """The numbers of the states on the way to a state, from the start on."""
        states = [number]
        at: Index = number
        while self.parent[at] >= 0:
            at = self.parent[at]
            states.append(at)
        return states[::-1]

    def path(self, number: int) -> list[int]:
        """The actions on the way to a state."""
        return list(map(int, np.asarray(self.action)[self.way(number)[1:]]))


def advance(space: Frontier, steps: Steps, memory: int, states: int) -> int:
    """Expand at most `states` states, in `memory` bytes; return the status. Raises LimitReached.

    ENDED: all states are expanded. FOUND: state `expanded` has a step that wins, `won_by`.
    """
    last = space.expanded + states
    while (status := _advance(space, steps, last - space.expanded)) == FULL:
        space.make_room(steps.actions, memory - space.bytes)
    return status


def _advance(space: Frontier, steps: Steps, states: Index) -> Index:
    action: Index
    for _ in range(states):
        if space.expanded == space.layer_end:
            space.depth += 1
            space.layer_end = space.used
        if space.expanded == space.used:
            return ENDED
        if not has_room(space, steps.actions):
            return FULL
        if steps.enter(space, space.expanded):
            place: Index = space.used
            for action in range(steps.actions):
                code: Index = steps.successor(action, space, place)
                if (
                    code == CHANGED
                    and not space.is_lost
                    and not broken(space.bounds, space, place)
                    and not is_lost_by_step(space.frozen, space, space.expanded, place)
                ):
                    space.hashes[place - space.used] = hash_of(space.rows, place)
                    space.action[place] = action
                    place += 1
                elif code == WON:
                    space.won_by = action
                    break
                elif code == UNSETTLED and space.unsettled < 0:
                    space.unsettled = space.depth
            _add(space, place)
            if space.won_by >= 0:
                return FOUND
        space.expanded += 1
    return PAUSED


def _add(space: Frontier, end: Index) -> None:
    """Add the successors in the rows from `used` to before `end`, if they are new.

    What a lookup reads first is read for all of them, one right after the other: the memory answers them together.
    """
    words: Index = space.rows.shape[1]
    slots: Index = space.slots.shape[0]
    first: Index = space.used
    met: Word = 0
    i: Index
    w: Index
    for i in range(end - first):
        space.likely[i] = space.slots[home(slots, space.hashes[i])]
    for i in range(end - first):
        if space.likely[i] >= 0:
            met |= space.rows[space.likely[i], 0]
    space.met = met
    for i in range(end - first):
        slot: Index = find_hashed(space, space.rows, first + i, space.hashes[i])
        if space.slots[slot] < 0:
            new: Index = space.used
            space.slots[slot] = new
            space.parent[new] = space.expanded
            if new != first + i:
                space.action[new] = space.action[first + i]
                for w in range(words):
                    space.rows[new, w] = space.rows[first + i, w]
            space.used = new + 1
