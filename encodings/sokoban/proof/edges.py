"""The edges between the vertices of a proof, for the checker of proofs only. Compiled: see `mc/words.py`.

`board.py` defines vertices and edges.
"""

import cython
import numpy as np

from puzzlemc.encodings.sokoban.proof.board import Board
from puzzlemc.encodings.sokoban.proof.positions import Positions
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Numbers

    FREE, BOX, WALL, REACHED = 0, 1, 2, 3


class Flood:
    """The cells that the player can reach, nearest first, and the number of steps to each; both (cells + 1,)."""

    cells: Ints
    steps: Ints

    def __init__(self, cells: int) -> None:
        """An empty flood of a board with this number of cells."""
        self.cells, self.steps = view(np.zeros(cells + 1, np.int32)), view(np.zeros(cells + 1, np.int32))


class Edges:
    """The edges that lead from or to a vertex, and working arrays.

    ends    the vertices at the other ends
    prices  (room,): the costs of the edges
    count   the number of edges
    on      (cells + 1,): FREE, BOX or WALL in the position at hand; REACHED only during a flood. There is no BOX
            before and after each function that the header exports.
    outer   the cells that the player can reach before a push, or after it if edges are followed backward
    inner   the cells that the player can reach at the other end of the edge
    """

    ends: Positions  # readonly
    prices: Numbers  # readonly
    count: Index  # readonly
    on: Ints
    outer: Flood
    inner: Flood

    def __init__(self, board: Board) -> None:
        """No edges, with room for those of any vertex.

        A box has four sides. If walking costs, a vertex has four pulls, each with one predecessor for each side of
        a box, and the start. Each end is written before it is known to be a vertex, so there is room for one more.
        """
        width = board.start.rows.shape[1]
        sides = 4 * (width - 1)
        room = (4 * (sides + 1) if board.walk else sides) + 1
        self.ends = Positions(np.zeros((room, width), np.uint16))
        self.prices = view(np.zeros(room, np.int64))
        self.count = 0
        on = np.zeros(board.cells + 1, np.int32)
        on[board.cells] = WALL
        self.on = view(on)
        self.outer, self.inner = Flood(board.cells), Flood(board.cells)


def make_canonical(board: Board, edges: Edges, positions: Positions, i: Index) -> None:  # public
    """Move the player of position `i` to the least cell that it can reach."""
    _put(edges, positions, i, BOX)
    positions.rows[i, 0] = _least_cell(board, edges, positions.rows[i, 0])
    _put(edges, positions, i, FREE)


def is_vertex(board: Board, edges: Edges, positions: Positions, i: Index) -> Flag:  # public
    """Is position `i` a vertex? If walking costs: is it the start, or can it be a position just after a push?"""
    _put(edges, positions, i, BOX)
    result: Flag
    if board.walk == 0:
        result = _least_cell(board, edges, positions.rows[i, 0]) == positions.rows[i, 0]
    else:
        result = _is_after_push(board, edges, positions, i)
    _put(edges, positions, i, FREE)
    return result


def is_solved(board: Board, positions: Positions, i: Index) -> Flag:  # public
    """Does every goal hold a box of position `i`?"""
    covered: Index = 0
    k: Index
    for k in range(1, positions.rows.shape[1]):
        covered += board.is_goal[positions.rows[i, k]]
    return covered == board.goals


def pushes(board: Board, edges: Edges, positions: Positions, i: Index) -> None:  # public
    """Find the edges from vertex `i`."""
    edges.count = 0
    _put(edges, positions, i, BOX)
    reached: Index = _flood(board, edges, edges.outer, positions.rows[i, 0])
    place: Index
    d: Index
    for place in range(reached):
        here: Index = edges.outer.cells[place]
        for d in range(4):
            box: Index = board.near[here, d]
            if edges.on[box] != BOX:
                continue
            to: Index = board.near[box, d]
            if edges.on[to] != FREE:
                continue
            _move_box(edges, positions, i, box, to)
            player: Index = box
            if board.walk == 0:
                edges.on[box] = FREE
                edges.on[to] = BOX
                player = _least_cell(board, edges, box)
                edges.on[box] = BOX
                edges.on[to] = FREE
            edges.ends.rows[edges.count, 0] = player
            edges.prices[edges.count] = board.push + board.walk * edges.outer.steps[place]
            edges.count += 1
    _put(edges, positions, i, FREE)


