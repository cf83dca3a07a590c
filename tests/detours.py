"""Levels with a known plan that is not cheapest."""

from dataclasses import replace

from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.encodings.sokoban.model.compact import _actions_of
from puzzlemc.mc.engines.portfolio import Decision
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.verdict import Reachable, Unknown
from puzzlemc.screens.sokoban import Level, parse

RULES = puzzle("sokoban")


def entry_of(level: object) -> Entry:
    return Entry("room", "", RULES, level, None)


(OPEN,) = parse("#######\n#     #\n#  $  #\n#   @ #\n#  .  #\n#     #\n#######", "open")
DETOUR = "uLulldRurDD"  # four pushes, while two suffice


def detour(metric: str, bound: int, reason: str = "memory") -> Decision:
    """The result of a search that ended after it found a detour and this bound."""
    assert isinstance(OPEN, Level)
    model = RULES.encodings["compact"](OPEN).model
    actions = _actions_of(OPEN, model.actions, DETOUR)
    best = Reachable(run_of(model, actions), 0, False)
    best = replace(best, cost=best.trace.cost(metric.partition(",")[0]))
    return Decision(Unknown(reason, bound, best=best), "explicit", None)
