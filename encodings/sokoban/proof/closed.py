"""Lists of positions that no push leaves, for the checker of cores only. Compiled: see `mc/words.py`.

`repairs.py` states what is checked, and why it suffices.
"""

import cython
import numpy as np

from puzzlemc.encodings.sokoban.proof.board import Board
from puzzlemc.encodings.sokoban.proof.edges import Edges
from puzzlemc.encodings.sokoban.proof.positions import Positions, Table
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.proof.edges import is_vertex, make_canonical, pushes
    from puzzlemc.encodings.sokoban.proof.positions import cost_of
    from puzzlemc.mc.words import Bytes, Flag, Index

    # The result of a check of one position.
    KEPT, ENOUGH, LEFT, NO_VERTEX = 0, 1, 2, 3


class Closed:
    """A check of a list.

    board   the floor and the goals that count
    listed  the list
    live    (cells + 1,): 1 for a cell from which a lone box can be pushed to a goal, wherever the player is
    needed  the number of boxes on goals that no listed position has
    at      the slot at which the last check of slots has stopped
    edges   working memory
    """

    board: Board  # readonly
    listed: Table  # readonly
    live: Bytes  # readonly
    needed: Index  # readonly
    at: Index  # readonly
    edges: Edges  # readonly

    def __init__(self, board: Board, listed: Table, needed: int) -> None:
        self.board, self.listed, self.needed, self.at = board, listed, needed, 0
        self.edges = Edges(board)
        self.live = view(np.zeros(board.cells + 1, np.uint8))
        find_live(board, self.live)


def find_live(board: Board, live: Bytes) -> None:
    """Mark the cells from which a lone box can be pushed to a goal; no cell is marked before.

    A box on cell x can be pushed in a direction if the cells before and behind it are floor.
    """
    x: Index
    d: Index
    for x in range(board.cells):
        live[x] = board.is_goal[x]
    grows: Flag = True
    while grows:
        grows = False
        for x in range(board.cells):
            if live[x]:
                continue
            for d in range(4):
                to: Index = board.near[x, d]
                if to < board.cells and live[to] and board.near[x, (d + 2) % 4] < board.cells:
                    live[x] = 1
                    grows = True


def check_closed(closed: Closed, first: Index, last: Index) -> Index:  # public
    """Check the positions in the slots from `first` to `last`; return KEPT, or the fault of that in slot `at`."""
    at: Index
    i: Index
    for at in range(first, last):
        closed.at = at
        if closed.listed.costs[at] < 0:
            continue
        if not is_vertex(closed.board, closed.edges, closed.listed.positions, at):
            return NO_VERTEX
        if _count(closed.board.is_goal, closed.listed.positions, at) >= closed.needed:
            return ENOUGH
        pushes(closed.board, closed.edges, closed.listed.positions, at)
        for i in range(closed.edges.count):
            if not is_covered(closed, closed.edges.ends, i):
                return LEFT
    closed.at = last
    return KEPT


def first_uncovered(closed: Closed, positions: Positions) -> Index:  # public
    """The number of the first position that is not in the list and may not be left out, -1 if there is none.

    The player is moved to the least cell that it can reach.
    """
    i: Index
    for i in range(positions.rows.shape[0]):
        make_canonical(closed.board, closed.edges, positions, i)
        if not is_covered(closed, positions, i):
            return i
    return -1


def is_covered(closed: Closed, positions: Positions, i: Index) -> Flag:
    """Is position `i` in the list, or may it be left out?"""
    if _count(closed.live, positions, i) < closed.needed:
        return True
    return cost_of(closed.listed, positions, i) >= 0


def _count(cells: Bytes, positions: Positions, i: Index) -> Index:
    """The number of boxes of position `i` on marked cells."""
    found: Index = 0
    k: Index
    for k in range(1, positions.rows.shape[1]):
        found += cells[positions.rows[i, k]]
    return found
