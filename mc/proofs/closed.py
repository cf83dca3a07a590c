"""Closed lists of positions: what shows that a search that has seen everything has not found something.

A row is a state as in bidirectional proofs (`blocks`): its cost, which is 0, a place that stands by itself, and
the places of the objects in rising order. The checker that a puzzle brings says what stands where, where a search
may begin, which positions may be left out, and what none of the listed positions is.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # it needs numpy, and commands that only show results do not
    import numpy as np
    import numpy.typing as npt

    from puzzlemc.mc.proofs.blocks import Block


@dataclass(frozen=True)
class ClosedPositions:
    """A list of positions that no step leaves.

    objects  the number of objects of a position, without what stands by itself
    blocks   the positions
    """

    objects: int
    blocks: tuple["Block", ...]

    @property
    def width(self) -> int:
        """The number of numbers of a row."""
        return 2 + self.objects


def closed_positions(places: "npt.NDArray[np.uint16]") -> ClosedPositions:
    """The list of these positions: rows of the place that stands by itself and the others, in any order."""
    import numpy as np

    from puzzlemc.mc.proofs.blocks import packed

    rows = np.zeros((len(places), 1 + places.shape[1]), np.uint16)
    rows[:, 1:] = places
    return ClosedPositions(places.shape[1] - 1, packed(rows))
