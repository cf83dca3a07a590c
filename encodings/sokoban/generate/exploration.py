"""Breadth-first search over pushes or pulls in a room, and its uses. Compiled: see `mc/words.py`.

`positions.py` defines packed positions, and calls the functions below. Arrays that grow have a fixed capacity in
compiled code: a search that needs more stops, its arrays are enlarged, and it goes on.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.bitboards import Bitboard, Region
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.bitboards import fill, is_free, is_in, toggle
    from puzzlemc.encodings.sokoban.board.floor import PULL
    from puzzlemc.mc.words import Flag, Index, Ints, Ints2, Ints3, Numbers, Shorts2, Word, mixed

    FAR = 0x40000000  # changes of box without a solution


class RoomSteps:
    """The possible steps of boxes in a room, and working arrays.

    near        (cells + 1, 4): the next cell in each direction; the last cell is the wall
    kind        PUSH or PULL
    board       the boxes of the position whose successors are computed; none after each use
    lit, ahead  the cells that the player reaches before a step, and after it
    after       (4 * boxes, boxes + 1): the successors of a position
    moves       (4 * boxes, 4): for each successor, the number of the moved box before and after the step, its cell
                before the step, and the direction
    """

    near: Shorts2
    kind: Index
    board: Bitboard
    lit: Region
    ahead: Region
    after: Shorts2
    moves: Ints2

    def __init__(self, near: npt.NDArray[np.int16], kind: int, boxes: int) -> None:
        """The steps in positions with this number of boxes."""
        self.near, self.kind, self.board = view(near), kind, Bitboard(near)
        self.lit, self.ahead = Region(self.board), Region(self.board)
        self.after = view(np.zeros((4 * boxes, boxes + 1), np.int16))
        self.moves = view(np.zeros((4 * boxes, 4), np.int32))


class Search:
    """The positions that a search has found, in the order of their depth.

    packed    (capacity, boxes + 1): the packed positions, of which there are `count`
    depth     (capacity,): the least number of steps from a start position
    paths     (capacity,): the number of shortest paths from the start positions, at most `most_paths`
    slots     a hash table of the numbers of the positions, -1 for an empty slot; its length is a power of two
    expanded  the number of positions whose successors are found
    edges     the number of these successors, equal ones included
    complete  whether the search has found all positions
    """

    packed: Shorts2  # readonly
    depth: Ints  # readonly
    paths: Numbers  # readonly
    slots: Ints
    count: Index  # readonly
    expanded: Index
    edges: Index  # readonly
    complete: Flag  # readonly
    most_paths: Index

    def __init__(self, starts: npt.NDArray[np.int16], capacity: int, most_paths: int) -> None:
        """A search from these packed positions, all different. The capacity is a power of two."""
        self.packed = view(_enlarged(starts, capacity))
        self.depth, self.paths = view(np.zeros(capacity, np.int32)), view(np.ones(capacity, np.int64))
        self.slots = view(np.empty(4 * capacity, np.int32))
        self.count, self.most_paths = len(starts), most_paths
        self.expanded = self.edges = 0
        self.complete = False
        _fill_slots(self)

    def grow(self) -> None:  # interpreted
        """Double the capacity."""
        capacity = 2 * len(np.asarray(self.depth))
        self.packed = view(_enlarged(np.asarray(self.packed), capacity))
        self.depth = view(_enlarged(np.asarray(self.depth), capacity))
        self.paths = view(_enlarged(np.asarray(self.paths), capacity))
        self.slots = view(np.empty(4 * capacity, np.int32))
        _fill_slots(self)


class Solutions:
    """The positions on shortest solutions, and for each of them the fewest changes of box up to it.

    numbers   (capacity,): the numbers of these positions, of which there are `count`; the start is the first
    least     (capacity, boxes): the fewest changes of box, by place in `numbers` and the box that was pushed last
    came      (capacity, boxes, 4): the place and the last box before the push, the cell of the box, the direction
    place_of  (positions,): the place of each position in `numbers`, -1 for the others
    expanded  the number of places whose successors are found
    best      the fewest changes of box in a solution; it ends at place `last`, with a push of `box`
    """

    numbers: Ints
    least: Ints2
    came: Ints3
    place_of: Ints
    count: Index
    expanded: Index
    best: Index
    last: Index
    box: Index

    def __init__(self, search: Search, start: int, capacity: int) -> None:
        """The start alone, which has this number."""
        boxes = np.asarray(search.packed).shape[1] - 1
        place_of = np.full(search.count, -1, np.int32)
        place_of[start] = 0
        self.numbers, self.place_of = view(np.full(capacity, start, np.int32)), view(place_of)
        self.least = view(np.zeros((capacity, boxes), np.int32))
        self.came = view(np.zeros((capacity, boxes, 4), np.int32))
        self.count, self.best = 1, FAR
        self.expanded = self.last = self.box = 0

    def grow(self) -> None:  # interpreted
        """Double the capacity."""
        capacity = 2 * len(np.asarray(self.numbers))
        self.numbers = view(_enlarged(np.asarray(self.numbers), capacity))
        self.least = view(_enlarged(np.asarray(self.least), capacity))
        self.came = view(_enlarged(np.asarray(self.came), capacity))


def explore(steps: RoomSteps, search: Search, limit: int) -> None:
    """Search until all positions are found, or more than `limit`.

    In the latter case, the positions of the greatest depth are dropped: they may not be all.
    """
    while not _explore(steps, search, limit):
        search.grow()


def best_solution(
    steps: RoomSteps, search: Search, start: int, capacity: int
) -> tuple[int, npt.NDArray[np.int32]]:
    """The cost of a best solution from position `start`, and its steps, in compiled code."""
    solutions = Solutions(search, start, capacity)
    while not _solve(steps, search, solutions):
        solutions.grow()
    solution = np.empty((np.asarray(search.depth)[start], 3), np.int32)
    _write(solutions, view(solution))
    return solutions.best, solution


def losing_successors(steps: RoomSteps, search: Search, found: npt.NDArray[np.int16]) -> int:
    """Write to `found` the successors of the positions that are not among them; return the number written.

    At most `len(found)` are written; a successor can be written more than once.
    """
    count: Index = _losing(steps, search, view(found))
    return count


def count_common(search: Search, packed: npt.NDArray[np.int16]) -> int:
    """The number of these packed positions that the search has found."""
    count: Index = _common(search, view(packed))
    return count


def number_of(search: Search, position: npt.NDArray[np.int16]) -> int:
    """The number of a packed position, -1 if the search has not found it."""
    number: Index = _number(search, view(position[None, :]))
    return number


def _move_box(steps: RoomSteps, packed: Shorts2, i: Index, index: Index, number: Index, to: Index) -> Index:
    """Write the boxes of position `i`, with box `index` on `to`, to successor `number`; return its new index."""
    boxes: Index = packed.shape[1] - 1
    place: Index = index
    k: Index
    for k in range(boxes):
        steps.after[number, k] = packed[i, k]
    while place > 0 and steps.after[number, place - 1] > to:
        steps.after[number, place] = steps.after[number, place - 1]
        place -= 1
    while place < boxes - 1 and steps.after[number, place + 1] < to:
        steps.after[number, place] = steps.after[number, place + 1]
        place += 1
    steps.after[number, place] = to
    return place


def _successors(steps: RoomSteps, packed: Shorts2, i: Index) -> Index:
    """List the successors of position `i`; return their number."""
    boxes: Index = packed.shape[1] - 1
    count: Index = 0
    index: Index
    d: Index
    for index in range(boxes):
        toggle(steps.board, packed[i, index])
    fill(steps.board, packed[i, boxes], steps.lit)
    for index in range(boxes):
        cell: Index = packed[i, index]
        for d in range(4):
            to: Index = steps.near[cell, d]
            stand: Index = steps.near[cell, d ^ 2]
            player: Index = cell
            if steps.kind == PULL:
                stand = to
                player = steps.near[to, d]
            if (
                not is_in(steps.board, steps.lit, stand)
                or not is_free(steps.board, to)
                or (player != cell and not is_free(steps.board, player))
            ):
                continue
            steps.moves[count, 0] = index
            steps.moves[count, 1] = _move_box(steps, packed, i, index, count, to)
            steps.moves[count, 2] = cell
            steps.moves[count, 3] = d
            toggle(steps.board, cell)
            toggle(steps.board, to)
            fill(steps.board, player, steps.ahead)
            toggle(steps.board, cell)
            toggle(steps.board, to)
            steps.after[count, boxes] = steps.ahead.least
            count += 1
    for index in range(boxes):
        toggle(steps.board, packed[i, index])
    return count


def _find(search: Search, packed: Shorts2, i: Index) -> Index:
    """The slot of packed position `i` of the array, or the empty slot where it would be inserted."""
    width: Index = packed.shape[1]
    mask: Index = search.slots.shape[0] - 1
    hash: Word = 0
    word: Word = 0
    k: Index
    for k in range(width):
        if k > 0 and k & 3 == 0:
            hash = mixed(hash, word)
            word = 0
        number: Word = packed[i, k]
        word = word << 16 | number
    hash = mixed(hash, word)
    place: Index = hash & mask
    while search.slots[place] >= 0:
        known: Index = search.slots[place]
        k = 0
        while k < width and search.packed[known, k] == packed[i, k]:
            k += 1
        if k == width:
            break
        place = (place + 1) & mask
    return place


def _number(search: Search, position: Shorts2) -> Index:
    """The number of the only packed position of an array, -1 if the search has not found it."""
    return search.slots[_find(search, position, 0)]


def _fill_slots(search: Search) -> None:
    """Make the hash table that of the positions."""
    i: Index
    for i in range(search.slots.shape[0]):
        search.slots[i] = -1
    for i in range(search.count):
        search.slots[_find(search, search.packed, i)] = i


def _explore(steps: RoomSteps, search: Search, limit: Index) -> Flag:
    """Search until the end; return False if the arrays have no room for the successors of another position."""
    i: Index
    while search.expanded < search.count and search.count <= limit:
        if search.count + steps.after.shape[0] > search.depth.shape[0]:
            return False
        found: Index = _successors(steps, search.packed, search.expanded)
        for i in range(found):
            _insert(steps, search, i)
        search.edges += found
        search.expanded += 1
    search.complete = search.expanded == search.count
    if not search.complete:
        _drop_deepest(search)
    return True


def _insert(steps: RoomSteps, search: Search, i: Index) -> None:
    """Insert successor `i` of the position that is expanded."""
    place: Index = _find(search, steps.after, i)
    known: Index = search.slots[place]
    at: Index = search.expanded
    k: Index
    if known < 0:
        known = search.count
        for k in range(steps.after.shape[1]):
            search.packed[known, k] = steps.after[i, k]
        search.depth[known] = search.depth[at] + 1
        search.paths[known] = search.paths[at]
        search.slots[place] = known
        search.count += 1
    elif search.depth[known] == search.depth[at] + 1:
        search.paths[known] = min(search.most_paths, search.paths[known] + search.paths[at])


def _drop_deepest(search: Search) -> None:
    """Remove the positions of the greatest depth."""
    deepest: Index = search.depth[search.count - 1]
    while search.count > 0 and search.depth[search.count - 1] == deepest:
        search.count -= 1
    _fill_slots(search)


def _solve(steps: RoomSteps, search: Search, solutions: Solutions) -> Flag:
    """Find the best solution; return False if the arrays have no room for the successors of another position."""
    boxes: Index = search.packed.shape[1] - 1
    i: Index
    k: Index
    while solutions.expanded < solutions.count:
        if solutions.count + steps.after.shape[0] > solutions.numbers.shape[0]:
            return False
        at: Index = solutions.expanded
        number: Index = solutions.numbers[at]
        depth: Index = search.depth[number]
        for k in range(boxes):
            if depth == 0 and solutions.least[at, k] < solutions.best:
                solutions.best = solutions.least[at, k]
                solutions.last = at
                solutions.box = k
        for i in range(_successors(steps, search.packed, number)):
            known: Index = search.slots[_find(search, steps.after, i)]
            if known < 0 or search.depth[known] != depth - 1:
                continue
            place: Index = solutions.place_of[known]
            if place < 0:
                place = solutions.count
                solutions.numbers[place] = known
                solutions.place_of[known] = place
                for k in range(boxes):
                    solutions.least[place, k] = FAR
                solutions.count += 1
            _extend(steps, solutions, i, place)
        solutions.expanded += 1
    return True


def _extend(steps: RoomSteps, solutions: Solutions, i: Index, place: Index) -> None:
    """Extend the solutions up to the position that is expanded by the push to its successor `i`, at `place`."""
    at: Index = solutions.expanded
    box: Index = steps.moves[i, 0]
    new: Index = steps.moves[i, 1]
    last: Index
    for last in range(solutions.least.shape[1]):
        changes: Index = solutions.least[at, last]
        if last != box and at > 0:
            changes += 1
        if changes < solutions.least[place, new]:
            solutions.least[place, new] = changes
            solutions.came[place, new, 0] = at
            solutions.came[place, new, 1] = last
            solutions.came[place, new, 2] = steps.moves[i, 2]
            solutions.came[place, new, 3] = steps.moves[i, 3]


def _write(solutions: Solutions, solution: Ints2) -> None:
    """Write the best solution, from its end."""
    place: Index = solutions.last
    box: Index = solutions.box
    i: Index = solution.shape[0]
    while i > 0:
        i -= 1
        before: Index = solutions.came[place, box, 0]
        solution[i, 0] = solutions.numbers[before]
        solution[i, 1] = solutions.came[place, box, 2]
        solution[i, 2] = solutions.came[place, box, 3]
        box = solutions.came[place, box, 1]
        place = before


def _losing(steps: RoomSteps, search: Search, found: Shorts2) -> Index:
    """`losing_successors` in compiled code."""
    count: Index = 0
    at: Index
    i: Index
    k: Index
    for at in range(search.count):
        for i in range(_successors(steps, search.packed, at)):
            if count < found.shape[0] and search.slots[_find(search, steps.after, i)] < 0:
                for k in range(found.shape[1]):
                    found[count, k] = steps.after[i, k]
                count += 1
    return count


def _common(search: Search, packed: Shorts2) -> Index:
    """`count_common` in compiled code."""
    count: Index = 0
    i: Index
    for i in range(packed.shape[0]):
        if search.slots[_find(search, packed, i)] >= 0:
            count += 1
    return count


def _enlarged(array: npt.NDArray[np.generic], capacity: int) -> npt.NDArray[np.generic]:
    """A copy with a larger first dimension, whose new elements have no value yet."""
    larger = np.empty((capacity, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
