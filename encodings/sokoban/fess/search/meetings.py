"""Meetings of searches: the positions of all searches on a level, by the end from which they start.

A position that one search reaches by pushes and another by pulls is on a path from the start to the goal.
Positions are identified by 64 bits of their hash; the path that is found is replayed.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from puzzlemc.encodings.sokoban.fess.domain.boards import Words
from puzzlemc.encodings.sokoban.fess.domain.counters import COUNT
from puzzlemc.encodings.sokoban.fess.search.sides import Longs, Past, Place, Side
from puzzlemc.mc.jit import kernel

AT_FIRST = 1 << 14  # slots
BYTES = 8 + 44  # of an ended search, for each position beside its boxes: parent, player, and slots
NUMBERS = 32  # bits of the number of a position; above them is that of its search


class Seen(NamedTuple):
    """The positions seen from one end: a hash table.

    hashes  0 where a slot is empty
    refs    the search and the number of a position
    total   how many there are
    """

    hashes: Words
    refs: Longs
    total: Longs


@kernel()
def insert(seen, hashed, ref):  # type: ignore[no-untyped-def]
    """Insert a position, unless it is in the table."""
    hashes = seen.hashes
    mask = len(hashes) - 1
    slot = np.int64(hashed & np.uint64(mask))
    while hashes[slot]:
        if hashes[slot] == hashed:
            return
        slot = (slot + 1) & mask
    hashes[slot] = hashed
    seen.refs[slot] = ref
    seen.total[0] += 1


@kernel()
def look_up(seen, hashed):  # type: ignore[no-untyped-def]
    """The search and the number of a position, -1 where it is not known."""
    hashes = seen.hashes
    mask = len(hashes) - 1
    slot = np.int64(hashed & np.uint64(mask))
    while hashes[slot]:
        if hashes[slot] == hashed:
            return seen.refs[slot]
        slot = (slot + 1) & mask
    return np.int64(-1)


@kernel()
def insert_all(seen, other):  # type: ignore[no-untyped-def]
    """Insert all positions of another table."""
    for slot in range(len(other.hashes)):
        if other.hashes[slot]:
            insert(seen, other.hashes[slot], other.refs[slot])


@kernel()
def insert_side(seen, hashes, count, name):  # type: ignore[no-untyped-def]
    """Insert the first `count` positions of a side of a search."""
    for number in range(count):
        insert(seen, hashes[number], name << 32 | number)


class Search(Protocol):
    """A search that can meet others: its sides, and the positions before its start and after its end."""

    sides: list[Side]
    before: list[Place]
    after: list[Place]


class Ended(NamedTuple):
    """The positions of a search that has ended."""

    sides: list[Past]
    before: list[Place]
    after: list[Place]


class Tables:
    """The positions seen from the start, and those seen from the goal."""

    def __init__(self) -> None:
        self.seen = [_table(AT_FIRST), _table(AT_FIRST)]

    def make_room(self, game: int, more: int) -> None:
        """Make room for `more` further positions from that end."""
        seen = self.seen[game]
        size, needed = len(seen.hashes), (int(seen.total[0]) + more) * 4 // 3
        if size < needed:
            while size < needed:
                size *= 2
            self.seen[game] = _table(size)
            enter: Any = insert_all
            enter(self.seen[game], seen)

    def gather(self, searches: dict[int, Search]) -> None:
        """Forget all but what these searches have seen."""
        self.seen = [_table(AT_FIRST), _table(AT_FIRST)]
        enter: Any = insert_side
        for name, search in searches.items():
            for game, side in enumerate(search.sides):
                count = int(side.counters[COUNT])
                self.make_room(game, count)
                enter(self.seen[game], side.hashes, count, name)


class Meetings:
    """The searches on a level, with the positions of those on the whole level and of recent legs.

    memory  bytes for legs that have ended; past that, all of them are forgotten
    """

    def __init__(self, memory: int) -> None:
        self.whole, self.legs = Tables(), Tables()
        self._memory, self._used = memory, 0
        self._searches: dict[int, Search | Ended] = {}
        self._ended: list[int] = []
        self._named = 0

    def join(self, search: Search) -> int:
        """A new search: its number."""
        self._named += 1
        self._searches[self._named] = search
        return self._named

    def end(self, name: int, search: Search) -> None:
        """End a leg; keep only its positions and their parents."""
        ended = Ended([side.past() for side in search.sides], search.before, search.after)
        self._searches[name] = ended
        self._ended.append(name)
        self._used += sum(side.bits.nbytes + len(side.bits) * BYTES for side in ended.sides)
        if self._used > self._memory:
            for other in self._ended:
                del self._searches[other]
            self._ended, self._used, self.legs = [], 0, Tables()

    def forget(self) -> None:
        """Forget all searches."""
        self._searches.clear()

    def positions(self, here: int, there: int) -> list[Place]:
        """The positions from the start to the goal, through a meeting of pushes and pulls."""
        (one, number), (other, met) = divmod(here, 1 << NUMBERS), divmod(there, 1 << NUMBERS)
        push, pull = self._searches[one], self._searches[other]
        return push.before + push.sides[0].way(number) + pull.sides[1].way(met)[-2::-1] + pull.after


def _table(slots: int) -> Seen:
    return Seen(np.zeros(slots, np.uint64), np.zeros(slots, np.int64), np.zeros(1, np.int64))