def pulls(board: Board, edges: Edges, positions: Positions, i: Index) -> None:  # public
    """Find the edges to vertex `i`.

    They come from the position before a pull or, if walking costs, from each vertex from which the player walks
    there.
    """
    edges.count = 0
    _put(edges, positions, i, BOX)
    edges.outer.cells[0] = positions.rows[i, 0]
    reached: Index = 1
    if board.walk == 0:
        reached = _flood(board, edges, edges.outer, positions.rows[i, 0])
    place: Index
    d: Index
    for place in range(reached):
        here: Index = edges.outer.cells[place]
        for d in range(4):
            box: Index = board.near[here, d]
            if edges.on[box] != BOX:
                continue
            behind: Index = board.near[here, (d + 2) % 4]
            if edges.on[behind] != FREE:
                continue
            _move_box(edges, positions, i, box, here)
            edges.on[box] = FREE
            edges.on[here] = BOX
            if board.walk == 0:
                edges.ends.rows[edges.count, 0] = _least_cell(board, edges, behind)
                edges.prices[edges.count] = board.push
                edges.count += 1
            else:
                _add_walks(board, edges, behind)
            edges.on[box] = BOX
            edges.on[here] = FREE
    _put(edges, positions, i, FREE)


def _put(edges: Edges, positions: Positions, i: Index, what: Index) -> None:
    """Put the boxes of position `i` on the board (BOX), or remove them (FREE)."""
    k: Index
    for k in range(1, positions.rows.shape[1]):
        edges.on[positions.rows[i, k]] = what


def _flood(board: Board, edges: Edges, flood: Flood, player: Index) -> Index:
    """List in `flood` the cells that the player can reach; return their number. The boxes must be on the board."""
    flood.cells[0] = player
    flood.steps[0] = 0
    edges.on[player] = REACHED
    count: Index = 1
    place: Index = 0
    d: Index
    while place < count:
        here: Index = flood.cells[place]
        for d in range(4):
            there: Index = board.near[here, d]
            if edges.on[there] == FREE:
                edges.on[there] = REACHED
                flood.cells[count] = there
                flood.steps[count] = flood.steps[place] + 1
                count += 1
        place += 1
    for place in range(count):
        edges.on[flood.cells[place]] = FREE
    return count


def _least_cell(board: Board, edges: Edges, player: Index) -> Index:
    """The least cell that the player can reach. The boxes must be on the board."""
    reached: Index = _flood(board, edges, edges.inner, player)
    least: Index = player
    place: Index
    for place in range(reached):
        least = min(least, edges.inner.cells[place])
    return least


def _move_box(edges: Edges, positions: Positions, i: Index, box: Index, to: Index) -> None:
    """Write to the next end the boxes of position `i`, with one moved to another cell."""
    place: Index = 1
    k: Index
    for k in range(1, positions.rows.shape[1]):
        if positions.rows[i, k] != box:
            edges.ends.rows[edges.count, place] = positions.rows[i, k]
            place += 1
    while place > 1 and edges.ends.rows[edges.count, place - 1] > to:
        edges.ends.rows[edges.count, place] = edges.ends.rows[edges.count, place - 1]
        place -= 1
    edges.ends.rows[edges.count, place] = to


def _is_after_push(board: Board, edges: Edges, positions: Positions, i: Index) -> Flag:
    """If walking costs, is position `i` the start, or can it be a position just after a push?

    The boxes must be on the board.
    """
    here: Index = positions.rows[i, 0]
    d: Index
    k: Index
    if board.can_hold[here]:
        for d in range(4):
            if edges.on[board.near[here, d]] == BOX and edges.on[board.near[here, (d + 2) % 4]] == FREE:
                return True
    is_start: Flag = True
    for k in range(positions.rows.shape[1]):
        is_start &= positions.rows[i, k] == board.start.rows[0, k]
    return is_start


def _add_walks(board: Board, edges: Edges, player: Index) -> None:
    """Replace the next end, with this player, by the vertices from which the player walks to it."""
    reached: Index = _flood(board, edges, edges.inner, player)
    place: Index
    k: Index
    for place in range(reached):
        edges.ends.rows[edges.count, 0] = edges.inner.cells[place]
        if _is_after_push(board, edges, edges.ends, edges.count):
            edges.prices[edges.count] = board.push + board.walk * edges.inner.steps[place]
            edges.count += 1
            for k in range(1, edges.ends.rows.shape[1]):
                edges.ends.rows[edges.count, k] = edges.ends.rows[edges.count - 1, k]
