"""Actions as arrays for compiled code, and basic operations on packed states: hashing, guards, listing of bits.

In compiled code a packed state is called a *row*: it is a row of an array. Action a is enabled in a row if
`row & mask[a] == value[a]`; it leads to `row & keep[a] | set[a]`. It is pruned if that successor meets `dead[a]`.
The actions at location code k are those from `first[k]` to before `first[k + 1]`. Walks have arrays of their own;
see `successors`.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.actions import PackedActions, by_location
from puzzlemc.mc.packed.layout import WORD, Layout, Numbers, PackedStates, Shorts

MOST_LOCATION_BITS = 16  # tables have an entry for each location code
MOST_NEAR = 1 << 10  # location codes for which a matrix of neighbours is made

NEVER = 1 << 62  # the cost of the best plan while there is none
INFINITE = 1 << 28  # the bound of a state that cannot reach the goal; larger than any finite bound


class Walks(NamedTuple):
    """Walks (actions that only change the location) as arrays; `Tables` has the same fields under longer names."""

    first: Numbers
    to: Numbers
    number: Numbers
    masks: PackedStates
    near: PackedStates
    union: PackedStates
    blocked: Shorts
    walk_cost: int

    def free(self) -> "Walks":
        """The same walks at cost 0."""
        return self._replace(walk_cost=0)


class Tables(NamedTuple):
    """Actions as arrays, grouped by location code, and the distances of single objects.

    key         the bits of the location in the lowest word
    first       (location codes + 1,): where the actions of each location code begin
    masks       (actions, 5, words): mask, value, keep, set and dead of each action
    triples     (actions, bits, words): the objects that form a dead triple with the object that the action places
                and a second object; empty if no triples are known
    action_info (actions, 2): the cost of each action, and its number in the model
    walk_first  (location codes + 1,): where the walks of each location code begin
    walk_to     (walks,): the location code that each walk leads to
    walk_number (walks,): the number of each walk in the model
    walk_masks  (walks, 2, words): mask and value of each walk, without the location
    near        (location codes, words of a bit set): the location codes that a walk leads to, as a bit set; empty
                unless the only condition of each walk is that no object stands where it leads to
    union       (8, 256): for byte number i and its value, the union of `near` over the codes in that byte; empty
                if a bit set of location codes needs more than one word
    blocked     (bits,): the location code at which the object of that bit blocks walks, -1 if none
    walk_cost   the cost of a walk
    start       the initial state, for a backward search if walks cost something; else empty
    most        the largest number of successors of a row
    distance    (location codes, bits, targets): the least cost at which the object of that bit reaches each target
                if it is the only object; no targets if there is no such bound
    weights     (bits,): non-negative weights of the bits for the potential; used only if there are no targets
    largest_increase  an upper bound on f(child) - g(parent)
    """

    key: np.uint64
    first: Numbers
    masks: PackedStates
    triples: PackedStates
    action_info: Shorts
    walk_first: Numbers
    walk_to: Numbers
    walk_number: Numbers
    walk_masks: PackedStates
    near: PackedStates
    union: PackedStates
    blocked: Shorts
    walk_cost: int
    start: PackedStates
    most: int
    distance: Shorts
    weights: Shorts
    largest_increase: int


def check_locations(layout: Layout) -> None:
    """Raise Unsuitable if there are too many location codes for tables."""
    if layout.key.bit_length() > MOST_LOCATION_BITS:
        raise Unsuitable("its location has too many bits for a table")


def walks_of(layout: Layout, walks: PackedActions) -> Walks:
    """Walks as arrays, sorted by location. They must all have the same cost."""
    walks = walks.take(np.argsort(walks.source, kind="stable"))
    near, blocked = _neighbours(layout, walks)
    return Walks(
        first=_from(np.bincount(walks.source, minlength=layout.key + 1)),
        to=walks.target,
        number=walks.number,
        masks=np.stack([walks.mask & ~walks.key, walks.value & ~walks.key], axis=1),
        near=near,
        union=_unions(near),
        blocked=blocked,
        walk_cost=int(walks.step_cost.max(initial=0)),
    )


def tables_of(
    layout: Layout,
    actions: PackedActions,
    distance: Shorts,
    walks: Walks | None = None,
    dead: PackedStates | None = None,
    start: PackedStates | None = None,
    triples: PackedStates | None = None,
) -> Tables:
    """Actions as arrays, grouped by location. An action without a fixed location is in every group.

    `dead` (actions, words) are the objects that form a dead pair with an object that the action places. For
    `distance`, `start` and `triples` see `Tables`.
    """
    walks = _no_walks(layout) if walks is None else walks
    codes = np.zeros((layout.key + 1, layout.words), np.uint64)
    codes[:, 0] = np.arange(layout.key + 1)
    which, place = by_location(actions, codes)
    count = np.bincount(place, minlength=layout.key + 1)
    masks = np.zeros((len(which), 5, layout.words), np.uint64)
    masks[:, 0], masks[:, 1] = actions.mask[which], actions.value[which]
    masks[:, 2], masks[:, 3] = ~actions.clear[which], actions.set[which]
    if dead is not None:
        masks[:, 4] = dead[which]
    largest_cost = int(actions.step_cost.max(initial=0)) + walks.walk_cost * (layout.key + 1)
    none = np.zeros((0, len(layout.bits), layout.words), np.uint64)
    return Tables(
        key=np.uint64(layout.key),
        first=_from(count),
        masks=masks,
        triples=none if triples is None else triples[which],
        action_info=np.stack([actions.step_cost[which], actions.number[which]], axis=1).astype(np.int32),
        walk_first=walks.first,
        walk_to=walks.to,
        walk_number=walks.number,
        walk_masks=walks.masks,
        near=walks.near,
        union=walks.union,
        blocked=walks.blocked,
        walk_cost=walks.walk_cost,
        start=np.zeros(0, np.uint64) if start is None else start,
        most=max(len(which), int(count.max()) * (layout.key + 1) if start is not None else 0) + 1,
        distance=distance,
        weights=np.zeros(0, np.int32),
        largest_increase=largest_cost + _largest_bound(distance),
    )


def _no_walks(layout: Layout) -> Walks:
    nothing, none = np.zeros(0, np.int64), np.zeros((0, 1), np.uint64)
    blocked = np.full(64 * layout.words, -1, np.int32)
    masks = np.zeros((0, 2, layout.words), np.uint64)
    return Walks(np.zeros(layout.key + 2, np.int64), nothing, nothing, masks, none, none, blocked, 0)


def _neighbours(layout: Layout, walks: PackedActions) -> tuple[PackedStates, Shorts]:
    """The fields `near` and `blocked` of tables with these walks."""
    codes, words = layout.key + 1, -(-(layout.key + 1) // 64)
    blocked = np.full(64 * layout.words, -1, np.int32)
    near = np.zeros((codes, words), np.uint64)
    if not len(walks) or codes > MOST_NEAR:
        return near[:0], blocked
    objects = np.zeros((codes, layout.words), np.uint64)
    objects[[*layout.objects_at]] = layout.from_integers([*layout.objects_at.values()])
    asked = walks.mask & ~walks.key & ~objects[walks.source]  # there is never an object at the location itself
    if (asked != objects[walks.target]).any() or (walks.value & ~walks.key).any():
        return near[:0], blocked
    to = walks.target
    np.bitwise_or.at(near, (walks.source, to // 64), np.uint64(1) << (to % 64).astype(np.uint64))
    code, bit = np.nonzero(layout.unpacked(objects))
    blocked[bit] = code
    return near, blocked


def _unions(near: PackedStates) -> PackedStates:
    """The field `union` of tables with these neighbours."""
    unions = np.zeros((8, 256), np.uint64)
    if near.shape[1] > 1 or not len(near):
        return unions[:0]
    codes = np.zeros(64, np.uint64)
    codes[: len(near)] = near[:, 0]
    for bit in range(8):
        half = 1 << bit
        unions[:, half : 2 * half] = unions[:, :half] | codes[bit::8, None]
    return unions


def _from(count: Numbers) -> Numbers:
    """Where each group begins, and where the last one ends, from the sizes of the groups."""
    first = np.zeros(len(count) + 1, np.int64)
    np.cumsum(count, out=first[1:])
    return first


def _largest_bound(distance: Shorts) -> int:
    """An upper bound on all finite values of the assignment bound."""
    if not distance.size:
        return 0
    bounds = np.where(distance < INFINITE, distance, 0)
    return int(bounds.max(axis=(0, 1), initial=0).sum())


@cached(inline="always")
def _hash(row, words):  # type: ignore[no-untyped-def]
    h = np.uint64(0x9E3779B97F4A7C15)
    for w in range(words):
        h ^= row[w]
        h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        h ^= h >> np.uint64(31)
    return h


@cached()
def find(rows, slots, row):  # type: ignore[no-untyped-def]
    """The slot of the row in the hash table, or the free slot where it belongs."""
    words = rows.shape[1]
    last = np.uint64(len(slots) - 1)
    at = _hash(row, words) & last
    while slots[at] >= 0:
        other = rows[slots[at]]
        same = True
        for w in range(words):
            if other[w] != row[w]:
                same = False
                break
        if same:
            break
        at = (at + np.uint64(1)) & last
    return at


@cached(inline="always")
def fits(tables, row, a):  # type: ignore[no-untyped-def]
    """Is action a enabled in the row?"""
    for w in range(row.shape[0]):  # noqa: SIM110, numba has no all() of a generator
        if row[w] & tables.masks[a, 0, w] != tables.masks[a, 1, w]:
            return False
    return True


# Finds the number of the only bit that is set in a word (Leiserson, Prokop and Randall 1998): the product with a
# de Bruijn sequence has different top six bits for each number.

_DE_BRUIJN, _TOP, _ONE = np.uint64(0x022FDD63CC95386D), np.uint64(58), np.uint64(1)
_PLACE = np.zeros(64, np.int64)
_PLACE[[(0x022FDD63CC95386D << place & WORD) >> 58 for place in range(64)]] = np.arange(64)


@cached(inline="always")
def lowest_bit(word):  # type: ignore[no-untyped-def]
    """The number of the lowest bit that is set in the word, which must not be 0."""
    return _PLACE[(word & (~word + _ONE)) * _DE_BRUIJN >> _TOP]


@cached()
def held(tables, row, bits):  # type: ignore[no-untyped-def]
    """Write the numbers of the true bits outside the location to `bits`, lowest first; return their count."""
    count = 0
    for w in range(len(row)):
        left = row[w] & ~tables.key if w == 0 else row[w]
        while left:
            bits[count] = 64 * w + lowest_bit(left)
            left &= left - _ONE
            count += 1
    return count
