"""Levels of Sokoban and the distances of a lone box, for the checker of proofs only. Compiled: see `mc/words.py`.

Floods, distances, the assignment bound and the hash table exist elsewhere, too: in `mc/heuristics`, `mc/packed`,
`encodings/sokoban/fess` and `encodings/sokoban/improve`. They are repeated here on purpose. A checker that shared
code with the searches would repeat their errors, so the files of this folder must not import them, and they must
not import these. Of compiled code, both sides use the types of `mc/words.py` alone.

`positions.py` defines positions. A *vertex* is a position that occurs in a proof. If walking is free, a vertex
represents all positions between which the player can walk, and is the one with the player on the least cell. If
walking costs, vertices are the start and the positions just after a push. An edge between two vertices is a walk
and a push.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.encodings.sokoban.proof.positions import Positions
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.words import view
from puzzlemc.screens.sokoban import Level

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Ints2, Ints3

    INFINITE = 0x10000000  # the distance of an unreachable cell; all costs are less


class Distances:
    """The least numbers of pushes of a lone box to targets or, with `forward`, from targets.

    far      (cells, cells, targets): by player and box
    targets  (targets,): the cells of the targets; the wall for a target that is not on the floor
    players  the cells on which the player may stand when the box is on the target
    """

    far: Ints3  # readonly
    targets: Ints
    players: Ints
    forward: Flag

    def __init__(
        self,
        far: npt.NDArray[np.int32],
        targets: npt.NDArray[np.int32],
        players: npt.NDArray[np.int32],
        forward: bool,
    ) -> None:
        self.far, self.targets, self.players, self.forward = view(far), view(targets), view(players), forward


class Board:
    """A level as arrays.

    cells       the number of cells
    near        (cells + 1, 4): the neighbour in each direction; (d + 2) % 4 is the direction opposite to d
    is_goal     (cells + 1,): 1 for a goal
    goals       the number of goals, including those that are not on the floor
    start       the start position
    push, walk  the costs of a push and of a step without a push
    to_goal     the distances of a lone box to each goal
    from_start  the distances of a lone box from the start and from the cell of each box
    can_hold    (cells + 1,): can a lone box of the start be pushed to this cell?
    """

    cells: Index  # readonly
    near: Ints2  # readonly
    is_goal: Bytes  # readonly
    goals: Index  # readonly
    start: Positions  # readonly
    push: Index  # readonly
    walk: Index  # readonly
    to_goal: Distances  # readonly
    from_start: Distances  # readonly
    can_hold: Bytes

    def __init__(self, level: Level, push: int, walk: int, *, measured: bool = True) -> None:
        """The level, with the costs of a push and of a step without one; unless `measured`, without distances.

        Raises Refuted if distances are wrong.
        """
        number = {cell: place for place, cell in enumerate(level.floor)}
        cells = len(number)
        near = np.full((cells + 1, 4), cells, np.int32)
        for cell, place in number.items():
            near[place] = [number.get(ahead(cell, direction), cells) for direction in DIRECTIONS.values()]
        is_goal = np.zeros(cells + 1, np.uint8)
        is_goal[[number[cell] for cell in level.goals if cell in number]] = 1
        boxes = sorted(number[cell] for cell in level.start.boxes)
        player = number[level.start.player]
        goals = np.array([number.get(cell, cells) for cell in sorted(level.goals)], np.int32)
        everywhere, there = np.arange(cells, dtype=np.int32), np.array([player], np.int32)
        self.cells, self.near, self.is_goal, self.goals = cells, view(near), view(is_goal), len(goals)
        self.start = Positions(np.array([[player, *boxes]], np.uint16))
        self.push, self.walk = push, walk
        none = np.zeros(0, np.int32)
        self.to_goal = distances(near, goals if measured else none, everywhere, False)
        self.from_start = distances(near, np.array(boxes, np.int32) if measured else none, there, True)
        if not are_distances(self.near, self.to_goal):
            raise Refuted("the distances to the goals are wrong")
        if not are_distances(self.near, self.from_start):
            raise Refuted("the distances from the start are wrong")
        can_hold = np.zeros(cells + 1, np.uint8)
        can_hold[:cells] = (np.asarray(self.from_start.far) < INFINITE).any(axis=(0, 2))
        self.can_hold = view(can_hold)


def distances(
    near: npt.NDArray[np.int32], targets: npt.NDArray[np.int32], players: npt.NDArray[np.int32], forward: bool
) -> Distances:
    """The distances of a lone box to the targets or, with `forward`, from the targets."""
    cells = len(near) - 1
    found = Distances(np.full((cells, cells, len(targets)), INFINITE, np.int32), targets, players, forward)
    _find_distances(view(near), found, view(np.empty((2, cells * cells, 2), np.int32)))
    return found


def are_distances(near: Ints2, distances: Distances) -> Flag:  # public
    """Are these lower bounds on the true distances?

    They are if they are at most 0 at the target, and no step decreases them (with `forward`: increases them) by
    more than its cost. So the function that computed them need not be trusted.
    """
    cells: Index = near.shape[0] - 1
    targets: Index = distances.targets.shape[0]
    t: Index
    p: Index
    x: Index
    d: Index
    for t in range(targets):
        target: Index = distances.targets[t]
        for p in range(distances.players.shape[0]):
            player: Index = distances.players[p]
            if target < cells and player != target and distances.far[player, target, t] > 0:
                return False
    for p in range(cells):
        for d in range(4):
            q: Index = near[p, d]
            if q == cells:
                continue
            beyond: Index = near[q, d]
            for x in range(cells):
                if x == p or (x == q and beyond == cells):
                    continue
                y: Index = beyond if x == q else x
                price: Index = 1 if x == q else 0
                is_wrong: Flag = False
                for t in range(targets):
                    change: Index = distances.far[p, x, t] - distances.far[q, y, t]
                    is_wrong |= (-change if distances.forward else change) > price
                if is_wrong:
                    return False
    return True


def _find_distances(near: Ints2, distances: Distances, queue: Ints3) -> None:
    """Write the distances to `far`, which is INFINITE everywhere.

    Breadth-first search; a step without a push costs 0 and a push costs 1. The array `queue` has the shape (2,
    cells * cells, 2): players and boxes at the cost at hand, and at the next one.
    """
    cells: Index = near.shape[0] - 1
    now: Index = 0
    t: Index
    i: Index
    d: Index
    for t in range(distances.targets.shape[0]):
        target: Index = distances.targets[t]
        if target == cells:
            continue  # a goal off the floor
        count: Index = 0
        cost: Index = 0
        for i in range(distances.players.shape[0]):
            player: Index = distances.players[i]
            if player != target and distances.far[player, target, t] == INFINITE:
                distances.far[player, target, t] = 0
                queue[now, count, 0] = player
                queue[now, count, 1] = target
                count += 1
        while count > 0:
            place: Index = 0
            more: Index = 0
            while place < count:
                p: Index = queue[now, place, 0]
                x: Index = queue[now, place, 1]
                place += 1
                if distances.far[p, x, t] < cost:
                    continue
                for d in range(4):
                    q: Index = near[p, d]
                    if q < cells and q != x:
                        if distances.far[q, x, t] > cost:
                            distances.far[q, x, t] = cost
                            queue[now, count, 0] = q
                            queue[now, count, 1] = x
                            count += 1
                    elif q == x:
                        # Forward a push: the player enters the former cell of the box. Backward a pull.
                        player = x if distances.forward else near[p, (d + 2) % 4]
                        box: Index = near[x, d] if distances.forward else p
                        if player < cells and box < cells and distances.far[player, box, t] > cost + 1:
                            distances.far[player, box, t] = cost + 1
                            queue[1 - now, more, 0] = player
                            queue[1 - now, more, 1] = box
                            more += 1
            now = 1 - now
            count = more
            cost += 1
