"""Actions as arrays for compiled code, and basic operations on packed states: guards, listing of bits. Compiled.

In compiled code a packed state is called a *row*: it is a row of an array. Action a is enabled in a row if
`row & mask[a] == value[a]`; it leads to `row & keep[a] | set[a]`. It is pruned if that successor meets `dead[a]`.
The actions at location code k are those from `first[k]` to before `first[k + 1]`. Walks have arrays of their own;
see `successors`. `build_tables.py` makes the arrays.
"""

from typing import Any

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.words import (
        Flag,
        Index,
        Ints,
        Ints2,
        Ints3,
        Numbers,
        Numbers2,
        Word,
        Words,
        Words2,
        Words3,
        lowest_bit,
    )


class Walks:
    """Walks (actions that only change the location) as arrays.

    key      the bits of the location in the lowest word
    outside  (words,): all bits but those of the location
    first    (location codes + 1,): where the walks of each location code begin
    steps    (walks, 2): the location code that each walk leads to, and its number in the model
    masks    (walks, 2, words): mask and value of each walk, without the location
    near     (location codes, words of a bit set): the location codes that a walk leads to, as a bit set; empty
             unless the only condition of each walk is that no object stands where it leads to
    union    (8, 256): for byte number i and its value, the union of `near` over the codes in that byte; empty if a
             bit set of location codes needs more than one word
    blocked  (bits,): the location code at which the object of that bit blocks walks, -1 if none
    cost     the cost of a walk
    """

    key: Word  # readonly
    outside: Words
    first: Numbers  # readonly
    steps: Numbers2  # readonly
    masks: Words3  # readonly
    near: Words2  # readonly
    union: Words2  # readonly
    blocked: Ints  # readonly
    cost: Index  # readonly

    def __init__(
        self,
        key: int,
        first: npt.NDArray[np.int64],
        steps: npt.NDArray[np.int64],
        masks: npt.NDArray[np.uint64],
        near: npt.NDArray[np.uint64],
        union: npt.NDArray[np.uint64],
        blocked: npt.NDArray[np.int32],
        cost: int,
    ) -> None:
        self.key, self.cost = key, cost
        self.first, self.steps, self.masks = view(first), view(steps), view(masks)
        self.near, self.union, self.blocked = view(near), view(union), view(blocked)
        self.outside = view(_outside(key, masks.shape[2]))


class Tables:
    """Actions as arrays, grouped by location code, and the distances of single objects.

    walks        the walks; they have the same `key` and `outside`
    first        (location codes + 1,): where the actions of each location code begin
    masks        (actions, 5, words): mask, value, keep, set and dead of each action
    triples      (actions, bits, words): the objects that form a dead triple with the object that the action places
                 and a second object; empty if no triples are known
    action_info  (actions, 2): the cost of each action, and its number in the model
    start        the initial state, for a backward search if walks cost something; else empty
    distance     (location codes, bits, targets): the least cost at which the object of that bit reaches each
                 target if it is the only object; no targets if there is no such bound
    weights      (bits,): non-negative weights of the bits for the potential; used only if there are no targets
    most         the largest number of successors of a row
    largest_increase  an upper bound on f(child) - g(parent): open lists have room for that
    """

    walks: Walks  # readonly
    key: Word  # readonly
    outside: Words
    first: Numbers  # readonly
    masks: Words3  # readonly
    triples: Words3  # readonly
    action_info: Ints2  # readonly
    start: Words  # readonly
    distance: Ints3  # readonly
    weights: Ints  # public
    most: Index  # public
    largest_increase: Index  # public

    def __init__(
        self,
        walks: Walks,
        first: npt.NDArray[np.int64],
        masks: npt.NDArray[np.uint64],
        triples: npt.NDArray[np.uint64],
        action_info: npt.NDArray[np.int32],
        start: npt.NDArray[np.uint64],
        distance: npt.NDArray[np.int32],
    ) -> None:
        """The tables without weights. The caller sets `most` and `largest_increase`."""
        self.walks, self.key = walks, walks.key
        self.outside = view(_outside(walks.key, masks.shape[2]))
        self.first, self.masks, self.triples = view(first), view(masks), view(triples)
        self.action_info, self.start, self.distance = view(action_info), view(start), view(distance)
        self.weights = view(np.zeros(0, np.int32))
        self.most, self.largest_increase = 0, 0


def free_walks(walks: Walks) -> Walks:
    """The walks at cost 0."""
    first, steps, masks = np.asarray(walks.first), np.asarray(walks.steps), np.asarray(walks.masks)
    near, union, blocked = np.asarray(walks.near), np.asarray(walks.union), np.asarray(walks.blocked)
    return Walks(walks.key, first, steps, masks, near, union, blocked, 0)


def largest_bound(distance: npt.NDArray[np.int32]) -> int:
    """An upper bound on all finite values of the assignment bound, see `Tables.distance`."""
    return _largest_bound(view(distance))


def _outside(key: Any, words: int) -> npt.NDArray[np.uint64]:
    """The field `outside` for packed states of `words` words."""
    outside = np.full(words, (1 << 64) - 1, np.uint64)
    outside[0] = (1 << 64) - 1 - key
    return outside


def _largest_bound(distance: Ints3) -> Index:
    """The sum of the largest finite distances to each target."""
    found: Index = 0
    code: Index
    b: Index
    target: Index
    for target in range(distance.shape[2]):
        most: Index = 0
        for code in range(distance.shape[0]):
            for b in range(distance.shape[1]):
                if most < distance[code, b, target] < INFINITE:
                    most = distance[code, b, target]
        found += most
    return found


def fits(tables: Tables, rows: Words2, i: Index, a: Index) -> Flag:
    """Is action a enabled in row i?"""
    w: Index
    for w in range(rows.shape[1]):  # noqa: SIM110, compiled code has no generators
        if rows[i, w] & tables.masks[a, 0, w] != tables.masks[a, 1, w]:
            return False
    return True


def held(tables: Tables, rows: Words2, i: Index, bits: Numbers) -> Index:
    """Write the numbers of the true bits of row i outside the location to `bits`; return their count."""
    count: Index = 0
    w: Index
    for w in range(rows.shape[1]):
        left: Word = rows[i, w] & tables.outside[w]
        while left:
            bits[count] = 64 * w + lowest_bit(left)
            left &= left - 1
            count += 1
    return count
