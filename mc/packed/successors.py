"""Regions and successors of packed states. Compiled: see `mc/words.py`.

A *walk* is an action that only changes the location and can be undone. A search never takes a walk as a step of
its own. The *region* of a row is the set of locations that walks lead to from it. If walks are free, one row
represents its whole region. If walks cost something, a search has only the rows that an action other than a walk
leads to, and the initial one; the cost of the walk is part of the next step.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.tables import Tables, Walks, fits, held
    from puzzlemc.mc.words import (
        ALL,
        Bytes,
        Flag,
        Index,
        Numbers,
        Word,
        Words,
        Words2,
        bit,
        lowest_bit,
    )


class Region:
    """Scratch arrays for a region, as a list of locations or as a bit set.

    codes  (location codes,): the locations of the region, nearest first
    far    (location codes,): the number of walks to each of them
    seen   (location codes + 1,): the number of the last flood fill that reached each location; last, the number of
           flood fills so far
    sets   (3, words of a bit set): the region, the locations whose neighbours are not added yet, and the locations
           that no object blocks
    """

    codes: Numbers  # readonly
    far: Numbers  # readonly
    seen: Numbers
    sets: Words2  # readonly

    def __init__(self, walks: Walks) -> None:
        """New arrays for rows with these walks."""
        codes = walks.first.shape[0] - 1
        self.codes, self.far = view(np.zeros(codes, np.int64)), view(np.zeros(codes, np.int64))
        self.seen = view(np.zeros(codes + 1, np.int64))
        self.sets = view(np.zeros((3, max(1, walks.near.shape[1])), np.uint64))


class Successors:
    """The successors of a row, in arrays that are allocated once for many rows.

    row        (1, words): the row; its location changes
    after      (most successors, words): its successors
    by         (most successors,): the indices of their actions
    step_cost  (most successors,): the costs of the steps to them
    allowed    (words,): the bits that an action may clear
    bits       (64 * words,): the true bits of a row
    region     the region of the row
    other      the region of a successor
    """

    row: Words2  # public
    after: Words2  # readonly
    by: Numbers  # readonly
    step_cost: Numbers  # readonly
    allowed: Words  # public
    bits: Numbers
    region: Region
    other: Region

    def __init__(self, tables: Tables) -> None:
        """New arrays for rows of these tables."""
        words, most = tables.masks.shape[2], tables.most
        self.row, self.after = view(np.zeros((1, words), np.uint64)), view(np.zeros((most, words), np.uint64))
        self.by, self.step_cost = view(np.zeros(most, np.int64)), view(np.zeros(most, np.int64))
        self.allowed, self.bits = view(np.full(words, ALL, np.uint64)), view(np.zeros(64 * words, np.int64))
        self.region, self.other = Region(tables.walks), Region(tables.walks)


# Called from Python


def move_to_canonical(walks: Walks, rows: npt.NDArray[np.uint64]) -> None:
    """Set the location of each row to the canonical one of its region."""
    _move_to_canonical(walks, view(rows), Region(walks))


def are_entered(tables: Tables, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Is each row the initial state, or the result of an action other than a walk? For backward search."""
    found = np.zeros(len(rows), np.uint8)
    _mark_entered(tables, view(np.ascontiguousarray(rows)), view(found))
    return found.view(np.bool_)


# Regions


def is_open(walks: Walks, rows: Words2, i: Index, e: Index) -> Flag:
    """Does row i satisfy the guard of walk e, apart from the location?"""
    w: Index
    for w in range(rows.shape[1]):  # noqa: SIM110, compiled code has no generators
        if rows[i, w] & walks.masks[e, 0, w] != walks.masks[e, 1, w]:
            return False
    return True


