"""The pushes between the positions of a search. Compiled: see `mc/words.py`."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps, Search
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.generate.exploration import list_successors
    from puzzlemc.mc.search.state_table import find
    from puzzlemc.mc.words import Index, Ints, Numbers, Shorts2

AT_A_TIME = 10_000  # positions between two looks at the clock


def list_edges(
    steps: RoomSteps, search: Search, budget: Budget
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int16]]:
    """The pushes between positions of a search, grouped by the position before them. Raises LimitReached.

    (first, targets, moved): the pushes from position p are those from `first[p]` to before `first[p + 1]`; the
    position after each push; the number of the box before and after it.
    """
    positions, most = search.used, steps.after.shape[0]
    first = np.zeros(positions + 1, np.int64)
    targets_of: list[npt.NDArray[np.int32]] = []
    moved_of: list[npt.NDArray[np.int16]] = []
    for start in range(0, positions, AT_A_TIME):
        budget.check()
        end = min(positions, start + AT_A_TIME)
        targets, moved = np.empty((end - start) * most, np.int32), np.empty(((end - start) * most, 2), np.int16)
        count: Index = _fill(steps, search, start, end, view(first), view(targets), view(moved))
        targets_of.append(targets[:count].copy())
        moved_of.append(moved[:count].copy())
    np.cumsum(first, out=first)
    return first, np.concatenate(targets_of), np.concatenate(moved_of)


def _fill(
    steps: RoomSteps, search: Search, start: Index, end: Index, first: Numbers, targets: Ints, moved: Shorts2
) -> Index:
    """List the pushes from these positions, and write their number to the entry after each; return all."""
    count: Index = 0
    at: Index
    i: Index
    for at in range(start, end):
        before: Index = count
        for i in range(list_successors(steps, search.packed, at)):
            known: Index = search.slots[find(search, steps.after, i)]
            if known >= 0:
                targets[count] = known
                moved[count, 0] = steps.moves[i, 0]
                moved[count, 1] = steps.moves[i, 1]
                count += 1
        first[at + 1] = count - before
    return count
