"""All positions of a room, by breadth-first search over pushes or over pulls, in compiled code.

A position is a row of numbers: the cells of the boxes, in order, then the least cell that the player can walk to.
So walking changes nothing, and the depth of a position is a number of pushes. A pull is a push that is taken back:
searched by pulls from where the boxes stand on the goals, the depth is the least number of pushes that solve it.
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

NOWHERE = -1
MANY = 1 << 40  # ways: not counted any further
FIRST_ROOM = 1 << 9  # positions


class Room(NamedTuple):
    """The floor of a room, its cells numbered in row-major order, with tables of what can be done there.

    near    (cells, 4): the next cell in each direction, NOWHERE where that is a wall
    pushes  (cells, 4, 3): of a push of the box there: where the player stands, where the box goes, and where the
            player is afterwards; NOWHERE where it cannot be
    pulls   the same of a pull
    """

    near: Cells
    pushes: Cells
    pulls: Cells


class Positions(NamedTuple):
    """Positions in the order of their depth.

    rows   (positions, boxes + 1): see the top of this file
    depth  by position, from the nearest position that the search began with
    ways   by position: so many shortest runs lead to it from there; MANY for that many or more
    slots  of a hash table: the number of a position, NOWHERE where free
    edges  so many pushes, or pulls, are possible in all of them together
    whole  are these all? Otherwise the positions up to some depth are there
    """

    rows: Cells
    depth: Table
    ways: npt.NDArray[np.int64]
    slots: Table
    edges: int
    whole: bool


def room(floor: Sequence[Cell]) -> Room:
    """The tables of a floor, its cells in row-major order."""
    numbers = {cell: number for number, cell in enumerate(floor)}
    directions = tuple(DIRECTIONS.values())
    near = np.array([[numbers.get(ahead(cell, way), NOWHERE) for way in directions] for cell in floor], np.int16)
    pushes = np.full((len(floor), 4, 3), NOWHERE, np.int16)
    pulls = np.full((len(floor), 4, 3), NOWHERE, np.int16)
    for cell in range(len(floor)):
        for way in range(4):
            onward, behind = near[cell, way], near[cell, (way + 2) % 4]
            if onward >= 0 and behind >= 0:
                pushes[cell, way] = behind, onward, cell
            if onward >= 0 and near[onward, way] >= 0:
                pulls[cell, way] = onward, onward, near[onward, way]
    return Room(near, pushes, pulls)


def backward(of: Room, goals: Sequence[int], most: int) -> Positions:
    """The positions from which boxes come to the goals, at most about so many; depth is in pushes to the end."""
    starts, left = [], set(range(len(of.near))) - set(goals)
    boxes = np.array(sorted(goals), np.int16)
    while left:
        least = min(left)
        starts.append([*boxes, least])
        left -= set(reach(of, boxes, least))
    if not starts:
        return Positions(*explore(of.near, of.pulls, np.zeros((0, len(goals) + 1), np.int16), most))
    return Positions(*explore(of.near, of.pulls, np.array(starts, np.int16), most))


def forward(of: Room, position: Cells, most: int) -> Positions:
    """The positions that pushes lead to, at most about so many."""
    return Positions(*explore(of.near, of.pushes, position[None, :], most))


def reach(of: Room, boxes: Cells, player: int) -> list[int]:
    """The cells that the player can walk to."""
    boxed = np.zeros(len(of.near), np.bool_)
    boxed[boxes] = True
    mark = np.zeros(len(of.near), np.int64)
    walk(of.near, boxed, player, mark, 1, np.empty(len(of.near), np.int64))
    return [int(cell) for cell in np.flatnonzero(mark)]


@cached()
def walk(near, boxed, start, mark, stamp, stack):  # type: ignore[no-untyped-def]
    """Set `mark` to the stamp in the cells that the player can walk to; returns the least of them."""
    least = start
    mark[start] = stamp
    stack[0] = start
    count = 1
    while count:
        count -= 1
        cell = stack[count]
        least = min(least, cell)
        for way in range(4):
            other = np.int64(near[cell, way])
            if other >= 0 and not boxed[other] and mark[other] != stamp:
                mark[other] = stamp
                stack[count] = other
                count += 1
    return least


@cached()
def find(rows, slots, row):  # type: ignore[no-untyped-def]
    """The place of a row in the table, or the free one where it would be."""
    code = np.uint64(14695981039346656037)
    for number in row:
        code = (code ^ np.uint64(number)) * np.uint64(1099511628211)
    code ^= code >> np.uint64(29)
    mask = len(slots) - 1
    place = np.int64(code & np.uint64(mask))
    while slots[place] >= 0:
        known = rows[slots[place]]
        same = True
        for i in range(len(row)):
            if known[i] != row[i]:
                same = False
                break
        if same:
            return place
        place = (place + 1) & mask
    return place


@cached()
def moved(row, boxes, slot, to, after):  # type: ignore[no-untyped-def]
    """Write to `after` the boxes of a row, in order, with the one in that slot at `to`; returns its new slot."""
    place = slot
    for i in range(boxes):
        after[i] = row[i]
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
    """Arrays that `successors` needs: where boxes are, two marks, a stack, and the last stamp."""
    marks = np.zeros((2, cells), np.int64)
    return np.zeros(cells, np.bool_), marks[0], marks[1], np.empty(cells, np.int64), np.zeros(1, np.int64)


@cached()
def successors(near, steps, row, work, after, by):  # type: ignore[no-untyped-def]
    """Write to `after` (4 * boxes, boxes + 1) what the steps lead to from a row, to `by` (4 * boxes, 4) by what.

    That is the slot of the box that moves, its slot afterwards, its cell, and the direction. Returns how many.
    """
    boxed, mark, again, stack, last = work
    boxes, count = len(row) - 1, 0
    for i in range(boxes):
        boxed[row[i]] = True
    last[0] += 1
    first = last[0]
    walk(near, boxed, np.int64(row[boxes]), mark, first, stack)
    for slot in range(boxes):
        cell = np.int64(row[slot])
        for way in range(4):
            stand = np.int64(steps[cell, way, 0])
            if stand < 0 or mark[stand] != first:
                continue
            to, player = np.int64(steps[cell, way, 1]), np.int64(steps[cell, way, 2])
            if boxed[to] or (player != cell and boxed[player]):
                continue
            by[count, 0], by[count, 1] = slot, moved(row, boxes, slot, to, after[count])
            by[count, 2], by[count, 3] = cell, way
            boxed[cell], boxed[to] = False, True
            last[0] += 1
            after[count, boxes] = walk(near, boxed, player, again, last[0], stack)
            boxed[cell], boxed[to] = True, False
            count += 1
    for i in range(boxes):
        boxed[row[i]] = False
    return count


@cached()
def filled(rows, count, slots):  # type: ignore[no-untyped-def]
    """The table with the first so many rows and nothing else."""
    slots[:] = -1
    for i in range(count):
        slots[find(rows, slots, rows[i])] = i
    return slots


@cached()
def explore(near, steps, starts, most):  # type: ignore[no-untyped-def]
    """Breadth-first search by the steps, pushes or pulls, from the rows: the fields of `Positions`.

    Where more than so many positions are met, the deepest layer is left out, for it is not complete.
    """
    boxes = starts.shape[1] - 1
    room = FIRST_ROOM
    while room < 2 * len(starts):
        room *= 2
    rows, depth = np.empty((room, boxes + 1), np.int16), np.empty(room, np.int32)
    ways, slots = np.empty(room, np.int64), np.full(4 * room, -1, np.int32)
    count, edges, at = len(starts), 0, 0
    rows[:count], depth[:count], ways[:count] = starts, 0, 1
    filled(rows, count, slots)
    work = workspace(len(near))
    after, by = np.empty((4 * boxes, boxes + 1), np.int16), np.empty((4 * boxes, 4), np.int64)
    while at < count and count <= most:
        many = successors(near, steps, rows[at], work, after, by)
        edges += many
        for i in range(many):
            place = find(rows, slots, after[i])
            known = np.int64(slots[place])
            if known >= 0:
                if depth[known] == depth[at] + 1:
                    ways[known] = min(MANY, ways[known] + ways[at])
                continue
            if count == room:
                room *= 2
                rows, depth, ways = _grown(rows, room), _longer(depth, room), _longer(ways, room)
                slots = filled(rows, count, np.empty(4 * room, np.int32))
                place = find(rows, slots, after[i])
            rows[count], depth[count], ways[count] = after[i], depth[at] + 1, ways[at]
            slots[place] = count
            count += 1
        at += 1
    whole = at == count
    if not whole:
        deepest = depth[count - 1]
        while count > 0 and depth[count - 1] == deepest:
            count -= 1
        filled(rows, count, slots)
    return rows[:count].copy(), depth[:count].copy(), ways[:count].copy(), slots, edges, whole


@cached()
def best_line(near, pushes, rows, depth, slots, start):  # type: ignore[no-untyped-def]
    """A shortest solution with the fewest changes of box: (changes, pushes).

    `rows`, `depth` and `slots` are of a search backward, and `start` is the number of a position in it. Of each
    push one gets the position before it, the box's cell, and the direction. A change is a push of another box than
    the last one. Dynamic programming over the positions on shortest solutions, each with every box of it that
    may have been pushed last.
    """
    boxes, far, room = rows.shape[1] - 1, np.int32(1 << 30), 64
    numbers, least = np.empty(room, np.int32), np.empty((room, boxes), np.int32)
    came = np.empty((room, boxes, 4), np.int32)  # place and slot before, the box's cell, direction
    place_of = np.full(len(rows), -1, np.int32)
    work = workspace(len(near))
    after, by = np.empty((4 * boxes, boxes + 1), np.int16), np.empty((4 * boxes, 4), np.int64)
    numbers[0], place_of[start], least[0, :] = start, 0, 0
    count, at, best, end, end_slot = 1, 0, far, 0, 0
    while at < count:
        number = numbers[at]
        if depth[number] == 0:
            for slot in range(boxes):
                if least[at, slot] < best:
                    best, end, end_slot = least[at, slot], at, slot
        for i in range(successors(near, pushes, rows[number], work, after, by)):
            known = np.int64(slots[find(rows, slots, after[i])])
            if known < 0 or depth[known] != depth[number] - 1:
                continue
            if place_of[known] < 0:
                if count == room:
                    room *= 2
                    numbers, least, came = _longer(numbers, room), _grown(least, room), _deeper(came, room)
                numbers[count], place_of[known], least[count, :] = known, count, far
                count += 1
            place, slot, new = place_of[known], by[i, 0], by[i, 1]
            for last in range(boxes):
                changes = least[at, last] + (last != slot and at > 0)
                if changes < least[place, new]:
                    least[place, new] = changes
                    came[place, new, 0], came[place, new, 1] = at, last
                    came[place, new, 2], came[place, new, 3] = by[i, 2], by[i, 3]
        at += 1
    line = np.empty((depth[start], 3), np.int32)
    place, slot = end, end_slot
    for i in range(depth[start] - 1, -1, -1):
        before, last = came[place, slot, 0], came[place, slot, 1]
        line[i, 0], line[i, 1], line[i, 2] = numbers[before], came[place, slot, 2], came[place, slot, 3]
        place, slot = before, last
    return best, line


@cached()
def losing(near, pushes, rows, slots, found):  # type: ignore[no-untyped-def]
    """Write to `found` positions that a push leads to from one of the rows, and that are none of them.

    One may come several times. Returns how many, as many as there is room for at most.
    """
    boxes, count = rows.shape[1] - 1, 0
    work = workspace(len(near))
    after, by = np.empty((4 * boxes, boxes + 1), np.int16), np.empty((4 * boxes, 4), np.int64)
    for at in range(len(rows)):
        for i in range(successors(near, pushes, rows[at], work, after, by)):
            if slots[find(rows, slots, after[i])] < 0 and count < len(found):
                found[count] = after[i]
                count += 1
    return count


@cached()
def among(rows, slots, others):  # type: ignore[no-untyped-def]
    """How many of the others are among the rows."""
    count = 0
    for i in range(len(others)):
        count += slots[find(rows, slots, others[i])] >= 0
    return count


@cached()
def _grown(array, room):  # type: ignore[no-untyped-def]
    larger = np.empty((room, array.shape[1]), array.dtype)
    larger[: len(array)] = array
    return larger


@cached()
def _longer(array, room):  # type: ignore[no-untyped-def]
    larger = np.empty(room, array.dtype)
    larger[: len(array)] = array
    return larger


@cached()
def _deeper(array, room):  # type: ignore[no-untyped-def]
    larger = np.empty((room, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
