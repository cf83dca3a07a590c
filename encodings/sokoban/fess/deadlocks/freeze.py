"""Freeze deadlocks: boxes that no solution moves.

Take a set of boxes each of which has, on both axes, a wall or a box of the set next to it, or dead squares on both
sides. The first of them to move would need a free axis, or would enter a dead square. So no solution moves any of
them. The largest such set remains after repeatedly removing boxes with a free axis. Compiled: see `mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import Floor
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes, Game
    from puzzlemc.mc.words import Flag, Index


def freeze(game: Game, boxes: Boxes) -> Index:  # public
    """Set `stuck` to 1 for the boxes of the largest frozen set; return their number. Walls are stuck already."""
    left: Index = boxes.count
    changed: Flag = True
    at: Index
    d: Index
    for at in range(boxes.count):
        boxes.stuck[boxes.cells[at]] = 1
    while changed and left:
        changed = False
        for at in range(boxes.count):
            box: Index = boxes.cells[at]
            if boxes.stuck[box] == 0:
                continue
            for d in range(2):
                one: Index = game.near[box, d]
                other: Index = game.near[box, d + 2]
                if not (
                    boxes.stuck[one] or boxes.stuck[other] or (game.dead_squares[one] and game.dead_squares[other])
                ):
                    boxes.stuck[box] = 0
                    left -= 1
                    changed = True
                    break
    return left


def thaw(boxes: Boxes) -> None:  # public
    """Set `stuck` back to 0."""
    at: Index
    for at in range(boxes.count):
        boxes.stuck[boxes.cells[at]] = 0


def is_wedged(game: Game, floor: Floor, box: Index) -> Flag:  # public
    """Is the box blocked on both axes? If not, it is not frozen, and no box is frozen because of it."""
    d: Index
    for d in range(2):
        one: Index = game.near[box, d]
        other: Index = game.near[box, d + 2]
        if not (floor.on[one] or floor.on[other] or (game.dead_squares[one] and game.dead_squares[other])):
            return False
    return True


def is_frozen_off_goals(game: Game, boxes: Boxes) -> Flag:  # public
    """Is some frozen box not on a target?"""
    found: Flag = False
    at: Index
    if freeze(game, boxes):
        for at in range(boxes.count):
            if boxes.stuck[boxes.cells[at]] and game.is_target[boxes.cells[at]] == 0:
                found = True
    thaw(boxes)
    return found
