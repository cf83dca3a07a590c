"""The rules of Sokoban in compiled code, for the checker of proofs only.

Floods, distances, the assignment bound and the hash table exist elsewhere, too: in `mc/heuristics`, `mc/packed`,
`encodings/sokoban/fess` and `encodings/sokoban/improve`. They are repeated here on purpose. A checker that shared
code with the searches would repeat their errors, so this file must not import them, and they must not import it.

Cells of the floor are numbered in reading order, and the number after the last cell is the wall. A position is an
array of numbers: the cell of the player, then the cells of the boxes in increasing order. A *vertex* is a position
that occurs in a proof. If walking is free, a vertex represents all positions between which the player can walk,
and is the one with the player on the least cell. If walking costs, vertices are the start and the positions just
after a push. An edge between two vertices is a walk and a push.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.jit import cached
from puzzlemc.screens.sokoban import Level

Shorts: TypeAlias = npt.NDArray[np.int32]
Position: TypeAlias = npt.NDArray[np.uint16]

INFINITE = 1 << 28  # the distance of an unreachable cell; all costs are less
FREE, BOX, WALL = 0, 1, 2


class Board(NamedTuple):
    """A level as arrays, with one working array.

    near        (cells + 1, 4): the neighbour in each direction; (d + 2) % 4 is the direction opposite to d
    is_goal     (cells + 1,)
    goals       the number of goals, including those that are not on the floor
    start       (1 + boxes,): the start position
    push, walk  the costs of a push and of a step without a push
    to_goal     (cells, cells, goals): by player and box, the least number of pushes of a lone box to each goal
    from_start  (cells, cells, boxes): by player and box, the least number of pushes of a lone box to there, from
    the
                start and from the cell of each box
    can_hold    (cells + 1,): can a lone box of the start be pushed to this cell?
    on          (cells + 1,): FREE, BOX or WALL in the position at hand
    """

    near: Shorts
    is_goal: npt.NDArray[np.bool_]
    goals: int
    start: Position
    push: int
    walk: int
    to_goal: Shorts
    from_start: Shorts
    can_hold: npt.NDArray[np.bool_]
    on: npt.NDArray[np.uint8]


def board_of(level: Level, push: int, walk: int) -> Board:
    """The level, with the costs of a push and of a step without one. Raises Refuted if its distances are wrong."""
    number = {cell: place for place, cell in enumerate(level.floor)}
    cells = len(number)
    near = np.full((cells + 1, 4), cells, np.int32)
    for cell, place in number.items():
        near[place] = [number.get(ahead(cell, direction), cells) for direction in DIRECTIONS.values()]
    is_goal = np.zeros(cells + 1, np.bool_)
    is_goal[[number[cell] for cell in level.goals if cell in number]] = True
    boxes = sorted(number[cell] for cell in level.start.boxes)
    on = np.zeros(cells + 1, np.uint8)
    on[cells] = WALL
    player = number[level.start.player]
    goals = np.array([number.get(cell, cells) for cell in sorted(level.goals)], np.int32)
    everywhere, there = np.arange(cells, dtype=np.int32), np.array([player], np.int32)
    starts = np.array(boxes, np.int32)
    to_goal = distances(near, goals, everywhere, False)
    from_start = distances(near, starts, there, True)
    if not are_distances(near, to_goal, goals, everywhere, False):
        raise Refuted("the distances to the goals are wrong")
    if not are_distances(near, from_start, starts, there, True):
        raise Refuted("the distances from the start are wrong")
    can_hold = np.zeros(cells + 1, np.bool_)
    can_hold[:cells] = (from_start < INFINITE).any(axis=(0, 2))
    return Board(
        near=near,
        is_goal=is_goal,
        goals=len(goals),
        start=np.array([player, *boxes], np.uint16),
        push=push,
        walk=walk,
        to_goal=to_goal,
        from_start=from_start,
        can_hold=can_hold,
        on=on,
    )


# Distances of a lone box


@cached()
def distances(near, targets, players, forward):  # type: ignore[no-untyped-def]
    """By player, box and target, the least number of pushes of a lone box to the target.

    With `forward`, the least number from the target to there. `players` are the cells on which the player may
    stand when the box is on the target. Breadth-first search; a step without a push costs 0 and a push costs 1.
    """
    cells = near.shape[0] - 1
    far = np.full((cells, cells, len(targets)), INFINITE, np.int32)
    now, later = np.empty((cells * cells, 2), np.int32), np.empty((cells * cells, 2), np.int32)
    for t in range(len(targets)):
        if targets[t] == cells:
            continue  # a goal off the floor
        count, more, cost = 0, 0, 0
        for player in players:
            if player != targets[t] and far[player, targets[t], t] == INFINITE:
                far[player, targets[t], t] = 0
                now[count] = player, targets[t]
                count += 1
        while count:
            place, more = 0, 0
            while place < count:
                p, x = now[place]
                place += 1
                if far[p, x, t] < cost:
                    continue
                for d in range(4):
                    q = near[p, d]
                    if q < cells and q != x and far[q, x, t] > cost:
                        far[q, x, t] = cost
                        now[count] = q, x
                        count += 1
                    behind = near[p, (d + 2) % 4]
                    if forward:  # a push: the player enters the former cell of the box
                        if q == x and near[x, d] < cells and far[x, near[x, d], t] > cost + 1:
                            far[x, near[x, d], t] = cost + 1
                            later[more] = x, near[x, d]
                            more += 1
                    elif q == x and behind < cells and far[behind, p, t] > cost + 1:  # a pull
                        far[behind, p, t] = cost + 1
                        later[more] = behind, p
                        more += 1
            now, later = later, now
            count, cost = more, cost + 1
    return far


@cached()
def are_distances(near, far, targets, players, forward):  # type: ignore[no-untyped-def]
    """Are these lower bounds on the true distances?

    They are if they are at most 0 at the target, and no step decreases them (with `forward`: increases them) by
    more than its cost. So the function that computed them need not be trusted.
    """
    cells = near.shape[0] - 1
    for t in range(len(targets)):
        for p in players:
            if targets[t] < cells and p != targets[t] and far[p, targets[t], t] > 0:
                return False
    for p in range(cells):
        for d in range(4):
            q = near[p, d]
            if q == cells:
                continue
            beyond = near[q, d]
            for x in range(cells):
                if x == p or (x == q and beyond == cells):
                    continue
                y, price = (beyond, 1) if x == q else (x, 0)
                for t in range(len(targets)):
                    before, after = far[p, x, t], far[q, y, t]
                    if forward:
                        before, after = after, before
                    if before > after + price:
                        return False
    return True


# Positions


@cached()
def put(on, position, what):  # type: ignore[no-untyped-def]
    """Put the boxes of a position on the board (BOX), or remove them (FREE)."""
    for i in range(1, len(position)):
        on[position[i]] = what


@cached()
def flood(near, on, player, cells, far):  # type: ignore[no-untyped-def]
    """List in `cells` the cells that the player can reach, nearest first; return their number.

    Write the number of steps to each cell to `far`. All of `far` must be -1 before; `reset` restores that.
    """
    cells[0], far[player] = player, 0
    count, place = 1, 0
    while place < count:
        here = cells[place]
        place += 1
        for d in range(4):
            there = near[here, d]
            if on[there] == FREE and far[there] < 0:
                far[there] = far[here] + 1
                cells[count] = there
                count += 1
    return count


@cached()
def reset(cells, count, far):  # type: ignore[no-untyped-def]
    """Set `far` to -1 on all cells of a flood; return the least of them."""
    least = cells[0]
    for i in range(count):
        far[cells[i]] = -1
        least = min(least, cells[i])
    return least


@cached()
def move_box(position, box, to, player, after):  # type: ignore[no-untyped-def]
    """Write to `after` the position with one box moved to another cell, and with the player on `player`."""
    after[0] = player
    place = 1
    for i in range(1, len(position)):
        if position[i] != box:
            after[place] = position[i]
            place += 1
    while place > 1 and after[place - 1] > to:
        after[place] = after[place - 1]
        place -= 1
    after[place] = to


class Workspace(NamedTuple):
    """Working arrays of floods, of nested (inner) floods, and of assignments.

    Compiled code counts references to each array of a tuple argument, so small functions get single arrays.
    """

    cells: Shorts
    far: Shorts
    inner_cells: Shorts
    inner_far: Shorts
    prices: npt.NDArray[np.int64]


def workspace_for(board: Board) -> Workspace:
    """Working arrays for a board."""
    cells, size = len(board.near), max(len(board.start), board.goals + 1) + 1
    floods = [np.full(cells, -1, np.int32) for _ in range(4)]
    return Workspace(floods[0], floods[1], floods[2], floods[3], np.zeros((6, size), np.int64))


@cached()
def make_canonical(near, on, cells, far, position):  # type: ignore[no-untyped-def]
    """Move the player to the least cell that it can reach. The boxes of the position must be on the board."""
    count = flood(near, on, position[0], cells, far)
    position[0] = reset(cells, count, far)


@cached()
def pushes(board, work, position, after, price):  # type: ignore[no-untyped-def]
    """Write the successors of a vertex to `after`, and their edge costs to `price`; return their number."""
    near, on, inner_cells, inner_far = board.near, board.on, work.inner_cells, work.inner_far
    put(on, position, BOX)
    reached = flood(near, on, position[0], work.cells, work.far)
    count = 0
    for i in range(reached):
        here = work.cells[i]
        for d in range(4):
            box = near[here, d]
            to = near[box, d]
            if on[box] != BOX or on[to] != FREE:
                continue
            move_box(position, box, to, box, after[count])
            price[count] = board.push + board.walk * work.far[here]
            if board.walk == 0:
                on[box], on[to] = FREE, BOX
                make_canonical(near, on, inner_cells, inner_far, after[count])
                on[box], on[to] = BOX, FREE
            count += 1
    reset(work.cells, reached, work.far)
    put(on, position, FREE)
    return count


@cached()
def is_vertex(board, position):  # type: ignore[no-untyped-def]
    """If walking costs: is this the start, or can it be a position just after a push?

    The boxes of the position must be on the board.
    """
    near, on, here = board.near, board.on, position[0]
    for d in range(4):
        if on[near[here, d]] == BOX and on[near[here, (d + 2) % 4]] == FREE and board.can_hold[here]:
            return True
    return bool((position == board.start).all())


@cached()
def pulls(board, work, position, before, price):  # type: ignore[no-untyped-def]
    """Write the predecessors of a vertex to `before`, and their edge costs to `price`; return their number.

    A predecessor is the position before a pull or, if walking costs, each vertex from which the player walks
    there.
    """
    near, on, inner_cells, inner_far = board.near, board.on, work.inner_cells, work.inner_far
    put(on, position, BOX)
    work.cells[0] = position[0]
    reached = flood(near, on, position[0], work.cells, work.far) if board.walk == 0 else 1
    count = 0
    for i in range(reached):
        here = work.cells[i]
        for d in range(4):
            box, behind = near[here, d], near[here, (d + 2) % 4]
            if on[box] != BOX or on[behind] != FREE:
                continue
            on[box], on[here] = FREE, BOX
            move_box(position, box, here, behind, before[count])
            price[count] = board.push
            if board.walk == 0:
                make_canonical(near, on, inner_cells, inner_far, before[count])
                count += 1
            else:
                count = _add_walks(board, work, before, price, count)
            on[box], on[here] = BOX, FREE
    if board.walk == 0:
        reset(work.cells, reached, work.far)
    put(on, position, FREE)
    return count


@cached()
def _add_walks(board, work, before, price, count):  # type: ignore[no-untyped-def]
    """Replace position number `count` by the vertices from which the player walks to it; return the new count."""
    last = before[len(before) - 1]
    last[:] = before[count]
    reached = flood(board.near, board.on, last[0], work.inner_cells, work.inner_far)
    for i in range(reached):
        before[count] = last
        before[count, 0] = work.inner_cells[i]
        if is_vertex(board, before[count]):
            price[count] = board.push + board.walk * work.inner_far[work.inner_cells[i]]
            count += 1
    reset(work.inner_cells, reached, work.inner_far)
    return count


@cached()
def is_solved(board, position):  # type: ignore[no-untyped-def]
    """Does every goal hold a box?"""
    covered = 0
    for i in range(1, len(position)):
        covered += board.is_goal[position[i]]
    return covered == board.goals


# Bounds


@cached()
def is_at_least(far, targets, position, need, prices):  # type: ignore[no-untyped-def]
    """Is the least cost of an assignment of different boxes to the targets at least `need`?

    The evidence is a feasible dual solution: a price for each target and a non-positive price for each box, such
    that no target and box together have prices above their distance. Then every assignment costs at least the sum
    of all prices. The prices are found by shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987) and
    then checked, so that search need not be trusted.
    """
    if need <= 0:
        return True
    boxes = len(position) - 1
    if targets > boxes:
        return True  # a target gets no box
    distance = far[position[0]]
    total = np.int64(0)
    for t in range(targets):
        least = INFINITE
        for i in range(1, boxes + 1):
            least = min(least, distance[position[i], t])
        total += least
    if total >= need:
        return True
    _find_prices(distance, targets, position, prices)
    of_target, of_box, total = prices[0], prices[1], np.int64(0)
    for t in range(1, targets + 1):
        total += of_target[t]
        for i in range(1, boxes + 1):
            if of_target[t] + of_box[i] > distance[position[i], t - 1]:
                return False
    for i in range(1, boxes + 1):
        if of_box[i] > 0:
            return False
        total += of_box[i]
    return total >= need


@cached()
def _find_prices(distance, targets, position, prices):  # type: ignore[no-untyped-def]
    """Write the prices of the targets to prices[0], and those of the boxes to prices[1], both from index 1 on."""
    boxes = len(position) - 1
    of_target, of_box, match = prices[0], prices[1], prices[2]
    way, used, least = prices[3], prices[4], prices[5]
    of_box[: boxes + 1] = 0
    match[: boxes + 1] = 0
    for target in range(1, targets + 1):
        of_target[target] = 0
        match[0] = target
        for i in range(boxes + 1):
            least[i], used[i] = 1 << 60, 0
        column = 0
        while True:
            used[column] = 1
            t, delta, nearest = match[column], 1 << 60, 0
            for i in range(1, boxes + 1):
                if used[i]:
                    continue
                reduced = distance[position[i], t - 1] - of_target[t] - of_box[i]
                if reduced < least[i]:
                    least[i], way[i] = reduced, column
                if least[i] < delta:
                    delta, nearest = least[i], i
            for i in range(boxes + 1):
                if used[i]:
                    of_target[match[i]] += delta
                    of_box[i] -= delta
                else:
                    least[i] -= delta
            column = nearest
            if match[column] == 0:
                break
        while column:
            match[column] = match[way[column]]
            column = way[column]


# Sets of positions with costs, as hash tables with open addressing


class Table(NamedTuple):
    """Positions and their costs by slot; the cost of an empty slot is -1. `size[0]` is the number of positions."""

    packed: npt.NDArray[np.uint16]
    costs: Shorts
    size: npt.NDArray[np.int64]


def table_for(count: int, width: int) -> Table:
    """An empty table with at least twice as many slots as `count`."""
    slots = 1 << max(4, (2 * count - 1).bit_length())
    return Table(np.zeros((slots, width), np.uint16), np.full(slots, -1, np.int32), np.zeros(1, np.int64))


@cached()
def slot_of(packed, costs, position):  # type: ignore[no-untyped-def]
    """The slot of a position in the table, or the empty slot where it would be inserted."""
    h = np.uint64(14695981039346656037)
    for i in range(len(position)):
        h = (h ^ np.uint64(position[i])) * np.uint64(1099511628211)
    h = (h ^ (h >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    last = np.uint64(len(costs) - 1)
    at = (h ^ (h >> np.uint64(29))) & last
    while costs[at] >= 0:
        same = True
        for i in range(len(position)):
            if packed[at, i] != position[i]:
                same = False
                break
        if same:
            break
        at = (at + np.uint64(1)) & last
    return np.int64(at)


@cached()
def cost_of(packed, costs, position):  # type: ignore[no-untyped-def]
    """The cost of a position in the table, -1 if it is not there."""
    return np.int64(costs[slot_of(packed, costs, position)])


@cached()
def insert(table, position, cost):  # type: ignore[no-untyped-def]
    """Insert a position, or lower its cost; return whether it was in the table before."""
    at = slot_of(table.packed, table.costs, position)
    known = table.costs[at] >= 0
    if not known:
        table.packed[at] = position
        table.size[0] += 1
    if not known or cost < table.costs[at]:
        table.costs[at] = cost
    return known


@cached()
def insert_all(table, other):  # type: ignore[no-untyped-def]
    """Insert all positions of another table."""
    for at in range(len(other.costs)):
        if other.costs[at] >= 0:
            insert(table, other.packed[at], other.costs[at])
