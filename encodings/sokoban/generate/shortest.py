"""All solutions with the fewest pushes, as a graph, and what they have in common. Compiled: see `mc/words.py`.

The graph has the positions on these solutions and their pushes. It is acyclic: each push brings the end nearer.
Walks are no part of a position, which is packed as in `generate/positions.py`; so two solutions differ in the
choice or in the order of pushes.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.generate.exploration import RoomSteps, Search
from puzzlemc.mc.search.growing import UNLIMITED, Growing
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.generate.exploration import list_successors
    from puzzlemc.mc.search.state_table import find, has_room
    from puzzlemc.mc.words import ALL, Bytes, Flag, Index, Ints, Ints2, Numbers, Word, Words2, bit, count_bits

    ROOM = 1 << 6  # positions and pushes for which there is room at first
    MOST_BOXES = 60  # boxes whose set fits a word
    FAR_BOX = 0x40000000  # changes of box without a solution

SEED = 20_100  # of the random numbers of pushes
MOST_ORDERS = 10**12  # orders of pushes that are counted; larger numbers become this one


class ShortestSolutions(Growing):
    """The pushes of all shortest solutions from a start position.

    numbers  (capacity,): the positions, by their numbers in the search; `count` of them in the order of the pushes
             that are left, the start first
    first    (capacity,): the pushes from position p are those from `first[p]` to before `first[p + 1]`
    pushes   (capacity, 5): for each of `push_count` pushes, the place of the position after it in `numbers`, the
             number of the box before and after it, the cell of the box before it, and the direction
    left     the pushes that the start needs
    boxes    the number of boxes
    """

    numbers: Ints  # public
    first: Ints  # public
    pushes: Ints2  # public
    place_of: Ints
    count: Index  # readonly
    push_count: Index  # readonly
    expanded: Index
    left: Index  # readonly
    boxes: Index  # readonly

    def __init__(self, search: Search, start: int, left: int, boxes: int) -> None:
        """The start alone."""
        super().__init__()
        capacity = max(ROOM, 8 * boxes)
        place_of = np.full(search.used, -1, np.int32)
        place_of[start] = 0
        self.place_of = view(place_of)
        self.numbers, self.first = view(np.full(capacity, start, np.int32)), view(np.zeros(capacity, np.int32))
        self.pushes = view(np.zeros((capacity, 5), np.int32))
        self.count, self.push_count, self.expanded = 1, 0, 0
        self.left, self.boxes = left, boxes


class Variants(StateTable):
    """Positions on shortest solutions, each once for each value of what was done before.

    rows      (capacity, words): the place of the position, and the value
    fresh     (1, words): the row that is inserted next
    expanded  the number of rows whose pushes are done
    """

    fresh: Words2
    expanded: Index

    def __init__(self, words: int) -> None:
        """The start, with the value 0."""
        super().__init__(ROOM, words, 2 * ROOM)
        self.fresh = view(np.zeros((1, words), np.uint64))
        self.begin(np.zeros(words, np.uint64))
        self.expanded = 0


def shortest_solutions(
    steps: RoomSteps, search: Search, left: npt.NDArray[np.int32], start: int
) -> ShortestSolutions:
    """The shortest solutions from position `start`; `left` is the least number of pushes of each position.

    Positions that are not among those of the search are on none of them.
    """
    found = ShortestSolutions(search, start, int(left[start]), steps.boxes)
    most = steps.after.shape[0]
    while not _list(steps, search, view(left), found):
        if found.count + most >= found.numbers.shape[0]:
            found.grow(found.count + most + 1, UNLIMITED, "numbers", "first")
        if found.push_count + most > found.pushes.shape[0]:
            found.grow(found.push_count + most, UNLIMITED, "pushes")
    return found


def count_orders(solutions: ShortestSolutions) -> int:
    """The number of shortest solutions, at most MOST_ORDERS."""
    ways = np.zeros(solutions.count, np.int64)
    count: Index = _orders(solutions, view(ways), MOST_ORDERS)
    return count


def count_sets(solutions: ShortestSolutions, cells: int, most: int) -> int | None:
    """The number of shortest solutions that differ in more than the order of their pushes.

    A push is a cell with a direction, and it can occur several times. None if there are more than `most` pairs of
    a position and the pushes before it; `cells` is the number of cells with the wall. Pushes are compared by the
    sums of random numbers of 128 bits, one for each push: two different collections have the same sum with a
    probability of 2^-128.
    """
    if count_orders(solutions) == 1:
        return 1
    digests = np.random.default_rng(SEED).integers(0, 1 << 64, (4 * cells, 2), np.uint64)
    variants = Variants(3)
    while not _collect(solutions, variants, view(digests), most):
        variants.make_room(4 * solutions.boxes, UNLIMITED)
    if variants.used > most:
        return None
    rows = np.asarray(variants.rows)[: variants.used]
    ended = np.diff(np.asarray(solutions.first)[: solutions.count + 1]) == 0
    return len(np.unique(rows[ended[rows[:, 0].astype(np.int64)]][:, 1:], axis=0))


def least_boxes(solutions: ShortestSolutions, most: int) -> int | None:
    """The least number of different boxes that a shortest solution pushes.

    None if there are more than `most` pairs of a position and the boxes pushed before it, or too many boxes.
    """
    if solutions.boxes > MOST_BOXES:
        return None
    variants = Variants(2)
    while not _mark_boxes(solutions, variants, most):
        variants.make_room(4 * solutions.boxes, UNLIMITED)
    if variants.used > most:
        return None
    least: Index = _fewest(solutions, variants)
    return least


def least_changes(solutions: ShortestSolutions) -> int:
    """The least number of changes of box in a shortest solution: pushes of another box than the one before."""
    least = np.full((solutions.count, solutions.boxes), FAR_BOX, np.int32)
    changes: Index = _changes(solutions, view(least))
    return changes


def least_marked(solutions: ShortestSolutions, marked: npt.NDArray[np.uint8]) -> int:
    """The least number of marked pushes in a shortest solution; `marked` (4 * cells,) is by cell and direction."""
    least = np.zeros(solutions.count, np.int32)
    count: Index = _marked(solutions, view(marked), view(least))
    return count


def _list(steps: RoomSteps, search: Search, left: Ints, found: ShortestSolutions) -> Flag:
    """List positions and pushes; return False if the arrays have no room for those of another position."""
    most: Index = steps.after.shape[0]
    i: Index
    k: Index
    while found.expanded < found.count:
        if found.count + most >= found.numbers.shape[0] or found.push_count + most > found.pushes.shape[0]:
            return False
        number: Index = found.numbers[found.expanded]
        depth: Index = left[number]
        found.first[found.expanded] = found.push_count
        for i in range(list_successors(steps, search.packed, number) if depth > 0 else 0):
            known: Index = search.slots[find(search, steps.after, i)]
            if known < 0 or left[known] != depth - 1:
                continue
            if found.place_of[known] < 0:
                found.place_of[known] = found.count
                found.numbers[found.count] = known
                found.count += 1
            found.pushes[found.push_count, 0] = found.place_of[known]
            for k in range(4):
                found.pushes[found.push_count, k + 1] = steps.moves[i, k]
            found.push_count += 1
        found.expanded += 1
        found.first[found.expanded] = found.push_count
    return True


def _orders(solutions: ShortestSolutions, ways: Numbers, most: Index) -> Index:
    """`count_orders` in compiled code; `ways` is zeroed."""
    count: Index = 0
    at: Index
    i: Index
    ways[0] = 1
    for at in range(solutions.count):
        if solutions.first[at] == solutions.first[at + 1]:
            count = min(most, count + ways[at])
        for i in range(solutions.first[at], solutions.first[at + 1]):
            to: Index = solutions.pushes[i, 0]
            ways[to] = min(most, ways[to] + ways[at])
    return count


def _insert(variants: Variants) -> None:
    """Insert the fresh row if it is new."""
    w: Index
    place: Index = find(variants, variants.fresh, 0)
    if variants.slots[place] < 0:
        for w in range(variants.fresh.shape[1]):
            variants.rows[variants.used, w] = variants.fresh[0, w]
        variants.slots[place] = variants.used
        variants.used += 1


def _collect(solutions: ShortestSolutions, variants: Variants, digests: Words2, most: Index) -> Flag:
    """Insert all sums of pushes; return False if there is no room for those after another push."""
    i: Index
    w: Index
    while variants.expanded < variants.used and variants.used <= most:
        if not has_room(variants, 4 * solutions.boxes):
            return False
        at: Index = variants.rows[variants.expanded, 0]
        for i in range(solutions.first[at], solutions.first[at + 1]):
            push: Index = 4 * solutions.pushes[i, 3] + solutions.pushes[i, 4]
            variants.fresh[0, 0] = solutions.pushes[i, 0]
            for w in range(2):
                with cython.overflowcheck(False):
                    variants.fresh[0, w + 1] = variants.rows[variants.expanded, w + 1] + digests[push, w] & ALL
            _insert(variants)
        variants.expanded += 1
    return True


def _mark_boxes(solutions: ShortestSolutions, variants: Variants, most: Index) -> Flag:
    """Insert all sets of pushed boxes; return False if there is no room for those after another push.

    Boxes are numbered in the order of their cells, so a push can change the numbers of others.
    """
    i: Index
    while variants.expanded < variants.used and variants.used <= most:
        if not has_room(variants, 4 * solutions.boxes):
            return False
        at: Index = variants.rows[variants.expanded, 0]
        for i in range(solutions.first[at], solutions.first[at + 1]):
            old: Index = solutions.pushes[i, 1]
            new: Index = solutions.pushes[i, 2]
            pushed: Word = variants.rows[variants.expanded, 1]
            pushed = pushed & bit(old) - 1 | pushed >> (old + 1) << old
            variants.fresh[0, 0] = solutions.pushes[i, 0]
            variants.fresh[0, 1] = pushed & bit(new) - 1 | pushed >> new << (new + 1) | bit(new)
            _insert(variants)
        variants.expanded += 1
    return True


def _fewest(solutions: ShortestSolutions, variants: Variants) -> Index:
    """The size of the smallest set of pushed boxes at the end of a solution."""
    least: Index = MOST_BOXES
    i: Index
    for i in range(variants.used):
        at: Index = variants.rows[i, 0]
        if solutions.first[at] == solutions.first[at + 1]:
            least = min(least, count_bits(variants.rows[i, 1]))
    return least


def _changes(solutions: ShortestSolutions, least: Ints2) -> Index:
    """`least_changes` in compiled code: the fewest changes by position and by the box that was pushed last."""
    boxes: Index = solutions.boxes
    best: Index = FAR_BOX
    at: Index
    i: Index
    k: Index
    if solutions.left == 0:
        return 0
    for at in range(solutions.count):
        any: Index = FAR_BOX
        for k in range(boxes):
            any = min(any, least[at, k])
        if solutions.first[at] == solutions.first[at + 1]:
            best = min(best, any)
        for i in range(solutions.first[at], solutions.first[at + 1]):
            changes: Index = 0
            if at > 0:
                changes = min(any + 1, least[at, solutions.pushes[i, 1]])
            if changes < least[solutions.pushes[i, 0], solutions.pushes[i, 2]]:
                least[solutions.pushes[i, 0], solutions.pushes[i, 2]] = changes
    return best


def _marked(solutions: ShortestSolutions, marked: Bytes, least: Ints) -> Index:
    """`least_marked` in compiled code, from the end: the fewest marked pushes from each position on."""
    at: Index = solutions.count
    i: Index
    while at > 0:
        at -= 1
        best: Index = FAR_BOX
        for i in range(solutions.first[at], solutions.first[at + 1]):
            push: Index = 4 * solutions.pushes[i, 3] + solutions.pushes[i, 4]
            best = min(best, least[solutions.pushes[i, 0]] + marked[push])
        if best < FAR_BOX:
            least[at] = best
    return least[0]
