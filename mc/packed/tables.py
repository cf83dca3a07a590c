"""Actions as arrays for compiled code, with hashing of states, guards and the bits of a state.

Action a is enabled in a row where `row & mask[a] == value[a]`, leads to `row & keep[a] | set[a]`, and is dropped
where the result meets `dead[a]`. The actions of a row are those from `first[k]` to `first[k + 1]`, where k is its
location code. Actions that only change the location, *walks*, stand apart: see `successors`.
"""

from typing import NamedTuple

import numpy as np

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.jit import cached
from puzzlemc.mc.packed.actions import Rules, by_location
from puzzlemc.mc.packed.layout import WORD, Layout, Numbers, Rows, Shorts

MOST_LOCATION_BITS = 16  # tables have an entry for each location code
MOST_NEAR = 1 << 10  # location codes, of which each has a bit for each in the tables

NEVER = 1 << 62  # the cost of no meeting
INFINITE = 1 << 28  # the bound of a state that cannot reach the goal; larger than any other


class Walks(NamedTuple):
    """Actions that only change the location, as arrays: the fields of `Tables` that speak of them."""

    first: Numbers
    to: Numbers
    number: Numbers
    masks: Rows
    near: Rows
    union: Rows
    blocked: Shorts
    pace: int

    def free(self) -> "Walks":
        """The same walks at cost 0."""
        return self._replace(pace=0)


class Tables(NamedTuple):
    """Actions as arrays: (actions, words) of uint64, and their costs and places by location code.

    distance    (location codes, bits, targets): the least cost at which the object of that bit, were it alone,
                gets to each target; no targets where there is no bound
    masks       (actions, 5, words): mask, value, keep, set and dead of each action
    triples     (actions, bits, words): what makes a dead triple with the action's object and one more; or empty
    action_info (actions, 2): cost of each action, and its number in the model
    walk_first  the walks, actions that only change the location, of location code k: those from walk_first[k] on
    walk_to     the location code each leads to, and `walk_number` its number in the model
    walk_masks  (walks, 2, words): mask and value of each, but for the location
    near        (location codes, words for a bit each): the codes to which a walk leads that no object blocks;
                empty where walks ask for anything else than that no object stands where they lead to
    union       (8, 256): of each set of codes of a byte what is near any of them; empty where that takes more
                than a word
    blocked     by bit the location code at which that object blocks walks, -1 if none
    pace        the cost of a walk
    start       the row where runs start, for a backward search with walks that cost; else empty
    most        successors that a row may have
    weights     of bits that hold, and not negative; used where there are no targets
    reach       upper bound on f(child) - g(parent)
    """

    key: np.uint64
    first: Numbers
    masks: Rows
    triples: Rows
    action_info: Shorts
    walk_first: Numbers
    walk_to: Numbers
    walk_number: Numbers
    walk_masks: Rows
    near: Rows
    union: Rows
    blocked: Shorts
    pace: int
    start: Rows
    most: int
    distance: Shorts
    weights: Shorts
    largest_increase: int


def check_locations(layout: Layout) -> None:
    """Raise Unsuitable where there are too many location codes for tables."""
    if layout.key.bit_length() > MOST_LOCATION_BITS:
        raise Unsuitable("its location has too many bits for a table")


def walks_of(layout: Layout, walks: Rules) -> Walks:
    """Walks, all of one price, as arrays, sorted by location."""
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
        pace=int(walks.price.max(initial=0)),
    )


