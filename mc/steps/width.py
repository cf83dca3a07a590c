"""Best-first width search over a step system (Lipovetzky and Geffner 2017): finds some solution early.

Novelty is judged among the states with as many unmet conditions. Three open lists take turns, as each is blind to
something: least novelty first; least distance first; and one that picks a random bucket of states with equal
distance and depth (Xie, Müller, Holte and Imai 2014). A walk goes on at once, before another state is expanded:
what it prepares is worth a comparison, its single steps are not.

States are pruned by the bounds and the frozen bits of the system alone. So a search that ends has seen every state
that could win.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.search.bucket_queue import BucketQueue
from puzzlemc.mc.search.novelty import Novelty
from puzzlemc.mc.search.state_table import StateTree
from puzzlemc.mc.steps.bounds import CountBounds
from puzzlemc.mc.steps.frozen import FrozenBits
from puzzlemc.mc.steps.guide import Guide
from puzzlemc.mc.steps.steps import Steps
from puzzlemc.mc.words import view

NOVELTY_BYTES = 1 << 27  # the most for bits and pairs of bits
NOVELTY_SHARE = 4  # they take at most one fourth of the memory

if not cython.compiled:
    from puzzlemc.mc.search.bucket_queue import dequeue, dequeue_bucket, enqueue, has_room_for
    from puzzlemc.mc.search.novelty import rate
    from puzzlemc.mc.search.state_table import ACTION, ENDED, FOUND, FULL, PARENT, PAUSED, find, has_room
    from puzzlemc.mc.steps.bounds import broken
    from puzzlemc.mc.steps.frozen import is_lost_by_step
    from puzzlemc.mc.steps.steps import CHANGED, UNSETTLED, WON
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Word, left, mixed

    # Further columns of StateTree.node_info.
    UNMET = 2
    DEPTH = 3
    EXPANDED = 4  # 1 if the state is expanded
    WALK = 1 << 10  # states that a walk goes on to before another state is expanded
    PARTS = 64  # more unmet conditions count as the most
    MOST = (1 << 20) - 1  # larger numbers count as the largest


class WidthSearch(StateTree):
    """The states found so far, and the open lists.

    novel, near, varied  the open lists: of least novelty, of least distance, and of random buckets
    turn      the list that comes next
    walks     (WALK,): the states that a walk led to, nearest first: from `walk_first` to before `walk_count`, they
              are not expanded yet
    novelty   bits and pairs of bits so far, in parts by unmet conditions
    won_from  the state from which action `won_by` wins, -1 if none is known
    expanded  the number of states that are expanded
    unsettled whether a step could not be computed
    chance    the last random number
    """

    guide: Guide
    bounds: CountBounds
    frozen: FrozenBits
    novel: BucketQueue  # readonly
    near: BucketQueue  # readonly
    varied: BucketQueue  # readonly
    turn: Index
    walks: Ints
    walk_first: Index
    walk_count: Index
    novelty: Novelty
    won_from: Index  # readonly
    won_by: Index  # readonly
    expanded: Index  # readonly
    unsettled: Flag  # readonly
    chance: Word

    def __init__(
        self,
        start: npt.NDArray[np.uint64],
        capacity: int,
        guide: Guide,
        bounds: CountBounds,
        memory: int,
        frozen: FrozenBits | None = None,
    ) -> None:
        """A search from a packed state of shape (words,), in `memory` bytes."""
        words = len(start)
        super().__init__(capacity, words, 2 * capacity, EXPANDED + 1)
        self.guide, self.bounds = guide, bounds
        self.frozen = FrozenBits(words) if frozen is None else frozen
        self.novel, self.near, self.varied = (BucketQueue(capacity) for _ in range(3))
        self.turn = self.walk_first = self.walk_count = self.expanded = 0
        self.walks = view(np.zeros(WALK, np.int32))
        self.novelty = Novelty(64 * words, PARTS, min(NOVELTY_BYTES, memory // NOVELTY_SHARE))
        self.won_from = self.won_by = -1
        self.unsettled, self.chance = False, 1
        self.begin(start)
        _open(self, -1, 0)

    @property
    def size(self) -> int:
        """The bytes of all arrays."""
        lists = self.novel.bytes + self.near.bytes + self.varied.bytes
        return self.bytes + 4 * self.walks.shape[0] + self.novelty.bytes + lists

    def enlarge(self, actions: int, memory: int) -> None:
        """Make room for the successors of a state, in `memory` bytes altogether. Raises LimitReached."""
        free = memory - self.size
        if free < 0:
            raise LimitReached("memory")
        self.make_room(actions, free // 2)
        for queue in (self.novel, self.near, self.varied):
            queue.make_room(actions, free // 8)
        self.novelty.allow(memory - self.size + self.novelty.bytes)


def advance(search: WidthSearch, steps: Steps, memory: int, states: int) -> int:
    """Expand at most `states` states, in `memory` bytes; return the status. Raises LimitReached.

    ENDED: all states are expanded. FOUND: action `won_by` wins from state `won_from`.
    """
    last = search.expanded + states
    search.novelty.allow(memory - search.size + search.novelty.bytes)
    while (status := _advance(search, steps, last - search.expanded)) == FULL:
        search.enlarge(steps.actions, memory)
    return status


def _advance(search: WidthSearch, steps: Steps, states: Index) -> Index:
    action: Index
    for _ in range(states):
        if not _has_room(search, steps.actions):
            return FULL
        at: Index = _next(search)
        if at < 0:
            return ENDED
        search.node_info[at, EXPANDED] = 1
        search.expanded += 1
        if not steps.enter(search, at):
            continue
        for action in range(steps.actions):
            new: Index = search.used
            code: Index = steps.successor(action, search, new)
            if code == WON:
                search.won_from, search.won_by = at, action
                return FOUND
            if code == UNSETTLED:
                search.unsettled = True
            if (
                code != CHANGED
                or broken(search.bounds, search, new)
                or is_lost_by_step(search.frozen, search, at, new)
            ):
                continue
            slot: Index = find(search, search.rows, new)
            if search.slots[slot] < 0:
                search.slots[slot] = new
                search.used += 1
                search.node_info[new, PARENT] = at
                search.node_info[new, ACTION] = action
                _open(search, at, new)
    return PAUSED


def _has_room(search: WidthSearch, actions: Index) -> Flag:
    return (
        has_room(search, actions)
        and has_room_for(search.novel, actions)
        and has_room_for(search.near, actions)
        and has_room_for(search.varied, actions)
    )


def _next(search: WidthSearch) -> Index:
    """The state to expand next, -1 if there is none."""
    at: Index = -1
    while search.walk_first < search.walk_count:
        at = search.walks[search.walk_first]
        search.walk_first += 1
        if search.node_info[at, EXPANDED] == 0:
            return at
    search.walk_first = search.walk_count = 0
    while search.novel.size > 0 or search.near.size > 0 or search.varied.size > 0:
        search.turn = (search.turn + 1) % 3
        if search.turn == 0 and search.novel.size > 0:
            at = dequeue(search.novel)
        elif search.turn == 1 and search.near.size > 0:
            at = dequeue(search.near)
        elif search.turn == 2 and search.varied.size > 0:
            search.chance = mixed(search.chance, 1)
            at = dequeue_bucket(search.varied, (search.chance >> 33) % search.varied.heap_size)
        else:
            continue
        if search.node_info[at, EXPANDED] == 0:
            return at
    return -1


def _open(search: WidthSearch, parent: Index, at: Index) -> None:
    """Insert a state into the open lists."""
    search.guide.measure(search, at)
    unmet: Index = min(search.guide.unmet, MOST)
    distance: Index = min(search.guide.distance, MOST)
    depth: Index = 0 if parent < 0 else search.node_info[parent, DEPTH] + 1
    search.node_info[at, UNMET] = unmet
    search.node_info[at, DEPTH] = depth
    search.node_info[at, EXPANDED] = 0
    novelty: Index = _novelty(search, parent, at)
    enqueue(search.novel, left(left(novelty, 20) + unmet, 20) + distance, at)
    enqueue(search.near, left(distance, 20) + unmet, at)
    enqueue(search.varied, left(distance, 20) + min(depth, MOST), at)
    if parent >= 0 and search.walk_count < WALK and _is_walk(search, parent, at):
        search.walks[search.walk_count] = at
        search.walk_count += 1


def _is_walk(search: WidthSearch, parent: Index, at: Index) -> Flag:
    """Does a step change only bits of walks?"""
    w: Index
    for w in range(search.rows.shape[1]):
        if (search.rows[parent, w] ^ search.rows[at, w]) & (ALL ^ search.guide.walk[w]) != 0:
            return False
    return True


def _novelty(search: WidthSearch, parent: Index, at: Index) -> Index:
    """The novelty of a state: 1, 2 or 3. Its bits and pairs of bits are known from then on."""
    w: Index
    unmet: Index = min(search.node_info[at, UNMET], PARTS - 1)
    is_elsewhere: Flag = parent < 0 or min(search.node_info[parent, UNMET], PARTS - 1) != unmet
    for w in range(search.rows.shape[1]):
        search.novelty.now[w] = search.rows[at, w]
        search.novelty.fresh[w] = search.rows[at, w]
        if not is_elsewhere:
            search.novelty.fresh[w] &= ALL ^ search.rows[parent, w]
    return rate(search.novelty, unmet)
