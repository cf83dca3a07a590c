"""Steps from a table: the smallest step system, to read first, and for tests of what works on step systems.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.steps.steps import Steps
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.search.state_table import StateTable
    from puzzlemc.mc.steps.steps import CHANGED, WON
    from puzzlemc.mc.words import Flag, Index, Numbers2


class ListedSteps(Steps):
    """Steps between numbered states. A packed state is one word: twice the number, and 1 more if it is won.

    codes    (states, actions): what `successor` returns, see `mc/steps/steps.py`
    targets  (states, actions): the number of the successor
    here     the number of the state that was entered
    """

    codes: Numbers2
    targets: Numbers2
    here: Index

    def __init__(self, codes: npt.NDArray[np.int64], targets: npt.NDArray[np.int64]) -> None:
        super().__init__(1, codes.shape[1])
        self.codes, self.targets, self.here = view(codes), view(targets), 0

    def enter(self, table: StateTable, number: Index) -> Flag:
        """Take a state of the table as the source."""
        self.here = table.rows[number, 0] >> 1
        return table.rows[number, 0] & 1 == 0

    def successor(self, action: Index, table: StateTable, place: Index) -> Index:
        """Write the successor to a row of the table."""
        code: Index = self.codes[self.here, action]
        if code in (CHANGED, WON):
            target: Index = self.targets[self.here, action]
            table.rows[place, 0] = 2 * target + (code == WON)
        return code
