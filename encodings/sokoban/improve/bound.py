"""The heuristic of the window search: a lower bound on the pushes until each target has a box. Compiled.

It is the least cost of an assignment of the boxes that are not on a target to the targets without a box, where a
distance is the number of pushes of a lone box with the player anywhere. The distances obey the triangle
inequality, so boxes already on a target can stay in the assignment.
"""

import cython
import numpy as np

from puzzlemc.encodings.sokoban.board.floor import PUSH
from puzzlemc.encodings.sokoban.board.lone_box import LoneBox
from puzzlemc.encodings.sokoban.board.numbered import NumberedLevel
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.lone_box import spread_from
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Ints2, Numbers, Shorts2

    UNREACHABLE, INFINITE = 4096, 0x40000000  # a distance, and a cost of an assignment, without a path


class Bound:
    """Distances, the targets, and working arrays.

    distance   (cells, cells): by target and cell, the pushes of a lone box from the cell to the target
    known      (cells,): 1 if the distances to this target are computed
    is_goal    (cells + 1,): 1 for a goal
    is_target  (cells + 1,): 1 for a target
    target     (cells,): the targets in increasing order, of which there are `targets`
    boxes      (1 + boxes,): the cells of boxes that are on no target
    empty      (1 + boxes,): the targets without a box
    match, of_box, of_target, way, least, used  (2 + boxes,): for `_assignment`, by box or target from 1 on
    """

    distance: Shorts2
    known: Bytes
    is_goal: Bytes
    is_target: Bytes
    target: Ints
    targets: Index
    boxes: Numbers
    empty: Numbers
    match: Numbers
    of_box: Numbers
    of_target: Numbers
    way: Numbers
    least: Numbers
    used: Bytes
    _lone: LoneBox

    def __init__(self, level: NumberedLevel) -> None:
        """No distance is known, and there are no targets."""
        cells, boxes, is_goal = len(level.cells), len(level.boxes), np.zeros(len(level.near), np.uint8)
        is_goal[level.goals] = 1
        self.distance, self.known = view(np.empty((cells, cells), np.int16)), view(np.zeros(cells, np.uint8))
        self._lone, self.target = LoneBox(level.near, PUSH), view(np.zeros(cells, np.int32))
        self.is_goal, self.is_target = view(is_goal), view(np.zeros(cells + 1, np.uint8))
        self.targets = 0
        self.boxes, self.empty = view(np.zeros(boxes + 1, np.int64)), view(np.zeros(boxes + 1, np.int64))
        work = [np.zeros(boxes + 2, np.int64) for _ in range(5)]
        self.match, self.of_box, self.of_target, self.way, self.least = map(view, work)
        self.used = view(np.zeros(boxes + 2, np.uint8))


def set_targets(bound: Bound, vertices: Ints2, end: Index, to_goals: Flag) -> None:
    """Make the goals the targets, or without `to_goals`, the cells of the boxes of vertex `end`."""
    i: Index
    clear_targets(bound)
    if to_goals:
        for i in range(bound.known.shape[0]):
            if bound.is_goal[i]:
                add_target(bound, i)
    else:
        for i in range(1, vertices.shape[1]):
            add_target(bound, vertices[end, i])


def clear_targets(bound: Bound) -> None:
    """Remove all targets."""
    i: Index
    for i in range(bound.targets):
        bound.is_target[bound.target[i]] = 0
    bound.targets = 0


def add_target(bound: Bound, cell: Index) -> None:
    """Make the cell a target. Targets must be added in increasing order."""
    other: Index
    bound.target[bound.targets] = cell
    bound.targets += 1
    bound.is_target[cell] = 1
    if not bound.known[cell]:
        spread_from(bound._lone, cell)
        for other in range(bound.known.shape[0]):
            bound.distance[cell, other] = min(bound._lone.steps[other], UNREACHABLE)
        bound.known[cell] = 1


def covered(bound: Bound, vertices: Ints2, i: Index) -> Index:
    """The number of boxes of vertex `i` that are on a target."""
    k: Index
    count: Index = 0
    for k in range(1, vertices.shape[1]):
        count += bound.is_target[vertices[i, k]]
    return count


def pushes_from(bound: Bound, vertices: Ints2, i: Index) -> Index:
    """A lower bound on the pushes from vertex `i` until each target has a box; INFINITE if there are too few."""
    k: Index
    width: Index = vertices.shape[1]
    free: Index = 0
    for k in range(1, width):
        if not bound.is_target[vertices[i, k]]:
            bound.boxes[free] = vertices[i, k]
            free += 1
    if bound.targets > width - 1:
        return INFINITE
    if free == 0:
        return 0
    # Both the targets and the boxes are in increasing order.
    empty: Index = 0
    box: Index = 1
    for k in range(bound.targets):
        target: Index = bound.target[k]
        while box < width and vertices[i, box] < target:
            box += 1
        if box == width or vertices[i, box] != target:
            bound.empty[empty] = target
            empty += 1
    if empty == 1 and free == 1:
        return bound.distance[bound.empty[0], bound.boxes[0]]
    return _assignment(bound, free, empty)


def _assignment(bound: Bound, free: Index, empty: Index) -> Index:
    """The least sum of distances over all assignments of different boxes to the empty targets.

    By shortest augmenting paths with dual variables (Jonker and Volgenant 1987).
    """
    j: Index
    target: Index
    total: Index = 0
    for j in range(free + 1):
        bound.match[j] = 0
        bound.of_box[j] = 0
    for target in range(1, empty + 1):
        bound.of_target[target] = 0
        bound.match[0] = target
        for j in range(free + 1):
            bound.least[j] = INFINITE
            bound.used[j] = 0
        column: Index = 0
        while True:
            bound.used[column] = 1
            t: Index = bound.match[column]
            row: Index = bound.empty[t - 1]
            price: Index = bound.of_target[t]
            delta: Index = INFINITE
            nearest: Index = 0
            for j in range(1, free + 1):
                if bound.used[j]:
                    continue
                reduced: Index = bound.distance[row, bound.boxes[j - 1]] - price - bound.of_box[j]
                if reduced < bound.least[j]:
                    bound.least[j] = reduced
                    bound.way[j] = column
                if bound.least[j] < delta:
                    delta = bound.least[j]
                    nearest = j
            for j in range(free + 1):
                if bound.used[j]:
                    bound.of_target[bound.match[j]] += delta
                    bound.of_box[j] -= delta
                else:
                    bound.least[j] -= delta
            total += delta
            column = nearest
            if bound.match[column] == 0:
                break
        while column:
            bound.match[column] = bound.match[bound.way[column]]
            column = bound.way[column]
    return total
