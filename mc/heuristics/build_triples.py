"""The tables of `triples` from those of `pairs`, with prices for a sample of states."""

from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.heuristics.build_tables import half_of, no_pairs
from puzzlemc.mc.heuristics.pairs import FAR, PairActions, Pairs
from puzzlemc.mc.heuristics.triples import MOST_OBJECTS, Triples, list_regions, list_triple_costs, sorted_number
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates
from puzzlemc.mc.packed.tables import Tables

SHARE = 16  # the tables take at most one SHARE-th of the memory
MOST_TRIPLES = 1 << 19  # their regions are listed without a look at the clock
REGIONS = 6  # beside a triple, in the mean: the table has room for no more
SAMPLES = 256  # states for which prices are computed
ROUNDS = 400  # of the subgradient method
UNIT = 1 << 10  # of a price, while it is computed: integers, so that it is the same on all machines
SLOWER = 20  # rounds after which a step of prices is half as large as the first one


@cache
def no_triples() -> Triples:
    """A value that switches this bound off."""
    none, nothing, regions = np.zeros(0, np.int64), np.zeros((0, 0), np.int16), np.zeros((0, 1), np.uint64)
    return Triples(no_pairs(), 0, nothing, nothing, none.astype(np.int32), regions, np.zeros(0, np.int16), none)


def triples_of(layout: Layout, tables: Tables, pairs: Pairs, sample: PackedStates, budget: Budget) -> Triples:
    """The tables of a side with these pairs, with prices for a sample of its packed states.

    The bound is switched off without pairs, for fewer than three or too many objects, if an action costs more
    than 1, or if the tables exceed their share of the memory. Raises LimitReached.
    """
    actions, words = pairs.actions, tables.walks.near.shape[1]
    count, ends = actions.first.shape[0] - 1, np.asarray(actions.ends)
    triples = count * (count - 1) * (count - 2) // 6
    room = budget.limits.memory // SHARE
    size = REGIONS * triples * (8 * words + 2 + 16) + 4 * triples
    if not 3 <= len(ends) <= MOST_OBJECTS or triples > MOST_TRIPLES or size > room or pairs.unit != 1:
        return no_triples()
    at, distance = np.asarray(pairs.at), np.asarray(tables.distance)
    bits = np.flatnonzero(at >= 0)
    prices = _prices(_costs_in(layout, distance, sample[:: max(1, len(sample) // SAMPLES)], bits))
    budget.check()
    here, blocked = np.zeros(words, np.uint64), np.asarray(tables.walks.blocked)[bits].astype(np.int64)
    for code in layout.codes:
        here[code >> 6] |= np.uint64(1 << (code & 63))
    first, regions = np.zeros(triples + 1, np.int32), np.zeros((REGIONS * triples, words), np.uint64)
    used = list_regions(tables.walks.near, blocked, here, first, regions)
    budget.check()
    if used < 0:
        return no_triples()
    regions = regions[:used].copy()
    of_triples = np.full(used, FAR, np.int16)
    list_triple_costs(actions, _starts(actions, first, regions, prices), first, regions, of_triples)
    budget.check()
    priced = np.where(distance < INFINITE, distance - prices, FAR).min(axis=2)
    alone = np.ascontiguousarray(priced[:, bits].T.astype(np.int16))
    halves = _halves(actions, ends) if pairs.step == 2 else np.zeros(count + 1, np.int64)
    of_pairs = _of_pairs(pairs, prices)
    return Triples(pairs, int(prices.sum()), alone, of_pairs, first, regions, of_triples, halves)


def _costs_in(layout: Layout, distance: Numbers, rows: PackedStates, bits: Numbers) -> Numbers:
    """The costs of single objects in packed states: shape (states, objects, targets).

    `bits` are the bits of objects. Each state has as many objects as there are targets.
    """
    codes = (rows[:, 0] & np.uint64(layout.key)).astype(np.int64)
    places = bits[np.nonzero(layout.unpacked(rows)[:, bits])[1].reshape(len(rows), -1)]
    costs: Numbers = distance[codes[:, None], places].astype(np.int64)
    return costs


def _prices(costs: Numbers) -> Numbers:
    """Prices of targets with which the bound by single objects is large, in the mean over states.

    `costs` (states, objects, targets). Integers.
    """
    costs = costs[(costs.min(axis=2) < INFINITE).all(axis=1)]
    states, _, targets = costs.shape
    price = best = np.zeros(targets, np.int64)
    largest = -1
    for number in range(ROUNDS if states else 0):
        reduced = UNIT * costs - price
        total = int(reduced.min(axis=2).sum() + states * price.sum())
        if total > largest:
            largest, best = total, price
        wanted = np.bincount(reduced.argmin(axis=2).ravel(), minlength=targets)
        price = price + UNIT * SLOWER * (states - wanted) // (states * (SLOWER + number))
    rounded: Numbers = (best - best.min() + UNIT // 2) // UNIT
    return rounded


def _starts(actions: PairActions, first: npt.NDArray[np.int32], regions: PackedStates, prices: Numbers) -> Numbers:
    """Each three objects on targets with each region where the location may be: the region, D, the objects."""
    ends = np.asarray(actions.ends).tolist()
    here = np.zeros(regions.shape[1], np.uint64)
    for code in np.asarray(actions.codes).tolist():
        here[code >> 6] |= np.uint64(1 << (code & 63))
    may = np.any(regions & here, axis=1).tolist()
    found = []
    for some in combinations(range(len(ends)), 3):
        objects = [ends[target] for target in some]
        triple = sorted_number(*objects)
        paid = -int(prices[list(some)].sum())
        found += [(region, paid, *objects) for region in range(first[triple], first[triple + 1]) if may[region]]
    starts = np.array(found, np.int64).reshape(-1, 5)
    return np.ascontiguousarray(starts[np.argsort(starts[:, 1], kind="stable")])


def _of_pairs(pairs: Pairs, prices: Numbers) -> npt.NDArray[np.int16]:
    """D of each pair with the location in each part beside it."""
    costs = np.asarray(pairs.costs)
    found: npt.NDArray[np.int16] = np.full(costs.shape[:2], FAR, np.int16)
    both = prices[:, None] + prices
    for part in range(costs.shape[1]):
        some = costs[:, part]
        found[:, part] = np.where(some < FAR, some - both, FAR).min(axis=(1, 2))
    return found


def _halves(actions: PairActions, ends: Numbers) -> Numbers:
    """The half of each object in the bipartite graph of the places, and last the sum over the targets."""
    first = np.asarray(actions.first)
    taken, placed = np.repeat(np.arange(len(first) - 1), np.diff(first)), np.asarray(actions.steps)[:, 2]
    half = half_of(len(first) - 1, taken, placed)
    assert half is not None
    return np.array([*half, sum(half[end] for end in ends)], np.int64)
