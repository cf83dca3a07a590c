"""Frozen objects, stubborn sets and pairs from packed actions: the arrays of `frozen`, `stubborn` and `pairs`."""

from functools import cache

import numpy as np

from puzzlemc.mc.heuristics.frozen import Frozen
from puzzlemc.mc.heuristics.pairs import FAR, NOWHERE, PairActions, Pairs, list_costs, list_hindering, number_parts
from puzzlemc.mc.heuristics.stubborn import StubbornSets
from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates, Truths
from puzzlemc.mc.packed.objects import actions_by_object
from puzzlemc.mc.packed.tables import Tables

STORE_BYTES = 1 << 26  # memory for the costs beside frozen sets
MOST_SETS = 1 << 16  # frozen sets whose costs are stored
MOST_INCREASE = 1 << 20  # of f: buckets are an array indexed by f

MOST_COSTS = 1 << 26  # entries of the table of pairs, counted for both orders of a pair
MOST_PARTS = 1 << 26  # location codes beside pairs: their parts are computed without a look at the clock
STATE_BYTES = 14  # memory for each state (two objects and a part) of the search that fills the table
SHARE = 16  # the tables take at most one SHARE-th of the memory


def no_frozen(layout: Layout) -> Frozen:
    """A value that switches this bound off."""
    return _no_frozen(layout.words)


@cache
def _no_frozen(words: int) -> Frozen:
    nothing, none = np.zeros(1, np.int64), np.zeros((0, words), np.uint64)
    return Frozen(nothing, none, nothing, np.zeros((0, 2), np.int64), none, nothing[:0], 0, 0)


