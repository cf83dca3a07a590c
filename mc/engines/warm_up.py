"""Compiles or loads all of compiled search before it is needed. The registry names the engines that need it."""

from importlib import import_module

import numpy as np

from puzzlemc.mc import jit
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.toy import row_of_places
from puzzlemc.mc.verdict import extracted

# The modules of compiled code, for `mc.jit`.
_PACKED = ("tables", "successors", "buckets")
_HEURISTICS = ("assignment", "frozen", "pairs", "stubborn")
_ASTAR = ("search", "waves", "proof")
COMPILED = (
    *(f"puzzlemc.mc.packed.{name}" for name in _PACKED),
    *(f"puzzlemc.mc.heuristics.{name}" for name in _HEURISTICS),
    *(f"puzzlemc.mc.astar.{name}" for name in _ASTAR),
)


def searches() -> None:
    """Run each compiled search once. Raises ImportError, OSError or RuntimeError if numba does not work."""
    from puzzlemc.mc.engines.best_first import best_first
    from puzzlemc.mc.engines.explicit import astar
    from puzzlemc.mc.packed.buckets import rehash

    model = row_of_places()
    for metric in ("cost", ANY):
        extracted(astar(model, metric, Budget(), proving="positions").proof)
    astar(model, "walks", Budget())
    best_first(model, ANY, Budget())
    rehash(np.zeros((1, 1), np.uint64), 0, np.full(4, -1, np.int32))


def need_searches() -> None:
    """Demand compiled search. Raises NotCompiled if it is missing and the process must ask before compiling."""
    for name in COMPILED:
        import_module(name)
    jit.ready(searches, *COMPILED)
