"""Lower bounds from single objects: what each object, were it alone, costs to get to each target.

Where every action moves one object or none, the actions of a run fall into one part for each object, and what one
object's part costs is no less than its way alone. At the goal each target holds an object of its own, so the least
sum of such ways over all assignments is a lower bound, and a consistent one (as used since Junghanns and Schaeffer
1998).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from puzzlemc.mc.heuristics.assignment import single_object_costs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.actions import Rules
from puzzlemc.mc.packed.layout import Layout, Shorts
from puzzlemc.mc.packed.tables import INFINITE, tables_of

SHARE = 8  # distances take at most one SHARE-th of the memory


def no_distances(layout: Layout) -> Shorts:
    """The distances to no target: every bound is 0."""
    return np.zeros((layout.key + 1, len(layout.bits), 0), np.int32)


def has_distances(layout: Layout, model: Model, rules: Rules) -> bool:
    """Do single objects give a bound? The model must relax to one object, and no action may move two."""
    hints = model.hints
    if hints.location is None or all(r.keep != 1 for r in hints.relaxations):
        return False
    objects = layout.rows([layout.integer(hints.objects)])[0]
    taken = rules.clear & objects
    moved = layout.unpacked(taken).sum(axis=1)
    # Nor may it need another object: alone, this one would have to take a dearer way.
    alone = (rules.value & objects == taken).all(axis=1)
    return bool((moved <= 1).all() and alone[moved == 1].all())


def distances(
    layout: Layout, rules: Rules, codes: Iterable[int], targets: Sequence[Bit], budget: Budget
) -> Shorts:
    """By location code, bit, and target: the least cost of a single object's way from the target, with the
    location at one of the codes, to there. Reversed rules give the costs to the targets. No targets
    where numbers would be too large, or too many for the memory. Raises LimitReached.
    """
    codes = list(codes)
    numbers = (layout.key + 1) * len(layout.bits) * len(targets)
    if numbers * np.dtype(np.int32).itemsize > budget.limits.memory // SHARE:
        return no_distances(layout)
    moving = (rules.changed & ~rules.key).any(axis=1)  # what only changes the location counts nothing here
    unit = max(1, int(np.gcd.reduce(rules.price[moving])))  # prices may be large, and all alike
    dearest = int(rules.price.max(initial=0)) // unit
    if dearest * (layout.key + 1) * len(layout.bits) * len(targets) >= INFINITE:
        return no_distances(layout)  # a sum of distances could reach INFINITE
    tables = tables_of(layout, replace(rules, price=rules.price // unit), no_distances(layout))
    budget.check()
    starts = np.array([[(code, layout.place(target)) for code in codes] for target in targets], np.int64)
    least: Shorts = single_object_costs(tables, starts.reshape(len(targets), -1, 2), len(layout.bits))
    finite = least < INFINITE
    if unit * int(least[finite].max(initial=0)) * len(targets) >= INFINITE:
        return no_distances(layout)
    if unit > 1:
        least[finite] *= unit
    return least
