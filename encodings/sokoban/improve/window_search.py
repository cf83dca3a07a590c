"""Better runs of Sokoban, found in windows of a run that is known, in compiled code.

Cells of the floor are numbered in reading order; the number after the last stands for everything else. A *vertex*
is a row of numbers, the player's cell and those of the boxes in rising order: the start, or a position just
after a push. An edge is a push with the walk before it: `push` for the push and `walk` for each step of the walk.

A window is a part of a run, from one vertex to another. A* (Hart, Nilsson and Raphael 1968) looks for a cheaper
way between the two; from a window that is the run's end, to any solved vertex. What it is bounded by is the least
sum of distances by which boxes that stand elsewhere get to what is still to be covered, were they alone and the
player anywhere. These distances obey the triangle inequality, so boxes that stand right already can stay. Windows
slide along the run, again as long as they find something, and then with twice their width. Work is counted in
vertices that are expanded: no clock has a say in what is found.
"""

import numpy as np

from puzzlemc.mc.jit import cached

FREE, BOX, WALL = 0, 1, 2
NEVER = 1 << 60  # a cost that says: there is no way
ROOM = 12  # vertices that may be seen for each that is expanded
NARROW = 4  # pushes of the first windows
TRIES = 4  # a window gets one part in so many of the work that is left


@cached()
def vertices(near, start, directions, rows):  # type: ignore[no-untyped-def]
    """Write to `rows` the vertices of a run given as directions of steps from its start. Returns how many."""
    on = _board(near)
    row = start.copy()
    _put(on, row, BOX)
    rows[0] = row
    count = 1
    for d in directions:
        cell = near[row[0], d]
        if on[cell] == BOX:
            on[cell], on[near[cell, d]] = FREE, BOX
            _shift(row, cell, near[cell, d])
            row[0] = cell
            rows[count] = row
            count += 1
        row[0] = cell
    return count


@cached()
def written(near, rows, count, steps):  # type: ignore[no-untyped-def]
    """Write to `steps` the directions of a run through these vertices, walks being shortest. Returns how many."""
    on, far = _board(near), np.full(len(near), -1, np.int32)
    cells, came = np.empty(len(near), np.int32), np.empty(len(near), np.int8)
    length = 0
    for i in range(count - 1):
        row, after = rows[i], rows[i + 1]
        d = _direction(near, row, after)
        goal = near[after[0], (d + 2) % 4]
        _put(on, row, BOX)
        reached = _flood(near, on, row[0], cells, far, came)
        length += far[goal]
        at, place = goal, length
        while at != row[0]:
            place -= 1
            steps[place] = came[at]
            at = near[at, (came[at] + 2) % 4]
        steps[length] = d
        length += 1
        _dry(cells, reached, far)
        _put(on, row, FREE)
    return length


