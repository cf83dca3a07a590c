"""Checks bidirectional proofs: that every solution of a level costs at least C, or that there is no solution.

This checker shares no code with the searches that write proofs, and must not: a checker that imported a model, an
engine or a heuristic would repeat its errors. It trusts the reader of levels (`screens/sokoban/`), the domain
rules, the types of compiled code (`mc/words.py`) and the files of this folder. `tools/check_certificate.py` is a
second implementation of the same check.

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
from puzzlemc.encodings.sokoban.proof import edges
from puzzlemc.encodings.sokoban.proof.board import INFINITE, Board
from puzzlemc.encodings.sokoban.proof.conditions import (
    NOT_CLOSED,
    SOLVED,
    TOO_CHEAP,
    VALID,
    Check,
    Claim,
    check_arrival,
    check_backward,
    check_forward,
    has_solved,
)
from puzzlemc.encodings.sokoban.proof.positions import Positions, Table, cost_of, insert_all, load
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.lexicographic import first, pairs, second
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.blocks import Block, each
from puzzlemc.mc.words import view
from puzzlemc.screens.sokoban import Level

CHUNK = 1 << 12  # slots of a table between two checks of the budget

FAULTS = {
    SOLVED: "is solved at a cost below the bound",
    NOT_CLOSED: "has a neighbour that the set must contain and does not",
    TOO_CHEAP: "leads to the backward set at a cost below the bound",
}


class Prices(NamedTuple):
    """The costs of a push and of a step without a push; both are 0 in a proof that there is no solution."""

    push: int
    walk: int


def check(level: Level, proof: BidirectionalProof, budget: Budget) -> None:
    """Check that a proof is valid for a level. Raises Refuted, LimitReached."""
    prices = _prices(level, proof)
    claim = _claim(level, proof, max(1, prices.push))
    boxes, cells = len(level.start.boxes), len(level.floor)
    if cells >= 1 << 16 or cells**2 * (boxes + len(level.goals)) >= min(INFINITE, budget.limits.memory // 4):
        raise LimitReached("memory")
    free, wide = proof.below is None, proof.scale is not None
    board = Board(level, *prices)
    if not board.walk:  # from here on, the start is the vertex that represents it
        edges.make_canonical(board, edges.Edges(board), board.start, 0)
    if edges.is_solved(board, board.start, 0) and claim.below > 0:
        raise Refuted("the start is solved")
    near_goal = _table(proof.backward, board, claim.behind, budget, free=free, wide=wide)
    check = Check(board, claim, near_goal)
    _check_backward(check, budget)
    check.near_start = _table(proof.forward, board, claim.ahead, budget, free=free, wide=wide)
    _check_forward(check, budget)


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
    width, count = board.start.rows.shape[1], sum(block.count for block in blocks)
    if 2 * count * 2 * (2 * width + 4) > budget.limits.memory:
        raise LimitReached("memory")
    table = Table(count, width)
    for places in each(blocks, 1 + width + wide):
        budget.check()
        costs = places[:, 0].astype(np.int64)
        if wide:
            costs += places[:, -1].astype(np.int64) << 16
        fresh = Positions(np.ascontiguousarray(places[:, 1 : 1 + width]))
        wrong = load(table, fresh, view(costs), board.cells, min(1, most) if free else most)
        if wrong >= 0:
            raise Refuted(f"{places[wrong].tolist()} is not a position at a cost below {most}, or is repeated")
    return table


def _check_backward(check: Check, budget: Budget) -> None:
    """Check condition 2; list the vertices that depart at b or more. Raises Refuted, LimitReached."""
    if not check.claim.behind:
        return
    if 0 <= cost_of(check.near_goal, check.board.start, 0) < check.claim.below:
        raise Refuted("the backward set contains the start")
    if not has_solved(check):
        raise Refuted("the backward set lacks a solved position")
    at, slots, width = 0, check.near_goal.costs.shape[0], check.board.start.rows.shape[1]
    while at < slots:
        budget.check()
        last = min(at + CHUNK, slots)
        fault = check_backward(check, at, last)
        at = check.at
        if fault != VALID:
            raise Refuted(f"in the backward set, {_row(check.near_goal, at)} {FAULTS[fault]}")
        if at < last:
            room = check.departing.costs.shape[0]
            if 4 * room * 2 * width > budget.limits.memory:
                raise LimitReached("memory")
            larger = Table(4 * check.departing.count, width)
            insert_all(larger, check.departing)
            check.departing = larger


def _check_forward(check: Check, budget: Budget) -> None:
    """Check conditions 1 and 3. Raises Refuted, LimitReached."""
    if not check.claim.ahead:
        return
    if (fault := check_arrival(check, check.board.start, 0, 0)) != VALID:
        raise Refuted(f"the start {FAULTS[fault]}")
    slots = check.near_start.costs.shape[0]
    for at in range(0, slots, CHUNK):
        budget.check()
        if (fault := check_forward(check, at, min(at + CHUNK, slots))) != VALID:
            raise Refuted(f"in the forward set, {_row(check.near_start, check.at)} {FAULTS[fault]}")


def _row(table: Table, at: int) -> list[int]:
    """The numbers of the position in a slot."""
    return [table.positions.rows[at, k] for k in range(table.positions.rows.shape[1])]
