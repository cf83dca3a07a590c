"""Distances of single objects to targets, in the relaxation with one object: the basis of the assignment bound.

If every action moves at most one object, the actions of a plan split into one part for each object. The part of an
object costs at least the distance of this object alone. At the goal each target has an object of its own. So the
least sum of distances over all assignments of objects to targets is a lower bound, and it is consistent (Junghanns
and Schaeffer 1998).
"""

from collections.abc import Sequence

import numpy as np

from puzzlemc.mc.heuristics.single_objects import single_object_costs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.build_tables import tables_of
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.packed.inspection import cost_unit, moves_one
from puzzlemc.mc.packed.layout import Layout, Shorts
from puzzlemc.mc.packed.tables import largest_bound

SHARE = 8  # distances take at most one SHARE-th of the memory


def no_distances(layout: Layout) -> Shorts:
    """Distances without any target: every bound is 0."""
    return np.zeros((layout.key + 1, len(layout.bits), 0), np.int32)


def has_distances(layout: Layout, model: Model, actions: PackedActions) -> bool:
    """Do single objects give a bound? This needs a relaxation to one object, and no action that moves two."""
    hints = model.hints
    if hints.location is None or all(r.keep != 1 for r in hints.relaxations):
        return False
    # Nor may an action require another object: without that, the object could need a more expensive path.
    return moves_one(actions.masks, layout.objects)


def distances(
    layout: Layout, actions: PackedActions, codes: Sequence[int], targets: Sequence[Bit], budget: Budget
) -> Shorts:
    """The least costs of a single object from each target to each place, shape (location codes, bits, targets).

    At the start, the object is at the target and the location at one of `codes`. Pass reversed actions for the
    costs to the targets, and actions for the costs from them. Returns no targets if the costs could be too large,
    or the array exceeds its share of the memory. Raises LimitReached.
    """
    numbers = (layout.key + 1) * len(layout.bits) * len(targets)
    if numbers * np.dtype(np.int32).itemsize > budget.limits.memory // SHARE:
        return no_distances(layout)
    unit = cost_unit(actions.masks)  # step costs may be large, and all the same; walks cost nothing here
    largest_cost = int(actions.step_cost.max(initial=0)) // unit
    if largest_cost * (layout.key + 1) * len(layout.bits) * len(targets) >= INFINITE:
        return no_distances(layout)  # a sum of distances could reach INFINITE
    tables = tables_of(layout, actions.divided(unit) if unit > 1 else actions, no_distances(layout))
    budget.check()
    least: Shorts = single_object_costs(
        tables, codes, [[layout.place(target)] for target in targets], len(layout.bits)
    )
    if unit * largest_bound(least) * len(targets) >= INFINITE:
        return no_distances(layout)
    if unit > 1:
        least[least < INFINITE] *= unit
    return least
