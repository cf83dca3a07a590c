"""Regions and successors in compiled code.

A *walk* is an action that only changes the location and can be undone. A search never takes a walk as a step of
its own. The *region* of a row is the set of locations that walks lead to from it. If walks are free, one row
represents its whole region. If walks cost something, a search has only the rows that an action other than a walk
leads to, and the initial one; the cost of the walk is part of the next step.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.layout import Numbers, PackedStates
from puzzlemc.mc.packed.tables import fits, held, lowest_bit


class Regions(NamedTuple):
    """Scratch arrays, allocated once for many calls.

    codes, far  (location codes,): the locations of a region, and the number of walks to each
    others      (location codes,): the locations of a second region
    bits        (64 * words,): the true bits of a row
    seen        (location codes + 1,): the number of the last flood fill that reached each location; last, the
                number of flood fills so far
    sets        (3, words of a bit set): bit sets of location codes
    allowed     (words,): the bits that an action may clear
    """

    codes: Numbers
    far: Numbers
    others: Numbers
    bits: Numbers
    seen: Numbers
    sets: PackedStates
    allowed: PackedStates


@cached()
def regions(tables):  # type: ignore[no-untyped-def]
    """New scratch arrays for rows of these tables."""
    codes = len(tables.first) - 1
    return Regions(
        np.empty(codes, np.int64),
        np.empty(codes, np.int64),
        np.empty(codes, np.int64),
        np.empty(64 * tables.masks.shape[2], np.int64),
        np.zeros(codes + 1, np.int64),
        np.zeros((3, tables.near.shape[1]), np.uint64),
        np.full(tables.masks.shape[2], ~np.uint64(0)),
    )


@cached(inline="always")
def _is_open(tables, row, e):  # type: ignore[no-untyped-def]
    """Does the row satisfy the guard of walk e, apart from the location?"""
    for w in range(row.shape[0]):  # noqa: SIM110, numba has no all() of a generator
        if row[w] & tables.walk_masks[e, 0, w] != tables.walk_masks[e, 1, w]:
            return False
    return True


@cached()
def flood(tables, row, codes, far, seen):  # type: ignore[no-untyped-def]
    """Write the region of the row to `codes`, nearest locations first, and the numbers of walks to `far`.

    Breadth-first search. Returns the number of locations. For `seen` see `Regions`.
    """
    stamp = seen[-1] + 1
    seen[-1] = stamp
    codes[0], far[0] = np.int64(row[0] & tables.key), 0
    seen[codes[0]] = stamp
    count, place = 1, 0
    while place < count:
        here = codes[place]
        for e in range(tables.walk_first[here], tables.walk_first[here + 1]):
            there = tables.walk_to[e]
            if seen[there] != stamp and _is_open(tables, row, e):
                seen[there] = stamp
                codes[count], far[count] = there, far[place] + 1
                count += 1
        place += 1
    return count


@cached(inline="always")
def move_to(tables, row, code):  # type: ignore[no-untyped-def]
    """Set the location code of the row."""
    row[0] = row[0] & ~tables.key | np.uint64(code)


@cached()
def spread_in_word(union, blocked, key, rows, i):  # type: ignore[no-untyped-def]
    """The region of row i as a bit set of one word.

    Each round adds all neighbours of the eight locations of a byte at once, by a table.
    """
    free, words = ~np.uint64(0), rows.shape[1]
    for w in range(words):
        left = rows[i, w] & ~key if w == 0 else rows[i, w]
        while left:
            code = blocked[64 * w + lowest_bit(left)]
            if code >= 0:
                free &= ~(np.uint64(1) << np.uint64(code))
            left &= left - np.uint64(1)
    more, reached, byte = np.uint64(1) << (rows[i, 0] & key), np.uint64(0), np.uint64(255)
    while more != reached:
        reached = more
        for k in range(8):
            more |= union[k, reached >> np.uint64(8 * k) & byte] & free
    return reached


@cached()
def spread(near, blocked, key, rows, i, sets):  # type: ignore[no-untyped-def]
    """Write the region of row i to `sets[0]`, a bit set. Each round adds all neighbours of one location."""
    words = near.shape[1]
    for w in range(words):
        sets[0, w], sets[1, w], sets[2, w] = 0, 0, ~np.uint64(0)
    for w in range(rows.shape[1]):
        left = rows[i, w] & ~key if w == 0 else rows[i, w]
        while left:
            code = blocked[64 * w + lowest_bit(left)]
            if code >= 0:
                sets[2, code // 64] &= ~(np.uint64(1) << np.uint64(code % 64))
            left &= left - np.uint64(1)
    here = np.int64(rows[i, 0] & key)
    place = np.int64(here // 64)
    sets[0, place] = sets[1, place] = np.uint64(1) << np.uint64(here % 64)
    while place < words:
        if not sets[1, place]:
            place += 1
            continue
        code = 64 * place + lowest_bit(sets[1, place])
        sets[1, place] &= sets[1, place] - np.uint64(1)
        for w in range(words):
            new = near[code, w] & sets[2, w] & ~sets[0, w]
            if new:
                sets[0, w] |= new
                sets[1, w] |= new
                place = min(place, np.int64(w))


@cached()
def _least(near, blocked, key, rows, i, sets):  # type: ignore[no-untyped-def]
    """The least location code in the region of row i."""
    spread(near, blocked, key, rows, i, sets)
    w = 0
    while not sets[0, w]:
        w += 1
    return 64 * w + lowest_bit(sets[0, w])


@cached()
def canonical_location(tables, rows, i, regions):  # type: ignore[no-untyped-def]
    """Set the location of row i to the canonical one: the least location code of its region."""
    if len(tables.union) > 0:
        least = lowest_bit(spread_in_word(tables.union, tables.blocked, tables.key, rows, i))
    elif len(tables.near) > 0:
        least = _least(tables.near, tables.blocked, tables.key, rows, i, regions.sets)
    else:
        count = flood(tables, rows[i], regions.others, regions.far, regions.seen)
        least = regions.others[:count].min()
    rows[i, 0] = rows[i, 0] & ~tables.key | np.uint64(least)


@cached()
def move_to_canonical(tables, rows):  # type: ignore[no-untyped-def]
    """Set the location of each row to the canonical one of its region."""
    work = regions(tables)
    for i in range(len(rows)):
        canonical_location(tables, rows, i, work)


@cached()
def regions_beside(tables, kept, codes, free, found):  # type: ignore[no-untyped-def]
    """Write to `found` one row for each region that the objects of each row of `kept` leave; return their number.

    `codes` are all location codes. `free` (rows, codes) is true where no object of the row stands.
    """
    around = regions(tables)
    done = np.zeros(len(tables.first) - 1, np.bool_)
    count = 0
    for i in range(len(kept)):
        done[:] = False
        for k in range(len(codes)):
            if done[codes[k]] or not free[i, k]:
                continue
            found[count] = kept[i]
            move_to(tables, found[count], codes[k])
            reached = flood(tables, found[count], around.codes, around.far, around.seen)
            for j in range(reached):
                done[around.codes[j]] = True
            move_to(tables, found[count], around.codes[:reached].min())
            count += 1
    return count


@cached()
def walked(tables, row, source, clear, place, number, run):  # type: ignore[no-untyped-def]
    """Complete a plan by walks: write the numbers of all its actions in the model to `run`; return how many.

    The plan starts at the row. Its step i is action `number[i]`: it leads from location code `source[i]`, clears
    the bits `clear[i]`, and sets the bits `place[i]`. Before each step come the fewest walks; ties are broken by
    the order of the walks in the tables.
    """
    codes = len(tables.first) - 1
    queue, before = np.empty(codes, np.int64), np.empty(codes, np.int64)
    came, count = np.empty(codes, np.int64), 0
    for i in range(len(number)):
        here = np.int64(row[0] & tables.key)
        if len(tables.walk_to) > 0 and here != source[i]:
            came[:] = -1
            came[here], queue[0], seen, at = -2, here, 1, 0
            while came[source[i]] == -1:
                for e in range(tables.walk_first[queue[at]], tables.walk_first[queue[at] + 1]):
                    there = tables.walk_to[e]
                    if came[there] == -1 and _is_open(tables, row, e):
                        came[there], before[there] = e, queue[at]
                        queue[seen] = there
                        seen += 1
                at += 1
            first, there = count, np.int64(source[i])
            while there != here:
                run[count] = tables.walk_number[came[there]]
                there = before[there]
                count += 1
            run[first:count] = run[first:count][::-1].copy()
        run[count] = number[i]
        count += 1
        for w in range(len(row)):
            row[w] = row[w] & ~clear[i, w] | place[i, w]
    return count


@cached()
def is_entered(tables, row):  # type: ignore[no-untyped-def]
    """Is the row the initial state, or the result of an action other than a walk? For backward search."""
    code = np.int64(row[0] & tables.key)
    for a in range(tables.first[code], tables.first[code + 1]):
        if fits(tables, row, a):
            return True
    for w in range(row.shape[0]):  # noqa: SIM110
        if row[w] != tables.start[w]:
            return False
    return True


@cached()
def _completes_triple(tables, row, a, bits):  # type: ignore[no-untyped-def]
    """Does the object that action a has just placed complete a dead triple in the row?"""
    for i in range(held(tables, row, bits)):
        for w in range(len(row)):
            if row[w] & tables.triples[a, bits[i], w]:
                return True
    return False


@cached()
def _entered_around(tables, count, others, far, seen, a, after, by, step_cost):  # type: ignore[no-untyped-def]
    """Replace successor `count`, by action a, by all rows that walks lead from to it and that are entered.

    For backward search if walks cost something; see `is_entered`. Returns the new number of successors.
    """
    before = after[len(after) - 1]
    before[:] = after[count]
    for j in range(flood(tables, before, others, far, seen)):
        after[count] = before
        move_to(tables, after[count], others[j])
        if is_entered(tables, after[count]):
            by[count], step_cost[count] = a, tables.action_info[a, 0] + tables.walk_cost * far[j]
            count += 1
    return count


@cached()
def successors(tables, row, regions, after, by, step_cost):  # type: ignore[no-untyped-def]
    """Write the successors of a row to `after`, the indices of their actions to `by`, the step costs to
    `step_cost`.

    Returns the number of successors; changes the location of `row`. Without walks, a successor is the result of
    one action. With walks, forward search takes the actions from all locations of the region. If walks are free,
    each successor gets its canonical location. If walks cost something, the step cost includes the walks before
    the action, and backward search replaces each predecessor by all rows from which walks lead to it (see
    `_entered_around`).
    """
    codes, far, others, bits, seen, sets, allowed = regions
    masks, action_info, first = tables.masks, tables.action_info, tables.first
    walks = len(tables.walk_to) > 0
    free = walks and tables.walk_cost == 0
    back = walks and len(tables.start) > 0
    within = free and len(tables.union) > 0
    union, near, blocked, key = tables.union, tables.near, tables.blocked, tables.key
    after[0] = row
    places, count = 1, 0
    codes[0], far[0] = np.int64(row[0] & key), 0
    if within:
        left, places = spread_in_word(union, blocked, key, after, 0), 0
        while left:
            codes[places], far[places] = lowest_bit(left), 0
            left &= left - np.uint64(1)
            places += 1
    elif walks and not back:
        places = flood(tables, row, codes, far, seen)
    words = len(row)
    for i in range(places):
        row[0] = row[0] & ~key | np.uint64(codes[i])
        for a in range(first[codes[i]], first[codes[i] + 1]):
            fit, dead = True, False
            for w in range(words):
                fit &= row[w] & masks[a, 0, w] == masks[a, 1, w]
            if not fit:
                continue
            for w in range(words):
                after[count, w] = row[w] & masks[a, 2, w] | masks[a, 3, w]
                dead |= after[count, w] & masks[a, 4, w] != 0 or row[w] & ~(masks[a, 2, w] | allowed[w]) != 0
            if dead or (len(tables.triples) > 0 and _completes_triple(tables, after[count], a, bits)):
                continue
            if back:
                count = _entered_around(tables, count, others, far, seen, a, after, by, step_cost)
                continue
            by[count], step_cost[count] = a, action_info[a, 0] + tables.walk_cost * far[i]
            # The same as `canonical_location`: passing all tables to it would take longer than the work itself.

            if within:
                least = lowest_bit(spread_in_word(union, blocked, key, after, count))
                after[count, 0] = after[count, 0] & ~key | np.uint64(least)
            elif free and len(near) > 0:
                least = _least(near, blocked, key, after, count, sets)
                after[count, 0] = after[count, 0] & ~key | np.uint64(least)
            elif free:
                canonical_location(tables, after, count, regions)
            count += 1
    return count
