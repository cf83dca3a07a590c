"""Steps between abstract states that are not stored one by one: an operator that reads few variables of a pattern
has the same steps from all states that agree on these.

Where each of 250 places can be reached from all others, a pattern of the place and of something else with 250
values has 15 million transitions, but 62,500 steps of this kind. Compiled: see `mc/words.py`.
"""

from collections.abc import Iterable, Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Ints, Ints2, Numbers

READ, FROM, DIFFERENCE = 0, 1, 2  # columns of rows of abstract operators, see `projection`


class SharedSteps:
    """Steps from the states of a group, or to them. A group has the states that agree on a set of variables.

    group  (states, sets): the group of each state, for each set of variables
    first  (groups + 1,): the steps of group g are those from `first[g]` to before `first[g + 1]`
    other  (steps,): what is added to the number of the state for that of the other end
    row    (steps,): the row of abstract operators
    """

    group: Ints2  # readonly
    first: Numbers  # readonly
    other: Numbers  # readonly
    row: Ints  # readonly

    def __init__(
        self,
        group: npt.NDArray[np.int32],
        first: npt.NDArray[np.int64],
        other: npt.NDArray[np.int64],
        row: npt.NDArray[np.int32],
    ) -> None:
        self.group, self.first, self.other, self.row = view(group), view(first), view(other), view(row)

    def sizes(self) -> npt.NDArray[np.int64]:
        """The number of steps of each state; if there are no sets, one 0 for all."""
        found: npt.NDArray[np.int64] = np.diff(np.asarray(self.first))[np.asarray(self.group)].sum(axis=1)
        return found

    @property
    def bytes(self) -> int:
        """The size of the arrays."""
        groups = 8 * self.first.shape[0] + 4 * self.group.shape[0] * self.group.shape[1]
        return 12 * self.row.shape[0] + groups


def shared_steps(
    parts: Iterable[npt.NDArray[np.int64]], sets: Sequence[int], rows: npt.NDArray[np.int64], *, is_forward: bool
) -> SharedSteps:
    """The steps of all rows that read just one of these sets of variables.

    parts       for each set (states,): the number of the abstract state in which the other variables are 0
    sets        sets of variables, as words
    rows        the rows of abstract operators, each once
    is_forward  steps are listed by their sources; otherwise by their targets
    """
    groups = []
    sizes, steps = [np.zeros(1, np.int64)], [np.zeros(0, np.int64)]
    count = 1  # group 0 has no steps
    for read, part in zip(sets, parts, strict=True):
        own = np.flatnonzero(rows[:, READ] == read)
        known = rows[own, FROM] if is_forward else rows[own, FROM] + rows[own, DIFFERENCE]
        order = np.argsort(known, kind="stable")
        values, some = np.unique(known, return_counts=True)
        at = np.minimum(np.searchsorted(values, part), len(values) - 1)
        groups.append(np.where(values[at] == part, count + at, 0).astype(np.int32))
        sizes.append(some)
        steps.append(own[order])
        count += len(values)
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(sizes))])
    row = np.concatenate(steps)
    other = np.ascontiguousarray(rows[row, DIFFERENCE] if is_forward else -rows[row, DIFFERENCE])
    group = np.stack(groups, axis=1) if groups else np.zeros((1, 0), np.int32)
    return SharedSteps(group, first, other, row.astype(np.int32))


NO_STEPS = shared_steps([], [], np.zeros((0, 3), np.int64), is_forward=True)
