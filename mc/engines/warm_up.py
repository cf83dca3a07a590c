"""Leads through all of compiled search, to have it compiled or loaded before it is needed."""

import numpy as np

from puzzlemc.mc import jit
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY
from puzzlemc.mc.rows import COMPILED
from puzzlemc.mc.toy import row_of_places


def searches() -> None:
    """Lead through compiled search. Raises ImportError, OSError or RuntimeError where there is no numba."""
    from puzzlemc.mc.engines.best_first import best_first
    from puzzlemc.mc.engines.explicit import astar
    from puzzlemc.mc.rows.buckets import rehash

    model = row_of_places()
    for metric in ("cost", ANY):
        astar(model, metric, Watch(), proving="positions").ends()
    astar(model, "walks", Watch())
    best_first(model, ANY, Watch())
    rehash(np.zeros((1, 1), np.uint64), 0, np.full(4, -1, np.int32))


def need_searches() -> None:
    """Say that compiled search is wanted. Raises NotCompiled where it is not there and the process asks first."""
    jit.ready(searches, *COMPILED)
