"""Walks among packed actions: which ones they are, and the arrays of `Walks`. Compiled: see `mc/words.py`."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.inspection import (
        CLEAR,
        MASK,
        PLACE,
        VALUE,
        Masks,
        order_by_location,
        source_of,
        target_of,
    )
    from puzzlemc.mc.words import (
        ALL,
        Bytes,
        Flag,
        Index,
        Ints,
        Numbers,
        Numbers2,
        Word,
        Words2,
        Words3,
        bit,
        lowest_bit,
    )

# Called from Python


def walks_among(masks: Masks, is_code: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which actions only change the location, shape (actions,).

    All are false unless each of these has a reverse and all of these cost the same, and unless every action
    determines the location before and after it. `is_code` (location codes,) is true for the codes of values.
    """
    found = np.zeros(masks.rows.shape[0], np.uint8)
    first = np.zeros(len(is_code) + 1, np.int64)
    order = np.zeros(len(found), np.int64)
    if not _find_walks(masks, view(is_code.view(np.uint8)), view(found)) or not _have_reverse(
        masks, view(found), view(first), view(order)
    ):
        found[:] = 0
    return found.view(np.bool_)


def arrange(
    masks: Masks, first: npt.NDArray[np.int64], steps: npt.NDArray[np.int64], rows: npt.NDArray[np.uint64]
) -> None:
    """Write `first`, `steps` and `masks` of `Walks`. `masks` holds only walks; `first` must be zeroed."""
    order = view(np.empty(len(steps), np.int64))
    _arrange(masks, view(first), order, view(steps), view(rows))


def find_near(
    masks: Masks, objects: npt.NDArray[np.uint64], near: npt.NDArray[np.uint64], blocked: npt.NDArray[np.int32]
) -> bool:
    """Write `near` and `blocked` of `Walks`, if no walk has other conditions than that no object stands where it
    leads to; return whether that is so.

    `objects` (location codes, words) are the bits of the objects at each location; `near` is zero.
    """
    if not _find_near(masks, view(objects), view(near)):
        return False
    _find_blocked(view(objects), view(blocked))
    return True


def unions(near: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The field `union` of `Walks` with these neighbours, which are bit sets of one word."""
    found = np.zeros((8, 256), np.uint64)
    _unite(view(near), view(found))
    return found


# Which actions are walks


def _find_walks(masks: Masks, is_code: Bytes, found: Bytes) -> Flag:
    """Mark the actions that only change the location; return whether costs and locations let them be left out."""
    i: Index
    w: Index
    cost: Index = -1
    for i in range(masks.rows.shape[0]):
        if masks.rows[i, MASK, 0] & masks.key != masks.key:
            return False
        if not (is_code[source_of(masks, i)] and is_code[target_of(masks, i)]):
            return False
        changed: Word = (masks.rows[i, CLEAR, 0] | masks.rows[i, PLACE, 0]) & (ALL ^ masks.key)
        for w in range(1, masks.rows.shape[2]):
            changed |= masks.rows[i, CLEAR, w] | masks.rows[i, PLACE, w]
        if changed:
            continue
        found[i] = 1
        if cost >= 0 and masks.info[i, 0] != cost:
            return False
        cost = masks.info[i, 0]
    return cost >= 0


def _have_reverse(masks: Masks, walking: Bytes, first: Numbers, order: Numbers) -> Flag:
    """Does each walk have a reverse walk under the same condition on the other bits? `first` is zero."""
    order_by_location(masks, first, order)
    i: Index
    at: Index
    for i in range(masks.rows.shape[0]):
        if not walking[i]:
            continue
        to: Index = target_of(masks, i)
        is_reversed: Flag = False
        for at in range(first[to], first[to + 1]):
            if walking[order[at]] and _is_reverse(masks, i, order[at]):
                is_reversed = True
                break
        if not is_reversed:
            return False
    return True


def _is_reverse(masks: Masks, i: Index, j: Index) -> Flag:
    """Does walk j lead back from walk i, under the same condition?"""
    rest: Word = ALL ^ masks.key
    w: Index
    if target_of(masks, j) != source_of(masks, i):
        return False
    if (masks.rows[i, MASK, 0] ^ masks.rows[j, MASK, 0]) & rest or (
        masks.rows[i, VALUE, 0] ^ masks.rows[j, VALUE, 0]
    ) & rest:
        return False
    for w in range(1, masks.rows.shape[2]):
        if masks.rows[i, MASK, w] != masks.rows[j, MASK, w] or masks.rows[i, VALUE, w] != masks.rows[j, VALUE, w]:
            return False
    return True


# Their arrays


def _arrange(masks: Masks, first: Numbers, order: Numbers, steps: Numbers2, rows: Words3) -> None:
    """`arrange` in compiled code; `order` is scratch space."""
    at: Index
    w: Index
    order_by_location(masks, first, order)
    for at in range(order.shape[0]):
        i: Index = order[at]
        steps[at, 0] = target_of(masks, i)
        steps[at, 1] = masks.info[i, 1]
        for w in range(rows.shape[2]):
            outside: Word = ALL if w else ALL ^ masks.key
            rows[at, 0, w] = masks.rows[i, MASK, w] & outside
            rows[at, 1, w] = masks.rows[i, VALUE, w] & outside


def _find_near(masks: Masks, objects: Words2, near: Words2) -> Flag:
    """Write the neighbours of each location code; return whether each walk asks for absent objects only."""
    i: Index
    w: Index
    for i in range(masks.rows.shape[0]):
        here: Index = source_of(masks, i)
        there: Index = target_of(masks, i)
        for w in range(objects.shape[1]):
            outside: Word = ALL if w else ALL ^ masks.key
            # There is never an object at the location itself.
            asked: Word = masks.rows[i, MASK, w] & outside & (ALL ^ objects[here, w])
            if asked != objects[there, w] or masks.rows[i, VALUE, w] & outside:
                return False
        near[here, there >> 6] |= bit(there & 63)
    return True


def _find_blocked(objects: Words2, blocked: Ints) -> None:
    """Write the location code of each object to `blocked`."""
    code: Index
    w: Index
    for code in range(objects.shape[0]):
        for w in range(objects.shape[1]):
            left: Word = objects[code, w]
            while left:
                blocked[64 * w + lowest_bit(left)] = code
                left &= left - 1


def _unite(near: Words2, found: Words2) -> None:
    """Write `unions` to `found`."""
    k: Index
    octet: Index
    for k in range(8):
        for octet in range(1, 256):
            code: Index = 8 * k + lowest_bit(octet)
            found[k, octet] = found[k, octet & (octet - 1)]
            if code < near.shape[0]:
                found[k, octet] |= near[code, 0]
