"""The plain rules of Sokoban in compiled code, for checking proofs: apart from encodings and searches.

Cells of the floor are numbered in reading order; the number after the last stands for everything else. A
position is a row of numbers: the player's cell, then those of the boxes, in rising order. A *vertex* is a
position of which a proof speaks. Where walks cost nothing, one stands for all to which the player can walk: the
one with the player on the least cell. Where they cost, vertices are the start and the positions just after a
push. From one vertex to the next leads a push, with the walk before it.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.jit import cached
from puzzlemc.screens.sokoban import Level

Shorts: TypeAlias = npt.NDArray[np.int32]
Row: TypeAlias = npt.NDArray[np.uint16]

NEVER = 1 << 28  # a distance that says: there is no way
FREE, BOX, WALL = 0, 1, 2


class Board(NamedTuple):
    """A level as arrays, and arrays to work in.

    near        (cells + 1, 4): the next cell in each direction; that opposite to d is (d + 2) % 4
    is_goal     (cells + 1,)
    goals       how many there are, those off the floor included
    start       (1 + boxes,): the position at the start
    push, walk  what a push and a step of a walk cost
    to_goal     (cells, cells, goals): by player and box, how many pushes a box that is alone needs to that goal
    from_start  (cells, cells, boxes): how many it needs from the start, from the place of that box, to there
    can_hold    (cells + 1,): could the player push a box of the start, were it alone, to that cell?
    on          (cells + 1,): FREE, BOX or WALL, of the position that is looked at
    """

    near: Shorts
    is_goal: npt.NDArray[np.bool_]
    goals: int
    start: Row
    push: int
    walk: int
    to_goal: Shorts
    from_start: Shorts
    can_hold: npt.NDArray[np.bool_]
    on: npt.NDArray[np.uint8]


def board_of(level: Level, push: int, walk: int) -> Board:
    """The level, with what a push and a step of a walk cost. Raises Refuted where its distances are wrong."""
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
    can_hold[:cells] = (from_start < NEVER).any(axis=(0, 2))
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


# Distances of a box that is alone


@cached()
def distances(near, targets, players, forward):  # type: ignore[no-untyped-def]
    """By player, box and target, the least pushes of a box from there to the target, the player anywhere.

    With `forward`, those from the target to there, when the player starts on one of the cells `players`. Breadth
    first: a walk costs nothing and goes first, a push costs 1.
    """
    cells = near.shape[0] - 1
    far = np.full((cells, cells, len(targets)), NEVER, np.int32)
    now, later = np.empty((cells * cells, 2), np.int32), np.empty((cells * cells, 2), np.int32)
    for t in range(len(targets)):
        if targets[t] == cells:
            continue  # a goal off the floor
        count, more, cost = 0, 0, 0
        for player in players:
            if player != targets[t] and far[player, targets[t], t] == NEVER:
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
                    if forward:  # push: the player comes to where the box was
                        if q == x and near[x, d] < cells and far[x, near[x, d], t] > cost + 1:
                            far[x, near[x, d], t] = cost + 1
                            later[more] = x, near[x, d]
                            more += 1
                    elif q == x and behind < cells and far[behind, p, t] > cost + 1:  # take a push back
                        far[behind, p, t] = cost + 1
                        later[more] = behind, p
                        more += 1
            now, later = later, now
            count, cost = more, cost + 1
    return far


@cached()
def are_distances(near, far, targets, players, forward):  # type: ignore[no-untyped-def]
    """Is each of these no more than the true distance?

    It is if it is 0 at the target at most, and no step of a box alone makes it fall (with `forward`: grow) by more
    than the step costs. So how they were found does not matter.
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
def put(on, row, what):  # type: ignore[no-untyped-def]
    """Put the boxes of a position on the board (BOX) or take them away (FREE)."""
    for i in range(1, len(row)):
        on[row[i]] = what


