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

Compiled: see `mc/words.py`. `build_tables.py` makes the arrays.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.tables import Walks
    from puzzlemc.mc.words import ALL, Flag, Index, Numbers, Word, Words, Words2, bit, lowest_bit

    # Rows of `StubbornSets.sets`: bit sets of location codes.
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


class StubbornSets:
    """The actions on objects.

    first    as in `ActionsByObject`; of length 1 if stubborn sets are not used
    source   (actions,): the location code that each action leads from
    to       (actions,): the location code of the place where each action puts the object
    block    as in `ActionsByObject`
    at       (location codes,): the bit of an object there, -1 if there is none
    targets  (words,): the bits of the targets
    sets     (SETS, words of a bit set): scratch space, see above
    """

    first: Numbers  # readonly
    source: Numbers
    to: Numbers
    block: Words2
    at: Numbers
    targets: Words
    sets: Words2

    def __init__(
        self,
        first: npt.NDArray[np.int64],
        source: npt.NDArray[np.int64],
        to: npt.NDArray[np.int64],
        block: npt.NDArray[np.uint64],
        at: npt.NDArray[np.int64],
        targets: npt.NDArray[np.uint64],
    ) -> None:
        self.first, self.source, self.to, self.block = view(first), view(source), view(to), view(block)
        self.at, self.targets = view(at), view(targets)
        self.sets = view(np.zeros((SETS, max(1, -(-len(at) // 64))), np.uint64))


def _has(stubborn: StubbornSets, which: Index, code: Index) -> Flag:
    """Is the code in set number `which`?"""
    return stubborn.sets[which, code >> 6] >> (code & 63) & 1 != 0


def _add(stubborn: StubbornSets, which: Index, code: Index) -> None:
    """Add the code to set number `which`."""
    stubborn.sets[which, code >> 6] |= bit(code & 63)


def _flood(stubborn: StubbornSets, walks: Walks, which: Index, start: Index) -> None:
    """Write to set number `which` the codes that walks lead to from `start` without entering CLOSED."""
    words: Index = walks.near.shape[1]
    w: Index
    if walks.union.shape[0] > 0:
        free: Word = ALL ^ stubborn.sets[CLOSED, 0]
        more: Word = bit(start)
        reached: Word = 0
        while more != reached:
            reached = more
            for w in range(8):
                more |= walks.union[w, reached >> (8 * w) & 255] & free
        stubborn.sets[which, 0] = reached
        return
    for w in range(words):
        stubborn.sets[which, w] = 0
        stubborn.sets[MORE, w] = 0
    _add(stubborn, which, start)
    _add(stubborn, MORE, start)
    place: Index = start >> 6
    while place < words:
        if not stubborn.sets[MORE, place]:
            place += 1
            continue
        code: Index = 64 * place + lowest_bit(stubborn.sets[MORE, place])
        stubborn.sets[MORE, place] &= stubborn.sets[MORE, place] - 1
        for w in range(words):
            new: Word = walks.near[code, w] & (ALL ^ (stubborn.sets[CLOSED, w] | stubborn.sets[which, w]))
            if new:
                stubborn.sets[which, w] |= new
                stubborn.sets[MORE, w] |= new
                if w < place:
                    place = w


def _touches(stubborn: StubbornSets, walks: Walks, which: Index, code: Index) -> Flag:
    """Does a walk lead from the code into set number `which`?"""
    w: Index
    for w in range(walks.near.shape[1]):  # noqa: SIM110, compiled code has no generators
        if walks.near[code, w] & stubborn.sets[which, w]:
            return True
    return False


def _grow_barrier(stubborn: StubbornSets, walks: Walks, code: Index) -> Flag:
    """Add to the barrier the object at the code; if there is none next to the region, the objects around the code.

    Returns False if no object was added, or if one of these objects is in FREE.
    """
    is_new: Flag
    w: Index
    if _has(stubborn, TOUCHED, code):
        is_new = not _has(stubborn, BARRIERS, code)
        _add(stubborn, BARRIERS, code)
        return is_new and not _has(stubborn, FREE, code)
    is_new = False
    for w in range(walks.near.shape[1]):
        stubborn.sets[CLOSED, w] = stubborn.sets[REACH, w] | stubborn.sets[TOUCHED, w]
    _flood(stubborn, walks, AROUND, code)
    for w in range(walks.near.shape[1]):
        left: Word = stubborn.sets[TOUCHED, w]
        while left:
            barrier: Index = 64 * w + lowest_bit(left)
            left &= left - 1
            if not _touches(stubborn, walks, AROUND, barrier):
                continue
            if _has(stubborn, FREE, barrier):
                return False
            is_new = is_new or not _has(stubborn, BARRIERS, barrier)
            _add(stubborn, BARRIERS, barrier)
    return is_new


def _blocking(stubborn: StubbornSets, walks: Walks, row: Words2, a: Index) -> Index:
    """The location code of the last object that blocks action a in the row, -1 if there is none.

    -2 if an object outside the area blocks it.
    """
    other: Index = -1
    outside: Flag = False
    v: Index
    for v in range(row.shape[1]):
        ruling: Word = stubborn.block[a, v] & row[0, v]
        while ruling:
            other = walks.blocked[64 * v + lowest_bit(ruling)]
            ruling &= ruling - 1
            outside = outside or not _has(stubborn, AREA, other)
    return -2 if outside else other


def _close_barrier(stubborn: StubbornSets, walks: Walks, row: Words2, here: Index) -> Index:
    """Grow the barrier until the conditions hold; return the number of its enabled actions, -1 if that fails."""
    code_words: Index = walks.near.shape[1]
    w: Index
    a: Index
    while True:
        for w in range(code_words):
            stubborn.sets[CLOSED, w] = stubborn.sets[BARRIERS, w]
        _flood(stubborn, walks, AREA, here)
        count: Index = 0
        grows: Flag = False
        for w in range(code_words):
            left: Word = stubborn.sets[BARRIERS, w]
            while left and not grows:
                object_bit: Index = stubborn.at[64 * w + lowest_bit(left)]
                left &= left - 1
                for a in range(stubborn.first[object_bit], stubborn.first[object_bit + 1]):
                    if not _has(stubborn, AREA, stubborn.source[a]):
                        continue
                    other: Index = _blocking(stubborn, walks, row, a)
                    if other == -2:
                        continue
                    if other < 0 and _has(stubborn, REACH, stubborn.source[a]):
                        count += 1
                        if not _has(stubborn, AREA, stubborn.to[a]):
                            continue
                        other = stubborn.to[a]
                    elif other < 0:
                        other = stubborn.source[a]
                    if not _grow_barrier(stubborn, walks, other):
                        return -1
                    grows = True
                    break
        if not grows:
            return count


def _must_be_moved(stubborn: StubbornSets, walks: Walks, row: Words2) -> Flag:
    """Does every plan move an object of the barrier? True if the state differs from the goal outside the area."""
    w: Index
    for w in range(row.shape[1]):
        left: Word = row[0, w] & walks.outside[w] ^ stubborn.targets[w]
        while left:
            if not _has(stubborn, AREA, walks.blocked[64 * w + lowest_bit(left)]):
                return True
            left &= left - 1
    return False


def _is_enabled_within(stubborn: StubbornSets, row: Words2, object_bit: Index) -> Flag:
    """Does an enabled action move the object from the region of the row into the region?"""
    a: Index
    v: Index
    for a in range(stubborn.first[object_bit], stubborn.first[object_bit + 1]):
        if _has(stubborn, REACH, stubborn.source[a]) and _has(stubborn, REACH, stubborn.to[a]):
            is_open: Flag = True
            for v in range(row.shape[1]):
                is_open = is_open and stubborn.block[a, v] & row[0, v] == 0
            if is_open:
                return True
    return False


def _mark_objects(stubborn: StubbornSets, walks: Walks, row: Words2, here: Index) -> None:
    """Write the sets HELD, REACH, TOUCHED and FREE of the row."""
    w: Index
    for w in range(walks.near.shape[1]):
        stubborn.sets[HELD, w] = 0
        stubborn.sets[TOUCHED, w] = 0
        stubborn.sets[FREE, w] = 0
    left: Word
    for w in range(row.shape[1]):
        left = row[0, w] & walks.outside[w]
        while left:
            _add(stubborn, HELD, walks.blocked[64 * w + lowest_bit(left)])
            left &= left - 1
    for w in range(walks.near.shape[1]):
        stubborn.sets[CLOSED, w] = stubborn.sets[HELD, w]
    _flood(stubborn, walks, REACH, here)
    for w in range(walks.near.shape[1]):
        left = stubborn.sets[HELD, w]
        while left:
            code: Index = 64 * w + lowest_bit(left)
            left &= left - 1
            if _touches(stubborn, walks, REACH, code):
                _add(stubborn, TOUCHED, code)
                if _is_enabled_within(stubborn, row, stubborn.at[code]):
                    _add(stubborn, FREE, code)


def stubborn_set(stubborn: StubbornSets, walks: Walks, row: Words2, allowed: Words) -> None:
    """Write to `allowed` (words,) the bits of the objects whose actions form a stubborn set of the only row.

    Takes the set with the fewest actions. If there is no stubborn set, all bits are allowed.
    """
    words: Index = row.shape[1]
    code_words: Index = walks.near.shape[1]
    here: Index = row[0, 0] & walks.key
    w: Index
    v: Index
    for w in range(words):
        allowed[w] = ALL
    _mark_objects(stubborn, walks, row, here)
    least: Index = 1 << 30
    for w in range(code_words):
        left: Word = stubborn.sets[TOUCHED, w] & (ALL ^ stubborn.sets[FREE, w])
        while left and least > 1:
            code: Index = 64 * w + lowest_bit(left)
            left &= left - 1
            for v in range(code_words):
                stubborn.sets[BARRIERS, v] = 0
            _add(stubborn, BARRIERS, code)
            count: Index = _close_barrier(stubborn, walks, row, here)
            if count < 0 or count >= least or not _must_be_moved(stubborn, walks, row):
                continue
            least = count
            for v in range(words):
                allowed[v] = ALL ^ walks.outside[v]
            for v in range(code_words):
                barriers: Word = stubborn.sets[BARRIERS, v]
                while barriers:
                    object_bit: Index = stubborn.at[64 * v + lowest_bit(barriers)]
                    allowed[object_bit >> 6] |= bit(object_bit & 63)
                    barriers &= barriers - 1
