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
    from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation import DEAD, FEW, MANY, Relaxation, is_dead
    from puzzlemc.encodings.sokoban.fess.domain.counters import Counters
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes, Floor
    from puzzlemc.encodings.sokoban.fess.domain.positions import Positions
    from puzzlemc.mc.words import Flag, Index, Shorts2, Word, bit

    MOST = 8  # boxes of a group
    ENOUGH = 2_000_000  # the most cells visited for one box
    BEGINS = 3  # neighbouring boxes tried as centres of a group
    SHARE = 3  # long tests take at most one SHARE-th of the work


class Groups:
    """Where groups are.

    nearby  (cells, at most NEARBY): the cells nearest to each cell, in order, itself first; then walls
    begins  the number of neighbouring boxes tried as centres of a group
    """

    nearby: Shorts2
    begins: Index

    def __init__(self, nearby: npt.NDArray[np.int16]) -> None:
        self.nearby, self.begins = view(nearby), BEGINS


def is_dead_group(groups: Groups, r: Relaxation, floor: Floor, box: Index, player: Index, most: Index) -> Flag:
    """Is a group with this box dead in a position?

    player  the least cell that the player reaches
    most    the limit of positions of each test
    """
    wall: Index = floor.cells
    enough: Index = r.work + ENOUGH
    begun: Index = 0
    at: Index
    other: Index
    for at in range(groups.nearby.shape[1]):
        begin: Index = groups.nearby[box, at]
        if floor.on[begin] == 0 or begin == wall:
            continue
        count: Index = 0
        key: Word = r.game.codes[0, wall]
        has_box: Flag = False
        for other in range(groups.nearby.shape[1]):
            cell: Index = groups.nearby[begin, other]
            if floor.on[cell] == 0 or cell == wall:
                continue
            r.boxes.cells[count] = cell
            count += 1
            key ^= r.game.codes[0, cell]
            has_box = has_box or cell == box
            if has_box and count > 1:
                r.boxes.count = count
                if is_dead(r, key, player, most, False) == DEAD:
                    return True
            if count == MOST or r.work > enough:
                break
        begun += 1
        if begun == groups.begins or r.work > enough:
            break
    return False


def has_dead_group(
    groups: Groups,
    r: Relaxation,
    floor: Floor,
    boxes: Boxes,
    positions: Positions,
    number: Index,
    counters: Counters,
) -> Flag:
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
