"""The conditions on the vertices of a bidirectional proof. Compiled: see `mc/words.py`.

`bidirectional.py` states the conditions, with the same names.
"""

import cython

from puzzlemc.encodings.sokoban.proof.assignment import Assignment
from puzzlemc.encodings.sokoban.proof.board import Board, Distances
from puzzlemc.encodings.sokoban.proof.edges import Edges
from puzzlemc.encodings.sokoban.proof.positions import Positions, Table

if not cython.compiled:
    from puzzlemc.encodings.sokoban.proof.assignment import is_at_least
    from puzzlemc.encodings.sokoban.proof.edges import is_solved, is_vertex, pulls, pushes
    from puzzlemc.encodings.sokoban.proof.positions import cost_of, insert
    from puzzlemc.mc.words import Flag, Index

    # The result of a check of one vertex.
    VALID, SOLVED, NOT_CLOSED, TOO_CHEAP = 0, 1, 2, 3


class Claim:
    """The numbers C, a and b of the theorem: no path costs less than `below`."""

    below: Index  # readonly
    ahead: Index  # readonly
    behind: Index  # readonly

    def __init__(self, below: int, ahead: int, behind: int) -> None:
        self.below, self.ahead, self.behind = below, ahead, behind


class Check:
    """A check of a proof.

    board, claim  the level, and the claim of the proof
    near_goal     the set B
    departing     vertices that depart at b or more, with their costs, for condition 3
    near_start    the set F
    at            the slot at which the last check of slots has stopped
    edges         working memory
    prices        working memory
    """

    board: Board  # readonly
    claim: Claim  # readonly
    near_goal: Table  # readonly
    departing: Table  # public
    near_start: Table  # public
    at: Index  # readonly
    edges: Edges  # readonly
    prices: Assignment

    def __init__(self, board: Board, claim: Claim, near_goal: Table) -> None:
        """A check with an empty set F."""
        width: Index = board.start.rows.shape[1]
        self.board, self.claim, self.near_goal, self.at = board, claim, near_goal, 0
        self.edges = Edges(board)
        self.departing = Table(2 * self.edges.prices.shape[0], width)
        self.near_start = Table(0, width)
        self.prices = Assignment(max(board.goals, width - 1), width - 1)


def has_solved(check: Check) -> Flag:  # public
    """Does the set B contain each solved vertex at cost 0, except those with q ≥ C?

    There are as many boxes as goals.
    """
    cell: Index
    place: Index = 1
    for cell in range(check.board.cells):
        if check.board.is_goal[cell]:
            if place == check.edges.ends.rows.shape[1]:
                return False
            check.edges.ends.rows[0, place] = cell
            place += 1
    if place < check.edges.ends.rows.shape[1]:
        return True  # a goal is not on the floor, so no vertex is solved
    for cell in range(check.board.cells):
        if check.board.is_goal[cell]:
            continue
        check.edges.ends.rows[0, 0] = cell
        if (
            is_vertex(check.board, check.edges, check.edges.ends, 0)
            and cost_of(check.near_goal, check.edges.ends, 0) != 0
            and not _is_far(check, check.board.from_start, check.edges.ends, 0, check.claim.below)
        ):
            return False
    return True


def check_backward(check: Check, first: Index, last: Index) -> Index:  # public
    """Check condition 2 for the slots from `first` to `last`; insert into `departing` what condition 3 needs.

    Return VALID or the fault of the vertex in slot `at`. The check stops before `last` at a fault, or, with VALID,
    if `departing` has no room for more vertices.

    Vertices with q ≥ C - k are not inserted, because condition 3 allows them. Nor are those with k ≥ C - a,
    because condition 3 is on vertices that arrive at g ≥ a.
    """
    behind: Index = check.claim.behind
    most: Index = max(behind, check.claim.below - check.claim.ahead)
    at: Index
    i: Index
    for at in range(first, last):
        check.at = at
        known: Index = check.near_goal.costs[at]
        if known < 0:
            continue
        if 2 * (check.departing.count + check.edges.prices.shape[0]) > check.departing.costs.shape[0]:
            return VALID
        pulls(check.board, check.edges, check.near_goal.positions, at)
        for i in range(check.edges.count):
            cost: Index = known + check.edges.prices[i]
            if cost >= most:
                continue
            found: Index = cost_of(check.near_goal, check.edges.ends, i)
            if 0 <= found <= cost:
                continue
            if cost >= behind:
                found = cost_of(check.departing, check.edges.ends, i)
                if 0 <= found <= cost:
                    continue
            if _is_far(check, check.board.from_start, check.edges.ends, i, check.claim.below - cost):
                continue
            if cost < behind:
                return NOT_CLOSED
            insert(check.departing, check.edges.ends, i, cost)
    check.at = last
    return VALID


def check_forward(check: Check, first: Index, last: Index) -> Index:  # public
    """Check conditions 1 and 3 for the edges from the slots from `first` to `last`.

    Return VALID, or the fault of the vertex in slot `at`.
    """
    at: Index
    i: Index
    for at in range(first, last):
        check.at = at
        cost: Index = check.near_start.costs[at]
        if cost < 0:
            continue
        if cost < check.claim.below and is_solved(check.board, check.near_start.positions, at):
            return SOLVED
        pushes(check.board, check.edges, check.near_start.positions, at)
        for i in range(check.edges.count):
            fault: Index = check_arrival(check, check.edges.ends, i, cost + check.edges.prices[i])
            if fault != VALID:
                return fault
    check.at = last
    return VALID


def check_arrival(check: Check, positions: Positions, i: Index, cost: Index) -> Index:  # public
    """Check conditions 1 and 3 for vertex `i`, which arrives at this cost; return VALID or its fault."""
    found: Index
    if cost < check.claim.ahead:
        found = cost_of(check.near_start, positions, i)
        if 0 <= found <= cost or _is_far(check, check.board.to_goal, positions, i, check.claim.below - cost):
            return VALID
        return NOT_CLOSED
    if cost >= check.claim.below:
        return VALID
    found = cost_of(check.near_goal, positions, i)
    if 0 <= found < check.claim.below - cost:
        return TOO_CHEAP
    found = cost_of(check.departing, positions, i)
    if 0 <= found < check.claim.below - cost:
        return TOO_CHEAP
    return VALID


def _is_far(check: Check, distances: Distances, positions: Positions, i: Index, need: Index) -> Flag:
    """Is the heuristic (h or q) of the position, as a cost, at least `need`?"""
    if need <= 0:
        return True
    push: Index = max(1, check.board.push)
    return is_at_least(check.prices, distances, positions, i, (need + push - 1) // push)