def flood(walks: Walks, rows: Words2, i: Index, region: Region) -> Index:
    """Write the region of row i to `region.codes`, nearest locations first, and the numbers of walks to `far`.

    Breadth-first search. Returns the number of locations.
    """
    last: Index = region.seen.shape[0] - 1
    stamp: Index = region.seen[last] + 1
    region.seen[last] = stamp
    region.codes[0] = rows[i, 0] & walks.key
    region.far[0] = 0
    region.seen[region.codes[0]] = stamp
    count: Index = 1
    place: Index = 0
    e: Index
    while place < count:
        here: Index = region.codes[place]
        for e in range(walks.first[here], walks.first[here + 1]):
            there: Index = walks.steps[e, 0]
            if region.seen[there] != stamp and is_open(walks, rows, i, e):
                region.seen[there] = stamp
                region.codes[count] = there
                region.far[count] = region.far[place] + 1
                count += 1
        place += 1
    return count


def spread_in_word(walks: Walks, rows: Words2, i: Index) -> Word:
    """The region of row i as a bit set of one word.

    Each round adds all neighbours of the eight locations of a byte at once, by a table.
    """
    free: Word = ALL
    w: Index
    k: Index
    for w in range(rows.shape[1]):
        left: Word = rows[i, w] & walks.outside[w]
        while left:
            code: Index = walks.blocked[64 * w + lowest_bit(left)]
            if code >= 0:
                free &= ALL ^ bit(code)
            left &= left - 1
    more: Word = bit(rows[i, 0] & walks.key)
    reached: Word = 0
    while more != reached:
        reached = more
        for k in range(8):
            more |= walks.union[k, reached >> (8 * k) & 255] & free
    return reached


def spread(walks: Walks, rows: Words2, i: Index, region: Region) -> None:
    """Write the region of row i to `region.sets[0]`, a bit set. Each round adds all neighbours of one location."""
    words: Index = walks.near.shape[1]
    w: Index
    code: Index
    for w in range(words):
        region.sets[0, w] = 0
        region.sets[1, w] = 0
        region.sets[2, w] = ALL
    for w in range(rows.shape[1]):
        left: Word = rows[i, w] & walks.outside[w]
        while left:
            code = walks.blocked[64 * w + lowest_bit(left)]
            if code >= 0:
                region.sets[2, code >> 6] &= ALL ^ bit(code & 63)
            left &= left - 1
    code = rows[i, 0] & walks.key
    place: Index = code >> 6
    region.sets[0, place] = bit(code & 63)
    region.sets[1, place] = bit(code & 63)
    while place < words:
        if not region.sets[1, place]:
            place += 1
            continue
        code = 64 * place + lowest_bit(region.sets[1, place])
        region.sets[1, place] &= region.sets[1, place] - 1
        for w in range(words):
            new: Word = walks.near[code, w] & region.sets[2, w] & (ALL ^ region.sets[0, w])
            if new:
                region.sets[0, w] |= new
                region.sets[1, w] |= new
                if w < place:
                    place = w


def canonical_location(walks: Walks, rows: Words2, i: Index, region: Region) -> None:
    """Set the location of row i to the canonical one: the least location code of its region."""
    least: Index
    if walks.union.shape[0] > 0:
        least = lowest_bit(spread_in_word(walks, rows, i))
    elif walks.near.shape[0] > 0:
        spread(walks, rows, i, region)
        least = _least_in_set(region)
    else:
        least = least_code(region, flood(walks, rows, i, region))
    move_to(walks, rows, i, least)


def _least_in_set(region: Region) -> Index:
    """The least location code of `sets[0]`, which is not empty."""
    w: Index = 0
    while not region.sets[0, w]:
        w += 1
    return 64 * w + lowest_bit(region.sets[0, w])


def least_code(region: Region, count: Index) -> Index:
    """The least of the first `count` location codes of a region."""
    least: Index = region.codes[0]
    j: Index
    for j in range(1, count):
        if region.codes[j] < least:
            least = region.codes[j]
    return least


def move_to(walks: Walks, rows: Words2, i: Index, code: Word) -> None:
    """Set the location code of row i."""
    rows[i, 0] = rows[i, 0] & walks.outside[0] | code


def _move_to_canonical(walks: Walks, rows: Words2, region: Region) -> None:
    """Set the location of each row to the canonical one of its region."""
    i: Index
    for i in range(rows.shape[0]):
        canonical_location(walks, rows, i, region)


# Successors


