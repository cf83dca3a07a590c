"""The planner: the engines that find the best layout of a level, by name.

`auto` is `sat`, by far the quicker of the two; `cp-sat` is a second opinion and needs OR-tools.
"""

from collections.abc import Callable
from importlib.util import find_spec

from puzzlemc.encodings.factorio.domain.rules import check
from puzzlemc.encodings.factorio.planner.by_sat import BySat
from puzzlemc.encodings.factorio.planner.optimise import Planned, Tell
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.factorio import Level


def _by_sat(level: Level, budget: Budget, tell: Tell | None) -> Planned:
    return BySat(level, budget, tell).run()


def _by_cp_sat(level: Level, budget: Budget, tell: Tell | None) -> Planned:
    if find_spec("ortools") is None:
        raise ModelError("the engine cp-sat needs OR-tools: pip install 'puzzlemc[planner]'")
    # Imported where it is needed: it takes a while.
    from puzzlemc.encodings.factorio.planner.by_cp_sat import ByCpSat

    return ByCpSat(level, budget, tell).run()


ENGINES: dict[str, Callable[[Level, Budget, Tell | None], Planned]] = {
    "auto": _by_sat,
    "sat": _by_sat,
    "cp-sat": _by_cp_sat,
}


def best(level: Level, budget: Budget, tell: Tell | None = None, engine: str = "auto") -> Planned:
    """The best layout of a level, confirmed by the plain rules; with a limit of time the best so far.

    `tell` hears of each better layout as it is found. Raises ModelError for an unknown engine or one that is not
    installed, and Refuted where the rules do not accept what an engine found.
    """
    if engine not in ENGINES:
        raise ModelError(f"unknown engine {engine!r}, expected one of {', '.join(ENGINES)}")
    found = ENGINES[engine](level, budget, tell)
    if found.layout is not None and check(level, found.layout) != found.measure:
        raise Refuted("the layout is valid, but its measure is not what the engine says")
    return found
