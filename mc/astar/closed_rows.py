"""What a proof lists of a finished search: the closed rows, and the places of their objects. Compiled."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.heuristics.assignment import matching_of
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.heuristics.assignment import Matching, bound
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.packed.tables import Tables
    from puzzlemc.mc.search.buckets import CLOSED, COST, Space
    from puzzlemc.mc.words import ALL, Index, Ints2, Numbers, Word, Words2, lowest_bit


def closed_rows(tables: Tables, space: Space, most_cost: int, most: int) -> npt.NDArray[np.int64]:
    """The numbers of the closed rows with g < most_cost and g + h < most.

    May include a few extra rows that were closed at the start of the search; that is sound.
    """
    found = np.empty(space.used, np.int64)
    count = _list_closed(tables, space, most_cost, most, matching_of(tables), view(found))
    return found[:count].copy()


def take_apart(
    rows: npt.NDArray[np.uint64],
    key: int,
    location: npt.NDArray[np.int64],
    at: npt.NDArray[np.int64],
    objects: int,
) -> npt.NDArray[np.int32]:
    """The place of the location of each row, and the sorted places of its objects behind it.

    `location` (location codes,) and `at` (bits,) are the places of location codes and of objects. Each row has
    `objects` objects.
    """
    places = np.zeros((len(rows), 1 + objects), np.int32)
    _take_apart(view(np.ascontiguousarray(rows)), key, view(location), view(at), view(places))
    return places


def _list_closed(
    tables: Tables, space: Space, most_cost: Index, most: Index, matching: Matching, found: Numbers
) -> Index:
    """Write the numbers of the closed rows to `found`; return how many there are. As `closed_rows`."""
    count: Index = 0
    number: Index
    for number in range(space.used):
        cost: Index = space.node_info[number, COST]
        closed: Index = space.node_info[number, CLOSED]
        if not closed or cost >= most_cost:
            continue
        if closed > most or most >= INFINITE:
            estimate: Index = bound(tables, space.rows, number, matching)
            if estimate >= INFINITE or (most < INFINITE and cost + estimate >= most):
                continue
        found[count] = number
        count += 1
    return count


def _take_apart(rows: Words2, key: Word, location: Numbers, at: Numbers, places: Ints2) -> None:
    """`take_apart` in compiled code: write locations and objects to `places`."""
    number: Index
    w: Index
    for number in range(rows.shape[0]):
        places[number, 0] = location[rows[number, 0] & key]
        count: Index = 1
        for w in range(rows.shape[1]):
            left: Word = rows[number, w] & (ALL ^ key) if w == 0 else rows[number, w]
            while left and count < places.shape[1]:
                place: Index = at[64 * w + lowest_bit(left)]
                left &= left - 1
                last: Index = count
                while last > 1 and places[number, last - 1] > place:
                    places[number, last] = places[number, last - 1]
                    last -= 1
                places[number, last] = place
                count += 1