def _is_entered(tables: Tables, rows: Words2, i: Index) -> Flag:
    """Is row i the initial state, or the result of an action other than a walk? For backward search."""
    code: Index = rows[i, 0] & tables.key
    a: Index
    w: Index
    for a in range(tables.first[code], tables.first[code + 1]):
        if fits(tables, rows, i, a):
            return True
    for w in range(rows.shape[1]):  # noqa: SIM110, compiled code has no generators
        if rows[i, w] != tables.start[w]:
            return False
    return True


def _mark_entered(tables: Tables, rows: Words2, found: Bytes) -> None:
    """Write whether each row `_is_entered` to `found`."""
    i: Index
    for i in range(rows.shape[0]):
        found[i] = _is_entered(tables, rows, i)


def _completes_triple(tables: Tables, rows: Words2, i: Index, a: Index, bits: Numbers) -> Flag:
    """Does the object that action a has just placed complete a dead triple in row i?"""
    j: Index
    w: Index
    for j in range(held(tables, rows, i, bits)):
        for w in range(rows.shape[1]):
            if rows[i, w] & tables.triples[a, bits[j], w]:
                return True
    return False


def _entered_around(tables: Tables, found: Successors, count: Index, a: Index) -> Index:
    """Replace successor `count`, by action a, by all rows that walks lead from to it and that are entered.

    For backward search if walks cost something; see `_is_entered`. Returns the new number of successors.
    """
    words: Index = found.after.shape[1]
    before: Index = found.after.shape[0] - 1
    j: Index
    w: Index
    for w in range(words):
        found.after[before, w] = found.after[count, w]
    for j in range(flood(tables.walks, found.after, before, found.other)):
        for w in range(words):
            found.after[count, w] = found.after[before, w]
        move_to(tables.walks, found.after, count, found.other.codes[j])
        if _is_entered(tables, found.after, count):
            found.by[count] = a
            found.step_cost[count] = tables.action_info[a, 0] + tables.walks.cost * found.other.far[j]
            count += 1
    return count


def _list_places(tables: Tables, found: Successors) -> Index:
    """Write the locations from which `found.row` takes actions to `found.region`; return their number."""
    places: Index = 0
    if tables.walks.steps.shape[0] == 0 or (tables.walks.cost != 0 and tables.start.shape[0] > 0):
        found.region.codes[0] = found.row[0, 0] & tables.key
        found.region.far[0] = 0
        return 1
    if tables.walks.cost != 0 or tables.walks.near.shape[0] == 0:
        return flood(tables.walks, found.row, 0, found.region)
    if tables.walks.union.shape[0] > 0:
        found.region.sets[0, 0] = spread_in_word(tables.walks, found.row, 0)
    else:
        spread(tables.walks, found.row, 0, found.region)
    w: Index
    for w in range(tables.walks.near.shape[1]):
        left: Word = found.region.sets[0, w]
        while left:
            found.region.codes[places] = 64 * w + lowest_bit(left)
            found.region.far[places] = 0
            left &= left - 1
            places += 1
    return places


def _follow_object(walks: Walks, found: Successors, i: Index) -> Flag:
    """Write the region of successor i to `found.other.sets[0]`, if it follows from that of `found.row`.

    One object goes from an old to a new location. What is left of the region is connected if the neighbours of the
    new location are: each is a neighbour of another one, or has a common neighbour with it. Nothing but the old
    location joins it if the free neighbours of this location are in the region. False if that is not so.
    """
    words: Index = walks.near.shape[1]
    old: Index = -1
    new: Index = -1
    code: Index
    w: Index
    for w in range(found.row.shape[1]):
        changed: Word = (found.row[0, w] ^ found.after[i, w]) & walks.outside[w]
        while changed:
            code = walks.blocked[64 * w + lowest_bit(changed)]
            is_old: Flag = found.row[0, w] & changed & (ALL ^ (changed - 1)) != 0
            if code < 0 or (old if is_old else new) >= 0:
                return False
            if is_old:
                old = code
            else:
                new = code
            changed &= changed - 1
    if old < 0 or new < 0:
        return False
    for w in range(words):
        found.other.sets[0, w] = found.region.sets[0, w]
    found.other.sets[0, new >> 6] &= ALL ^ bit(new & 63)
    for w in range(words):
        found.other.sets[1, w] = walks.near[new, w] & found.other.sets[0, w]
        found.other.sets[2, w] = 0
    if not _are_linked(walks, found.other):
        return False
    joins: Flag = False
    for w in range(words):
        around: Word = walks.near[old, w] & found.region.sets[2, w]
        if w == new >> 6:
            around &= ALL ^ bit(new & 63)
        if around & (ALL ^ found.region.sets[0, w]):
            return False
        joins = joins or around != 0
    if joins:
        found.other.sets[0, old >> 6] |= bit(old & 63)
    code = found.after[i, 0] & walks.key
    return found.other.sets[0, code >> 6] >> (code & 63) & 1 != 0


