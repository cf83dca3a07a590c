"""The size of the feature space, and the counters of a side. Compiled: see `mc/words.py`."""

import cython

if not cython.compiled:
    from puzzlemc.mc.words import Index

    REGIONS, OUT_OF_PLAN = 8, 5  # larger counts fall into the last class
    CELLS = (REGIONS + 1) * (OUT_OF_PLAN + 1)  # of the feature space, for each stage and kind
    KINDS = 8  # of positions, if they are distinguished


class Counters:
    """The counters of a side.

    work      visited cells; `tested`, those of long tests of groups
    expanded  positions, and `buried`, those found dead instead
    """

    work: Index  # public
    tested: Index  # public
    expanded: Index  # public
    buried: Index  # public

    def __init__(self) -> None:
        self.work = self.tested = self.expanded = self.buried = 0
