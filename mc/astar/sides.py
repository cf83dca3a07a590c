"""What A* over packed states works on: a goal, the progress of a search, and its sides. Compiled."""

from functools import cache

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.heuristics.build_triples import no_triples
from puzzlemc.mc.packed.images import no_images
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.heuristics.assignment import Matching
    from puzzlemc.mc.heuristics.frozen import Frozen
    from puzzlemc.mc.heuristics.pairs import Pairs
    from puzzlemc.mc.heuristics.stubborn import StubbornSets
    from puzzlemc.mc.heuristics.triples import Triples
    from puzzlemc.mc.packed.costs import NEVER
    from puzzlemc.mc.packed.images import Images
    from puzzlemc.mc.packed.successors import Successors
    from puzzlemc.mc.packed.tables import Tables
    from puzzlemc.mc.search.buckets import Space
    from puzzlemc.mc.words import Flag, Index, Ints, Numbers, Numbers2, Words, Words2


class Goal:
    """A disjunction of cubes: `mask` and `value` have the shape (cubes, words)."""

    mask: Words2
    value: Words2

    def __init__(self, mask: npt.NDArray[np.uint64], value: npt.NDArray[np.uint64]) -> None:
        self.mask, self.value = view(mask), view(value)


class Progress:
    """What a search has found and proved, and where it goes on.

    best         the cost of the best plan so far, NEVER if there is none
    row          the row where the sides met in this plan, on the side that is expanded; else on the forward side
    opposite     the same row on the other side
    limit        the search limit: a lower bound on the cost of every plan other than `best`
    hit          the goal row that a search from one side has closed
    steps        the number of expansions until the next pause
    split        the forward side expands its rows with g below this
    other_split  the same of the backward side
    by_layers    does the side with smaller layers raise its split, and do both begin at 0 again with each limit?
                 Otherwise the side with fewer rows raises it
    layers       (2, 2): by side, the number of its open entries of least g, 0 if they are not counted; and the
                 same of the layer that it last began to expand within this limit, 0 if there is none
    is_inside    did the last call pause before all open rows of a cost were closed? So pauses do not change the
                 order of expansions
    exhausted    (sides, 3): least open g, least deferred f, and last exhausted limit of each side, from which
                 proofs are made
    """

    best: Index  # public
    row: Index  # public
    opposite: Index  # public
    limit: Index  # public
    hit: Index  # public
    steps: Index  # public
    split: Index  # public
    other_split: Index  # public
    by_layers: Flag  # public
    layers: Numbers2
    is_inside: Flag  # public
    exhausted: Numbers2  # readonly

    def __init__(self, sides: int = 2) -> None:
        """The start of a search from one or two sides."""
        self.best, self.row, self.opposite, self.hit = NEVER, -1, -1, -1
        self.limit = self.steps = self.split = self.other_split = 0
        self.is_inside, self.exhausted = False, view(np.zeros((sides, 3), np.int64))
        self.by_layers, self.layers = True, view(np.zeros((2, 2), np.int64))


class Side:
    """One side of a search: its tables, its bounds and pruning, its open and closed lists, and working arrays.

    none              empty lists: the other side of a search from one side
    triples           the bound of triples, which `triples_of` makes in the course of a search
    images            the symmetries of which the lists have the least images; and (most successors, words): images
    wanted            by successor that the search may insert: its number in `found`
    by_prices         by successor that the search may insert: its bound by prices, 0 if that is not used
    hashes            by successor that the search may insert: the hash of the row that it inserts
    likely            by successor that the search may insert: what is in the slot where a lookup begins
    met               so that reading ahead has a result
    has_reopened      have the pruned states been reopened? Then triples prune none any more
    looked, deferred  states whose bound of pairs is computed, and those of them that it has deferred; since the
                      last rest
    rest              expansions without the bound of pairs that are left
    """

    tables: Tables  # readonly
    frozen: Frozen  # readonly
    stubborn: StubbornSets  # readonly
    pairs: Pairs  # readonly
    triples: Triples  # public
    images: Images  # public
    image: Words2
    space: Space  # public
    none: Space
    matching: Matching
    found: Successors  # readonly
    wanted: Numbers
    by_prices: Numbers
    hashes: Words
    likely: Ints
    met: Index
    has_reopened: Flag
    looked: Index  # readonly
    deferred: Index  # readonly
    rest: Index  # readonly

    def __init__(self, tables: Tables, frozen: Frozen, stubborn: StubbornSets, pairs: Pairs, space: Space) -> None:
        self.tables, self.frozen, self.stubborn, self.pairs, self.space = tables, frozen, stubborn, pairs, space
        self.triples, self.has_reopened = no_triples(), False
        words = tables.masks.shape[2]
        self.none, self.found, self.images = _no_space(words), Successors(tables), no_images(words)
        self.image = view(np.zeros((tables.most, words), np.uint64))
        self.wanted, self.likely = view(np.zeros(tables.most, np.int64)), view(np.zeros(tables.most, np.int32))
        self.by_prices = view(np.zeros(tables.most, np.int64))
        self.hashes, self.met = view(np.zeros(tables.most, np.uint64)), 0
        self.matching = Matching(tables.distance, 64 * words)
        self.matching.costs = frozen.costs
        self.looked = self.deferred = self.rest = 0


@cache
def _no_space(words: int) -> Space:
    """Empty lists for packed states of `words` words."""
    return Space(1, words)