def _are_linked(walks: Walks, region: Region) -> Flag:
    """Is each location of `sets[1]` linked to each other one by neighbours, or by common neighbours in `sets[0]`?

    Empties `sets[1]`, if so. `sets[2]`, which is empty at first, gets what the locations so far are linked to.
    """
    words: Index = walks.near.shape[1]
    is_first: Flag = True
    w: Index
    v: Index
    while True:
        linked: Index = -1
        is_over: Flag = True
        for w in range(words):
            left: Word = region.sets[1, w]
            while left and linked < 0:
                is_over = False
                code: Index = 64 * w + lowest_bit(left)
                left &= left - 1
                fits: Flag = is_first
                for v in range(words):
                    fits = fits or walks.near[code, v] & region.sets[2, v] != 0
                if fits:
                    linked = code
        if linked < 0:
            return is_over
        is_first = False
        region.sets[1, linked >> 6] &= ALL ^ bit(linked & 63)
        region.sets[2, linked >> 6] |= bit(linked & 63)
        for w in range(words):
            region.sets[2, w] |= walks.near[linked, w] & region.sets[0, w]


def successors(tables: Tables, found: Successors) -> Index:  # public
    """Write the successors of `found.row` to `found.after`, with their actions and step costs.

    Returns the number of successors; changes the location of `row`. Without walks, a successor is the result of
    one action. With walks, forward search takes the actions from all locations of the region. If walks are free,
    each successor gets its canonical location. If walks cost something, the step cost includes the walks before
    the action, and backward search replaces each predecessor by all rows from which walks lead to it (see
    `_entered_around`).
    """
    words: Index = found.row.shape[1]
    is_free: Flag = tables.walks.steps.shape[0] > 0 and tables.walks.cost == 0
    is_backward: Flag = tables.walks.steps.shape[0] > 0 and tables.start.shape[0] > 0
    has_triples: Flag = tables.triples.shape[0] > 0
    follows: Flag = is_free and tables.walks.near.shape[0] > 0 and tables.walks.union.shape[0] == 0
    count: Index = 0
    i: Index
    a: Index
    w: Index
    for i in range(_list_places(tables, found)):
        code: Index = found.region.codes[i]
        move_to(tables.walks, found.row, 0, code)
        for a in range(tables.first[code], tables.first[code + 1]):
            fit: Flag = True
            for w in range(words):
                fit = fit and found.row[0, w] & tables.masks[a, 0, w] == tables.masks[a, 1, w]
            if not fit:
                continue
            dead: Flag = False
            for w in range(words):
                new: Word = found.row[0, w] & tables.masks[a, 2, w] | tables.masks[a, 3, w]
                found.after[count, w] = new
                dead = dead or new & tables.masks[a, 4, w] != 0
                dead = dead or found.row[0, w] & (ALL ^ (tables.masks[a, 2, w] | found.allowed[w])) != 0
            if dead or (has_triples and _completes_triple(tables, found.after, count, a, found.bits)):
                continue
            if is_backward:
                count = _entered_around(tables, found, count, a)
                continue
            found.by[count] = a
            found.step_cost[count] = tables.action_info[a, 0] + tables.walks.cost * found.region.far[i]
            if follows and _follow_object(tables.walks, found, count):
                move_to(tables.walks, found.after, count, _least_in_set(found.other))
            elif is_free:
                canonical_location(tables.walks, found.after, count, found.other)
            count += 1
    return count