@cached()
def flood(near, on, player, cells, far):  # type: ignore[no-untyped-def]
    """List in `cells` those to which the player can walk, nearest first, and the steps to each in `far`.

    Returns their number. `far` has to be -1 everywhere; see `dry`.
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
def dry(cells, count, far):  # type: ignore[no-untyped-def]
    """Make `far` -1 again where a flood has been. Returns the least of its cells."""
    least = cells[0]
    for i in range(count):
        far[cells[i]] = -1
        least = min(least, cells[i])
    return least


@cached()
def moved(row, box, to, player, after):  # type: ignore[no-untyped-def]
    """Write to `after` the position with a box moved to another cell and the player on that one."""
    after[0] = player
    place = 1
    for i in range(1, len(row)):
        if row[i] != box:
            after[place] = row[i]
            place += 1
    while place > 1 and after[place - 1] > to:
        after[place] = after[place - 1]
        place -= 1
    after[place] = to


class Work(NamedTuple):
    """Arrays to work in: floods, and the prices of an assignment.

    Compiled code counts the references to each array that it is handed, so what is called often is handed just
    those that it needs.
    """

    cells: Shorts
    far: Shorts
    others: Shorts
    far_others: Shorts
    prices: npt.NDArray[np.int64]


def work_for(board: Board) -> Work:
    """Arrays to work in with a board."""
    cells, size = len(board.near), max(len(board.start), board.goals + 1) + 1
    floods = [np.full(cells, -1, np.int32) for _ in range(4)]
    return Work(floods[0], floods[1], floods[2], floods[3], np.zeros((6, size), np.int64))


@cached()
def stand_in(near, on, cells, far, row):  # type: ignore[no-untyped-def]
    """Let the player of a position, which is on the board, stand on the least cell to which one can walk."""
    count = flood(near, on, row[0], cells, far)
    row[0] = dry(cells, count, far)


@cached()
def pushes(board, work, row, after, price):  # type: ignore[no-untyped-def]
    """Write to `after` the vertices to which a push leads, to `price` what they cost. Returns their number."""
    near, on, others, far_others = board.near, board.on, work.others, work.far_others
    put(on, row, BOX)
    reached = flood(near, on, row[0], work.cells, work.far)
    count = 0
    for i in range(reached):
        here = work.cells[i]
        for d in range(4):
            box = near[here, d]
            to = near[box, d]
            if on[box] != BOX or on[to] != FREE:
                continue
            moved(row, box, to, box, after[count])
            price[count] = board.push + board.walk * work.far[here]
            if board.walk == 0:
                on[box], on[to] = FREE, BOX
                stand_in(near, on, others, far_others, after[count])
                on[box], on[to] = BOX, FREE
            count += 1
    dry(work.cells, reached, work.far)
    put(on, row, FREE)
    return count


@cached()
def is_vertex(board, row):  # type: ignore[no-untyped-def]
    """Where walks cost: is the position, which is on the board, the start or one just after a push?"""
    near, on, here = board.near, board.on, row[0]
    for d in range(4):
        if on[near[here, d]] == BOX and on[near[here, (d + 2) % 4]] == FREE and board.can_hold[here]:
            return True
    return bool((row == board.start).all())


@cached()
def pulls(board, work, row, before, price):  # type: ignore[no-untyped-def]
    """Write to `before` the vertices from which a push leads to a vertex, what they cost to `price`; their number.

    That is a push taken back, and where walks cost, each way that the player may have come before it.
    """
    near, on, others, far_others = board.near, board.on, work.others, work.far_others
    put(on, row, BOX)
    work.cells[0] = row[0]
    reached = flood(near, on, row[0], work.cells, work.far) if board.walk == 0 else 1
    count = 0
    for i in range(reached):
        here = work.cells[i]
        for d in range(4):
            box, behind = near[here, d], near[here, (d + 2) % 4]
            if on[box] != BOX or on[behind] != FREE:
                continue
            on[box], on[here] = FREE, BOX
            moved(row, box, here, behind, before[count])
            price[count] = board.push
            if board.walk == 0:
                stand_in(near, on, others, far_others, before[count])
                count += 1
            else:
                count = _walked(board, work, before, price, count)
            on[box], on[here] = BOX, FREE
    if board.walk == 0:
        dry(work.cells, reached, work.far)
    put(on, row, FREE)
    return count


@cached()
def _walked(board, work, before, price, count):  # type: ignore[no-untyped-def]
    """Put in place of position `count` the vertices from which one walks to it. Returns the number of all."""
    last = before[len(before) - 1]
    last[:] = before[count]
    reached = flood(board.near, board.on, last[0], work.others, work.far_others)
    for i in range(reached):
        before[count] = last
        before[count, 0] = work.others[i]
        if is_vertex(board, before[count]):
            price[count] = board.push + board.walk * work.far_others[work.others[i]]
            count += 1
    dry(work.others, reached, work.far_others)
    return count


@cached()
def is_solved(board, row):  # type: ignore[no-untyped-def]
    """Does every goal hold a box?"""
    covered = 0
    for i in range(1, len(row)):
        covered += board.is_goal[row[i]]
    return covered == board.goals


# Bounds


@cached()
def is_at_least(far, targets, row, need, prices):  # type: ignore[no-untyped-def]
    """Is the least sum of distances, over all ways to give each target a box of its own, at least `need`?

    Prices show it: one of each target and one, not positive, of each box, such that those of no pair add up to
    more than its distance. Then any assignment costs at least the sum of all prices. How they were found does
    not matter: here by shortest augmenting paths (Kuhn 1955, Jonker and Volgenant 1987), and they are looked at
    in the end.
    """
    if need <= 0:
        return True
    boxes = len(row) - 1
    if targets > boxes:
        return True  # some target gets none
    here = far[row[0]]
    total = np.int64(0)
    for t in range(targets):
        least = NEVER
        for i in range(1, boxes + 1):
            least = min(least, here[row[i], t])
        total += least
    if total >= need:
        return True
    _find_prices(here, targets, row, prices)
    of_target, of_box, total = prices[0], prices[1], np.int64(0)
    for t in range(1, targets + 1):
        total += of_target[t]
        for i in range(1, boxes + 1):
            if of_target[t] + of_box[i] > here[row[i], t - 1]:
                return False
    for i in range(1, boxes + 1):
        if of_box[i] > 0:
            return False
        total += of_box[i]
    return total >= need


@cached()
def _find_prices(here, targets, row, prices):  # type: ignore[no-untyped-def]
    boxes = len(row) - 1
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
                reduced = here[row[i], t - 1] - of_target[t] - of_box[i]
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


# Sets of positions with costs: a hash table with open addressing


class Table(NamedTuple):
    """Positions and their costs, -1 where a slot is free; `size` has how many there are."""

    rows: npt.NDArray[np.uint16]
    costs: Shorts
    size: npt.NDArray[np.int64]


def table_for(count: int, width: int) -> Table:
    """A table with room for so many positions, and as much again."""
    slots = 1 << max(4, (2 * count - 1).bit_length())
    return Table(np.zeros((slots, width), np.uint16), np.full(slots, -1, np.int32), np.zeros(1, np.int64))


@cached()
def slot_of(rows, costs, row):  # type: ignore[no-untyped-def]
    """The slot of a position in the table of these rows and costs, or the free one where it belongs."""
    h = np.uint64(14695981039346656037)
    for i in range(len(row)):
        h = (h ^ np.uint64(row[i])) * np.uint64(1099511628211)
    h = (h ^ (h >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    last = np.uint64(len(costs) - 1)
    at = (h ^ (h >> np.uint64(29))) & last
    while costs[at] >= 0:
        same = True
        for i in range(len(row)):
            if rows[at, i] != row[i]:
                same = False
                break
        if same:
            break
        at = (at + np.uint64(1)) & last
    return np.int64(at)


@cached()
def cost_in(rows, costs, row):  # type: ignore[no-untyped-def]
    """The cost of a position in a table, -1 where it is not there."""
    return np.int64(costs[slot_of(rows, costs, row)])


@cached()
def enter(table, row, cost):  # type: ignore[no-untyped-def]
    """Enter a position at that cost, unless it is there at no more. Returns whether it was there before."""
    at = slot_of(table.rows, table.costs, row)
    known = table.costs[at] >= 0
    if not known:
        table.rows[at] = row
        table.size[0] += 1
    if not known or cost < table.costs[at]:
        table.costs[at] = cost
    return known


@cached()
def enter_all(table, other):  # type: ignore[no-untyped-def]
    """Enter all positions of another table."""
    for at in range(len(other.costs)):
        if other.costs[at] >= 0:
            enter(table, other.rows[at], other.costs[at])
