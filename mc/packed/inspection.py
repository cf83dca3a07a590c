"""Facts about packed actions, each in one pass over their masks, their order by location, and their reversal.
Compiled.

See `mc/words.py`; `actions.py` has the actions as arrays.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import (
        ALL,
        Bytes,
        Bytes2,
        Flag,
        Index,
        Ints2,
        Numbers,
        Numbers2,
        Word,
        Words,
        Words3,
        count_bits,
        lowest_bit,
    )

    # The rows of an action in `PackedActions.rows`.
    MASK, VALUE, CLEAR, PLACE = 0, 1, 2, 3


class Masks:
    """The arrays of `PackedActions`; `key` has the bits of the location in one word."""

    key: Word  # readonly
    rows: Words3  # readonly
    info: Numbers2  # readonly

    def __init__(
        self, key: npt.NDArray[np.uint64], rows: npt.NDArray[np.uint64], info: npt.NDArray[np.int64]
    ) -> None:
        self.key, self.rows, self.info = int(key[0]), view(rows), view(info)


# Called from Python


def keeps_objects(masks: Masks, objects: npt.NDArray[np.uint64]) -> bool:
    """Does each action require the objects (words,) that it clears and the absence of those that it sets, and set
    as many as it clears?"""
    return bool(_keeps_objects(masks, view(objects)))


def moves_one(masks: Masks, objects: npt.NDArray[np.uint64]) -> bool:
    """Does each action clear at most one of the objects (words,), and require no other one if it clears one?"""
    return bool(_moves_one(masks, view(objects)))


def cost_unit(masks: Masks) -> int:
    """The greatest common divisor of the costs of the actions that change more than the location, at least 1."""
    return max(1, _cost_unit(masks))


def places_dead(
    masks: Masks, column: npt.NDArray[np.int64], alive: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """Does each action lead to a location code and place an object that is not alive there?

    `column` (bits,) is the column of each object in `alive` (location codes, objects), -1 for other bits. False
    for an action that requires no location.
    """
    found = np.zeros(masks.rows.shape[0], np.uint8)
    _find_dead(masks, view(column), view(alive.view(np.uint8)), view(found))
    return found.view(np.bool_)


def reversed_rows(masks: Masks) -> npt.NDArray[np.uint64] | None:
    """The rows of the reversed actions; None if one changes a bit that its guard does not name."""
    rows = np.empty_like(np.asarray(masks.rows))
    return rows if _reverse(masks, view(rows)) else None


def grouped(
    masks: Masks, first: npt.NDArray[np.int64], rows: npt.NDArray[np.uint64], info: npt.NDArray[np.int32]
) -> npt.NDArray[np.int64] | None:
    """Write `first`, `masks` and `action_info` of `Tables` without dead objects; return the order of the actions.

    Returns None, and nothing is written, if some action does not require a location. `first` is zero.
    """
    order = np.empty(masks.rows.shape[0], np.int64)
    if not order_by_location(masks, view(first), view(order)):
        return None
    _write_rows(masks, view(order), view(rows), view(info))
    return order


# Locations


def source_of(masks: Masks, i: Index) -> Index:
    """The location code that action i leads from."""
    return masks.rows[i, VALUE, 0] & masks.key


def target_of(masks: Masks, i: Index) -> Index:
    """The location code that action i leads to."""
    return (masks.rows[i, VALUE, 0] & (ALL ^ masks.rows[i, CLEAR, 0]) | masks.rows[i, PLACE, 0]) & masks.key


# Objects


def _keeps_objects(masks: Masks, objects: Words) -> Flag:
    """Does each action only move objects?"""
    i: Index
    w: Index
    for i in range(masks.rows.shape[0]):
        surplus: Index = 0
        for w in range(masks.rows.shape[2]):
            clear: Word = masks.rows[i, CLEAR, w] & objects[w]
            place: Word = masks.rows[i, PLACE, w] & objects[w]
            moved: Word = clear | place
            if moved & (ALL ^ masks.rows[i, MASK, w]) or moved & masks.rows[i, VALUE, w] != clear:
                return False
            surplus += count_bits(place) - count_bits(clear)
        if surplus:
            return False
    return True


def _moves_one(masks: Masks, objects: Words) -> Flag:
    """Does each action move one object at most, and need no other?"""
    i: Index
    w: Index
    for i in range(masks.rows.shape[0]):
        count: Index = 0
        others: Word = 0
        for w in range(masks.rows.shape[2]):
            count += count_bits(masks.rows[i, CLEAR, w] & objects[w])
            others |= masks.rows[i, VALUE, w] & objects[w] ^ masks.rows[i, CLEAR, w] & objects[w]
        if count > 1 or (count == 1 and others):
            return False
    return True


# Costs, dead objects, reversal


def _cost_unit(masks: Masks) -> Index:
    """The greatest common divisor of `cost_unit`, 0 if there is no such action or all their costs are 0."""
    found: Index = 0
    i: Index
    w: Index
    for i in range(masks.rows.shape[0]):
        changed: Word = (masks.rows[i, CLEAR, 0] | masks.rows[i, PLACE, 0]) & (ALL ^ masks.key)
        for w in range(1, masks.rows.shape[2]):
            changed |= masks.rows[i, CLEAR, w] | masks.rows[i, PLACE, w]
        if changed == 0:
            continue
        other: Index = masks.info[i, 0]
        while other:
            rest: Index = found % other
            found = other
            other = rest
    return found


def _find_dead(masks: Masks, column: Numbers, alive: Bytes2, found: Bytes) -> None:
    """Mark in `found` the actions that place an object that is dead by itself."""
    i: Index
    w: Index
    for i in range(masks.rows.shape[0]):
        if masks.rows[i, MASK, 0] & masks.key != masks.key:
            continue
        code: Index = target_of(masks, i)
        for w in range(masks.rows.shape[2]):
            left: Word = masks.rows[i, PLACE, w]
            while left:
                at: Index = column[64 * w + lowest_bit(left)]
                left &= left - 1
                if at >= 0 and not alive[code, at]:
                    found[i] = 1


def _reverse(masks: Masks, rows: Words3) -> Flag:
    """Write the reversed actions to `rows`; return whether each guard names what its action changes."""
    i: Index
    w: Index
    for i in range(masks.rows.shape[0]):
        for w in range(masks.rows.shape[2]):
            changed: Word = masks.rows[i, CLEAR, w] | masks.rows[i, PLACE, w]
            if changed & (ALL ^ masks.rows[i, MASK, w]):
                return False
            rows[i, MASK, w] = masks.rows[i, MASK, w]
            rows[i, VALUE, w] = masks.rows[i, VALUE, w] & (ALL ^ changed) | masks.rows[i, PLACE, w]
            rows[i, CLEAR, w] = changed
            rows[i, PLACE, w] = masks.rows[i, VALUE, w] & changed
    return True


# The order by location


def order_by_location(masks: Masks, first: Numbers, order: Numbers) -> Flag:
    """Write the actions by location code to `order`, and where each code begins to `first`, which is zero.

    A stable counting sort. False if some action does not require a location.
    """
    i: Index
    code: Index
    last: Index = first.shape[0] - 1
    for i in range(masks.rows.shape[0]):
        if masks.rows[i, MASK, 0] & masks.key != masks.key:
            return False
    for i in range(masks.rows.shape[0]):
        first[source_of(masks, i) + 1] += 1
    for code in range(last):
        first[code + 1] += first[code]
    for i in range(masks.rows.shape[0]):
        code = source_of(masks, i)
        order[first[code]] = i
        first[code] += 1
    for code in range(last, 0, -1):
        first[code] = first[code - 1]
    first[0] = 0
    return True


def _write_rows(masks: Masks, order: Numbers, rows: Words3, info: Ints2) -> None:
    """Write the arrays of `grouped` in this order."""
    at: Index
    w: Index
    for at in range(order.shape[0]):
        i: Index = order[at]
        for w in range(masks.rows.shape[2]):
            rows[at, 0, w] = masks.rows[i, MASK, w]
            rows[at, 1, w] = masks.rows[i, VALUE, w]
            rows[at, 2, w] = ALL ^ masks.rows[i, CLEAR, w]
            rows[at, 3, w] = masks.rows[i, PLACE, w]
            rows[at, 4, w] = 0
        info[at, 0] = masks.info[i, 0]
        info[at, 1] = masks.info[i, 1]
