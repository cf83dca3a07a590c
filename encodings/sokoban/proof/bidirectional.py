"""Checks proofs from both ends: that no solution of a level costs less than C, or that there is none.

**Vertices** are what `board.py` says; an edge leads from each to those of `pushes`, at its price, and each
solution is a path from the start to a solved vertex that costs no more. The proof lists two sets of vertices
with costs: F with costs f below a, near the start, and B with costs k below b, near the goals.
`mc/proofs/bidirectional.py` has how they are written.

**Bounds.** h(v) is the least sum of distances over all ways to give each goal a box of its own, q(v) that over
all ways to give each box a place of the start. Along a path each box goes a way of its own, which it could go
without the others, and each push moves one box by a cell and costs at least 1. So no path from v to a solved
vertex costs less than h(v), and none from the start to v less than q(v).

**Conditions**, where a vertex `arrives` at cost g if it is the start and g = 0, or the end of an edge of price w
from some u in F, and g = f(u) + w; and `departs` at cost k if it is a solved vertex and k = 0, or the beginning of
an edge of price w to some u in B, and k = k(u) + w.

1. What arrives at g < a is in F at no more than g, or h ≥ C - g. No vertex of F with f < C is solved.
2. What departs at k < b is in B at no more than k, or q ≥ C - k. The start is not in B with k < C.
3. What arrives at g ≥ a is not in B at less than C - g, nor does it depart at a k < C - g, unless q ≥ C - k.
4. a ≥ C; or b ≥ C; or a, b > 0 and a + b ≥ C - w, when each edge costs at least w.

**Theorem.** If they hold, each path from the start to a solved vertex costs at least C.

*Proof.* Let v0 … vn be such a path of cost c < C, and g(i) + k(i) = c the costs of its parts before and after
vi. Call vi *reached* if it is in F with f(vi) ≤ g(i), and *left* if it is in B with k(vi) ≤ k(i). If vi arrives
at g ≤ g(i) then h(vi) ≤ k(i) = c - g(i) < C - g; so by 1 it is reached if g < a. Likewise by 2, what departs at
k ≤ k(i) is left if k < b.

If a ≥ C: v0 arrives at 0 ≤ g(0), and what follows a reached vertex arrives at no more than its g(i) ≤ c < a; so
all are reached, and vn is solved in F, against 1. If b ≥ C, all are left, v0 among them, against 2.

Else a, b > 0, so v0 is reached and vn is left. Let v0 … vi be the longest beginning of reached vertices. By 1 it
does not go to the end, and v(i+1) arrives at g with a ≤ g ≤ g(i+1). Let vj … vn be the longest end of left
vertices. If j ≤ i + 1, v(i+1) is in B at no more than k(i+1) < C - g, against 3. If j = i + 2, v(i+1) departs at
some k ≤ k(i+1), and q ≤ g(i+1) < C - k, against 3 again. So j - 1 ≥ i + 2, and v(j-1) departs at k with b ≤ k ≤
k(j-1). Between v(i+1) and v(j-1) lies an edge, which costs at least w; hence c ≥ a + w + b ≥ C, against c < C. ∎

That a level has no solution is shown by the same with all costs 0, and a C beyond all sums of distances. Then
h(v) ≥ C says that no path leads from v to a solved vertex, and q(v) ≥ C that none leads from the start to v, as
the proof needs it; and any solution would be a path of cost 0 < C.

**Two metrics in order.** A weighed cost is the first cost times a scale s, plus the second. Bounds in pushes are
multiplied with what a push costs. Let C = s P + M. Then no solution costs less than P by the first, and none that
costs P by it less than M by the second: the latter is plain. A solution of p < P moves has no more pushes, and one
of p < P pushes has, if its walks are shortest, no more than p n moves on a floor of n cells. So if s > P - 1, or
s > (P - 1) n, its weighed cost would be less than s P ≤ C.

What this trusts: the reader of levels (`screens/sokoban/`), `board.py`, and this file. It knows no model.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.domain.rules import METRICS, MOVE, PUSH
from puzzlemc.encodings.sokoban.proof import board as plain
from puzzlemc.encodings.sokoban.proof.board import NEVER, Board, Table, Work
from puzzlemc.mc import jit
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.jit import cached
from puzzlemc.mc.lexicographic import first, pairs, second
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof, Block, each, packed
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.sokoban import Level, build

CHUNK = 1 << 12  # slots of a table between two looks at the budget
MODULES = ("puzzlemc.encodings.sokoban.proof.board", "puzzlemc.encodings.sokoban.proof.bidirectional")

# What is wrong with a vertex.
RIGHT, SOLVED, LEFT_OUT, CROSSES = 0, 1, 2, 3
WRONG = {
    SOLVED: "is solved, but costs less",
    LEFT_OUT: "leads to a position that is left out",
    CROSSES: "leads to what is near the goal at too low a cost",
}


class Claim(NamedTuple):
    """No path costs less than `below`: C, a and b of the theorem."""

    below: int
    ahead: int
    behind: int


class Prices(NamedTuple):
    """What a push and a step of a walk cost, 0 where a proof counts no costs."""

    push: int
    walk: int


def check(level: Level, proof: BidirectionalProof, budget: Budget) -> None:
    """Check that a proof shows what it says of a level. Raises Refuted, LimitReached."""
    jit.ready(warm_up, *MODULES)
    _check(level, proof, budget)


def _check(level: Level, proof: BidirectionalProof, budget: Budget) -> None:
    prices = _prices(level, proof)
    claim = _claim(level, proof, max(1, prices.push))
    boxes, cells = len(level.start.boxes), len(level.floor)
    if cells >= 1 << 16 or cells**2 * (boxes + len(level.goals)) >= min(NEVER, budget.limits.memory // 4):
        raise LimitReached("memory")
    free, wide = proof.below is None, proof.scale is not None
    board = plain.board_of(level, *prices)
    work = plain.work_for(board)
    # The start is a vertex like any other: from here on, the one that stands for it.
    plain.put(board.on, board.start, plain.BOX)
    if not board.walk:
        plain.stand_in(board.near, board.on, work.others, work.far_others, board.start)
    plain.put(board.on, board.start, plain.FREE)
    if plain.is_solved(board, board.start) and claim.below > 0:
        raise Refuted("the start is solved")
    near_goal = _table(proof.backward, board, claim.behind, budget, free=free, wide=wide)
    departing = _departing(board, work, claim, near_goal, budget)
    near_start = _table(proof.forward, board, claim.ahead, budget, free=free, wide=wide)
    _check_forward(board, work, claim, near_start, near_goal, departing, budget)


def _prices(level: Level, proof: BidirectionalProof) -> Prices:
    """The costs by the metric of a proof. Raises Refuted where there are none, or the scale does not suffice."""
    if proof.below is None:
        return Prices(0, 0)
    if proof.metric in METRICS:
        if proof.scale is not None:
            raise Refuted(f"a scale, but a single metric, {proof.metric}")
        return Prices(PUSH[proof.metric], MOVE[proof.metric])
    if proof.metric not in pairs(METRICS) or not proof.scale or proof.scale >= NEVER:
        raise Refuted(f"there are no costs of {proof.metric!r}")
    one, other = first(proof.metric), second(proof.metric)
    less = max(0, proof.below // proof.scale - 1)  # the first cost of a solution that there must not be
    if proof.scale <= less * (len(level.floor) if one == "pushes" else 1):
        raise Refuted(f"a scale of {proof.scale} does not tell of {one}")
    return Prices(proof.scale * PUSH[one] + PUSH[other], proof.scale * MOVE[one] + MOVE[other])


def _claim(level: Level, proof: BidirectionalProof, least: int) -> Claim:
    """What the proof says, as numbers; an edge costs at least so much.

    Raises Refuted where condition 4 does not hold, or the level is another.
    """
    if proof.objects != len(level.start.boxes):
        raise Refuted(f"its positions have {proof.objects} boxes, the level has {len(level.start.boxes)}")
    if any(most is not None and most >= NEVER for most in (proof.below, proof.ahead, proof.behind)):
        raise Refuted(f"costs of {NEVER} and more are none of a level")
    below, ahead, behind = (NEVER if most is None else most for most in (proof.below, proof.ahead, proof.behind))
    if max(ahead, behind) < below and not (ahead and behind and ahead + behind >= below - least and below < NEVER):
        raise Refuted(f"costs below {ahead} and {behind} do not show a bound of {below}")
    if ahead >= below:
        behind = 0
    elif behind >= below:
        ahead = 0
    if behind and len(level.goals) != proof.objects:
        raise Refuted("solved positions cannot be listed: there are more boxes than goals")
    return Claim(below, ahead, behind)


def _table(blocks: tuple[Block, ...], board: Board, most: int, budget: Budget, *, free: bool, wide: bool) -> Table:
    """The vertices of a set and their costs, `wide` ones being of two numbers.

    Raises Refuted where some are none, LimitReached.
    """
    width, count = len(board.start), sum(block.count for block in blocks)
    if 2 * count * 2 * (2 * width + 4) > budget.limits.memory:
        raise LimitReached("memory")
    table = plain.table_for(count, width)
    for places in each(blocks, 1 + width + wide):
        budget.check()
        costs = places[:, 0].astype(np.int64)
        if wide:
            costs += places[:, -1].astype(np.int64) << 16
        rows = np.ascontiguousarray(places[:, 1 : 1 + width])
        wrong = _load(table, rows, costs, len(board.near) - 1, min(1, most) if free else most)
        if wrong >= 0:
            raise Refuted(f"{places[wrong].tolist()} is no position at a cost below {most}, or stands twice")
    return table


@cached()
def _load(table, rows, costs, cells, most):  # type: ignore[no-untyped-def]
    """Enter cost and position of each row. Returns the number of one that is wrong, else -1."""
    for number in range(len(rows)):
        cost, row = costs[number], rows[number]
        if cost >= most or row[0] >= cells:
            return number
        for i in range(1, len(row)):
            if row[i] >= cells or row[i] == row[0] or (i > 1 and row[i] <= row[i - 1]):
                return number
        if plain.enter(table, row, cost):
            return number
    return -1


def _departing(board: Board, work: Work, claim: Claim, near_goal: Table, budget: Budget) -> Table:
    """Check condition 2. Returns what departs at k >= b, for condition 3, but for what cannot arrive below C - k.

    What condition 3 asks about arrives at a or more, so that no k >= C - a matters.

    Raises Refuted, LimitReached.
    """
    most = _most(board)
    departing = plain.table_for(2 * most, len(board.start))
    if not claim.behind:
        return departing
    if 0 <= plain.cost_in(near_goal.rows, near_goal.costs, board.start) < claim.below:
        raise Refuted("the start is near the goal")
    before, price = np.empty((most, len(board.start)), np.uint16), np.empty(most, np.int64)
    if not _has_solved(board, work, claim, near_goal, before[0]):
        raise Refuted("a solved position is left out")
    slots, first = len(near_goal.costs), 0
    while first < slots:
        budget.check()
        last = min(first + CHUNK, slots)
        first, wrong = _check_backward(board, work, claim, near_goal, departing, first, last, before, price)
        if wrong != RIGHT:
            raise Refuted(f"near the goal, {near_goal.rows[first].tolist()} {WRONG[wrong]}")
        if first < last:
            if 4 * departing.rows.nbytes > budget.limits.memory:
                raise LimitReached("memory")
            larger = plain.table_for(4 * int(departing.size[0]), len(board.start))
            plain.enter_all(larger, departing)
            departing = larger
    return departing


@cached()
def _is_at_least(board, far, targets, row, need, prices):  # type: ignore[no-untyped-def]
    """Do the pushes that the row still takes, or has taken, cost at least `need`?"""
    push = max(1, board.push)
    return plain.is_at_least(far, targets, row, (need + push - 1) // push, prices)


@cached()
def _has_solved(board, work, claim, near_goal, row):  # type: ignore[no-untyped-def]
    """Are all solved vertices near the goal at 0, but for those that cannot arrive? Each goal has a box."""
    cells, place = len(board.near) - 1, 1
    for cell in range(cells):
        if board.is_goal[cell]:
            if place == len(row):
                return False
            row[place] = cell
            place += 1
    if place < len(row):
        return True  # a goal off the floor: nothing is solved
    for cell in range(cells):
        if board.is_goal[cell]:
            continue
        row[0] = cell
        plain.put(board.on, row, plain.BOX)
        if board.walk == 0:
            plain.stand_in(board.near, board.on, work.others, work.far_others, row)
            arrives = row[0] == cell
        else:
            arrives = plain.is_vertex(board, row)
        plain.put(board.on, row, plain.FREE)
        if (
            arrives
            and plain.cost_in(near_goal.rows, near_goal.costs, row) != 0
            and not _is_at_least(board, board.from_start, len(row) - 1, row, claim.below, work.prices)
        ):
            return False
    return True


@cached()
def _check_backward(board, work, claim, near_goal, departing, first, last, before, price):  # type: ignore[no-untyped-def]
    """Check condition 2 for the slots from `first` on, and enter in `departing` what departs at b or more.

    Returns the slot where it ended, `last` or where `departing` is full, and what is wrong there.
    """
    rows, costs, from_start, prices = near_goal.rows, near_goal.costs, board.from_start, work.prices
    other_rows, other_costs = departing.rows, departing.costs
    for at in range(first, last):
        if costs[at] < 0:
            continue
        if 2 * (departing.size[0] + len(before)) > len(other_costs):
            return at, RIGHT
        for i in range(plain.pulls(board, work, rows[at], before, price)):
            row, cost = before[i], costs[at] + price[i]
            if 0 <= plain.cost_in(rows, costs, row) <= cost:
                continue
            if cost >= max(claim.behind, claim.below - claim.ahead):
                continue
            if cost >= claim.behind and 0 <= plain.cost_in(other_rows, other_costs, row) <= cost:
                continue
            if _is_at_least(board, from_start, len(row) - 1, row, claim.below - cost, prices):
                continue
            if cost < claim.behind:
                return at, LEFT_OUT
            plain.enter(departing, row, cost)
    return last, RIGHT


def _check_forward(
    board: Board, work: Work, claim: Claim, near_start: Table, near_goal: Table, departing: Table, budget: Budget
) -> None:
    """Check conditions 1 and 3. Raises Refuted, LimitReached."""
    if not claim.ahead:
        return
    most = _most(board)
    after, price = np.empty((most, len(board.start)), np.uint16), np.empty(most, np.int64)
    sets = (near_start, near_goal, departing)
    if (wrong := _arrives(board, work, claim, *sets, board.start, 0)) != RIGHT:
        raise Refuted(f"the start {WRONG[wrong]}")
    slots = len(near_start.costs)
    for begin in range(0, slots, CHUNK):
        budget.check()
        at, wrong = _check_from(board, work, claim, *sets, begin, min(begin + CHUNK, slots), after, price)
        if wrong != RIGHT:
            raise Refuted(f"near the start, {near_start.rows[at].tolist()} {WRONG[wrong]}")


@cached()
def _check_from(board, work, claim, near_start, near_goal, departing, first, last, after, price):  # type: ignore[no-untyped-def]
    """Check what leads from the slots from `first` to `last`. Returns where something is wrong, and what."""
    rows, costs = near_start.rows, near_start.costs
    for at in range(first, last):
        cost = np.int64(costs[at])
        if cost < 0:
            continue
        if cost < claim.below and plain.is_solved(board, rows[at]):
            return at, SOLVED
        for i in range(plain.pushes(board, work, rows[at], after, price)):
            arriving = cost + price[i]
            if arriving < claim.ahead and 0 <= plain.cost_in(rows, costs, after[i]) <= arriving:
                continue
            wrong = _arrives(board, work, claim, near_start, near_goal, departing, after[i], arriving)
            if wrong != RIGHT:
                return at, wrong
    return last, RIGHT


@cached()
def _arrives(board, work, claim, near_start, near_goal, departing, row, cost):  # type: ignore[no-untyped-def]
    """What is wrong with a vertex that arrives at that cost."""
    if cost < claim.ahead:
        if 0 <= plain.cost_in(near_start.rows, near_start.costs, row) <= cost:
            return RIGHT
        need = claim.below - cost
        return RIGHT if _is_at_least(board, board.to_goal, board.goals, row, need, work.prices) else LEFT_OUT
    if cost >= claim.below:
        return RIGHT
    for table in (near_goal, departing):
        if 0 <= plain.cost_in(table.rows, table.costs, row) < claim.below - cost:
            return CROSSES
    return RIGHT


def _most(board: Board) -> int:
    """Edges from or to a vertex, at most, and one: four sides of each box; and where walks cost, four sides of the
    player, and for each the places beside a box.
    """
    sides = 4 * (len(board.start) - 1)
    return (4 * (sides + 1) if board.walk else sides) + 2


def warm_up() -> None:
    """Lead through all that is compiled."""
    level = build(Part("", 1, "#######\n#@ $ .#\n#  $ .#\n#     #\n#######", "", ""))
    start, solved = (packed(np.array([row], np.uint16)) for row in ([0, 0, 2, 7], [0, 0, 4, 9]))
    _check(level, BidirectionalProof("pushes", 1, 1, 0, 2, start, ()), Budget())
    _check(level, BidirectionalProof("pushes", 1, 0, 1, 2, (), solved), Budget())
    table = plain.table_for(1, 3)
    plain.enter_all(table, table)
