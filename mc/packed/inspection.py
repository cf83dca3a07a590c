"""Facts about packed actions, each in one pass over their masks, and their order by location. Compiled.

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
        Flag,
        Index,
        Ints2,
        Numbers,
        Word,
        Words,
        Words2,
        Words3,
        count_bits,
        lowest_bit,
    )


class Masks:
    """The arrays of `PackedActions`; `place` is its `set`, and `key` has the bits of the location in one word."""

    key: Word
    mask: Words2
    value: Words2
    clear: Words2
    place: Words2
    step_cost: Numbers
    number: Numbers

    def __init__(
        self,
        key: int,
        masks: tuple[npt.NDArray[np.uint64], ...],
        step_cost: npt.NDArray[np.int64],
        number: npt.NDArray[np.int64],
    ) -> None:
        """`masks` are `mask`, `value`, `clear` and `place`."""
        self.key = key
        self.mask, self.value, self.clear, self.place = map(view, masks)
        self.step_cost, self.number = view(step_cost), view(number)


# Called from Python


def walks_among(masks: Masks, is_code: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which actions only change the location, shape (actions,).

    All are false unless each of these has a reverse and all of these cost the same, and unless every action
    determines the location before and after it. `is_code` (location codes,) is true for the codes of values.
    """
    found = np.zeros(masks.number.shape[0], np.uint8)
    first = np.zeros(len(is_code) + 1, np.int64)
    order = np.zeros(len(found), np.int64)
    if not _find_walks(masks, view(is_code.view(np.uint8)), view(found)) or not _have_reverse(
        masks, view(found), view(first), view(order)
    ):
        found[:] = 0
    return found.view(np.bool_)


def keeps_objects(masks: Masks, objects: npt.NDArray[np.uint64]) -> bool:
    """Does each action require the objects (words,) that it clears and the absence of those that it sets, and set
    as many as it clears?"""
    return bool(_keeps_objects(masks, view(objects)))


def moves_one(masks: Masks, objects: npt.NDArray[np.uint64]) -> bool:
    """Does each action clear at most one of the objects (words,), and require no other one if it clears one?"""
    return bool(_moves_one(masks, view(objects)))


def grouped(
    masks: Masks, first: npt.NDArray[np.int64], rows: npt.NDArray[np.uint64], info: npt.NDArray[np.int32]
) -> npt.NDArray[np.int64] | None:
    """Write `first`, `masks` and `action_info` of `Tables` without dead objects; return the order of the actions.

    Returns None, and nothing is written, if some action does not require a location. `first` is zero.
    """
    order = np.empty(masks.number.shape[0], np.int64)
    if not _order_by_location(masks, view(first), view(order)):
        return None
    _write_rows(masks, view(order), view(rows), view(info))
    return order


def unions(near: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The field `union` of `Walks` with these neighbours, which are bit sets of one word."""
    found = np.zeros((8, 256), np.uint64)
    _unite(view(near), view(found))
    return found


# Walks


def _source(masks: Masks, i: Index) -> Index:
    """The location code that action i leads from."""
    return masks.value[i, 0] & masks.key


def _target(masks: Masks, i: Index) -> Index:
    """The location code that action i leads to."""
    return (masks.value[i, 0] & (ALL ^ masks.clear[i, 0]) | masks.place[i, 0]) & masks.key


def _find_walks(masks: Masks, is_code: Bytes, found: Bytes) -> Flag:
    """Mark the actions that only change the location; return whether costs and locations let them be left out."""
    i: Index
    w: Index
    cost: Index = -1
    for i in range(masks.number.shape[0]):
        if masks.mask[i, 0] & masks.key != masks.key:
            return False
        if not (is_code[_source(masks, i)] and is_code[_target(masks, i)]):
            return False
        changed: Word = (masks.clear[i, 0] | masks.place[i, 0]) & (ALL ^ masks.key)
        for w in range(1, masks.mask.shape[1]):
            changed |= masks.clear[i, w] | masks.place[i, w]
        if changed:
            continue
        found[i] = 1
        if cost >= 0 and masks.step_cost[i] != cost:
            return False
        cost = masks.step_cost[i]
    return cost >= 0


def _have_reverse(masks: Masks, walking: Bytes, first: Numbers, order: Numbers) -> Flag:
    """Does each walk have a reverse walk under the same condition on the other bits? `first` is zero."""
    _order_by_location(masks, first, order)
    i: Index
    at: Index
    for i in range(masks.number.shape[0]):
        if not walking[i]:
            continue
        to: Index = _target(masks, i)
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
    if _target(masks, j) != _source(masks, i):
        return False
    if (masks.mask[i, 0] ^ masks.mask[j, 0]) & rest or (masks.value[i, 0] ^ masks.value[j, 0]) & rest:
        return False
    for w in range(1, masks.mask.shape[1]):
        if masks.mask[i, w] != masks.mask[j, w] or masks.value[i, w] != masks.value[j, w]:
            return False
    return True


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


# Objects


def _keeps_objects(masks: Masks, objects: Words) -> Flag:
    """As `keeps_objects`."""
    i: Index
    w: Index
    for i in range(masks.number.shape[0]):
        surplus: Index = 0
        for w in range(masks.mask.shape[1]):
            clear: Word = masks.clear[i, w] & objects[w]
            place: Word = masks.place[i, w] & objects[w]
            moved: Word = clear | place
            if moved & (ALL ^ masks.mask[i, w]) or moved & masks.value[i, w] != clear:
                return False
            surplus += count_bits(place) - count_bits(clear)
        if surplus:
            return False
    return True


def _moves_one(masks: Masks, objects: Words) -> Flag:
    """As `moves_one`."""
    i: Index
    w: Index
    for i in range(masks.number.shape[0]):
        count: Index = 0
        others: Word = 0
        for w in range(masks.mask.shape[1]):
            count += count_bits(masks.clear[i, w] & objects[w])
            others |= masks.value[i, w] & objects[w] ^ masks.clear[i, w] & objects[w]
        if count > 1 or (count == 1 and others):
            return False
    return True


# The order by location


def _order_by_location(masks: Masks, first: Numbers, order: Numbers) -> Flag:
    """Write the actions by location code to `order`, and where each code begins to `first`, which is zero.

    A stable counting sort. False if some action does not require a location.
    """
    i: Index
    code: Index
    last: Index = first.shape[0] - 1
    for i in range(masks.number.shape[0]):
        if masks.mask[i, 0] & masks.key != masks.key:
            return False
    for i in range(masks.number.shape[0]):
        first[_source(masks, i) + 1] += 1
    for code in range(last):
        first[code + 1] += first[code]
    for i in range(masks.number.shape[0]):
        code = _source(masks, i)
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
        for w in range(masks.mask.shape[1]):
            rows[at, 0, w] = masks.mask[i, w]
            rows[at, 1, w] = masks.value[i, w]
            rows[at, 2, w] = ALL ^ masks.clear[i, w]
            rows[at, 3, w] = masks.place[i, w]
            rows[at, 4, w] = 0
        info[at, 0] = masks.step_cost[i]
        info[at, 1] = masks.number[i]
