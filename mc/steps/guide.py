"""How far a packed state is from winning: what a search for some solution goes by.

Any numbers will do: they change how soon a solution is found, never the answer. Compiled: see `mc/words.py`.
"""

from collections.abc import Iterable

import cython
import numpy as np

from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Index, Words


class Guide:
    """Numbers for a state. This one knows nothing of any state.

    unmet     the conditions of the goal that the last measured state breaks, counted by cells or otherwise
    distance  about the number of steps that mend them
    walk      (words,): a step that changes no other bits is a walk: it only prepares another step
    """

    unmet: Index  # readonly
    distance: Index  # readonly
    walk: Words  # readonly

    def __init__(self, words: int, walk: Iterable[int] = ()) -> None:
        """A guide for packed states of `words` words; `walk` has the numbers of the bits that walks change."""
        self.unmet = self.distance = 0
        masks = [0] * words
        for number in walk:
            masks[number // 64] |= 1 << number % 64
        self.walk = view(np.array(masks, np.uint64))

    def measure(self, table: StateTable, number: Index) -> None:
        """Set `unmet` and `distance` for a state of the table."""
        self.unmet = self.distance = 0

    def numbers(self, table: StateTable, number: int) -> tuple[int, int]:
        """The `unmet` conditions and the `distance` of a state of the table."""
        self.measure(table, number)
        return self.unmet, self.distance