@cached()
def improve(near, is_goal, rows, count, push, walk, expansions):  # type: ignore[no-untyped-def]
    """Improve the run through these vertices in place. Returns how many it has then."""
    cells = len(near) - 1
    # [to, from]: the pushes of a box alone, for the targets looked at so far, which are `known`.
    apart = np.empty((cells, cells), np.int16)
    known = np.zeros(cells, np.bool_)
    found = np.empty_like(rows)
    price = _prices(near, rows, count, push, walk)
    best = np.zeros(len(rows), np.int32)  # from each vertex up to this one no way is cheaper
    pushes = NARROW
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
            way, used = _way(
                near, is_goal, apart, known, rows[first], rows[last], last == count - 1, push, walk, most,
                max(1, expansions // TRIES), found,
            )  # fmt: skip
            expansions -= used
            decided |= way != 0
            if way > 0:
                better = True
                rows[first + way : count - last + first + way] = rows[last:count].copy()
                rows[first + 1 : first + way + 1] = found[1 : way + 1]
                price = _prices(near, rows, count + first + way - last, push, walk)
                if last == first + way:  # what is a cheapest way stays one up to where the run has changed
                    best[:first] = np.minimum(best[:first], first)
                    best[first:last] = 0
                else:
                    best[:] = 0
                count += first + way - last
                last = first + way
            if way != 0:
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
def _way(near, is_goal, apart, known, start, end, to_goals, push, walk, most, expansions, found):  # type: ignore[no-untyped-def]
    """Look for a way from one vertex to another, or to any solved one, that costs less than `most`.

    Returns its number of edges, its vertices being in `found`; 0 where so many expansions do not decide it, -1
    where there is none; and how many expansions it took.
    """
    cells, width = len(near) - 1, len(start)
    room = ROOM * expansions + 4 * width
    seen = np.empty((room, width), start.dtype)
    cost, parent = np.empty(room, np.int64), np.empty(room, np.int32)
    closed = np.zeros(room, np.bool_)
    slots = np.full(1 << max(4, int(np.ceil(np.log2(2 * room)))), -1, np.int32)
    keys, numbers = np.empty(2 * room, np.int64), np.empty(2 * room, np.int32)
    on = _board(near)
    far, reach = np.full(cells + 1, -1, np.int32), np.empty(cells, np.int32)
    came = np.empty(cells + 1, np.int8)
    wanted = np.zeros(cells + 1, np.bool_)
    targets = 0
    for cell in range(cells):
        if to_goals and is_goal[cell]:
            wanted[cell] = True
    if not to_goals:
        for i in range(1, width):
            wanted[end[i]] = True
    for cell in range(cells):
        if wanted[cell]:
            targets += 1
            if not known[cell]:
                _distances(near, cell, apart[cell], reach)
                known[cell] = True
    work = np.empty((8, width + 1), np.int64)
    row = np.empty(width, start.dtype)
    seen[0], cost[0], parent[0], count = start, 0, -1, 1
    slots[_slot(seen, slots, start)] = 0
    keys[0], numbers[0], size, used = 0, 0, 1, 0
    while size:
        number = numbers[0]
        size = _pop(keys, numbers, size)
        if closed[number]:
            continue
        closed[number] = True
        at = seen[number]
        if number and _is_end(at, end, wanted, targets, to_goals):
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
        _put(on, at, BOX)
        reached = _flood(near, on, at[0], reach, far, came)
        for i in range(reached):
            here = reach[i]
            paid = cost[number] + push + walk * far[here]
            for d in range(4):
                box = near[here, d]
                to = near[box, d]
                if on[box] != BOX or on[to] != FREE:
                    continue
                row[:] = at
                _shift(row, box, to)
                row[0] = box
                if paid >= most:
                    continue
                slot = _slot(seen, slots, row)
                new = slots[slot]
                if new >= 0 and cost[new] <= paid:
                    continue
                bound = paid + push * _bound(apart, wanted, row, work)
                if bound >= most:
                    continue
                if new < 0:
                    if count == room:
                        _put(on, at, FREE)
                        return 0, used
                    new = count
                    seen[new], slots[slot] = row, new
                    count += 1
                cost[new], parent[new], closed[new] = paid, number, False
                if size == len(keys):
                    _put(on, at, FREE)
                    return 0, used
                size = _add(keys, numbers, size, bound, new)
        _dry(reach, reached, far)
        _put(on, at, FREE)
    return -1, used


@cached()
def _is_end(row, end, wanted, targets, to_goals):  # type: ignore[no-untyped-def]
    covered = 0
    for i in range(1, len(row)):
        covered += wanted[row[i]]
    return covered == targets and (to_goals or row[0] == end[0])


# Bounds


@cached()
def _distances(near, target, far, waiting):  # type: ignore[no-untyped-def]
    """The pushes by which a box that is alone gets to the target, the player being anywhere; by its cell."""
    far[:] = 1 << 12
    far[target], waiting[0], count, place = 0, target, 1, 0
    cells = len(far)
    while place < count:
        here = waiting[place]
        place += 1
        for d in range(4):
            before = near[here, (d + 2) % 4]
            if before == cells or near[before, (d + 2) % 4] == cells or far[before] <= far[here] + 1:
                continue
            far[before] = far[here] + 1
            waiting[count] = before
            count += 1


@cached()
def _bound(apart, wanted, row, work):  # type: ignore[no-untyped-def]
    """The least pushes by which all wanted cells get a box, were each box alone."""
    boxes, holes = work[6], work[7]
    free, open_ = 0, 0
    for i in range(1, len(row)):
        if not wanted[row[i]]:
            boxes[free] = row[i]
            free += 1
    if free == 0:
        return np.int64(0)
    covered = len(row) - 1 - free
    for cell in range(len(wanted) - 1):
        if wanted[cell]:
            hole = True
            for i in range(1, len(row)):
                if row[i] == cell:
                    hole = False
                    break
            if hole:
                if open_ == len(holes):
                    return np.int64(1 << 40)
                holes[open_] = cell
                open_ += 1
    if open_ == 0:
        return np.int64(0)
    if open_ > free or covered < 0:
        return np.int64(1 << 40)
    if open_ == 1 and free == 1:
        return np.int64(apart[holes[0], boxes[0]])
    return _assignment(apart, boxes, free, holes, open_, work)


@cached()
def _assignment(apart, boxes, free, holes, open_, work):  # type: ignore[no-untyped-def]
    """The least sum of distances over all ways to give each hole a box of its own (Jonker and Volgenant 1987)."""
    match, of_box, of_hole, way, least, used = work[0], work[1], work[2], work[3], work[4], work[5]
    match[: free + 1] = 0
    of_box[: free + 1] = 0
    total = np.int64(0)
    for hole in range(1, open_ + 1):
        of_hole[hole] = 0
        match[0] = hole
        for j in range(free + 1):
            least[j], used[j] = NEVER, 0
        column = 0
        while True:
            used[column] = 1
            h, delta, nearest = match[column], NEVER, 0
            for j in range(1, free + 1):
                if used[j]:
                    continue
                reduced = apart[holes[h - 1], boxes[j - 1]] - of_hole[h] - of_box[j]
                if reduced < least[j]:
                    least[j], way[j] = reduced, column
                if least[j] < delta:
                    delta, nearest = least[j], j
            for j in range(free + 1):
                if used[j]:
                    of_hole[match[j]] += delta
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
    on = np.zeros(len(near), np.uint8)
    on[len(near) - 1] = WALL
    return on


@cached()
def _put(on, row, what):  # type: ignore[no-untyped-def]
    for i in range(1, len(row)):
        on[row[i]] = what


@cached()
def _shift(row, box, to):  # type: ignore[no-untyped-def]
    """Move a box of the row to another cell, the boxes staying in order."""
    i = 1
    while row[i] != box:
        i += 1
    while i + 1 < len(row) and row[i + 1] < to:
        row[i] = row[i + 1]
        i += 1
    while i > 1 and row[i - 1] > to:
        row[i] = row[i - 1]
        i -= 1
    row[i] = to


@cached()
def _flood(near, on, player, cells, far, came):  # type: ignore[no-untyped-def]
    """List in `cells` those to which the player can walk, nearest first.

    The steps to each are in `far`, and the last step's direction in `came`. Returns their number. `far` has to be
    -1 everywhere; see `_dry`.
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
def _dry(cells, count, far):  # type: ignore[no-untyped-def]
    """Make `far` -1 again where a flood has been."""
    for i in range(count):
        far[cells[i]] = -1


@cached()
def _direction(near, row, after):  # type: ignore[no-untyped-def]
    """The direction of the push that leads from a vertex to the next: the player stands where the box was."""
    for d in range(4):
        to = near[after[0], d]
        was, now = False, False
        for i in range(1, len(row)):
            was |= row[i] == to
            now |= after[i] == to
        if now and not was:
            return d
    return -1


@cached()
def _prices(near, rows, count, push, walk):  # type: ignore[no-untyped-def]
    """What each edge of a run costs."""
    price = np.zeros(max(0, count - 1), np.int64)
    on, far = _board(near), np.full(len(near), -1, np.int32)
    cells, came = np.empty(len(near), np.int32), np.empty(len(near), np.int8)
    for i in range(count - 1):
        d = _direction(near, rows[i], rows[i + 1])
        _put(on, rows[i], BOX)
        reached = _flood(near, on, rows[i, 0], cells, far, came)
        price[i] = push + walk * far[near[rows[i + 1, 0], (d + 2) % 4]]
        _dry(cells, reached, far)
        _put(on, rows[i], FREE)
    return price


# What waits: a binary heap, of equal bounds the latest first


@cached()
def _is_before(keys, numbers, i, j):  # type: ignore[no-untyped-def]
    return keys[i] < keys[j] or (keys[i] == keys[j] and numbers[i] > numbers[j])


@cached()
def _swap(keys, numbers, i, j):  # type: ignore[no-untyped-def]
    keys[i], keys[j] = keys[j], keys[i]
    numbers[i], numbers[j] = numbers[j], numbers[i]


@cached()
def _add(keys, numbers, size, key, number):  # type: ignore[no-untyped-def]
    keys[size], numbers[size] = key, number
    i = size
    while i and _is_before(keys, numbers, i, (i - 1) // 2):
        _swap(keys, numbers, i, (i - 1) // 2)
        i = (i - 1) // 2
    return size + 1


@cached()
def _pop(keys, numbers, size):  # type: ignore[no-untyped-def]
    """Take away the first. Returns how many are left."""
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
def _slot(rows, slots, row):  # type: ignore[no-untyped-def]
    """The slot of a vertex in the table, or the free one where it belongs."""
    h = np.uint64(14695981039346656037)
    for i in range(len(row)):
        h = (h ^ np.uint64(row[i])) * np.uint64(1099511628211)
    h = (h ^ (h >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    last = np.uint64(len(slots) - 1)
    at = (h ^ (h >> np.uint64(29))) & last
    while slots[at] >= 0:
        other, same = rows[slots[at]], True
        for i in range(len(row)):
            if other[i] != row[i]:
                same = False
                break
        if same:
            break
        at = (at + np.uint64(1)) & last
    return np.int64(at)
