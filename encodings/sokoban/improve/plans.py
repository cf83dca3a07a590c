"""Plans of Sokoban as vertices, for the window search. Compiled: see `mc/words.py`.

Cells of the floor are numbered in reading order, and the number after the last cell is the wall. A *vertex* is an
array of numbers: the cell of the player, then the cells of the boxes in increasing order. Vertices are the start,
and positions just after a push. An edge is a walk and a push; it costs `walk` for each step and `push` for the
push.

Similar code stands in `encodings/sokoban/proof/board.py`, on purpose: proofs are checked by code that no search
uses.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Ints2, Numbers

    FREE, BOX, WALL = 0, 1, 2


class Board:
    """The floor of a level, and working arrays.

    near     (cells + 1, 4): the neighbour in each direction; (d + 2) % 4 is the direction opposite to d
    is_goal  (cells + 1,): 1 for a goal
    on       (cells + 1,): FREE, BOX or WALL; all boxes are removed again after each use
    reached  (cells + 1,): the cells of a flood, nearest first
    far      (cells + 1,): the number of steps to each of these cells; -1 for all others, and after `reset`
    came     (cells + 1,): the direction of the last step to each of these cells
    """

    cells: Index  # readonly
    near: Ints2
    is_goal: Bytes
    on: Bytes
    reached: Ints
    far: Ints
    came: Bytes

    def __init__(self, near: npt.NDArray[np.int32], is_goal: npt.NDArray[np.uint8]) -> None:
        """An empty board."""
        self.cells = len(near) - 1
        self.near, self.is_goal = view(near), view(is_goal)
        on = np.zeros(len(near), np.uint8)
        on[self.cells] = WALL
        self.on = view(on)
        self.reached, self.far = view(np.zeros(len(near), np.int32)), view(np.full(len(near), -1, np.int32))
        self.came = view(np.zeros(len(near), np.uint8))


class Plan:
    """A plan, with room for as many vertices as it has steps, and one.

    vertices    (room, 1 + boxes): the vertices, of which `count` are in use
    costs       (room,): the cost of the edge from each vertex to the next
    push, walk  the costs of a push, and of a step before it
    """

    vertices: Ints2  # readonly
    costs: Numbers  # readonly
    count: Index  # readonly
    push: Index
    walk: Index

    def __init__(
        self, board: Board, start: npt.NDArray[np.int32], steps: npt.NDArray[np.uint8], push: int, walk: int
    ) -> None:
        """The plan with these directions of steps from the start vertex."""
        self.vertices = view(np.tile(start, (len(steps) + 1, 1)))
        self.costs = view(np.zeros(len(steps) + 1, np.int64))
        self.push, self.walk = push, walk
        self.count = 1
        _read(board, self, view(steps))
        price(board, self, 0, self.count - 1)

    @property
    def cost(self) -> int:
        """The sum of the costs of the edges."""
        return int(np.asarray(self.costs)[: self.count - 1].sum())

    @property
    def both_costs(self) -> tuple[int, int]:
        """The cost by the metric and by the other one, of `pushes` and `moves`; `push` and `walk` scale them."""
        return divmod(self.cost, self.push - 1)


def steps_of(board: Board, plan: Plan) -> list[int]:
    """The directions of the steps of the plan, with shortest walks between its vertices."""
    steps = np.zeros(plan.count * board.cells, np.uint8)
    length: Index = _write(board, plan, view(steps))
    found: list[int] = steps[:length].tolist()
    return found


def put(board: Board, vertices: Ints2, i: Index, what: Index) -> None:
    """Put the boxes of vertex `i` on the board (BOX), or remove them (FREE)."""
    k: Index
    for k in range(1, vertices.shape[1]):
        board.on[vertices[i, k]] = what


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


def flood(board: Board, player: Index) -> Index:
    """Write to the board the cells that the player can reach; return their number. `reset` must follow."""
    board.reached[0] = player
    board.far[player] = 0
    count: Index = 1
    place: Index = 0
    d: Index
    while place < count:
        here: Index = board.reached[place]
        place += 1
        steps: Index = board.far[here] + 1
        for d in range(4):
            there: Index = board.near[here, d]
            if board.on[there] == FREE and board.far[there] < 0:
                board.far[there] = steps
                board.came[there] = d
                board.reached[count] = there
                count += 1
    return count


def reset(board: Board, reached: Index) -> None:
    """Forget a flood that has reached this number of cells."""
    i: Index
    for i in range(reached):
        board.far[board.reached[i]] = -1


def price(board: Board, plan: Plan, first: Index, last: Index) -> None:
    """Compute the costs of the edges from vertex `first` to vertex `last`."""
    i: Index
    for i in range(first, last):
        d: Index = direction(board, plan, i)
        put(board, plan.vertices, i, BOX)
        reached: Index = flood(board, plan.vertices[i, 0])
        plan.costs[i] = plan.push + plan.walk * board.far[board.near[plan.vertices[i + 1, 0], (d + 2) % 4]]
        reset(board, reached)
        put(board, plan.vertices, i, FREE)


def direction(board: Board, plan: Plan, i: Index) -> Index:
    """The direction of the push between vertex `i` and the next, whose player is on the former cell of the box."""
    d: Index
    k: Index
    for d in range(4):
        to: Index = board.near[plan.vertices[i + 1, 0], d]
        was: Flag = False
        now: Flag = False
        for k in range(1, plan.vertices.shape[1]):
            was |= plan.vertices[i, k] == to
            now |= plan.vertices[i + 1, k] == to
        if now and not was:
            return d
    return 0  # never: the vertices of a plan differ by a push


def _read(board: Board, plan: Plan, steps: Bytes) -> None:
    """Write the vertices of the plan with these steps."""
    player: Index = plan.vertices[0, 0]
    count: Index = 1
    i: Index
    k: Index
    put(board, plan.vertices, 0, BOX)
    for i in range(steps.shape[0]):
        d: Index = steps[i]
        player = board.near[player, d]
        if board.on[player] == BOX:
            to: Index = board.near[player, d]
            board.on[player] = FREE
            board.on[to] = BOX
            for k in range(1, plan.vertices.shape[1]):
                plan.vertices[count, k] = plan.vertices[count - 1, k]
            move_box(plan.vertices, count, player, to)
            plan.vertices[count, 0] = player
            count += 1
    put(board, plan.vertices, count - 1, FREE)
    plan.count = count


def _write(board: Board, plan: Plan, steps: Bytes) -> Index:
    """Write the directions of the steps; return their number."""
    length: Index = 0
    i: Index
    for i in range(plan.count - 1):
        start: Index = plan.vertices[i, 0]
        d: Index = direction(board, plan, i)
        put(board, plan.vertices, i, BOX)
        reached: Index = flood(board, start)
        at: Index = board.near[plan.vertices[i + 1, 0], (d + 2) % 4]
        length += board.far[at]
        place: Index = length
        while at != start:
            place -= 1
            steps[place] = board.came[at]
            at = board.near[at, (board.came[at] + 2) % 4]
        steps[length] = d
        length += 1
        reset(board, reached)
        put(board, plan.vertices, i, FREE)
    return length
