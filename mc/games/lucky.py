"""Can some draws lead to a solution? Breadth-first search over inputs and outcomes, from all first positions.

An input whose outcomes are too many to list may lead anywhere. So no solution with more turns is optimal, and a
search without a solution is *unknown*.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from puzzlemc.mc.errors import LIMITS, LimitReached, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.chance import Chance, Turn


@dataclass
class Found:
    """What a search against chance finds.

    moves    the names of the steps of a solution; None without one
    turns    its number of inputs
    bound    no solution has fewer
    states   the number of positions found
    reason   the limit that stopped the search, or why something remains unknown; None if all is known
    words    why the outcomes of some input are not known, for people; empty if all are known
    """

    moves: list[str] | None = None
    turns: int = 0
    bound: int = 0
    states: int = 0
    reason: str | None = None
    words: str = ""

    def stopped(self, limit: LimitReached | MemoryError | TimeoutError) -> None:
        """Record the limit that stopped the search, such as that the first positions are too many to list."""
        self.reason = reason_of(limit)
        if isinstance(limit, LimitReached) and limit.words:
            self.words = limit.words


def lucky(rules: Chance, level: Any, budget: Budget) -> Found:
    """Find a solution with the fewest inputs."""
    found = Found()
    try:
        _search(rules, level, budget, found)
    except LIMITS as limit:
        found.stopped(limit)
    return found


def known_turns(
    rules: Chance, level: Any, position: Hashable, budget: Budget, found: Found
) -> Iterator[tuple[str, Turn]]:
    """Yield each input of a position with its outcomes, unless they are too many to list.

    For one with too many, `found.words` says why. Raises the limits of the budget.
    """
    for name in rules.inputs(level):
        budget.check()
        try:
            turn = rules.turn(level, position, name)
        except LimitReached as limit:
            if limit.reason != "bound":
                raise
            found.words = str(limit)
            continue
        yield name, turn


def _search(rules: Chance, level: Any, budget: Budget, found: Found) -> None:
    parent: dict[Hashable, tuple[Hashable, str] | None] = dict.fromkeys(rules.first(level))
    depth, waiting = dict.fromkeys(parent, 0), list(parent)
    last: int | None = None  # the least depth of a position with an input whose outcomes are not known
    for position in waiting:
        found.states = len(waiting)
        found.bound = depth[position] if last is None else min(depth[position], last + 1)
        budget.record_bound(found.bound)
        if rules.solved(level, position):
            found.moves, found.turns = _path(rules, level, parent, position), depth[position]
            return
        for _, turn in known_turns(rules, level, position, budget, found):
            for step in turn.steps:
                if step.position not in parent:
                    parent[step.position] = position, step.name
                    depth[step.position] = depth[position] + 1
                    waiting.append(step.position)
        if found.words and last is None:
            last = depth[position]
    if last is not None:
        found.reason, found.bound = "bound", last + 1


def _path(
    rules: Chance, level: Any, parent: dict[Hashable, tuple[Hashable, str] | None], position: Hashable
) -> list[str]:
    """The names of the steps to a position."""
    names = []
    while (before := parent[position]) is not None:
        position, name = before
        names.append(name)
    begin = rules.begin(level, position)
    return [*([] if begin is None else [begin]), *reversed(names)]
