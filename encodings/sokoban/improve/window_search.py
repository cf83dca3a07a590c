"""Anytime window search: improves a plan of Sokoban by A* between two of its positions, in compiled code.

A *window* is a segment of the plan. A* (Hart, Nilsson and Raphael 1968) searches for a cheaper path from its first
vertex to its last; in the window at the end of the plan, to any solved vertex. The windows slide along the plan,
repeatedly while they find improvements; then their width doubles. The search can stop after any window, and the
plan is never worse than before. The limit is a number of expanded vertices, so the result does not depend on time.

Cells of the floor are numbered in reading order, and the number after the last cell is the wall. A *vertex* is an
array of numbers: the cell of the player, then the cells of the boxes in increasing order. Vertices are the start,
and positions just after a push. An edge is a walk and a push; it costs `walk` for each step and `push` for the
push.

The heuristic is the least cost of an assignment of the boxes that are not on a target to the targets without a
box, where a distance is the number of pushes of a lone box with the player anywhere. The distances obey the
triangle inequality, so boxes already on a target can stay in the assignment.

Similar code stands in `encodings/sokoban/proof/board.py`, on purpose: proofs are checked by code that no search
uses.
"""

import numpy as np

from puzzlemc.mc.jit import cached

FREE, BOX, WALL = 0, 1, 2
INFINITE = 1 << 60  # a cost without a path
VERTICES_PER_EXPANSION = 12  # generated vertices for which a window allocates memory
FIRST_WIDTH = 4  # pushes in the first windows
SHARE = 4  # a window may use one part in SHARE of the remaining expansions


@cached()
def vertices(near, start, directions, plan):  # type: ignore[no-untyped-def]
    """Write to `plan` the vertices of the plan with these directions of steps; return their number."""
    on = _board(near)
    vertex = start.copy()
    _put(on, vertex, BOX)
    plan[0] = vertex
    count = 1
    for d in directions:
        cell = near[vertex[0], d]
        if on[cell] == BOX:
            on[cell], on[near[cell, d]] = FREE, BOX
            _move_box(vertex, cell, near[cell, d])
            vertex[0] = cell
            plan[count] = vertex
            count += 1
        vertex[0] = cell
    return count


@cached()
def write_steps(near, plan, count, steps):  # type: ignore[no-untyped-def]
    """Write to `steps` the directions of the plan, with shortest walks between vertices; return their number."""
    on, far = _board(near), np.full(len(near), -1, np.int32)
    cells, came = np.empty(len(near), np.int32), np.empty(len(near), np.int8)
    length = 0
    for i in range(count - 1):
        vertex, after = plan[i], plan[i + 1]
        d = _direction(near, vertex, after)
        goal = near[after[0], (d + 2) % 4]
        _put(on, vertex, BOX)
        reached = _flood(near, on, vertex[0], cells, far, came)
        length += far[goal]
        at, place = goal, length
        while at != vertex[0]:
            place -= 1
            steps[place] = came[at]
            at = near[at, (came[at] + 2) % 4]
        steps[length] = d
        length += 1
        _reset(cells, reached, far)
        _put(on, vertex, FREE)
    return length