def tables_of(
    layout: Layout,
    rules: Rules,
    distance: Shorts,
    walks: Walks | None = None,
    dead: Rows | None = None,
    start: Rows | None = None,
    triples: Rows | None = None,
) -> Tables:
    """Rules as arrays, sorted by location; one that needs no location stands with each.

    `dead` has for each rule the objects that make a dead pair with one that it places, (rules, words), `triples`
    those that make a dead triple, see `Tables`. For `distance` and `start` see there, too.
    """
    walks = _no_walks(layout) if walks is None else walks
    codes = np.zeros((layout.key + 1, layout.words), np.uint64)
    codes[:, 0] = np.arange(layout.key + 1)
    which, place = by_location(rules, codes)
    count = np.bincount(place, minlength=layout.key + 1)
    masks = np.zeros((len(which), 5, layout.words), np.uint64)
    masks[:, 0], masks[:, 1] = rules.mask[which], rules.value[which]
    masks[:, 2], masks[:, 3] = ~rules.clear[which], rules.set[which]
    if dead is not None:
        masks[:, 4] = dead[which]
    dearest = int(rules.price.max(initial=0)) + walks.pace * (layout.key + 1)
    none = np.zeros((0, len(layout.bits), layout.words), np.uint64)
    return Tables(
        key=np.uint64(layout.key),
        first=_from(count),
        masks=masks,
        triples=none if triples is None else triples[which],
        action_info=np.stack([rules.price[which], rules.number[which]], axis=1).astype(np.int32),
        walk_first=walks.first,
        walk_to=walks.to,
        walk_number=walks.number,
        walk_masks=walks.masks,
        near=walks.near,
        union=walks.union,
        blocked=walks.blocked,
        pace=walks.pace,
        start=np.zeros(0, np.uint64) if start is None else start,
        most=max(len(which), int(count.max()) * (layout.key + 1) if start is not None else 0) + 1,
        distance=distance,
        weights=np.zeros(0, np.int32),
        largest_increase=dearest + _largest_bound(distance),
    )


def _no_walks(layout: Layout) -> Walks:
    nothing, none = np.zeros(0, np.int64), np.zeros((0, 1), np.uint64)
    blocked = np.full(64 * layout.words, -1, np.int32)
    masks = np.zeros((0, 2, layout.words), np.uint64)
    return Walks(np.zeros(layout.key + 2, np.int64), nothing, nothing, masks, none, none, blocked, 0)


def _neighbours(layout: Layout, walks: Rules) -> tuple[Rows, Shorts]:
    """`near` and `blocked` of the tables with these walks."""
    codes, words = layout.key + 1, -(-(layout.key + 1) // 64)
    blocked = np.full(64 * layout.words, -1, np.int32)
    near = np.zeros((codes, words), np.uint64)
    if not len(walks) or codes > MOST_NEAR:
        return near[:0], blocked
    objects = np.zeros((codes, layout.words), np.uint64)
    objects[[*layout.objects_at]] = layout.rows([*layout.objects_at.values()])
    asked = walks.mask & ~walks.key & ~objects[walks.source]  # where it stands there is none anyway
    if (asked != objects[walks.target]).any() or (walks.value & ~walks.key).any():
        return near[:0], blocked
    to = walks.target
    np.bitwise_or.at(near, (walks.source, to // 64), np.uint64(1) << (to % 64).astype(np.uint64))
    code, bit = np.nonzero(layout.unpacked(objects))
    blocked[bit] = code
    return near, blocked


def _unions(near: Rows) -> Rows:
    """`union` of the tables with these neighbours."""
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
    """Where each group starts, and where the last ends."""
    first = np.zeros(len(count) + 1, np.int64)
    np.cumsum(count, out=first[1:])
    return first


def _largest_bound(distance: Shorts) -> int:
    """The largest finite bound."""
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
    """The slot of the row in the table, or the free slot where it belongs."""
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


# The place of the only bit that holds in a word (Leiserson, Prokop and Randall 1998): its product with a de Bruijn
# sequence has a different number in the top six bits for each place.
_DE_BRUIJN, _TOP, _ONE = np.uint64(0x022FDD63CC95386D), np.uint64(58), np.uint64(1)
_PLACE = np.zeros(64, np.int64)
_PLACE[[(0x022FDD63CC95386D << place & WORD) >> 58 for place in range(64)]] = np.arange(64)


@cached(inline="always")
def lowest_bit(word):  # type: ignore[no-untyped-def]
    """The number of the lowest bit that is set in the word, which must not be 0."""
    return _PLACE[(word & (~word + _ONE)) * _DE_BRUIJN >> _TOP]


@cached()
def held(tables, row, bits):  # type: ignore[no-untyped-def]
    """List in `bits` those that hold in the row, but for the location, lowest first; their number."""
    count = 0
    for w in range(len(row)):
        left = row[w] & ~tables.key if w == 0 else row[w]
        while left:
            bits[count] = 64 * w + lowest_bit(left)
            left &= left - _ONE
            count += 1
    return count
