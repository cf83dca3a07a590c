"""Changes of one edit, of two, and so on, with numbers of each level: for wishes about a number.

All single edits are looked at. Of the levels that they make, all edits are looked at in turn, the levels with the
best numbers first, as long as there is work left. Edits are made one after the other: each level on the way is one
that the reader of the puzzle accepts. So some sets of two and more edits are never made, those that are legal only
together: beyond one edit, what is found is the best found, and finding nothing proves nothing.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from puzzlemc.encodings.puzzle.design.changes import Change
from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.mc.errors import LIMITS, LimitReached, reason_of
from puzzlemc.mc.limits import TIME
from puzzlemc.reports.suggest.asked import Asked

WORK = 2_000  # levels with each number of edits above one that are looked at
SLOW_WORK = 500  # if an engine must solve each of them
Score: TypeAlias = tuple[float, ...]  # more is better
Known: TypeAlias = Mapping[str, Number]


class Aim(NamedTuple):
    """What numbers a wish asks for.

    names    of the numbers
    score    of numbers: which level is nearer to the wish
    reached  do numbers reach the wish? The search ends with the fewest edits that do. None: the best is wished
    floor    what the first part of a score must exceed if the numbers of the level as it is are not known
    ceiling  the first part of a score is at most this, for levels that are not solved at their start
    """

    names: Collection[str]
    score: Callable[[Known], Score]
    reached: Callable[[Known], bool] | None = None
    floor: float | None = None
    ceiling: float | None = None


@dataclass
class Layer:
    """The changes with one number of edits, and with no smaller one, that leave a level solvable.

    found     each with the numbers of its level
    complete  are all such changes looked at? Of more than one edit, this is never known
    """

    found: list[tuple[Change, Known]] = field(default_factory=list)
    complete: bool = False


@dataclass
class Layers:
    """The layers that were looked at, from one edit on.

    tried   the number of levels
    reason  the limit that came first
    """

    layers: list[Layer] = field(default_factory=list)
    tried: int = 0
    reason: str | None = None


def layers(asked: Asked, aim: Aim) -> Layers:
    """Look at changes of more and more edits, until the wish is reached, or a limit is."""
    found = Layers()
    budget = asked.search_budget
    known = {asked.text(asked.level)}
    bases: list[tuple[Change, Known | None]] = [(Change(asked.level, ()), None)]
    complete = True
    try:
        for size in range(1, asked.allowed.most + 1):
            layer = Layer()
            found.layers.append(layer)
            next_bases: list[tuple[Change, Known | None]] = []
            work = WORK if asked.changes.numbers is not None else SLOW_WORK
            for base, _ in bases:
                for single in asked.changes.edits(base.level, asked.allowed):
                    budget.check()
                    text = asked.text(single.level)
                    if text in known:
                        continue
                    known.add(text)
                    change = Change(single.level, base.edits + single.edits)
                    found.tried += 1
                    work -= size > 1
                    try:
                        measured = asked.numbers(change.level, budget, aim.names)
                    except LimitReached as limit:
                        if limit.reason in TIME:
                            raise
                        found.reason, complete = limit.reason, False
                        continue
                    next_bases.append((change, measured))
                    if measured is not None:
                        layer.found.append((change, measured))
                if work <= 0 and base is not bases[-1][0]:
                    complete = False
                    break
            layer.complete = complete and size == 1
            if aim.reached is not None and any(aim.reached(each) for _, each in layer.found):
                break
            bases = sorted(next_bases, key=lambda item: _order(aim, item[1]), reverse=True)
    except LIMITS as limit:
        found.reason = found.reason or reason_of(limit)
    return found


def _order(aim: Aim, numbers: Known | None) -> tuple[bool, Score]:
    """Unsolvable levels come last."""
    return numbers is not None, () if numbers is None else aim.score(numbers)
