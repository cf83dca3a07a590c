"""Packed actions as the tables of compiled code (`tables.py`), with the walks among them."""

from functools import lru_cache

import numpy as np

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.packed.actions import PackedActions, by_location
from puzzlemc.mc.packed.inspection import grouped
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates, Shorts
from puzzlemc.mc.packed.tables import Tables, Walks, largest_bound
from puzzlemc.mc.packed.walk_arrays import arrange, find_near, unions

MOST_LOCATION_BITS = 16  # tables have an entry for each location code
MOST_NEAR = 1 << 10  # location codes for which a matrix of neighbours is made


def check_locations(layout: Layout) -> None:
    """Raise Unsuitable if there are too many location codes for tables."""
    if layout.key.bit_length() > MOST_LOCATION_BITS:
        raise Unsuitable("its location has too many bits for a table")


def walks_of(layout: Layout, walks: PackedActions) -> Walks:
    """Walks as arrays, sorted by location. They must all have the same cost."""
    first, steps = np.zeros(layout.key + 2, np.int64), np.empty((len(walks), 2), np.int64)
    masks = np.empty((len(walks), 2, layout.words), np.uint64)
    arrange(walks.masks, first, steps, masks)
    near, blocked = _neighbours(layout, walks)
    cost = int(walks.info[0, 0]) if len(walks) else 0
    return Walks(layout.key, first, steps, masks, near, _unions(near), blocked, cost)


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
    walks = _no_walks(layout.key, layout.words) if walks is None else walks
    first = np.zeros(layout.key + 2, np.int64)
    masks, info = np.empty((len(actions), 5, layout.words), np.uint64), np.empty((len(actions), 2), np.int32)
    which = grouped(actions.masks, first, masks, info)
    if which is None:
        which, first, masks, info = _in_every_group(layout, actions)
    if dead is not None:
        masks[:, 4] = dead[which]
    none = np.zeros((0, len(layout.bits), layout.words), np.uint64)
    tables = Tables(
        walks,
        first,
        masks,
        none if triples is None else triples[which],
        info,
        np.zeros(0, np.uint64) if start is None else start.copy(),
        distance,
    )
    around = 0 if start is None else int(np.diff(first).max()) * (layout.key + 1)
    tables.most = max(len(which), around) + 1
    largest_cost = int(actions.step_cost.max(initial=0)) + walks.cost * (layout.key + 1)
    tables.largest_increase = largest_cost + largest_bound(distance)
    return tables


def _in_every_group(layout: Layout, actions: PackedActions) -> tuple[Numbers, Numbers, PackedStates, Shorts]:
    """Group actions if some have no fixed location: the order, `first`, `masks`, `action_info`."""
    codes = np.zeros((layout.key + 1, layout.words), np.uint64)
    codes[:, 0] = np.arange(layout.key + 1)
    which, place = by_location(actions, codes)
    masks = np.zeros((len(which), 5, layout.words), np.uint64)
    masks[:, 0], masks[:, 1] = actions.mask[which], actions.value[which]
    masks[:, 2], masks[:, 3] = ~actions.clear[which], actions.set[which]
    info = np.stack([actions.step_cost[which], actions.number[which]], axis=1).astype(np.int32)
    return which, _from(np.bincount(place, minlength=layout.key + 1)), masks, info


@lru_cache(maxsize=16)
def _no_walks(key: int, words: int) -> Walks:
    none, masks = np.zeros((0, 1), np.uint64), np.zeros((0, 2, words), np.uint64)
    blocked = np.full(64 * words, -1, np.int32)
    first, steps = np.zeros(key + 2, np.int64), np.zeros((0, 2), np.int64)
    return Walks(key, first, steps, masks, none, none, blocked, 0)


def _neighbours(layout: Layout, walks: PackedActions) -> tuple[PackedStates, Shorts]:
    """The fields `near` and `blocked` of these walks."""
    codes, words = layout.key + 1, -(-(layout.key + 1) // 64)
    blocked = np.full(64 * layout.words, -1, np.int32)
    near = np.zeros((codes if len(walks) and codes <= MOST_NEAR else 0, words), np.uint64)
    if not len(near) or not find_near(walks.masks, layout.closed, near, blocked):
        return near[:0], blocked
    return near, blocked


def _unions(near: PackedStates) -> PackedStates:
    """The field `union` of walks with these neighbours."""
    return unions(near) if near.shape[1] == 1 and len(near) else np.zeros((0, 256), np.uint64)


def _from(count: Numbers) -> Numbers:
    """Where each group begins, and where the last one ends, from the sizes of the groups."""
    first = np.zeros(len(count) + 1, np.int64)
    np.cumsum(count, out=first[1:])
    return first
