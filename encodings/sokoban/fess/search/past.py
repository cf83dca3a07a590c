"""The positions of a search, and the paths to them."""

from typing import NamedTuple, TypeAlias

import numpy as np

from puzzlemc.encodings.sokoban.board.numbered import Ints, Words
from puzzlemc.encodings.sokoban.fess.domain.positions import Positions

Place: TypeAlias = tuple[frozenset[int], int]  # the boxes, and the least cell of the player


class Past(NamedTuple):
    """The positions of a side, and their parents."""

    bits: Words
    players: Ints
    parents: Ints

    def place(self, number: int) -> Place:
        """The boxes of a position, and the least cell of the player."""
        row = np.unpackbits(self.bits[number].view(np.uint8), bitorder="little")
        return frozenset(np.flatnonzero(row).tolist()), int(self.players[number])

    def way(self, number: int) -> list[Place]:
        """The positions from a start of the side to this one."""
        found = []
        while number >= 0:
            found.append(self.place(number))
            number = int(self.parents[number])
        return found[::-1]


def past_of(positions: Positions) -> Past:
    """The positions of a search, without a copy."""
    arrays = positions.bits, positions.players, positions.parents
    return Past(*(np.asarray(each)[: positions.count] for each in arrays))


def copy_of(past: Past) -> Past:
    """A copy, whose arrays have no room for further positions."""
    return Past(past.bits.copy(), past.players.copy(), past.parents.copy())
