"""The box steps that the player can make from its component. Compiled: see `mc/words.py`.

The steps of the other boxes are listed once for all moves of a box.
"""

import cython
import numpy as np

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import Marks
    from puzzlemc.encodings.sokoban.board.floor import PUSH, Floor
    from puzzlemc.encodings.sokoban.fess.domain.blocks import FULL, Tree, is_in_part, parts_at
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes, Game
    from puzzlemc.mc.words import Bytes, Flag, Index, Shorts


class Steps:
    """The steps of all boxes except a lifted one.

    _stands  the cell of the player for each of `_number` steps
    _beyond  the other cell that must be free
    _uses    by cell: the number of steps that use it
    """

    _stands: Shorts
    _beyond: Shorts
    _uses: Bytes
    _number: Index

    def __init__(self, boxes: int, cells: int) -> None:
        """No steps, with room for those of `boxes` boxes."""
        self._stands, self._beyond = (view(np.zeros(4 * boxes + 4, np.int16)) for _ in range(2))
        self._uses, self._number = view(np.zeros(cells + 1, np.uint8)), 0


def open_steps(game: Game, floor: Floor, boxes: Boxes, marks: Marks) -> Index:
    """The number of box steps from the component with the current mark."""
    at: Index
    d: Index
    total: Index = 0
    for at in range(boxes.count):
        box: Index = boxes.cells[at]
        for d in range(4):
            stand: Index = floor.near[box, d]
            if floor.on[stand] == 0 and marks.seen[stand] == marks.stamp:
                total += _beyond(game, floor, box, d) != game.cells
    return total


def list_steps(steps: Steps, game: Game, floor: Floor, boxes: Boxes, leave: Index, tree: Tree) -> None:
    """List the steps of all boxes except the lifted one, number `leave`.

    The cell of the player must be in the tree.
    """
    cell: Index
    at: Index
    d: Index
    total: Index = 0
    for cell in range(steps._uses.shape[0]):
        steps._uses[cell] = 0
    for at in range(boxes.count):
        if at == leave:
            continue
        box: Index = boxes.cells[at]
        for d in range(4):
            stand: Index = floor.near[box, d]
            if tree.found[stand] == 0 or tree.found[stand] == FULL:
                continue
            other: Index = _beyond(game, floor, box, d)
            if other != game.cells:
                steps._stands[total] = stand
                steps._beyond[total] = other
                steps._uses[stand] += 1
                steps._uses[other] += 1
                total += 1
    steps._number = total


def steps_left(steps: Steps, game: Game, floor: Floor, tree: Tree, box: Index, first: Index) -> Index:
    """The number of box steps, listed ones and its own, that remain when the lifted box is put down on `box`.

    first  the component of the player, as in `part_at`
    """
    at: Index
    d: Index
    result: Index = 0
    whole: Flag = parts_at(tree, box) == 1
    for d in range(4):
        stand: Index = floor.near[box, d]
        if floor.on[stand] == 0 and (whole or is_in_part(floor, tree, box, first, stand)):
            result += _beyond(game, floor, box, d) != game.cells
    if whole:
        return result + steps._number - steps._uses[box]
    for at in range(steps._number):
        stand = steps._stands[at]
        if stand != box and steps._beyond[at] != box and is_in_part(floor, tree, box, first, stand):
            result += 1
    return result


def _beyond(game: Game, floor: Floor, box: Index, side: Index) -> Index:
    """The cell that must be free for a step of a box, besides the stand of the player; the wall if it is not."""
    stand: Index = floor.near[box, side]
    enters: Index = floor.near[box, side ^ 2] if game.kind == PUSH else stand
    other: Index = enters if game.kind == PUSH else floor.near[stand, side]
    return other if floor.on[other] == 0 and game.dead_squares[enters] == 0 else game.cells
