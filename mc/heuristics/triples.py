"""The bound of triples: what two or three objects cost together, with one price for each target.

Give each target t a price p(t). Of a set S of objects, let D(S) be the least cost to bring them to different
targets, without any other objects, minus the prices of these targets. In a plan, each target gets one object. So
for disjoint sets of objects whose union has as many objects as there are targets, the sum of all prices plus the
sum of all D(S) is a lower bound on the cost of the plan (additive pattern databases: Felner, Korf and Hanan 2004).
If S is a single object, D(S) is its least cost to a target, minus the price of this target. With the best prices,
the bound of single objects is the cost of the assignment: prices are its dual variables. The *excess* of a pair is
by how much its D exceeds the sum of those of both objects; that of a triple is defined in the same way. If D(S) is
infinite, the state has no plan.

With fixed prices, a table of D has one entry for each set of places and region of the location; with the dual
variables of each state, as in `pairs.py`, it needs an entry for each set of targets, too. So there is room for
triples. The prices are those that are best for the mean of a sample of the states of the search, by the
subgradient method.

Disjoint sets with a large sum of excesses are found by greedy search from several first sets: any choice is a
lower bound. The bound is not consistent. If the graph of the places is bipartite, and each action moves an object
along an edge, the parity of the number of actions is known, and the bound is rounded up to it.

Compiled: see `mc/words.py`. `build_triples.py` makes the arrays.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.heuristics.pairs import FAR, PairActions, Pairs
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.packed.tables import Tables
    from puzzlemc.mc.words import (
        ALL,
        Bytes3,
        Flag,
        Index,
        Ints,
        Ints2,
        Numbers,
        Numbers2,
        Shorts,
        Shorts2,
        Word,
        Words,
        Words2,
        bit,
        lowest_bit,
    )

    GROUPS = 512  # the most sets with an excess that are kept of a state
    STARTS = 16  # the most sets with which the greedy search begins, one after the other
    MOST_OBJECTS = 64  # of a state: a set of them is one word


class Triples:
    """The tables. An object has a number, as in `pairs.py`; it stands for one place.

    at          (bits,): the number of the object of each bit; empty if this bound is not used
    prices      the sum of the prices of all targets
    alone       (objects, location codes): D of single objects, FAR if it is infinite
    part        as in `Pairs`
    of_pairs    (pairs, parts): D of pairs
    first       (triples + 1,): the regions beside triple k are those from `first[k]` to before `first[k + 1]`
    regions     (regions, words of a bit set): the location codes of each region
    of_triples  (regions,): D of the triple with the location in each region
    halves      (objects + 1,): the half of each place in the bipartite graph of places, 0 or 1, and last the
                parity of all targets; all 0 if the graph is not bipartite
    step        2 if the graph is bipartite, else 1
    adding      (pairs, words of a set of objects): the objects of lower number whose triple with a pair can add to
                the bound: in some region, its D is infinite, or its excess larger than those of its pairs
    bytes       the size of the tables of triples
    objects, own, pair, group, excess  scratch space: objects of a row and their D, the excesses of pairs, and sets
                of objects with their excesses
    here, place  scratch space: the set of the objects of a row; and by object, its place in `objects`
    """

    at: Numbers  # readonly
    prices: Index  # readonly
    alone: Shorts2
    part: Bytes3
    of_pairs: Shorts2
    first: Ints
    regions: Words2
    of_triples: Shorts
    halves: Numbers
    step: Index
    adding: Words2  # readonly
    bytes: Index  # readonly
    here: Words
    place: Numbers
    objects: Numbers
    own: Numbers
    pair: Numbers2
    group: Words
    excess: Numbers2

    def __init__(
        self,
        pairs: Pairs,
        prices: int,
        alone: npt.NDArray[np.int16],
        of_pairs: npt.NDArray[np.int16],
        first: npt.NDArray[np.int32],
        regions: npt.NDArray[np.uint64],
        of_triples: npt.NDArray[np.int16],
        halves: npt.NDArray[np.int64],
    ) -> None:
        self.at, self.part, self.step = pairs.at, pairs.part, pairs.step
        self.prices, self.alone, self.of_pairs = prices, view(alone), view(of_pairs)
        self.first, self.regions = view(first), view(regions)
        self.of_triples, self.halves = view(of_triples), view(halves)
        self.objects, self.own = view(np.zeros(MOST_OBJECTS, np.int64)), view(np.zeros(MOST_OBJECTS, np.int64))
        self.pair = view(np.zeros((MOST_OBJECTS, MOST_OBJECTS), np.int64))
        self.group, self.excess = view(np.zeros(GROUPS, np.uint64)), view(np.zeros((GROUPS, 2), np.int64))
        count = len(alone)
        words = (count + 63) // 64
        self.here, self.place = view(np.zeros(words, np.uint64)), view(np.zeros(count, np.int64))
        self.adding = view(np.zeros((count * (count - 1) // 2, words), np.uint64))
        self.bytes = first.nbytes + regions.nbytes + of_triples.nbytes + np.asarray(self.adding).nbytes
        _mark_adding(self)


# Called from Python


def list_regions(
    near: Words2,
    blocked: npt.NDArray[np.int64],
    here: npt.NDArray[np.uint64],
    first: npt.NDArray[np.int32],
    regions: npt.NDArray[np.uint64],
) -> int:
    """Write the regions beside any three objects to `first` and `regions`; return their number, -1 if too many.

    `blocked` are the location codes of the objects. `here` is the set of the location codes with a value.
    """
    scratch = view(np.zeros((3, regions.shape[1]), np.uint64))
    return _list_regions(near, view(blocked), view(here), view(first), view(regions), scratch)


def list_triple_costs(
    actions: PairActions,
    starts: npt.NDArray[np.int64],
    first: npt.NDArray[np.int32],
    regions: npt.NDArray[np.uint64],
    of_triples: npt.NDArray[np.int16],
) -> None:
    """Write D of all triples: breadth-first search from the triples on targets.

    `starts` (starts, 2) are regions beside such triples and their D, in the order of D.
    """
    queue = view(np.zeros((len(regions), 4), np.int32))
    _list_triple_costs(actions, view(starts), view(first), view(regions), view(of_triples), queue)


def triple_number(first: Index, second: Index, third: Index) -> Index:  # public
    """The number of a triple of objects in rising order."""
    return third * (third - 1) * (third - 2) // 6 + second * (second - 1) // 2 + first


# The table


def _list_regions(
    near: Words2, blocked: Numbers, here: Words, first: Ints, regions: Words2, scratch: Words2
) -> Index:
    """`list_regions`, compiled. Rows of `scratch`: codes that are free, without a region, to be spread from."""
    words: Index = regions.shape[1]
    used: Index = 0
    triple: Index = 0
    one: Index
    two: Index
    three: Index
    w: Index
    for three in range(2, blocked.shape[0]):
        for two in range(1, three):
            for one in range(two):
                first[triple] = used
                triple += 1
                for w in range(words):
                    scratch[0, w] = here[w]
                scratch[0, blocked[one] >> 6] &= ALL ^ bit(blocked[one] & 63)
                scratch[0, blocked[two] >> 6] &= ALL ^ bit(blocked[two] & 63)
                scratch[0, blocked[three] >> 6] &= ALL ^ bit(blocked[three] & 63)
                w = 0
                while w < words:
                    if not scratch[0, w]:
                        w += 1
                        continue
                    if used == regions.shape[0]:
                        return -1
                    _take_region(near, scratch, 64 * w + lowest_bit(scratch[0, w]), regions, used)
                    used += 1
    first[triple] = used
    return used


def _take_region(near: Words2, scratch: Words2, start: Index, regions: Words2, number: Index) -> None:
    """Write the region of location code `start` to `regions`, and remove it from the free codes."""
    words: Index = regions.shape[1]
    w: Index
    for w in range(words):
        regions[number, w] = 0
        scratch[1, w] = 0
    regions[number, start >> 6] = bit(start & 63)
    scratch[1, start >> 6] = bit(start & 63)
    place: Index = start >> 6
    while place < words:
        if not scratch[1, place]:
            place += 1
            continue
        code: Index = 64 * place + lowest_bit(scratch[1, place])
        scratch[1, place] &= scratch[1, place] - 1
        for w in range(words):
            new: Word = near[code, w] & scratch[0, w] & (ALL ^ regions[number, w])
            if new:
                regions[number, w] |= new
                scratch[1, w] |= new
                if w < place:
                    place = w
    for w in range(words):
        scratch[0, w] &= ALL ^ regions[number, w]


def region_of(first: Ints, regions: Words2, triple: Index, code: Index) -> Index:  # public
    """The number of the region of a location code beside a triple, -1 if there is none."""
    number: Index
    for number in range(first[triple], first[triple + 1]):
        if regions[number, code >> 6] >> (code & 63) & 1:
            return number
    return -1


def sorted_number(one: Index, two: Index, three: Index) -> Index:  # public
    """The number of a triple of objects in any order."""
    if one > two:
        one, two = two, one
    if two > three:
        two, three = three, two
    if one > two:
        one, two = two, one
    return triple_number(one, two, three)


def _list_triple_costs(
    actions: PairActions, starts: Numbers2, first: Ints, regions: Words2, of_triples: Shorts, queue: Ints2
) -> None:
    """`list_triple_costs`, compiled. `queue` (regions, 4): regions with the three objects, in the order of D."""
    head: Index = 0
    size: Index = 0
    begun: Index = 0
    k: Index
    _which: Index
    a: Index
    region: Index
    moved: Index
    other: Index
    third: Index
    paid: Index
    while head < size or begun < starts.shape[0]:
        # The search and the starts are both in the order of D.
        if head == size or (begun < starts.shape[0] and starts[begun, 1] <= of_triples[queue[head, 0]]):
            region = starts[begun, 0]
            paid = starts[begun, 1]
            moved = starts[begun, 2]
            other = starts[begun, 3]
            third = starts[begun, 4]
            begun += 1
            if of_triples[region] <= paid:
                continue
            of_triples[region] = paid
        else:
            region = queue[head, 0]
            paid = of_triples[region]
            moved = queue[head, 1]
            other = queue[head, 2]
            third = queue[head, 3]
            head += 1
        for _which in range(3):
            k = moved
            moved = other
            other = third
            third = k
            for a in range(actions.first[moved], actions.first[moved + 1]):
                to: Index = actions.steps[a, 2]
                source: Index = actions.steps[a, 0]
                if to in (other, third) or actions.block[a, other] or actions.block[a, third]:
                    continue
                if not regions[region, source >> 6] >> (source & 63) & 1:
                    continue
                there: Index = region_of(first, regions, sorted_number(to, other, third), actions.steps[a, 1])
                if there < 0 or of_triples[there] <= paid + 1:
                    continue
                of_triples[there] = paid + 1
                queue[size, 0] = there
                queue[size, 1] = to
                queue[size, 2] = other
                queue[size, 3] = third
                size += 1


def _mark_adding(triples: Triples) -> None:
    """Write `adding`."""
    number: Index = 0
    third: Index
    second: Index
    one: Index
    region: Index
    for third in range(2, triples.alone.shape[0]):
        for second in range(1, third):
            pair: Index = third * (third - 1) // 2 + second
            for one in range(second):
                for region in range(triples.first[number], triples.first[number + 1]):
                    if _adds(triples, one, second, third, region):
                        triples.adding[pair, one >> 6] |= bit(one & 63)
                        break
                number += 1


def _adds(triples: Triples, one: Index, second: Index, third: Index, region: Index) -> Flag:
    """Can a triple of objects in rising order, with the location in this region, add to the bound?

    One location decides: a region beside three objects is part of a region beside one or two of them.
    """
    total: Index = triples.of_triples[region]
    w: Index = 0
    if total >= FAR:
        return True
    while not triples.regions[region, w]:
        w += 1
    code: Index = 64 * w + lowest_bit(triples.regions[region, w])
    more: Index = total - triples.alone[one, code] - triples.alone[second, code] - triples.alone[third, code]
    return (
        more > 0
        and more > _excess_of_pair(triples, one, second, code)
        and more > _excess_of_pair(triples, one, third, code)
        and more > _excess_of_pair(triples, second, third, code)
    )


def _excess_of_pair(triples: Triples, one: Index, other: Index, code: Index) -> Index:
    """The excess of two objects in rising order, with the location at this code."""
    together: Index = triples.of_pairs[other * (other - 1) // 2 + one, triples.part[one, other, code]]
    return together - triples.alone[one, code] - triples.alone[other, code]


# The bound


def bound_of_triples(triples: Triples, tables: Tables, rows: Words2, i: Index, enough: Index) -> Index:
    """A lower bound on the cost from row i to the goal; INFINITE if three of its objects reach no three targets.

    The search for three such objects and for disjoint sets ends once the bound is `enough`.
    """
    code: Index = rows[i, 0] & tables.key
    count: Index = 0
    odd: Index = triples.halves[triples.halves.shape[0] - 1]
    total: Index = triples.prices
    w: Index
    for w in range(triples.here.shape[0]):
        triples.here[w] = 0
    for w in range(rows.shape[1]):
        left: Word = rows[i, w] & tables.outside[w]
        while left:
            number: Index = triples.at[64 * w + lowest_bit(left)]
            left &= left - 1
            triples.here[number >> 6] |= bit(number & 63)
            triples.place[number] = count
            triples.objects[count] = number
            triples.own[count] = triples.alone[number, code]
            if triples.own[count] >= FAR:
                return INFINITE
            total += triples.own[count]
            odd += triples.halves[number]
            count += 1
    if total >= enough:
        return total
    found: Index = _list_groups(triples, count, code)
    if found < 0:
        return INFINITE
    odd &= triples.step - 1
    # With the right parity, the sum of excesses suffices from this number on.
    wanted: Index = enough - total
    if triples.step == 2 and (enough ^ odd) & 1 == 0:
        wanted -= 1
    total += _disjoint(triples, found, wanted)
    if (total ^ odd) & (triples.step - 1):
        total += 1
    return max(0, total)


def bound_by_prices(triples: Triples, tables: Tables, rows: Words2, i: Index) -> Index:
    """The bound of row i by single objects: the sum of all prices and of D of its objects."""
    code: Index = rows[i, 0] & tables.key
    total: Index = triples.prices
    w: Index
    for w in range(rows.shape[1]):
        left: Word = rows[i, w] & tables.outside[w]
        while left:
            total += triples.alone[triples.at[64 * w + lowest_bit(left)], code]
            left &= left - 1
    return total


def _list_groups(triples: Triples, count: Index, code: Index) -> Index:
    """Write the pairs and triples with an excess to `group` and `excess`; return their number.

    -1 if some D is infinite. A triple is left out if one of its pairs has the same excess.
    """
    found: Index = 0
    one: Index
    two: Index
    three: Index
    first: Index
    second: Index
    third: Index
    more: Index
    w: Index
    for two in range(1, count):
        second = triples.objects[two]
        for one in range(two):
            first = triples.objects[one]
            more = triples.of_pairs[second * (second - 1) // 2 + first, triples.part[first, second, code]]
            if more >= FAR:
                return -1
            more -= triples.own[one] + triples.own[two]
            triples.pair[one, two] = more
            if more > 0 and found < triples.group.shape[0]:
                triples.group[found] = bit(one) | bit(two)
                triples.excess[found, 0] = more
                triples.excess[found, 1] = 3 * more
                found += 1
    for three in range(2, count):
        third = triples.objects[three]
        for two in range(1, three):
            second = triples.objects[two]
            base: Index = third * (third - 1) * (third - 2) // 6 + second * (second - 1) // 2
            sum: Index = triples.own[three] + triples.own[two]
            least: Index = max(0, triples.pair[two, three])
            for w in range(triples.here.shape[0]):
                left: Word = triples.adding[third * (third - 1) // 2 + second, w] & triples.here[w]
                while left:
                    first = 64 * w + lowest_bit(left)
                    left &= left - 1
                    one = triples.place[first]
                    region: Index = triples.first[base + first]
                    if triples.first[base + first + 1] > region + 1:
                        region = region_of(triples.first, triples.regions, base + first, code)
                    more = triples.of_triples[region]
                    if more >= FAR:
                        return -1
                    more -= sum + triples.own[one]
                    if more <= least or more <= triples.pair[one, two] or more <= triples.pair[one, three]:
                        continue
                    if found < triples.group.shape[0]:
                        triples.group[found] = bit(one) | bit(two) | bit(three)
                        triples.excess[found, 0] = more
                        triples.excess[found, 1] = 2 * more
                        found += 1
    return found


def _disjoint(triples: Triples, found: Index, wanted: Index) -> Index:
    """The largest sum of excesses of disjoint sets that greedy searches find; they end once it is `wanted`.

    Each search begins with another set, and takes the sets with the largest excess for each object first.
    """
    best: Index = 0
    begin: Index
    n: Index
    if found == 0 or wanted <= 0:
        return 0
    for n in range(found):  # the best sets come first: a search takes the first ones that are left
        largest: Index = n
        k: Index
        for k in range(n + 1, found):
            if triples.excess[k, 1] > triples.excess[largest, 1]:
                largest = k
        if largest != n:
            group: Word = triples.group[n]
            triples.group[n] = triples.group[largest]
            triples.group[largest] = group
            more: Index = triples.excess[n, 0]
            share: Index = triples.excess[n, 1]
            triples.excess[n, 0] = triples.excess[largest, 0]
            triples.excess[n, 1] = triples.excess[largest, 1]
            triples.excess[largest, 0] = more
            triples.excess[largest, 1] = share
    for begin in range(min(found, STARTS)):
        taken: Word = triples.group[begin]
        sum: Index = triples.excess[begin, 0]
        for n in range(found):
            if triples.group[n] & taken == 0:
                taken |= triples.group[n]
                sum += triples.excess[n, 0]
        best = max(best, sum)
        if best >= wanted:
            return best
    return best
