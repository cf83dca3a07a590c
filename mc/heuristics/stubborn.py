"""Stubborn sets, a partial-order reduction: of commuting actions, an optimal search needs to follow only some.

A set of actions is *stubborn* (persistent) in a state if every plan contains one of them, and the first of them
can be moved to the front of the plan without a change of cost (Valmari 1989; Godefroid 1996). The search may leave
out the other actions: by induction over the length of a cheapest plan, the least cost from each state stays the
same.

The sets here are for models whose actions move one object and put the location where that object stood, with free
walks that only objects block, and with as many objects as targets (after the PI-corrals of Damgaard's YASS). Take
a set of objects, the *barrier*. As long as none of them moves, the location stays within the *area*: the locations
that walks reach if only the barrier is there. The objects that move stay within the area, too. Assume that each
action on a barrier object whose source is in the area, and that neither a barrier object nor an object outside the
area blocks,

- is enabled in the state, and
- places the barrier object outside of the area.

Then such an action does not interfere with a plan that moves no barrier object: it places an object where that
plan never comes, and leaves a place free. So it can come first. If a target outside the area has no object, or an
object outside the area is not on a target, every plan moves a barrier object. If no such action of the barrier is
enabled, there is no plan.

A barrier grows from a single object next to the location until these conditions hold. If an action is not enabled,
the object that blocks it joins the barrier, or the objects that separate the location from its source. If an
action would place its object within the area, at a place that the location cannot reach, the objects around that
place join.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates, Truths
from puzzlemc.mc.packed.objects import actions_by_object
from puzzlemc.mc.packed.tables import Tables, lowest_bit


class StubbornSets(NamedTuple):
    """The actions on objects.

    first    as in `ActionsByObject`; of length 1 if stubborn sets are not used
    source   (actions,): the location code that each action leads from
    to       (actions,): the location code of the place where each action puts the object
    block    as in `ActionsByObject`
    at       (location codes,): the bit of an object there, -1 if there is none
    targets  (words,): the bits of the targets
    """

    first: Numbers
    source: Numbers
    to: Numbers
    block: PackedStates
    at: Numbers
    targets: PackedStates


def no_stubborn_sets(layout: Layout) -> StubbornSets:
    """A value that switches stubborn sets off: the search follows every action."""
    none, nothing = np.zeros(0, np.int64), np.zeros((0, layout.words), np.uint64)
    return StubbornSets(np.zeros(1, np.int64), none, none, nothing, none, nothing[:0, 0])


def stubborn_sets_of(
    layout: Layout, actions: PackedActions, tables: Tables, objects: PackedStates, targets: PackedStates
) -> StubbornSets:
    """The value for a model with as many objects as targets; switched off if its actions are not of the form
    above.

    `actions` are its actions without the walks, which `tables` have. `objects` (words,) are the bits of all
    objects, `targets` (words,) the bits of the targets.
    """
    if tables.walk_cost or not len(tables.near) or not actions.is_somewhere.all():
        return no_stubborn_sets(layout)
    moved = actions_by_object(layout, actions, objects)
    if len(moved.rule) != len(actions) or len(np.unique(moved.rule)) < len(actions):
        return no_stubborn_sets(layout)
    code = tables.blocked.astype(np.int64)
    source, left, to = actions.source[moved.rule], code[moved.taken], code[moved.placed]
    if (left < 0).any() or (to < 0).any() or (left != actions.target[moved.rule]).any():
        return no_stubborn_sets(layout)
    if not (_is_near(tables, source, left) & _is_near(tables, left, to)).all():
        return no_stubborn_sets(layout)
    at = np.full(layout.key + 1, -1, np.int64)
    at[code[code >= 0]] = np.flatnonzero(code >= 0)
    return StubbornSets(
        first=moved.first,
        source=source,
        to=to,
        block=moved.block,
        at=at,
        targets=targets,
    )


def _is_near(tables: Tables, codes: Numbers, others: Numbers) -> Truths:
    """Does a walk lead from each location code to the other?"""
    there: Truths = tables.near[codes, others // 64] >> (others % 64).astype(np.uint64) & np.uint64(1) > 0
    return there


# Rows of the working array `sets`: bit sets of location codes.
REACH = 0  # the region of the state
HELD = 1  # the codes of all objects
TOUCHED = 2  # objects next to the region
FREE = 3  # of these, the objects that can be moved into the region: they cannot join the barrier
BARRIERS = 4  # the barrier
AREA = 5  # the locations that walks reach if only the barrier is there
CLOSED = 6  # codes that a flood fill must not enter
AROUND = 7  # the result of a flood fill around a place
MORE = 8  # codes of a flood fill whose neighbours are not added yet
SETS = 9  # number of rows


@cached()
def sets_of(tables):  # type: ignore[no-untyped-def]
    """A working array of bit sets of location codes, for rows of these tables."""
    return np.zeros((SETS, max(1, tables.near.shape[1])), np.uint64)


@cached(inline="always")
def _has(sets, which, code):  # type: ignore[no-untyped-def]
    """Is the code in set number `which`?"""
    return sets[which, code >> 6] >> np.uint64(code & 63) & np.uint64(1) != 0


@cached(inline="always")
def _add(sets, which, code):  # type: ignore[no-untyped-def]
    """Add the code to set number `which`."""
    sets[which, code >> 6] |= np.uint64(1) << np.uint64(code & 63)


@cached()
def _flood(near, union, sets, which, start):  # type: ignore[no-untyped-def]
    """Write to set number `which` the codes that walks lead to from `start` without entering CLOSED."""
    words = near.shape[1]
    if len(union) > 0:
        free, byte = ~sets[CLOSED, 0], np.uint64(255)
        more, reached = np.uint64(1) << np.uint64(start), np.uint64(0)
        while more != reached:
            reached = more
            for k in range(8):
                more |= union[k, reached >> np.uint64(8 * k) & byte] & free
        sets[which, 0] = reached
        return
    for w in range(words):
        sets[which, w] = sets[MORE, w] = np.uint64(0)
    _add(sets, which, start)
    _add(sets, MORE, start)
    place = start >> 6
    while place < words:
        if not sets[MORE, place]:
            place += 1
            continue
        code = 64 * place + lowest_bit(sets[MORE, place])
        sets[MORE, place] &= sets[MORE, place] - np.uint64(1)
        for w in range(words):
            new = near[code, w] & ~sets[CLOSED, w] & ~sets[which, w]
            if new:
                sets[which, w] |= new
                sets[MORE, w] |= new
                place = min(place, np.int64(w))


@cached()
def _touches(near, sets, which, code):  # type: ignore[no-untyped-def]
    """Does a walk lead from the code into set number `which`?"""
    for w in range(near.shape[1]):  # noqa: SIM110
        if near[code, w] & sets[which, w]:
            return True
    return False


@cached()
def _grow_barrier(near, union, sets, code):  # type: ignore[no-untyped-def]
    """Add to the barrier the object at the code; if there is none next to the region, the objects around the code.

    Returns False if no object was added, or if one of these objects is in FREE.
    """
    if _has(sets, TOUCHED, code):
        is_new = not _has(sets, BARRIERS, code)
        _add(sets, BARRIERS, code)
        return is_new and not _has(sets, FREE, code)
    words, is_new = near.shape[1], False
    for w in range(words):
        sets[CLOSED, w] = sets[REACH, w] | sets[TOUCHED, w]
    _flood(near, union, sets, AROUND, code)
    for w in range(words):
        left = sets[TOUCHED, w]
        while left:
            bar = 64 * w + lowest_bit(left)
            left &= left - np.uint64(1)
            if not _touches(near, sets, AROUND, bar):
                continue
            if _has(sets, FREE, bar):
                return False
            is_new |= not _has(sets, BARRIERS, bar)
            _add(sets, BARRIERS, bar)
    return is_new


@cached()
def _close_barrier(stubborn, near, union, blocked, row, here, sets):  # type: ignore[no-untyped-def]
    """Grow the barrier until the conditions hold; return the number of its enabled actions, -1 if that fails."""
    first, source, to, block = stubborn.first, stubborn.source, stubborn.to, stubborn.block
    words, code_words = len(row), near.shape[1]
    while True:
        for w in range(code_words):
            sets[CLOSED, w] = sets[BARRIERS, w]
        _flood(near, union, sets, AREA, here)
        count, grows = 0, False
        for w in range(code_words):
            left = sets[BARRIERS, w]
            while left and not grows:
                bit = stubborn.at[64 * w + lowest_bit(left)]
                left &= left - np.uint64(1)
                for a in range(first[bit], first[bit + 1]):
                    if not _has(sets, AREA, source[a]):
                        continue
                    other, never = np.int64(-1), False
                    for v in range(words):
                        ruling = block[a, v] & row[v]
                        while ruling:
                            code = np.int64(blocked[64 * v + lowest_bit(ruling)])
                            ruling &= ruling - np.uint64(1)
                            never |= not _has(sets, AREA, code)
                            other = code
                    if never:
                        continue
                    if other < 0 and _has(sets, REACH, source[a]):
                        count += 1
                        if not _has(sets, AREA, to[a]):
                            continue
                        other = to[a]
                    elif other < 0:
                        other = source[a]
                    if not _grow_barrier(near, union, sets, other):
                        return -1
                    grows = True
                    break
        if not grows:
            return count


@cached()
def _must_be_moved(stubborn, row, sets, blocked, key):  # type: ignore[no-untyped-def]
    """Does every plan move an object of the barrier? True if the state differs from the goal outside the area."""
    for w in range(len(row)):
        left = (row[w] & ~key if w == 0 else row[w]) ^ stubborn.targets[w]
        while left:
            if not _has(sets, AREA, np.int64(blocked[64 * w + lowest_bit(left)])):
                return True
            left &= left - np.uint64(1)
    return False


@cached()
def stubborn_set(stubborn, near, union, blocked, key, row, sets, allowed):  # type: ignore[no-untyped-def]
    """Write to `allowed` (words,) the bits of the objects whose actions form a stubborn set of the row.

    Takes the set with the fewest actions. If there is no stubborn set, all bits are allowed.
    """

    first, source, to, block = stubborn.first, stubborn.source, stubborn.to, stubborn.block
    words, code_words = len(row), near.shape[1]
    here = np.int64(row[0] & key)
    for w in range(words):
        allowed[w] = ~np.uint64(0)
    for w in range(code_words):
        sets[HELD, w] = sets[TOUCHED, w] = sets[FREE, w] = np.uint64(0)
    for w in range(words):
        left = row[w] & ~key if w == 0 else row[w]
        while left:
            _add(sets, HELD, np.int64(blocked[64 * w + lowest_bit(left)]))
            left &= left - np.uint64(1)
    for w in range(code_words):
        sets[CLOSED, w] = sets[HELD, w]
    _flood(near, union, sets, REACH, here)
    for w in range(code_words):
        left = sets[HELD, w]
        while left:
            code = 64 * w + lowest_bit(left)
            left &= left - np.uint64(1)
            if not _touches(near, sets, REACH, code):
                continue
            _add(sets, TOUCHED, code)
            bit = stubborn.at[code]
            for a in range(first[bit], first[bit + 1]):
                if not (_has(sets, REACH, source[a]) and _has(sets, REACH, to[a])):
                    continue
                is_open = True
                for v in range(words):
                    is_open &= block[a, v] & row[v] == 0
                if is_open:
                    _add(sets, FREE, code)
                    break
    least = np.int64(1 << 30)
    for w in range(code_words):
        left = sets[TOUCHED, w] & ~sets[FREE, w]
        while left and least > 1:
            code = 64 * w + lowest_bit(left)
            left &= left - np.uint64(1)
            for v in range(code_words):
                sets[BARRIERS, v] = np.uint64(0)
            _add(sets, BARRIERS, code)
            count = _close_barrier(stubborn, near, union, blocked, row, here, sets)
            if count < 0 or count >= least or not _must_be_moved(stubborn, row, sets, blocked, key):
                continue
            least = count
            for v in range(words):
                allowed[v] = key if v == 0 else np.uint64(0)
            for v in range(code_words):
                barriers = sets[BARRIERS, v]
                while barriers:
                    bit = stubborn.at[64 * v + lowest_bit(barriers)]
                    allowed[bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
                    barriers &= barriers - np.uint64(1)
