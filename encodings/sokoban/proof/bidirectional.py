"""Checks bidirectional proofs: that every solution of a level costs at least C, or that there is no solution.

This checker shares no code with the searches that write proofs, and must not: a checker that imported a model, an
engine or a heuristic would repeat its errors. It trusts the reader of levels (`screens/sokoban/`), the domain
rules, `board.py` and this file. `tools/check_certificate.py` is a second implementation of the same check.

**Vertices and edges** are defined in `board.py`. Each solution is a path from the start to a solved vertex that
costs no more than the solution. The proof lists two sets of vertices with costs: the forward set F with costs f(v)
< a, near the start, and the backward set B with costs b(v) < b, near the solved vertices. Their file format is in
`mc/proofs/bidirectional.py`.

**Heuristics.** h(v) is the least cost of an assignment of different boxes to the goals, and q(v) that of an
assignment of the boxes to their start cells. Each box moves along a path of its own, which it could also take
without the other boxes; each push moves one box by one cell and costs at least 1. So each path from v to a solved
vertex costs at least h(v), and each path from the start to v at least q(v).

**Definitions.** A vertex *arrives* at cost g if it is the start and g = 0, or if an edge of cost e leads to it
from a vertex u in F, and g = f(u) + e. A vertex *departs* at cost k if it is solved and k = 0, or if an edge of
cost e leads from it to a vertex u in B, and k = b(u) + e.

**Conditions.**

1. If v arrives at g < a, then v is in F with f(v) ≤ g, or h(v) ≥ C - g. No vertex of F with f < C is solved.
2. If v departs at k < b, then v is in B with b(v) ≤ k, or q(v) ≥ C - k. The start is not in B with a cost < C.
3. If v arrives at g ≥ a, then v is not in B with b(v) < C - g; and if v departs at k < C - g, then q(v) ≥ C - k.
4. a ≥ C; or b ≥ C; or a > 0, b > 0 and a + b ≥ C - w, where each edge costs at least w.

**Theorem.** If the conditions hold, each path from the start to a solved vertex costs at least C.

*Proof.* Assume a path v(0) … v(n) of cost c < C from the start to a solved vertex. Let g(i) and k(i) be the costs
of its parts before and after v(i), so g(i) + k(i) = c. Call v(i) *covered forward* if it is in F with
f(v(i)) ≤ g(i), and *covered backward* if it is in B with b(v(i)) ≤ k(i).

If v(i) arrives at some g ≤ g(i), then h(v(i)) ≤ k(i) = c - g(i) < C - g; so if g < a, v(i) is covered forward, by
condition 1. In the same way, if v(i) departs at some k ≤ k(i) and k < b, it is covered backward, by condition 2.

Case a ≥ C. The start arrives at 0 ≤ g(0), and the successor of a covered vertex arrives at no more than its
g(i) ≤ c < a. So all vertices are covered forward, and F contains the solved vertex v(n) with f ≤ c < C, which
contradicts condition 1. Case b ≥ C. In the same way all vertices are covered backward, and B contains the start,
which contradicts condition 2.

Otherwise a > 0 and b > 0, so v(0) is covered forward and v(n) is covered backward. Let i be the greatest index
such that v(0) … v(i) are covered forward. By condition 1, i < n. So v(i+1) arrives at some g with a ≤ g ≤ g(i+1).
Let j be the least index such that v(j) … v(n) are covered backward. If j ≤ i + 1, then v(i+1) is in B with
b(v(i+1)) ≤ k(i+1) < C - g, which contradicts condition 3. If j = i + 2, then v(i+1) departs at some k ≤ k(i+1) < C
- g, and q(v(i+1)) ≤ g(i+1) < C - k, which contradicts condition 3. So j - 1 ≥ i + 2, and v(j-1) departs at some k
with b ≤ k ≤ k(j-1). At least one edge lies between v(i+1) and v(j-1), and it costs at least w. Hence c ≥ a + w + b
≥ C, which contradicts c < C. ∎

**No solution.** A proof that a level has no solution is the same with all costs 0 and with a C above all finite
distances. Then h(v) ≥ C means that no path leads from v to a solved vertex, q(v) ≥ C means that no path leads from
the start to v, and every solution would be a path of cost 0 < C.

**Two metrics in order.** The scalarised cost is s × first cost + second cost with a scale s; heuristics, which
count pushes, are multiplied by the cost of a push. Let C = s P + M with 0 ≤ M < s. The proof shows that no
solution has a first cost below P, and that none with first cost P has a second cost below M. The second part is
immediate. For the first part, assume a solution of first cost p < P. If p counts moves, it has at most p pushes.
If p counts pushes, and its walks are shortest, it has at most p n moves on a floor of n cells. So if s > P - 1, or
s > (P - 1) n, its scalarised cost is less than s P ≤ C, a contradiction.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.domain.rules import METRICS, MOVE, PUSH
from puzzlemc.encodings.sokoban.proof import board as rules
from puzzlemc.encodings.sokoban.proof.board import INFINITE, Board, Table, Workspace
from puzzlemc.mc import jit
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.jit import cached
from puzzlemc.mc.lexicographic import first, pairs, second
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.blocks import Block, each, packed
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.sokoban import Level, build

CHUNK = 1 << 12  # slots of a table between two checks of the budget
MODULES = ("puzzlemc.encodings.sokoban.proof.board", "puzzlemc.encodings.sokoban.proof.bidirectional")

# The result of a check of one vertex.
VALID, SOLVED, NOT_CLOSED, TOO_CHEAP = 0, 1, 2, 3
FAULTS = {
    SOLVED: "is solved at a cost below the bound",
    NOT_CLOSED: "has a neighbour that the set must contain and does not",
    TOO_CHEAP: "leads to the backward set at a cost below the bound",
}


class Claim(NamedTuple):
    """The numbers C, a and b of the theorem: no path costs less than `below`."""

    below: int
    ahead: int
    behind: int


class Prices(NamedTuple):
    """The costs of a push and of a step without a push; both are 0 in a proof that there is no solution."""

    push: int
    walk: int


def check(level: Level, proof: BidirectionalProof, budget: Budget) -> None:
    """Check that a proof is valid for a level. Raises Refuted, LimitReached."""
    jit.ready(warm_up, *MODULES)
    _check(level, proof, budget)


def _check(level: Level, proof: BidirectionalProof, budget: Budget) -> None:
    prices = _prices(level, proof)
    claim = _claim(level, proof, max(1, prices.push))
    boxes, cells = len(level.start.boxes), len(level.floor)
    if cells >= 1 << 16 or cells**2 * (boxes + len(level.goals)) >= min(INFINITE, budget.limits.memory // 4):
        raise LimitReached("memory")
    free, wide = proof.below is None, proof.scale is not None
    board = rules.board_of(level, *prices)
    work = rules.workspace_for(board)
    # From here on, the start is the vertex that represents it.
    rules.put(board.on, board.start, rules.BOX)
    if not board.walk:
        rules.make_canonical(board.near, board.on, work.inner_cells, work.inner_far, board.start)
    rules.put(board.on, board.start, rules.FREE)
    if rules.is_solved(board, board.start) and claim.below > 0:
        raise Refuted("the start is solved")
    near_goal = _table(proof.backward, board, claim.behind, budget, free=free, wide=wide)
    departing = _departing(board, work, claim, near_goal, budget)
    near_start = _table(proof.forward, board, claim.ahead, budget, free=free, wide=wide)
    _check_forward(board, work, claim, near_start, near_goal, departing, budget)


def _prices(level: Level, proof: BidirectionalProof) -> Prices:
    """The costs by the metric of a proof. Raises Refuted for an unknown metric or a scale that is too small."""
    if proof.below is None:
        return Prices(0, 0)
    if proof.metric in METRICS:
        if proof.scale is not None:
            raise Refuted(f"found a scale, but {proof.metric} is a single metric")
        return Prices(PUSH[proof.metric], MOVE[proof.metric])
    if proof.metric not in pairs(METRICS) or not proof.scale or proof.scale >= INFINITE:
        raise Refuted(f"there are no costs of {proof.metric!r}")
    one, other = first(proof.metric), second(proof.metric)
    less = max(0, proof.below // proof.scale - 1)  # P - 1: the largest first cost that the proof excludes
    if proof.scale <= less * (len(level.floor) if one == "pushes" else 1):
        raise Refuted(f"a scale of {proof.scale} is too small for a bound on {one}")
    return Prices(proof.scale * PUSH[one] + PUSH[other], proof.scale * MOVE[one] + MOVE[other])


def _claim(level: Level, proof: BidirectionalProof, least: int) -> Claim:
    """The claim of the proof, where each edge costs at least `least`.

    Raises Refuted if condition 4 does not hold, or if the proof has another number of boxes than the level.
    """
    if proof.objects != len(level.start.boxes):
        raise Refuted(
            f"the positions of the proof have {proof.objects} boxes, the level has {len(level.start.boxes)}"
        )
    if any(most is not None and most >= INFINITE for most in (proof.below, proof.ahead, proof.behind)):
        raise Refuted(f"the bound and the sets' costs must be less than {INFINITE}")
    below, ahead, behind = (
        INFINITE if most is None else most for most in (proof.below, proof.ahead, proof.behind)
    )
    if max(ahead, behind) < below and not (
        ahead and behind and ahead + behind >= below - least and below < INFINITE
    ):
        raise Refuted(f"sets of costs below {ahead} and below {behind} do not prove a bound of {below}")
    if ahead >= below:
        behind = 0
    elif behind >= below:
        ahead = 0
    if behind and len(level.goals) != proof.objects:
        raise Refuted("a backward set needs as many boxes as goals")
    return Claim(below, ahead, behind)


def _table(blocks: tuple[Block, ...], board: Board, most: int, budget: Budget, *, free: bool, wide: bool) -> Table:
    """The vertices of a set with their costs. If `wide`, a cost is two numbers of 16 bits; if `free`, all are 0.

    Raises Refuted if a state is not a position or is repeated, or if its cost is not less than `most`;
    LimitReached.
    """
    width, count = len(board.start), sum(block.count for block in blocks)
    if 2 * count * 2 * (2 * width + 4) > budget.limits.memory:
        raise LimitReached("memory")
    table = rules.table_for(count, width)
    for places in each(blocks, 1 + width + wide):
        budget.check()
        costs = places[:, 0].astype(np.int64)
        if wide:
            costs += places[:, -1].astype(np.int64) << 16
        packed = np.ascontiguousarray(places[:, 1 : 1 + width])
        wrong = _load(table, packed, costs, len(board.near) - 1, min(1, most) if free else most)
        if wrong >= 0:
            raise Refuted(f"{places[wrong].tolist()} is not a position at a cost below {most}, or is repeated")
    return table


@cached()
def _load(table, packed, costs, cells, most):  # type: ignore[no-untyped-def]
    """Insert the positions with their costs; return the number of an invalid one, or -1."""
    for number in range(len(packed)):
        cost, position = costs[number], packed[number]
        if cost >= most or position[0] >= cells:
            return number
        for i in range(1, len(position)):
            if position[i] >= cells or position[i] == position[0] or (i > 1 and position[i] <= position[i - 1]):
                return number
        if rules.insert(table, position, cost):
            return number
    return -1


def _departing(board: Board, work: Workspace, claim: Claim, near_goal: Table, budget: Budget) -> Table:
    """Check condition 2; return the vertices that depart at k ≥ b with their costs, for condition 3.

    Vertices with q ≥ C - k are left out, because condition 3 allows them. So are those with k ≥ C - a, because
    condition 3 is on vertices that arrive at g ≥ a. Raises Refuted, LimitReached.
    """
    most = _most(board)
    departing = rules.table_for(2 * most, len(board.start))
    if not claim.behind:
        return departing
    if 0 <= rules.cost_of(near_goal.packed, near_goal.costs, board.start) < claim.below:
        raise Refuted("the backward set contains the start")
    before, price = np.empty((most, len(board.start)), np.uint16), np.empty(most, np.int64)
    if not _has_solved(board, work, claim, near_goal, before[0]):
        raise Refuted("the backward set lacks a solved position")
    slots, first = len(near_goal.costs), 0
    while first < slots:
        budget.check()
        last = min(first + CHUNK, slots)
        first, wrong = _check_backward(board, work, claim, near_goal, departing, first, last, before, price)
        if wrong != VALID:
            raise Refuted(f"in the backward set, {near_goal.packed[first].tolist()} {FAULTS[wrong]}")
        if first < last:
            if 4 * departing.packed.nbytes > budget.limits.memory:
                raise LimitReached("memory")
            larger = rules.table_for(4 * int(departing.size[0]), len(board.start))
            rules.insert_all(larger, departing)
            departing = larger
    return departing


@cached()
def _is_at_least(board, far, targets, position, need, prices):  # type: ignore[no-untyped-def]
    """Is the heuristic (h or q) of the position, as a cost, at least `need`?"""
    push = max(1, board.push)
    return rules.is_at_least(far, targets, position, (need + push - 1) // push, prices)


@cached()
def _has_solved(board, work, claim, near_goal, position):  # type: ignore[no-untyped-def]
    """Does the backward set contain each solved vertex at cost 0, except those with q ≥ C?

    There are as many boxes as goals. `position` is a working array.
    """
    cells, place = len(board.near) - 1, 1
    for cell in range(cells):
        if board.is_goal[cell]:
            if place == len(position):
                return False
            position[place] = cell
            place += 1
    if place < len(position):
        return True  # a goal is not on the floor, so no vertex is solved
    for cell in range(cells):
        if board.is_goal[cell]:
            continue
        position[0] = cell
        rules.put(board.on, position, rules.BOX)
        if board.walk == 0:
            rules.make_canonical(board.near, board.on, work.inner_cells, work.inner_far, position)
            is_vertex = position[0] == cell
        else:
            is_vertex = rules.is_vertex(board, position)
        rules.put(board.on, position, rules.FREE)
        if (
            is_vertex
            and rules.cost_of(near_goal.packed, near_goal.costs, position) != 0
            and not _is_at_least(board, board.from_start, len(position) - 1, position, claim.below, work.prices)
        ):
            return False
    return True


@cached()
def _check_backward(board, work, claim, near_goal, departing, first, last, before, price):  # type: ignore[no-untyped-def]
    """Check condition 2 for the slots from `first` to `last`; insert into `departing` what departs at b or more.

    Return the slot where the check stopped and the fault of its vertex. It stops early at a fault, or, with VALID,
    if `departing` has no room for more vertices.
    """
    packed, costs, from_start, prices = near_goal.packed, near_goal.costs, board.from_start, work.prices
    other_packed, other_costs = departing.packed, departing.costs
    for at in range(first, last):
        if costs[at] < 0:
            continue
        if 2 * (departing.size[0] + len(before)) > len(other_costs):
            return at, VALID
        for i in range(rules.pulls(board, work, packed[at], before, price)):
            position, cost = before[i], costs[at] + price[i]
            if 0 <= rules.cost_of(packed, costs, position) <= cost:
                continue
            if cost >= max(claim.behind, claim.below - claim.ahead):
                continue
            if cost >= claim.behind and 0 <= rules.cost_of(other_packed, other_costs, position) <= cost:
                continue
            if _is_at_least(board, from_start, len(position) - 1, position, claim.below - cost, prices):
                continue
            if cost < claim.behind:
                return at, NOT_CLOSED
            rules.insert(departing, position, cost)
    return last, VALID


def _check_forward(
    board: Board,
    work: Workspace,
    claim: Claim,
    near_start: Table,
    near_goal: Table,
    departing: Table,
    budget: Budget,
) -> None:
    """Check conditions 1 and 3. Raises Refuted, LimitReached."""
    if not claim.ahead:
        return
    most = _most(board)
    after, price = np.empty((most, len(board.start)), np.uint16), np.empty(most, np.int64)
    sets = (near_start, near_goal, departing)
    if (wrong := _arrives(board, work, claim, *sets, board.start, 0)) != VALID:
        raise Refuted(f"the start {FAULTS[wrong]}")
    slots = len(near_start.costs)
    for begin in range(0, slots, CHUNK):
        budget.check()
        at, wrong = _check_from(board, work, claim, *sets, begin, min(begin + CHUNK, slots), after, price)
        if wrong != VALID:
            raise Refuted(f"in the forward set, {near_start.packed[at].tolist()} {FAULTS[wrong]}")


@cached()
def _check_from(board, work, claim, near_start, near_goal, departing, first, last, after, price):  # type: ignore[no-untyped-def]
    """Check conditions 1 and 3 for the edges from a range of slots.

    Return the slot of the first fault and the fault; (last, VALID) if there is none.
    """
    packed, costs = near_start.packed, near_start.costs
    for at in range(first, last):
        cost = np.int64(costs[at])
        if cost < 0:
            continue
        if cost < claim.below and rules.is_solved(board, packed[at]):
            return at, SOLVED
        for i in range(rules.pushes(board, work, packed[at], after, price)):
            arriving = cost + price[i]
            if arriving < claim.ahead and 0 <= rules.cost_of(packed, costs, after[i]) <= arriving:
                continue
            wrong = _arrives(board, work, claim, near_start, near_goal, departing, after[i], arriving)
            if wrong != VALID:
                return at, wrong
    return last, VALID


@cached()
def _arrives(board, work, claim, near_start, near_goal, departing, position, cost):  # type: ignore[no-untyped-def]
    """Check conditions 1 and 3 for a vertex that arrives at this cost; return VALID or its fault."""
    if cost < claim.ahead:
        if 0 <= rules.cost_of(near_start.packed, near_start.costs, position) <= cost:
            return VALID
        need = claim.below - cost
        is_far = _is_at_least(board, board.to_goal, board.goals, position, need, work.prices)
        return VALID if is_far else NOT_CLOSED
    if cost >= claim.below:
        return VALID
    for table in (near_goal, departing):
        if 0 <= rules.cost_of(table.packed, table.costs, position) < claim.below - cost:
            return TOO_CHEAP
    return VALID


def _most(board: Board) -> int:
    """One more than the largest number of edges from or to a vertex.

    A box has four sides. If walking costs, a vertex has four pulls, each with one predecessor for each side of a
    box.
    """
    sides = 4 * (len(board.start) - 1)
    return (4 * (sides + 1) if board.walk else sides) + 2


def warm_up() -> None:
    """Call all compiled functions once, so that they are compiled."""
    level = build(Part("", 1, "#######\n#@ $ .#\n#  $ .#\n#     #\n#######", "", ""))
    start, solved = (packed(np.array([row], np.uint16)) for row in ([0, 0, 2, 7], [0, 0, 4, 9]))
    _check(level, BidirectionalProof("pushes", 1, 1, 0, 2, start, ()), Budget())
    _check(level, BidirectionalProof("pushes", 1, 0, 1, 2, (), solved), Budget())
    table = rules.table_for(1, 3)
    rules.insert_all(table, table)
