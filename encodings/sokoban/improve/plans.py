"""Plans of Sokoban as vertices, for the window search. Compiled: see `mc/words.py`.

A *vertex* is an array of numbers: the cell of the player, then the cells of the boxes in increasing order.
Vertices are the start, and positions just after a push. An edge is a walk and a push; it costs `walk` for each
step and `push` for the push.

Similar code stands in `encodings/sokoban/proof/board.py`, on purpose: proofs are checked by code that no search
uses.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floor import Floor, ShortestWalks
from puzzlemc.encodings.sokoban.board.numbered import LETTERS, NumberedLevel
from puzzlemc.encodings.sokoban.improve.bound import Bound
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import find_walks, forget, list_walk
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints2, Numbers


class Plan:
    """A plan, with room for as many vertices as it has steps, and one.

    vertices    (room, 1 + boxes): the vertices, of which `count` are in use
    costs       (room,): the cost of the edge from each vertex to the next
    push, walk  the costs of a push, and of a step before it
    floor       the floor of the level; all boxes are removed again after each use
    walks       working arrays
    bound       on the pushes from a vertex, in searches for a cheaper plan
    """

    floor: Floor
    walks: ShortestWalks
    bound: Bound
    vertices: Ints2  # readonly
    costs: Numbers  # readonly
    count: Index  # readonly
    push: Index
    walk: Index

    def __init__(self, level: NumberedLevel, steps: npt.NDArray[np.uint8], push: int, walk: int) -> None:
        """The plan with these directions of steps from the start of the level."""
        cells = len(level.cells)
        self.floor, self.walks, self.bound = Floor(level.near), ShortestWalks(cells), Bound(level)
        start = np.array([level.player, *level.boxes], np.int32)
        self.vertices = view(np.tile(start, (len(steps) + 1, 1)))
        self.costs = view(np.zeros(len(steps) + 1, np.int64))
        self.push, self.walk = push, walk
        self.count = 1
        _read(self, view(steps))
        price(self, 0, self.count - 1)

    @property
    def cost(self) -> int:
        """The sum of the costs of the edges."""
        return int(np.asarray(self.costs)[: self.count - 1].sum())

    @property
    def both_costs(self) -> tuple[int, int]:
        """The cost by the metric and by the other one, of `pushes` and `moves`; `push` and `walk` scale them."""
        return divmod(self.cost, self.push - 1)


def letters_of(plan: Plan) -> list[str]:
    """The steps of the plan in LURD letters, with shortest walks between its vertices."""
    steps = np.zeros(plan.count * plan.floor.cells, np.uint8)
    length: Index = _write(plan, view(steps))
    return [LETTERS[step] for step in steps[:length].tolist()]


def put(floor: Floor, vertices: Ints2, i: Index, is_there: Flag) -> None:
    """Put the boxes of vertex `i` on the floor, or take them off."""
    k: Index
    for k in range(1, vertices.shape[1]):
        floor.on[vertices[i, k]] = is_there


def move_box(vertices: Ints2, i: Index, box: Index, to: Index) -> None:
    """Move a box of vertex `i` to another cell, and keep the boxes in order."""
    width: Index = vertices.shape[1]
    k: Index = 1
    while vertices[i, k] != box:
        k += 1
    while k + 1 < width and vertices[i, k + 1] < to:
        vertices[i, k] = vertices[i, k + 1]
        k += 1
    while k > 1 and vertices[i, k - 1] > to:
        vertices[i, k] = vertices[i, k - 1]
        k -= 1
    vertices[i, k] = to


def price(plan: Plan, first: Index, last: Index) -> None:
    """Compute the costs of the edges from vertex `first` to vertex `last`."""
    i: Index
    for i in range(first, last):
        d: Index = direction(plan, i)
        put(plan.floor, plan.vertices, i, True)
        reached: Index = find_walks(plan.floor, plan.vertices[i, 0], plan.walks)
        plan.costs[i] = plan.push + plan.walk * plan.walks.far[plan.floor.near[plan.vertices[i + 1, 0], d ^ 2]]
        forget(plan.walks, reached)
        put(plan.floor, plan.vertices, i, False)


def direction(plan: Plan, i: Index) -> Index:
    """The direction of the push between vertex `i` and the next, whose player is on the former cell of the box."""
    d: Index
    k: Index
    for d in range(4):
        to: Index = plan.floor.near[plan.vertices[i + 1, 0], d]
        was: Flag = False
        now: Flag = False
        for k in range(1, plan.vertices.shape[1]):
            was |= plan.vertices[i, k] == to
            now |= plan.vertices[i + 1, k] == to
        if now and not was:
            return d
    return 0  # never: the vertices of a plan differ by a push


def _read(plan: Plan, steps: Bytes) -> None:
    """Write the vertices of the plan with these steps."""
    player: Index = plan.vertices[0, 0]
    count: Index = 1
    i: Index
    k: Index
    put(plan.floor, plan.vertices, 0, True)
    for i in range(steps.shape[0]):
        player = plan.floor.near[player, steps[i]]
        if plan.floor.on[player]:
            to: Index = plan.floor.near[player, steps[i]]
            plan.floor.on[player] = 0
            plan.floor.on[to] = 1
            for k in range(1, plan.vertices.shape[1]):
                plan.vertices[count, k] = plan.vertices[count - 1, k]
            move_box(plan.vertices, count, player, to)
            plan.vertices[count, 0] = player
            count += 1
    put(plan.floor, plan.vertices, count - 1, False)
    plan.count = count


def _write(plan: Plan, steps: Bytes) -> Index:
    """Write the directions of the steps, plus 4 for pushes; return their number."""
    length: Index = 0
    i: Index
    for i in range(plan.count - 1):
        d: Index = direction(plan, i)
        put(plan.floor, plan.vertices, i, True)
        reached: Index = find_walks(plan.floor, plan.vertices[i, 0], plan.walks)
        behind: Index = plan.floor.near[plan.vertices[i + 1, 0], d ^ 2]
        length = list_walk(plan.floor, plan.walks, behind, steps, length)
        steps[length] = d + 4
        length += 1
        forget(plan.walks, reached)
        put(plan.floor, plan.vertices, i, False)
    return length
