"""Meetings of searches: the positions of all searches on a level, by the end from which they start.

A position that one search reaches by pushes and another by pulls is on a path from the start to the goal.
Positions are identified by 64 bits of their hash; the path that is found is replayed.
"""

from typing import NamedTuple, Protocol

import numpy as np

from puzzlemc.encodings.sokoban.board.numbered import NumberedLevel, Shorts
from puzzlemc.encodings.sokoban.fess.domain.symmetries import least_cells
from puzzlemc.encodings.sokoban.fess.search.past import Past, Place, copy_of, past_of
from puzzlemc.encodings.sokoban.fess.search.seen import Seen, insert_all, insert_side
from puzzlemc.encodings.sokoban.fess.search.sides import Side

AT_FIRST = 1 << 14  # slots
BYTES = 8 + 44  # of an ended search, for each position beside its boxes: parent, player, and slots
NUMBERS = 32  # bits of the number of a position; above them is that of its search


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
        self.seen = [Seen(AT_FIRST), Seen(AT_FIRST)]

    def make_room(self, game: int, more: int) -> None:
        """Make room for `more` further positions from that end."""
        seen = self.seen[game]
        size, needed = seen.hashes.shape[0], (seen.total + more) * 4 // 3
        if size < needed:
            while size < needed:
                size *= 2
            self.seen[game] = Seen(size)
            insert_all(self.seen[game], seen)

    def gather(self, searches: dict[int, Search]) -> None:
        """Forget all but what these searches have seen."""
        self.seen = [Seen(AT_FIRST), Seen(AT_FIRST)]
        for name, search in searches.items():
            for game, side in enumerate(search.sides):
                count = side.positions.count
                self.make_room(game, count)
                insert_side(self.seen[game], side.positions.hashes, count, name)


class Meetings:
    """The searches on a board, with the positions of those on the whole level and of recent legs.

    images  see `images_of`
    memory  bytes for legs that have ended; past that, all of them are forgotten
    """

    def __init__(self, memory: int, board: NumberedLevel, images: Shorts) -> None:
        self._board, self._images = board, images
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
        ended = Ended([copy_of(past_of(side.positions)) for side in search.sides], search.before, search.after)
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
        ahead, behind = push.before + push.sides[0].way(number), pull.sides[1].way(met)[::-1] + pull.after
        return ahead + self._onto(ahead[-1], behind)[1:]

    def _onto(self, place: Place, path: list[Place]) -> list[Place]:
        """The image of a path that begins at that position.

        If there is none, two positions had the same hash: the path itself, so the positions have a gap.
        """
        boxes, player = place
        for image in [np.arange(len(self._board.near)), *self._images]:
            first, after = image_of(path[0], image)
            if first == boxes and len(set(least_cells(self._board, sorted(boxes), [player, after]))) == 1:
                return [image_of(each, image) for each in path]
        return path


def image_of(place: Place, image: Shorts) -> Place:
    """The image of a position; its player is on any cell that it reaches."""
    boxes, player = place
    return frozenset(image[sorted(boxes)].tolist()), int(image[player])