def frozen_of(layout: Layout, actions: PackedActions, objects: PackedStates, targets: Numbers) -> Frozen:
    """The value for a model in which each action moves at most one object from one place to another.

    `actions` are the actions of the search, `objects` (words,) the bits of all objects, `targets` the bits of the
    goal.
    """
    bits = 64 * layout.words
    largest_increase = (bits * len(targets) + 1) * int(actions.step_cost.max(initial=0))
    if largest_increase > MOST_INCREASE:
        return no_frozen(layout)
    moved = actions_by_object(layout, actions, objects)
    back = np.argsort(moved.placed, kind="stable")
    capacity = max(1, min(MOST_SETS, STORE_BYTES // max(1, 4 * bits * len(targets))))
    steps = np.stack([moved.taken[back], actions.step_cost[moved.rule[back]]], axis=1)
    into = np.searchsorted(moved.placed[back], np.arange(bits + 1))
    block = moved.block
    return Frozen(moved.first, block, into, steps, block[back], targets, capacity, largest_increase)


def no_stubborn_sets(layout: Layout) -> StubbornSets:
    """A value that switches stubborn sets off: the search follows every action."""
    return _no_stubborn_sets(layout.words)


@cache
def _no_stubborn_sets(words: int) -> StubbornSets:
    none, nothing = np.zeros(0, np.int64), np.zeros((0, words), np.uint64)
    return StubbornSets(np.zeros(1, np.int64), none, none, nothing, none, nothing[:0, 0])


def stubborn_sets_of(
    layout: Layout, actions: PackedActions, tables: Tables, objects: PackedStates, targets: PackedStates
) -> StubbornSets:
    """The value for a model with as many objects as targets; switched off if its actions are not of the form
    that `stubborn.py` describes.

    `actions` are its actions without the walks, which `tables` have. `objects` (words,) are the bits of all
    objects, `targets` (words,) the bits of the targets.
    """
    if tables.walks.cost or not tables.walks.near.shape[0] or not actions.is_somewhere.all():
        return no_stubborn_sets(layout)
    moved = actions_by_object(layout, actions, objects)
    if len(moved.rule) != len(actions) or len(np.unique(moved.rule)) < len(actions):
        return no_stubborn_sets(layout)
    code = np.asarray(tables.walks.blocked).astype(np.int64)
    source, left, to = actions.source[moved.rule], code[moved.taken], code[moved.placed]
    if (left < 0).any() or (to < 0).any() or (left != actions.target[moved.rule]).any():
        return no_stubborn_sets(layout)
    if not (_is_near(tables, source, left) & _is_near(tables, left, to)).all():
        return no_stubborn_sets(layout)
    at = np.full(layout.key + 1, -1, np.int64)
    at[code[code >= 0]] = np.flatnonzero(code >= 0)
    return StubbornSets(moved.first, source, to, moved.block, at, targets)


def _is_near(tables: Tables, codes: Numbers, others: Numbers) -> Truths:
    """Does a walk lead from each location code to the other?"""
    near = np.asarray(tables.walks.near)
    there: Truths = near[codes, others // 64] >> (others % 64).astype(np.uint64) & np.uint64(1) > 0
    return there


@cache
def no_pairs() -> Pairs:
    """A value that switches this bound off."""
    none, nothing = np.zeros(0, np.int64), np.zeros((0, 0), np.bool_)
    actions = PairActions(np.zeros(1, np.int64), np.zeros((0, 3), np.int64), nothing, none, none)
    part, costs = np.zeros((0, 0, 0), np.uint8), np.zeros((0, 0, 0, 0), np.int16)
    return Pairs(none, part, costs, none > 0, 0, 1, 0, actions)


def pairs_of(
    layout: Layout,
    actions: PackedActions,
    tables: Tables,
    codes: Numbers,
    targets: Numbers,
    objects: PackedStates,
    memory: int,
) -> Pairs:
    """The least costs of two objects to two of the targets, which are given by their bits.

    The search goes backward: `actions` are the reversed actions without the walks, and at the targets the location
    has one of `codes`. Each action moves one object and requires no other one. `tables` have the walks, `objects`
    (words,) are the bits of all objects. The bound is switched off if walks cost something, if not all actions
    cost the same, or if the tables exceed their share of the memory, given in bytes.
    """
    if tables.walks.cost or not tables.walks.near.shape[0] or not len(actions) or not actions.is_somewhere.all():
        return no_pairs()
    step_cost = int(actions.step_cost[0])
    if (actions.step_cost != step_cost).any() or not 0 < step_cost < FAR:
        return no_pairs()
    bits = np.flatnonzero(layout.unpacked(objects[None, :])[0])
    at = np.full(64 * layout.words, -1, np.int64)
    at[bits] = np.arange(len(bits))
    count, ends = len(bits), len(targets)
    room = memory // SHARE
    codes_beside = count**2 * (layout.key + 1)
    if count < 2 or ends < 2 or codes_beside > min(room, MOST_PARTS) or count**2 * ends**2 > MOST_COSTS:
        return no_pairs()
    rule, taken = np.nonzero(layout.unpacked(actions.clear & ~actions.set & objects))
    other, placed = np.nonzero(layout.unpacked(actions.set & objects))
    every = np.arange(len(actions))
    if len(rule) != len(actions) or len(other) != len(actions) or (rule != every).any() or (other != every).any():
        return no_pairs()
    here = np.zeros(layout.key + 1, np.bool_)
    here[[*layout.codes]] = True
    part = np.full((count, count, layout.key + 1), NOWHERE, np.uint8)
    blocked = np.asarray(tables.walks.blocked)[bits].astype(np.int64)
    parts = number_parts(tables.walks.near, blocked, here, part)
    pairs = count * (count - 1) // 2
    listed = count**2 * parts * ends**2
    if parts < 0 or listed > MOST_COSTS or part.nbytes + listed + STATE_BYTES * count**2 * parts > room:
        return no_pairs()
    order = np.argsort(taken, kind="stable")
    block = layout.unpacked(actions.mask & ~actions.value & objects)[:, bits]
    costs = np.full((pairs, parts, ends, ends), FAR, np.int16)
    moves = PairActions(
        np.searchsorted(at[taken[order]], np.arange(count + 1)),
        np.stack([actions.source[order], actions.target[order], at[placed[order]]], axis=1),
        block[order],
        codes,
        at[targets],
    )
    longest = list_costs(moves, part, parts, costs)
    if longest * step_cost >= FAR:
        return no_pairs()
    costs[costs < FAR] *= np.int16(step_cost)
    step = step_cost * (2 if _is_bipartite(count, at[taken], at[placed]) else 1)
    most = ends // 2 * longest * step_cost // step + 1
    hinders = list_hindering(part, costs, tables.distance, bits)
    return Pairs(at, part, costs, hinders, most * step, step, step_cost, moves)


def _is_bipartite(count: int, before: Numbers, after: Numbers) -> bool:
    """Is the graph of the places bipartite, with an edge for each action from `before` to `after`?"""
    return half_of(count, before, after) is not None


def half_of(count: int, before: Numbers, after: Numbers) -> list[int] | None:
    """The half of each place in the graph with an edge for each action: 0 or 1; None if it is not bipartite."""
    near: list[list[int]] = [[] for _ in range(count)]
    for one, other in zip(before.tolist(), after.tolist(), strict=True):
        near[one].append(other)
        near[other].append(one)
    half = [-1] * count
    for start in range(count):
        queue = [start] if half[start] < 0 else []
        half[start] = max(0, half[start])
        while queue:
            here = queue.pop()
            for there in near[here]:
                if half[there] < 0:
                    half[there] = 1 - half[here]
                    queue.append(there)
                elif half[there] == half[here]:
                    return None
    return half
