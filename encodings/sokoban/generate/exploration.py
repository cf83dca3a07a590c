"""Breadth-first search over pushes or pulls in a room, and its uses. Compiled: see `mc/words.py`.

`positions.py` defines packed positions, and calls the functions below. Arrays that grow have a fixed capacity in
compiled code: a search that needs more stops, its arrays are enlarged, and it goes on. Four numbers of a packed
position are a word of a `StateTable`; compiled code reads the numbers in arrays on the same memory.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.bitboards import Bitboard, Region
from puzzlemc.mc.search.growing import UNLIMITED, Growing
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.bitboards import fill, is_free, is_in, toggle
    from puzzlemc.encodings.sokoban.board.floor import PULL
    from puzzlemc.mc.search.state_table import find, has_room
    from puzzlemc.mc.words import Flag, Index, Ints, Ints2, Ints3, Numbers, Shorts2, Words2

    CAPACITY = 1 << 9  # positions for which a search has room at first
    ON_SOLUTIONS = 1 << 6  # positions on shortest solutions, for which there is room at first
    FAR = 0x40000000  # changes of box without a solution


class RoomSteps:
    """The possible steps of boxes in a room, and working arrays.

    near        (cells + 1, 4): the next cell in each direction; the last cell is the wall
    kind        PUSH or PULL
    board       the boxes of the position whose successors are computed; none after each use
    lit, ahead  the cells that the player reaches before a step, and after it
    boxes       their number
    after       (4 * boxes, words): the successors of a position
    numbers     (4 * boxes, 4 * words): the numbers in `after`
    moves       (4 * boxes, 4): for each successor, the number of the moved box before and after the step, its cell
                before the step, and the direction
    """

    near: Shorts2
    kind: Index
    board: Bitboard
    lit: Region
    ahead: Region
    boxes: Index
    after: Words2
    numbers: Shorts2
    moves: Ints2

    def __init__(self, near: npt.NDArray[np.int16], kind: int, boxes: int) -> None:
        """The steps in positions with this number of boxes."""
        self.near, self.kind, self.board = view(near), kind, Bitboard(near)
        self.lit, self.ahead = Region(self.board), Region(self.board)
        after = np.zeros((4 * boxes, words_of(boxes)), np.uint64)
        self.boxes, self.after, self.numbers = boxes, view(after), view(after.view(np.int16))
        self.moves = view(np.zeros((4 * boxes, 4), np.int32))


class Search(StateTable):
    """The positions that a search has found, in the order of their depth.

    packed    (capacity, 4 * words): the numbers of the packed positions
    depth     (capacity,): the least number of steps from a start position
    paths     (capacity,): the number of shortest paths from the start positions, at most `most_paths`
    expanded  the number of positions whose successors are found
    edges     the number of these successors, equal ones included
    complete  whether the search has found all positions
    """

    packed: Shorts2  # readonly
    depth: Ints  # public
    paths: Numbers  # public
    expanded: Index
    edges: Index  # readonly
    complete: Flag  # readonly
    most_paths: Index

    def __init__(self, starts: npt.NDArray[np.int16], most_paths: int) -> None:
        """A search from these packed positions, all different."""
        capacity = max(CAPACITY, 2 * len(starts))
        super().__init__(capacity, words_of(starts.shape[1] - 1), 2 * capacity)
        self.depth, self.paths = view(np.zeros(capacity, np.int32)), view(np.ones(capacity, np.int64))
        self.packed = view(np.asarray(self.rows).view(np.int16))
        np.asarray(self.packed)[: len(starts), : starts.shape[1]] = starts
        self.used, self.most_paths = len(starts), most_paths
        self.expanded = self.edges = 0
        self.complete = False
        self.resize(2 * capacity)

    def columns(self) -> list[str]:
        """The names of the arrays that have an entry for each position."""
        return ["rows", "depth", "paths"]

    def enlarge(self, more: int) -> None:  # interpreted
        """Make room for `more` further positions."""
        self.packed = view(np.empty((1, 1), np.int16))  # pages move only while no array is on them
        self.make_room(more, UNLIMITED)
        self.packed = view(np.asarray(self.rows).view(np.int16))

    def drop_deepest(self) -> None:  # interpreted
        """Remove the positions of the greatest depth."""
        depth = np.asarray(self.depth)[: self.used]
        self.used = int(np.searchsorted(depth, depth.max()))
        self.resize(self.slots.shape[0])


class Solutions(Growing):
    """The positions on shortest solutions, and for each of them the fewest changes of box up to it.

    numbers   (capacity,): the numbers of these positions, of which there are `count`; the start is the first
    least     (capacity, boxes): the fewest changes of box, by place in `numbers` and the box that was pushed last
    came      (capacity, boxes, 4): the place and the last box before the push, the cell of the box, the direction
    place_of  (positions,): the place of each position in `numbers`, -1 for the others
    expanded  the number of places whose successors are found
    best      the fewest changes of box in a solution; it ends at place `last`, with a push of `box`
    """

    numbers: Ints  # public
    least: Ints2  # public
    came: Ints3  # public
    place_of: Ints
    count: Index
    expanded: Index
    best: Index
    last: Index
    box: Index

    def __init__(self, search: Search, start: int, boxes: int) -> None:
        """The start alone, which has this number."""
        super().__init__()
        capacity = max(ON_SOLUTIONS, 8 * boxes)
        place_of = np.full(search.used, -1, np.int32)
        place_of[start] = 0
        self.numbers, self.place_of = view(np.full(capacity, start, np.int32)), view(place_of)
        self.least = view(np.zeros((capacity, boxes), np.int32))
        self.came = view(np.zeros((capacity, boxes, 4), np.int32))
        self.count, self.best = 1, FAR
        self.expanded = self.last = self.box = 0


def explore(steps: RoomSteps, search: Search, limit: int) -> None:
    """Search until all positions are found, or more than `limit`.

    In the latter case, the positions of the greatest depth are dropped: they may not be all.
    """
    advance(steps, search, limit)
    if not search.complete:
        search.drop_deepest()


def advance(steps: RoomSteps, search: Search, limit: int) -> None:  # interpreted
    """Go on with a search until all positions are found, or more than `limit`."""
    while not _explore(steps, search, limit):
        search.enlarge(steps.after.shape[0])


def best_solution(steps: RoomSteps, search: Search, start: int) -> tuple[int, npt.NDArray[np.int32]]:
    """The cost of a best solution from position `start`, and its steps, in compiled code."""
    solutions = Solutions(search, start, steps.boxes)
    while not _solve(steps, search, solutions):
        solutions.grow(solutions.count + steps.after.shape[0], UNLIMITED, "numbers", "least", "came")
    solution = np.empty((np.asarray(search.depth)[start], 3), np.int32)
    _write(solutions, view(solution))
    return solutions.best, solution


def losing_successors(steps: RoomSteps, search: Search, most: int) -> npt.NDArray[np.int16]:
    """At most `most` successors of the positions that are not among them; one can be listed more than once."""
    found = np.zeros((most, steps.after.shape[1]), np.uint64)
    count: Index = _losing(steps, search, view(found))
    return found.view(np.int16)[:count, : steps.boxes + 1]


def count_common(search: Search, other: Search) -> int:
    """The number of the positions that both searches have found."""
    count: Index = _common(search, other)
    return count


def packed_row(position: npt.NDArray[np.int16]) -> npt.NDArray[np.uint64]:
    """A packed position of shape (boxes + 1,) as words."""
    row = np.zeros(4 * words_of(len(position) - 1), np.int16)
    row[: len(position)] = position
    return row.view(np.uint64)


def words_of(boxes: int) -> int:
    """The number of words of a packed position with this number of boxes."""
    return boxes // 4 + 1


def _move_box(steps: RoomSteps, packed: Shorts2, i: Index, index: Index, number: Index, to: Index) -> Index:
    """Write the boxes of position `i`, with box `index` on `to`, to successor `number`; return its new index."""
    boxes: Index = steps.boxes
    place: Index = index
    k: Index
    for k in range(boxes):
        steps.numbers[number, k] = packed[i, k]
    while place > 0 and steps.numbers[number, place - 1] > to:
        steps.numbers[number, place] = steps.numbers[number, place - 1]
        place -= 1
    while place < boxes - 1 and steps.numbers[number, place + 1] < to:
        steps.numbers[number, place] = steps.numbers[number, place + 1]
        place += 1
    steps.numbers[number, place] = to
    return place


def list_successors(steps: RoomSteps, packed: Shorts2, i: Index) -> Index:
    """List the successors of position `i`; return their number."""
    boxes: Index = steps.boxes
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
            steps.numbers[count, boxes] = steps.ahead.least
            count += 1
    for index in range(boxes):
        toggle(steps.board, packed[i, index])
    return count


def _explore(steps: RoomSteps, search: Search, limit: Index) -> Flag:
    """Search until the end; return False if the arrays have no room for the successors of another position."""
    i: Index
    while search.expanded < search.used and search.used <= limit:
        if not has_room(search, steps.after.shape[0]):
            return False
        found: Index = list_successors(steps, search.packed, search.expanded)
        for i in range(found):
            _insert(steps, search, i)
        search.edges += found
        search.expanded += 1
    search.complete = search.expanded == search.used
    return True


def _insert(steps: RoomSteps, search: Search, i: Index) -> None:
    """Insert successor `i` of the position that is expanded."""
    place: Index = find(search, steps.after, i)
    known: Index = search.slots[place]
    at: Index = search.expanded
    k: Index
    if known < 0:
        known = search.used
        for k in range(steps.after.shape[1]):
            search.rows[known, k] = steps.after[i, k]
        search.depth[known] = search.depth[at] + 1
        search.paths[known] = search.paths[at]
        search.slots[place] = known
        search.used += 1
    elif search.depth[known] == search.depth[at] + 1:
        search.paths[known] = min(search.most_paths, search.paths[known] + search.paths[at])


def _solve(steps: RoomSteps, search: Search, solutions: Solutions) -> Flag:
    """Find the best solution; return False if the arrays have no room for the successors of another position."""
    boxes: Index = steps.boxes
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
        for i in range(list_successors(steps, search.packed, number)):
            known: Index = search.slots[find(search, steps.after, i)]
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


def _losing(steps: RoomSteps, search: Search, found: Words2) -> Index:
    """`losing_successors` in compiled code."""
    count: Index = 0
    at: Index
    i: Index
    k: Index
    for at in range(search.used):
        for i in range(list_successors(steps, search.packed, at)):
            if count < found.shape[0] and search.slots[find(search, steps.after, i)] < 0:
                for k in range(found.shape[1]):
                    found[count, k] = steps.after[i, k]
                count += 1
    return count


def _common(search: Search, other: Search) -> Index:
    """`count_common` in compiled code."""
    count: Index = 0
    i: Index
    for i in range(other.used):
        if search.slots[find(search, other.rows, i)] >= 0:
            count += 1
    return count
