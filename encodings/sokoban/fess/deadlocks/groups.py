"""Group deadlocks: a box and the boxes nearest to it that cannot reach targets even without all other boxes.

On hard levels nearly every position that a search meets has a dead group. So the groups around the box that moved
last are tested, small ones first. Results are cached, and dead groups become patterns. Compiled: see
`mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import Floor
    from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation import DEAD, FEW, MANY, Relaxation, cached, is_dead
    from puzzlemc.encodings.sokoban.fess.domain.counters import Counters
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes
    from puzzlemc.encodings.sokoban.fess.domain.positions import Positions
    from puzzlemc.mc.words import Flag, Index, Shorts2, Word, Words, bit

    MOST = 8  # boxes of a group
    ENOUGH = 2_000_000  # the most cells visited for one box
    BEGINS = 3  # neighbouring boxes tried as centres of a group
    SHARE = 3  # long tests take at most one SHARE-th of the work


class Groups:
    """Where groups are.

    nearby  (cells, at most NEARBY): the cells nearest to each cell, in order, itself first; then walls
    begins  the number of neighbouring boxes tried as centres of a group
    keys    by number of boxes: the hash of the boxes of a group
    waited  cached results, which are read early
    """

    nearby: Shorts2  # readonly
    begins: Index  # public
    keys: Words  # readonly
    waited: Word

    def __init__(self, nearby: npt.NDArray[np.int16]) -> None:
        self.nearby, self.begins = view(nearby), BEGINS
        self.keys, self.waited = view(np.zeros(MOST + 1, np.uint64)), 0


def is_dead_group(
    groups: Groups, r: Relaxation, floor: Floor, box: Index, player: Index, most: Index
) -> Flag:  # public
    """Is a group with this box dead in a position?

    player  the least cell that the player reaches
    most    the limit of positions of each test
    """
    wall: Index = floor.cells
    enough: Index = r.work + ENOUGH
    begun: Index = 0
    at: Index
    size: Index
    for at in range(groups.nearby.shape[1]):
        begin: Index = groups.nearby[box, at]
        if floor.on[begin] == 0 or begin == wall:
            continue
        count: Index = _gather(groups, r, floor, begin, player)
        has_box: Flag = False
        for size in range(1, count + 1):
            has_box = has_box or r.boxes.cells[size - 1] == box
            if has_box and size > 1:
                r.boxes.count = size
                if is_dead(r, groups.keys[size], player, most, False) == DEAD:
                    return True
            if r.work > enough:
                break
        begun += 1
        if begun == groups.begins or r.work > enough:
            break
    return False


def _gather(groups: Groups, r: Relaxation, floor: Floor, begin: Index, player: Index) -> Index:
    """List the boxes nearest to `begin`, itself first, and the keys of the first ones; return their number.

    The cached results of all groups are read at once, so that the processor waits for all at the same time.
    """
    count: Index = 0
    other: Index
    key: Word = r.game.codes[0, floor.cells]
    waited: Word = 0
    for other in range(groups.nearby.shape[1]):
        cell: Index = groups.nearby[begin, other]
        if floor.on[cell] == 0 or cell == floor.cells:
            continue
        r.boxes.cells[count] = cell
        count += 1
        key ^= r.game.codes[0, cell]
        groups.keys[count] = key
        waited |= cached(r, key, player)
        if count == MOST:
            break
    groups.waited = waited
    return count


def has_dead_group(
    groups: Groups,
    r: Relaxation,
    floor: Floor,
    boxes: Boxes,
    positions: Positions,
    number: Index,
    counters: Counters,
) -> Flag:  # public
    """Does the position of that number, which is on the floor, have a dead group?

    Tests groups around the box that moved last, and around one more box, a different one each time.
    """
    parent: Index = positions.parents[number]
    one: Index = (counters.expanded + counters.buried) % boxes.count
    at: Index
    long: Index
    for at in range(boxes.count):
        box: Index = boxes.cells[at]
        if parent >= 0 and positions.bits[parent, box >> 6] & bit(box & 63) and at != one:
            continue
        for long in range(2):
            if long and SHARE * counters.tested > counters.work:
                continue
            before: Index = r.work
            dead: Flag = is_dead_group(groups, r, floor, box, positions.players[number], MANY if long else FEW)
            if long:
                counters.tested += r.work - before
            if dead:
                return True
    return False
