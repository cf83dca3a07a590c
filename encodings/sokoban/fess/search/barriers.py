"""Barriers: boxes of which each solution pushes one, so the pushes of all others can be left out.

A partial-order reduction (PI-corrals of Damgaard's YASS; stubborn sets, Valmari 1989). The *area* of a barrier has
the cells that the player could reach if only the boxes of the barrier were there. Until one of these is pushed,
the player and all pushed boxes stay in the area. Assume that each push of the barrier

- whose player stands in the area, and which neither the barrier nor a box outside the area blocks,
- is possible now, and leads out of the area.

Such a push does not interfere with other boxes, so it can be the first one. Each solution has one if a cell
outside the area is not as in the goal. `mc/heuristics/stubborn.py` has the same for any model.

A barrier grows from a single box until the conditions hold. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floods import Marks
from puzzlemc.encodings.sokoban.board.floor import Floor
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import flood, new_stamp
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes, Game
    from puzzlemc.mc.words import Bytes, Flag, Index

    NO_BARRIER = 1 << 30
    NEAR, FAR, FREE = 1, 2, 4  # kinds of boxes, as bits


class Barriers:
    """The best barrier of a position, and working arrays.

    best     by cell: has the best barrier the box there?
    kinds    by the cell of a box: is it next to the player's region, and to another region, and is it free to move
             within the player's region?
    barrier  the floor with the boxes of the barrier at hand
    shore    the floor with the boxes next to the player's region
    area     the cells of the area have the mark `reached`
    around   marks of floods around a cell
    work     the number of visited cells
    """

    best: Bytes  # readonly
    kinds: Bytes  # readonly
    barrier: Floor  # readonly
    shore: Floor  # readonly
    area: Marks  # readonly
    around: Marks  # readonly
    work: Index  # readonly

    def __init__(self, near: npt.NDArray[np.int16]) -> None:
        """No barrier on a board."""
        self.best, self.kinds = (view(np.zeros(len(near), np.uint8)) for _ in range(2))
        self.barrier, self.shore = Floor(near), Floor(near)
        self.area, self.around = Marks(len(near) - 1), Marks(len(near) - 1)
        self.work = 0


def find_barrier(
    barriers: Barriers, game: Game, floor: Floor, boxes: Boxes, marks: Marks, player: Index
) -> Index:  # public
    """Find the barrier with the fewest pushes; return their number, or NO_BARRIER.

    For the push game with as many boxes as targets. The boxes are on the floor. If the number is 0, the position
    is dead.

    marks  the cells that the player reaches have the mark `reached`
    """
    least: Index = NO_BARRIER
    at: Index
    other: Index
    barriers.work = 0
    _find_kinds(barriers, game, floor, boxes, marks)
    for at in range(boxes.count):
        if barriers.kinds[boxes.cells[at]] != NEAR | FAR:
            continue
        for other in range(boxes.count):
            barriers.barrier.on[boxes.cells[other]] = 0
        barriers.barrier.on[boxes.cells[at]] = 1
        count: Index = _close(barriers, game, floor, boxes, marks, player)
        if 0 <= count < least and _must_be_pushed(barriers, game, floor):
            least = count
            for other in range(boxes.count):
                barriers.best[boxes.cells[other]] = barriers.barrier.on[boxes.cells[other]]
    for at in range(boxes.count):
        barriers.barrier.on[boxes.cells[at]] = 0
        barriers.shore.on[boxes.cells[at]] = 0
    return least


def _find_kinds(barriers: Barriers, game: Game, floor: Floor, boxes: Boxes, marks: Marks) -> None:
    """Fill in `kinds` and `shore`. A free box never joins a barrier."""
    at: Index
    d: Index
    for at in range(boxes.count):
        box: Index = boxes.cells[at]
        kinds: Index = 0
        for d in range(4):
            stand: Index = game.near[box, d ^ 2]
            target: Index = game.near[box, d]
            if floor.on[stand]:
                continue
            if marks.seen[stand] != marks.reached:
                kinds |= FAR
                continue
            kinds |= NEAR
            if floor.on[target] == 0 and marks.seen[target] == marks.reached and not game.dead_squares[target]:
                kinds |= FREE
        barriers.kinds[box] = kinds
        barriers.shore.on[box] = kinds & NEAR


def _close(barriers: Barriers, game: Game, floor: Floor, boxes: Boxes, marks: Marks, player: Index) -> Index:
    """Grow the barrier until the conditions hold; return the number of its pushes, -1 if that fails."""
    at: Index
    d: Index
    joined: Index
    while True:
        new_stamp(barriers.area)
        barriers.work += flood(barriers.barrier, player, barriers.area)
        count: Index = 0
        grows: Flag = False
        for at in range(boxes.count):
            box: Index = boxes.cells[at]
            if not barriers.barrier.on[box]:
                continue
            for d in range(4):
                stand: Index = game.near[box, d ^ 2]
                target: Index = game.near[box, d]
                leads_out: Flag = barriers.area.seen[target] != barriers.area.reached
                if barriers.area.seen[stand] != barriers.area.reached or game.dead_squares[target]:
                    continue
                if floor.on[target] and leads_out:
                    continue  # the box there stays
                if floor.on[target]:
                    joined = target
                elif floor.on[stand] or marks.seen[stand] != marks.reached:
                    joined = stand
                else:
                    count += 1
                    if leads_out:
                        continue
                    joined = target
                if not _grow(barriers, floor, joined):
                    return -1
                grows = True
                break
            if grows:
                break
        if not grows:
            return count


def _grow(barriers: Barriers, floor: Floor, cell: Index) -> Flag:
    """Add the box on the cell if it is next to the player's region, or else the boxes there around the cell.

    Returns False if no box was added, or if one of them is free.
    """
    at: Index
    d: Index
    grows: Flag = False
    if floor.on[cell] and barriers.kinds[cell] & NEAR:
        grows = not barriers.barrier.on[cell]
        barriers.barrier.on[cell] = 1
        return grows and not barriers.kinds[cell] & FREE
    new_stamp(barriers.around)
    count: Index = flood(barriers.shore, cell, barriers.around)
    barriers.work += count
    for at in range(count):
        for d in range(4):
            box: Index = floor.near[barriers.around.cells[at], d]
            if box == floor.cells or not barriers.shore.on[box]:
                continue
            if barriers.kinds[box] & FREE:
                return False
            grows = grows or not barriers.barrier.on[box]
            barriers.barrier.on[box] = 1
    return grows


def _must_be_pushed(barriers: Barriers, game: Game, floor: Floor) -> Flag:
    """Does each solution push a box of the barrier: is a cell outside the area not as in the goal?"""
    cell: Index
    for cell in range(game.cells):
        if game.is_target[cell] != floor.on[cell] and barriers.area.seen[cell] != barriers.area.reached:
            return True
    return False
