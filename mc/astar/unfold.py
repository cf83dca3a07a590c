"""The plan of a search that keeps the least image of each state under symmetries.

Its rows are images: from the initial state, the plan takes successors whose least images are these rows.
"""

import numpy as np

from puzzlemc.mc.astar.problem import Problem
from puzzlemc.mc.packed.images import least_images
from puzzlemc.mc.packed.layout import PackedStates
from puzzlemc.mc.packed.successors import Successors, successors
from puzzlemc.mc.words import view


def unfolded(problem: Problem, rows: PackedStates) -> list[int]:
    """The numbers of the actions of a plan whose states have these least images.

    The first one is the initial state itself. All actions must cost the same, and walks nothing.
    """
    side = problem.forward
    tables, found = side.tables, Successors(side.tables)
    state, actions = rows[0], []
    for row in rows[1:]:
        found.row = view(state.reshape(1, -1).copy())
        count = successors(tables, found)
        after = np.asarray(found.after)[:count]
        there = np.flatnonzero((least_images(side.images, tables.walks, after) == row).all(axis=1))
        assert len(there), "the image of a plan is a plan"
        state = after[there[0]].copy()
        actions.append(int(tables.action_info[found.by[int(there[0])], 1]))
    return actions
