"""All positions of a room, by breadth-first search over pushes or pulls, in compiled code.

A packed position is an array of numbers: the cells of the boxes in increasing order, then the least cell that the
player can reach. Walking does not change it, so its depth in the search is a number of pushes. A pull reverses a
push: in a search by pulls from the solved positions, the depth is the least number of pushes of a solution.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.mc.jit import cached
from puzzlemc.screens.sokoban import Cell

Cells: TypeAlias = npt.NDArray[np.int16]
Table: TypeAlias = npt.NDArray[np.int32]

NOWHERE = -1  # a wall, or an empty slot
MOST_COUNTED = 1 << 40  # shortest paths to a position; larger numbers become this one
FIRST_CAPACITY = 1 << 9  # positions for which a search allocates memory at first


class Room(NamedTuple):
    """The floor of a room, its cells numbered in row-major order, with tables of neighbours, pushes and pulls.

    near    (cells, 4): the neighbour in each direction, or NOWHERE for a wall
    pushes  (cells, 4, 3): for a push of a box on that cell in that direction, the cells of the player before the
            push, of the box after it and of the player after it; NOWHERE if walls prevent the push
    pulls   (cells, 4, 3): likewise for a pull
    """

    near: Cells
    pushes: Cells
    pulls: Cells


class Positions(NamedTuple):
    """Positions in the order of their depth.

    packed    (positions, boxes + 1): packed positions, as defined at the top of this file
    depth     (positions,): the least number of pushes or pulls from a start position
    paths     (positions,): the number of shortest paths from the start positions, at most MOST_COUNTED
    slots     a hash table of the numbers of the positions, NOWHERE for an empty slot
    edges     the number of pushes, or pulls, that are possible in all these positions together
    complete  whether these are all positions; otherwise they are all positions up to some depth
    """

    packed: Cells
    depth: Table
    paths: npt.NDArray[np.int64]
    slots: Table
    edges: int
    complete: bool


def room_of(floor: Sequence[Cell]) -> Room:
    """The tables of a floor whose cells are in row-major order."""
    numbers = {cell: number for number, cell in enumerate(floor)}
    directions = tuple(DIRECTIONS.values())
    near = np.array([[numbers.get(ahead(cell, d), NOWHERE) for d in directions] for cell in floor], np.int16)
    pushes = np.full((len(floor), 4, 3), NOWHERE, np.int16)
    pulls = np.full((len(floor), 4, 3), NOWHERE, np.int16)
    for cell in range(len(floor)):
        for d in range(4):
            onward, behind = near[cell, d], near[cell, (d + 2) % 4]
            if onward >= 0 and behind >= 0:
                pushes[cell, d] = behind, onward, cell
            if onward >= 0 and near[onward, d] >= 0:
                pulls[cell, d] = onward, onward, near[onward, d]
    return Room(near, pushes, pulls)


def backward(room: Room, goals: Sequence[int], limit: int) -> Positions:
    """The positions with a solution, up to about `limit` of them; the depth is the least number of pushes."""
    starts, left = [], set(range(len(room.near))) - set(goals)
    boxes = np.array(sorted(goals), np.int16)
    while left:
        least = min(left)
        starts.append([*boxes, least])
        left -= set(reachable_cells(room, boxes, least))
    if not starts:
        return Positions(*explore(room.near, room.pulls, np.zeros((0, len(goals) + 1), np.int16), limit))
    return Positions(*explore(room.near, room.pulls, np.array(starts, np.int16), limit))


def forward(room: Room, position: Cells, limit: int) -> Positions:
    """The positions reachable by pushes from a packed position, up to about `limit`."""
    return Positions(*explore(room.near, room.pushes, position[None, :], limit))


def reachable_cells(room: Room, boxes: Cells, player: int) -> list[int]:
    """The cells that the player can reach without a push, in increasing order."""
    boxed = np.zeros(len(room.near), np.bool_)
    boxed[boxes] = True
    mark = np.zeros(len(room.near), np.int64)
    flood(room.near, boxed, player, mark, 1, np.empty(len(room.near), np.int64))
    return [int(cell) for cell in np.flatnonzero(mark)]


@cached()
def flood(near, boxed, start, mark, stamp, stack):  # type: ignore[no-untyped-def]
    """Set `mark` to `stamp` on each cell that the player can reach; return the least of these cells."""
    least = start
    mark[start] = stamp
    stack[0] = start
    count = 1
    while count:
        count -= 1
        cell = stack[count]
        least = min(least, cell)
        for d in range(4):
            other = np.int64(near[cell, d])
            if other >= 0 and not boxed[other] and mark[other] != stamp:
                mark[other] = stamp
                stack[count] = other
                count += 1
    return least


@cached()
def slot_of(packed, slots, position):  # type: ignore[no-untyped-def]
    """The slot of a packed position in the hash table, or the empty slot where it would be inserted."""
    code = np.uint64(14695981039346656037)
    for number in position:
        code = (code ^ np.uint64(number)) * np.uint64(1099511628211)
    code ^= code >> np.uint64(29)
    mask = len(slots) - 1
    place = np.int64(code & np.uint64(mask))
    while slots[place] >= 0:
        known = packed[slots[place]]
        same = True
        for i in range(len(position)):
            if known[i] != position[i]:
                same = False
                break
        if same:
            return place
        place = (place + 1) & mask
    return place


@cached()
def move_box(position, boxes, index, to, after):  # type: ignore[no-untyped-def]
    """Write to `after` the boxes of a position, in order, with box `index` on `to`; return its new index."""
    place = index
    for i in range(boxes):
        after[i] = position[i]
    while place > 0 and after[place - 1] > to:
        after[place] = after[place - 1]
        place -= 1
    while place < boxes - 1 and after[place + 1] < to:
        after[place] = after[place + 1]
        place += 1
    after[place] = to
    return place


@cached()
def workspace(cells):  # type: ignore[no-untyped-def]
    """Working arrays of `successors`: the cells with boxes, two arrays of marks, a stack, and the last stamp."""
    marks = np.zeros((2, cells), np.int64)
    return np.zeros(cells, np.bool_), marks[0], marks[1], np.empty(cells, np.int64), np.zeros(1, np.int64)


@cached()
def successors(near, steps, position, work, after, moves):  # type: ignore[no-untyped-def]
    """Write the successors of a packed position to `after` (4 * boxes, boxes + 1); return their number.

    steps  `Room.pushes` or `Room.pulls`
    moves  (4 * boxes, 4): for each successor, the number of the moved box before and after the step, its cell
           before the step, and the direction
    """
    boxed, mark, again, stack, last = work
    boxes, count = len(position) - 1, 0
    for i in range(boxes):
        boxed[position[i]] = True
    last[0] += 1
    first = last[0]
    flood(near, boxed, np.int64(position[boxes]), mark, first, stack)
    for index in range(boxes):
        cell = np.int64(position[index])
        for d in range(4):
            stand = np.int64(steps[cell, d, 0])
            if stand < 0 or mark[stand] != first:
                continue
            to, player = np.int64(steps[cell, d, 1]), np.int64(steps[cell, d, 2])
            if boxed[to] or (player != cell and boxed[player]):
                continue
            moves[count, 0], moves[count, 1] = index, move_box(position, boxes, index, to, after[count])
            moves[count, 2], moves[count, 3] = cell, d
            boxed[cell], boxed[to] = False, True
            last[0] += 1
            after[count, boxes] = flood(near, boxed, player, again, last[0], stack)
            boxed[cell], boxed[to] = True, False
            count += 1
    for i in range(boxes):
        boxed[position[i]] = False
    return count


@cached()
def fill_slots(packed, count, slots):  # type: ignore[no-untyped-def]
    """Make `slots` the hash table of the first `count` positions, and return it."""
    slots[:] = -1
    for i in range(count):
        slots[slot_of(packed, slots, packed[i])] = i
    return slots


@cached()
def explore(near, steps, starts, limit):  # type: ignore[no-untyped-def]
    """Breadth-first search by pushes or pulls from the start positions; return the fields of `Positions`.

    If there are more than `limit` positions, the search stops, and the deepest layer, which is incomplete, is
    dropped.
    """
    boxes = starts.shape[1] - 1
    capacity = FIRST_CAPACITY
    while capacity < 2 * len(starts):
        capacity *= 2
    packed, depth = np.empty((capacity, boxes + 1), np.int16), np.empty(capacity, np.int32)
    paths, slots = np.empty(capacity, np.int64), np.full(4 * capacity, -1, np.int32)
    count, edges, at = len(starts), 0, 0
    packed[:count], depth[:count], paths[:count] = starts, 0, 1
    fill_slots(packed, count, slots)
    work = workspace(len(near))
    after, moves = np.empty((4 * boxes, boxes + 1), np.int16), np.empty((4 * boxes, 4), np.int64)
    while at < count and count <= limit:
        found = successors(near, steps, packed[at], work, after, moves)
        edges += found
        for i in range(found):
            place = slot_of(packed, slots, after[i])
            known = np.int64(slots[place])
            if known >= 0:
                if depth[known] == depth[at] + 1:
                    paths[known] = min(MOST_COUNTED, paths[known] + paths[at])
                continue
            if count == capacity:
                capacity *= 2
                packed, depth, paths = _grown(packed, capacity), _longer(depth, capacity), _longer(paths, capacity)
                slots = fill_slots(packed, count, np.empty(4 * capacity, np.int32))
                place = slot_of(packed, slots, after[i])
            packed[count], depth[count], paths[count] = after[i], depth[at] + 1, paths[at]
            slots[place] = count
            count += 1
        at += 1
    complete = at == count
    if not complete:
        deepest = depth[count - 1]
        while count > 0 and depth[count - 1] == deepest:
            count -= 1
        fill_slots(packed, count, slots)
    return packed[:count].copy(), depth[:count].copy(), paths[:count].copy(), slots, edges, complete


@cached()
def best_solution(near, pushes, packed, depth, slots, start):  # type: ignore[no-untyped-def]
    """A solution with the fewest pushes and, among these, the fewest changes of box; return (changes, solution).

    A change is a push of another box than the box pushed before. `solution` (pushes, 3) has for each push the
    number of the position before it, the cell of the box, and the direction. `packed`, `depth` and `slots` are
    those of a backward search, and `start` is the number of a position in it. The method is dynamic programming
    over pairs of a position on a shortest solution and the box that was pushed last.
    """
    boxes, far, capacity = packed.shape[1] - 1, np.int32(1 << 30), 64
    numbers, least = np.empty(capacity, np.int32), np.empty((capacity, boxes), np.int32)
    came = np.empty((capacity, boxes, 4), np.int32)  # place and box before; cell of the box; direction
    place_of = np.full(len(packed), -1, np.int32)
    work = workspace(len(near))
    after, moves = np.empty((4 * boxes, boxes + 1), np.int16), np.empty((4 * boxes, 4), np.int64)
    numbers[0], place_of[start], least[0, :] = start, 0, 0
    count, at, best, end, end_box = 1, 0, far, 0, 0
    while at < count:
        number = numbers[at]
        if depth[number] == 0:
            for box in range(boxes):
                if least[at, box] < best:
                    best, end, end_box = least[at, box], at, box
        for i in range(successors(near, pushes, packed[number], work, after, moves)):
            known = np.int64(slots[slot_of(packed, slots, after[i])])
            if known < 0 or depth[known] != depth[number] - 1:
                continue
            if place_of[known] < 0:
                if count == capacity:
                    capacity *= 2
                    numbers, least = _longer(numbers, capacity), _grown(least, capacity)
                    came = _deeper(came, capacity)
                numbers[count], place_of[known], least[count, :] = known, count, far
                count += 1
            place, box, new = place_of[known], moves[i, 0], moves[i, 1]
            for last in range(boxes):
                changes = least[at, last] + (last != box and at > 0)
                if changes < least[place, new]:
                    least[place, new] = changes
                    came[place, new, 0], came[place, new, 1] = at, last
                    came[place, new, 2], came[place, new, 3] = moves[i, 2], moves[i, 3]
        at += 1
    solution = np.empty((depth[start], 3), np.int32)
    place, box = end, end_box
    for i in range(depth[start] - 1, -1, -1):
        before, last = came[place, box, 0], came[place, box, 1]
        solution[i, 0], solution[i, 1], solution[i, 2] = numbers[before], came[place, box, 2], came[place, box, 3]
        place, box = before, last
    return best, solution


@cached()
def losing_successors(near, pushes, packed, slots, found):  # type: ignore[no-untyped-def]
    """Write to `found` the successors of the positions that are not among them; return the number written.

    At most `len(found)` are written; a successor can be written more than once.
    """
    boxes, count = packed.shape[1] - 1, 0
    work = workspace(len(near))
    after, moves = np.empty((4 * boxes, boxes + 1), np.int16), np.empty((4 * boxes, 4), np.int64)
    for at in range(len(packed)):
        for i in range(successors(near, pushes, packed[at], work, after, moves)):
            if slots[slot_of(packed, slots, after[i])] < 0 and count < len(found):
                found[count] = after[i]
                count += 1
    return count


@cached()
def count_common(packed, slots, others):  # type: ignore[no-untyped-def]
    """The number of the other packed positions that are in the hash table."""
    count = 0
    for i in range(len(others)):
        count += slots[slot_of(packed, slots, others[i])] >= 0
    return count


# Copies of arrays with a larger first dimension


@cached()
def _grown(array, capacity):  # type: ignore[no-untyped-def]
    larger = np.empty((capacity, array.shape[1]), array.dtype)
    larger[: len(array)] = array
    return larger


@cached()
def _longer(array, capacity):  # type: ignore[no-untyped-def]
    larger = np.empty(capacity, array.dtype)
    larger[: len(array)] = array
    return larger


@cached()
def _deeper(array, capacity):  # type: ignore[no-untyped-def]
    larger = np.empty((capacity, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
