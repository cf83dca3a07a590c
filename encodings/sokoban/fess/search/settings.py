"""The settings of a search."""

from typing import NamedTuple

ORDERS = 4  # variants of a packing plan


class Settings(NamedTuple):
    """The settings of a search.

    groups              test for deadlocks of nearby boxes
    barriers            leave out pushes of boxes outside a barrier
    ends                search from both ends
    order               variant of the packing plan
    loose               fill targets in any order that bars no way
    hurry               weight of the distance to the next target
    walled              in a loose plan, the penalty, in packed boxes, for a box lost while they stay packed
    exact               follow the player around lone boxes; in a walled plan, each target needs a box of its own
    symmetric           count symmetric positions as one; the first settings of a portfolio decide
    share               its share of the work
    kinds               distinguish kinds of positions in each cell of the feature space: see `kinds.py`
    eager               expand the best cells of the feature space more often
    """

    ends: int = 1
    order: int = 0
    loose: int = 0
    hurry: int = 0
    eager: int = 0
    walled: int = 0
    groups: int = 1
    barriers: int = 1
    exact: int = 0
    symmetric: int = 0
    share: int = 1
    kinds: int = 0