@cached()
def improve(near, is_goal, plan, count, push, walk, expansions):  # type: ignore[no-untyped-def]
    """Improve the first `count` vertices of the plan in place; return the new number of vertices."""
    cells = len(near) - 1
    # [target, cell]: the pushes of a lone box from the cell to the target, if known[target].
    distance = np.empty((cells, cells), np.int16)
    known = np.zeros(cells, np.bool_)
    found = np.empty_like(plan)
    price = _prices(near, plan, count, push, walk)
    best = np.zeros(len(plan), np.int32)  # the plan is optimal from vertex i to vertex best[i]
    pushes = FIRST_WIDTH
    while expansions > 0 and count > 1:
        better, decided, first = False, False, 0
        while expansions > 0:
            last = min(first + pushes, count - 1)
            if best[first] >= last:
                decided = True
                if last == count - 1:
                    break
                first += max(1, (last - first) // 2)
                continue
            most = price[first:last].sum()
            edges, used = _cheaper_path(
                near, is_goal, distance, known, plan[first], plan[last], last == count - 1, push, walk, most,
                max(1, expansions // SHARE), found,
            )  # fmt: skip
            expansions -= used
            decided |= edges != 0
            if edges > 0:
                better = True
                plan[first + edges : count - last + first + edges] = plan[last:count].copy()
                plan[first + 1 : first + edges + 1] = found[1 : edges + 1]
                price = _prices(near, plan, count + first + edges - last, push, walk)
                if last == first + edges:  # segments that end before the change remain optimal
                    best[:first] = np.minimum(best[:first], first)
                    best[first:last] = 0
                else:
                    best[:] = 0
                count += first + edges - last
                last = first + edges
            if edges != 0:
                best[first] = max(best[first], last)
            if last == count - 1:
                break
            first += max(1, (last - first) // 2)
        if not better:
            if pushes >= count - 1 or not decided:
                break
            pushes *= 2
    return count


@cached()
def _cheaper_path(near, is_goal, distance, known, start, end, to_goals, push, walk, most, expansions, found):  # type: ignore[no-untyped-def]
    """Search by A* for a path that costs less than `most`, from `start` to `end`, or to any solved vertex.

    Return its number of edges and the number of expansions used; its vertices are written to `found`. The first
    number is -1 if there is no such path, and 0 if the limits on expansions or memory end the search.
    """
    cells, width = len(near) - 1, len(start)
    capacity = VERTICES_PER_EXPANSION * expansions + 4 * width
    seen = np.empty((capacity, width), start.dtype)
    cost, parent = np.empty(capacity, np.int64), np.empty(capacity, np.int32)
    closed = np.zeros(capacity, np.bool_)
    slots = np.full(1 << max(4, int(np.ceil(np.log2(2 * capacity)))), -1, np.int32)
    keys, numbers = np.empty(2 * capacity, np.int64), np.empty(2 * capacity, np.int32)
    on = _board(near)
    far, queue = np.full(cells + 1, -1, np.int32), np.empty(cells, np.int32)
    came = np.empty(cells + 1, np.int8)
    is_target = np.zeros(cells + 1, np.bool_)
    targets = 0
    for cell in range(cells):
        if to_goals and is_goal[cell]:
            is_target[cell] = True
    if not to_goals:
        for i in range(1, width):
            is_target[end[i]] = True
    for cell in range(cells):
        if is_target[cell]:
            targets += 1
            if not known[cell]:
                _distances(near, cell, distance[cell], queue)
                known[cell] = True
    work = np.empty((8, width + 1), np.int64)
    child = np.empty(width, start.dtype)
    seen[0], cost[0], parent[0], count = start, 0, -1, 1
    slots[_slot(seen, slots, start)] = 0
    keys[0], numbers[0], size, used = 0, 0, 1, 0
    while size:
        number = numbers[0]
        size = _pop(keys, numbers, size)
        if closed[number]:
            continue
        closed[number] = True
        vertex = seen[number]
        if number and _is_end(vertex, end, is_target, targets, to_goals):
            length, place = 0, number
            while place > 0:
                length, place = length + 1, parent[place]
            if length >= len(found):
                return 0, used
            place = number
            for i in range(length, -1, -1):
                found[i], place = seen[place], parent[place]
            return length, used
        if used == expansions:
            return 0, used
        used += 1
        _put(on, vertex, BOX)
        reached = _flood(near, on, vertex[0], queue, far, came)
        for i in range(reached):
            here = queue[i]
            g = cost[number] + push + walk * far[here]
            for d in range(4):
                box = near[here, d]
                to = near[box, d]
                if on[box] != BOX or on[to] != FREE:
                    continue
                child[:] = vertex
                _move_box(child, box, to)
                child[0] = box
                if g >= most:
                    continue
                slot = _slot(seen, slots, child)
                new = slots[slot]
                if new >= 0 and cost[new] <= g:
                    continue
                f = g + push * _heuristic(distance, is_target, child, work)
                if f >= most:
                    continue
                if new < 0:
                    if count == capacity:
                        _put(on, vertex, FREE)
                        return 0, used
                    new = count
                    seen[new], slots[slot] = child, new
                    count += 1
                cost[new], parent[new], closed[new] = g, number, False
                if size == len(keys):
                    _put(on, vertex, FREE)
                    return 0, used
                size = _push(keys, numbers, size, f, new)
        _reset(queue, reached, far)
        _put(on, vertex, FREE)
    return -1, used


@cached()
def _is_end(vertex, end, is_target, targets, to_goals):  # type: ignore[no-untyped-def]
    """Is this the last vertex of the window, or with `to_goals`, a solved vertex?"""
    covered = 0
    for i in range(1, len(vertex)):
        covered += is_target[vertex[i]]
    return covered == targets and (to_goals or vertex[0] == end[0])


# The heuristic


@cached()
def _distances(near, target, far, queue):  # type: ignore[no-untyped-def]
    """Write to `far` the pushes of a lone box from each cell to the target, with the player anywhere."""
    far[:] = 1 << 12
    far[target], queue[0], count, place = 0, target, 1, 0
    cells = len(far)
    while place < count:
        here = queue[place]
        place += 1
        for d in range(4):
            before = near[here, (d + 2) % 4]
            if before == cells or near[before, (d + 2) % 4] == cells or far[before] <= far[here] + 1:
                continue
            far[before] = far[here] + 1
            queue[count] = before
            count += 1


@cached()
def _heuristic(distance, is_target, vertex, work):  # type: ignore[no-untyped-def]
    """A lower bound on the pushes until all targets have a box."""
    boxes, targets = work[6], work[7]  # boxes that are on no target, and targets without a box
    free, empty = 0, 0
    for i in range(1, len(vertex)):
        if not is_target[vertex[i]]:
            boxes[free] = vertex[i]
            free += 1
    if free == 0:
        return np.int64(0)
    covered = len(vertex) - 1 - free
    for cell in range(len(is_target) - 1):
        if is_target[cell]:
            is_empty = True
            for i in range(1, len(vertex)):
                if vertex[i] == cell:
                    is_empty = False
                    break
            if is_empty:
                if empty == len(targets):
                    return np.int64(1 << 40)
                targets[empty] = cell
                empty += 1
    if empty == 0:
        return np.int64(0)
    if empty > free or covered < 0:
        return np.int64(1 << 40)
    if empty == 1 and free == 1:
        return np.int64(distance[targets[0], boxes[0]])
    return _assignment(distance, boxes, free, targets, empty, work)


@cached()
def _assignment(distance, boxes, free, targets, empty, work):  # type: ignore[no-untyped-def]
    """The least sum of distances over all assignments of different boxes to the targets.

    By shortest augmenting paths with dual variables (Jonker and Volgenant 1987).
    """
    match, of_box, of_target, way, least, used = work[0], work[1], work[2], work[3], work[4], work[5]
    match[: free + 1] = 0
    of_box[: free + 1] = 0
    total = np.int64(0)
    for target in range(1, empty + 1):
        of_target[target] = 0
        match[0] = target
        for j in range(free + 1):
            least[j], used[j] = INFINITE, 0
        column = 0
        while True:
            used[column] = 1
            t, delta, nearest = match[column], INFINITE, 0
            for j in range(1, free + 1):
                if used[j]:
                    continue
                reduced = distance[targets[t - 1], boxes[j - 1]] - of_target[t] - of_box[j]
                if reduced < least[j]:
                    least[j], way[j] = reduced, column
                if least[j] < delta:
                    delta, nearest = least[j], j
            for j in range(free + 1):
                if used[j]:
                    of_target[match[j]] += delta
                    of_box[j] -= delta
                else:
                    least[j] -= delta
            total += delta
            column = nearest
            if match[column] == 0:
                break
        while column:
            match[column] = match[way[column]]
            column = way[column]
    return total


# Positions


@cached()
def _board(near):  # type: ignore[no-untyped-def]
    """An empty board: FREE for each cell, WALL for the number after the last cell."""
    on = np.zeros(len(near), np.uint8)
    on[len(near) - 1] = WALL
    return on


@cached()
def _put(on, vertex, what):  # type: ignore[no-untyped-def]
    """Put the boxes of a vertex on the board (BOX), or remove them (FREE)."""
    for i in range(1, len(vertex)):
        on[vertex[i]] = what


@cached()
def _move_box(vertex, box, to):  # type: ignore[no-untyped-def]
    """Move a box of the vertex to another cell, and keep the boxes in order."""
    i = 1
    while vertex[i] != box:
        i += 1
    while i + 1 < len(vertex) and vertex[i + 1] < to:
        vertex[i] = vertex[i + 1]
        i += 1
    while i > 1 and vertex[i - 1] > to:
        vertex[i] = vertex[i - 1]
        i -= 1
    vertex[i] = to


@cached()
def _flood(near, on, player, cells, far, came):  # type: ignore[no-untyped-def]
    """List in `cells` the cells that the player can reach, nearest first; return their number.

    Write the number of steps to each cell to `far`, and the direction of the last step to `came`. All of `far`
    must be -1 before; `_reset` restores that.
    """
    cells[0], far[player] = player, 0
    count, place = 1, 0
    while place < count:
        here = cells[place]
        place += 1
        for d in range(4):
            there = near[here, d]
            if on[there] == FREE and far[there] < 0:
                far[there], came[there] = far[here] + 1, d
                cells[count] = there
                count += 1
    return count


@cached()
def _reset(cells, count, far):  # type: ignore[no-untyped-def]
    """Set `far` to -1 on all cells of a flood."""
    for i in range(count):
        far[cells[i]] = -1


@cached()
def _direction(near, vertex, after):  # type: ignore[no-untyped-def]
    """The direction of the push between two vertices; after it, the player is on the former cell of the box."""
    for d in range(4):
        to = near[after[0], d]
        was, now = False, False
        for i in range(1, len(vertex)):
            was |= vertex[i] == to
            now |= after[i] == to
        if now and not was:
            return d
    return -1


@cached()
def _prices(near, plan, count, push, walk):  # type: ignore[no-untyped-def]
    """The cost of each edge of the plan."""
    price = np.zeros(max(0, count - 1), np.int64)
    on, far = _board(near), np.full(len(near), -1, np.int32)
    cells, came = np.empty(len(near), np.int32), np.empty(len(near), np.int8)
    for i in range(count - 1):
        d = _direction(near, plan[i], plan[i + 1])
        _put(on, plan[i], BOX)
        reached = _flood(near, on, plan[i, 0], cells, far, came)
        price[i] = push + walk * far[near[plan[i + 1, 0], (d + 2) % 4]]
        _reset(cells, reached, far)
        _put(on, plan[i], FREE)
    return price


# The open list: a binary heap with the least f first and, among equal f, the newest vertex.


@cached()
def _is_before(keys, numbers, i, j):  # type: ignore[no-untyped-def]
    return keys[i] < keys[j] or (keys[i] == keys[j] and numbers[i] > numbers[j])


@cached()
def _swap(keys, numbers, i, j):  # type: ignore[no-untyped-def]
    keys[i], keys[j] = keys[j], keys[i]
    numbers[i], numbers[j] = numbers[j], numbers[i]


@cached()
def _push(keys, numbers, size, key, number):  # type: ignore[no-untyped-def]
    """Push an entry; return the new size."""
    keys[size], numbers[size] = key, number
    i = size
    while i and _is_before(keys, numbers, i, (i - 1) // 2):
        _swap(keys, numbers, i, (i - 1) // 2)
        i = (i - 1) // 2
    return size + 1


@cached()
def _pop(keys, numbers, size):  # type: ignore[no-untyped-def]
    """Remove the first entry; return the new size."""
    size -= 1
    keys[0], numbers[0] = keys[size], numbers[size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            return size
        if child + 1 < size and _is_before(keys, numbers, child + 1, child):
            child += 1
        if not _is_before(keys, numbers, child, i):
            return size
        _swap(keys, numbers, i, child)
        i = child


@cached()
def _slot(seen, slots, vertex):  # type: ignore[no-untyped-def]
    """The slot of a vertex in the hash table, or the empty slot where it would be inserted."""
    h = np.uint64(14695981039346656037)
    for i in range(len(vertex)):
        h = (h ^ np.uint64(vertex[i])) * np.uint64(1099511628211)
    h = (h ^ (h >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    last = np.uint64(len(slots) - 1)
    at = (h ^ (h >> np.uint64(29))) & last
    while slots[at] >= 0:
        other, same = seen[slots[at]], True
        for i in range(len(vertex)):
            if other[i] != vertex[i]:
                same = False
                break
        if same:
            break
        at = (at + np.uint64(1)) & last
    return np.int64(at)
