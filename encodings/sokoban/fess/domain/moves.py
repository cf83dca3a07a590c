"""Macro moves: one box goes to any square that it can reach while the other boxes stand still.

The search runs over the squares of the box and the sides of the player. The player can walk from one side of the
box to another exactly if both edges out of the square are in one block (biconnected component) of the floor
without that box. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import Marks
    from puzzlemc.encodings.sokoban.board.floor import PUSH, Floor
    from puzzlemc.encodings.sokoban.fess.domain.blocks import Tree, edge, find_blocks
    from puzzlemc.encodings.sokoban.fess.domain.games import Game
    from puzzlemc.mc.words import Bytes, Flag, Index, Shorts


class Moves:
    """The macro moves of a box.

    targets, players  the square of the box after a move, and a cell of the player: one move for each component of
                      the floor in which the player can be then
    number            of moves
    visited_cells     by the last search
    """

    targets: Shorts  # readonly
    players: Shorts  # readonly
    number: Index  # readonly
    visited_cells: Index  # readonly
    _visited: Bytes
    _waiting: Shorts

    def __init__(self, cells: int) -> None:
        """No moves on a board with that number of cells."""
        self.targets, self.players, self._waiting = (view(np.zeros(4 * cells + 4, np.int16)) for _ in range(3))
        self._visited = view(np.zeros(cells + 1, np.uint8))
        self.number = self.visited_cells = 0


def can_step(game: Game, floor: Floor, box: Index, side: Index) -> Flag:
    """Can a player who stands on this side of the box move it?"""
    target: Index = floor.near[box, side]
    if game.kind == PUSH:
        target = floor.near[box, side ^ 2]
        return floor.on[target] == 0 and game.dead_squares[target] == 0
    return game.dead_squares[target] == 0 and floor.on[floor.near[target, side]] == 0


def box_moves(game: Game, floor: Floor, box: Index, marks: Marks, tree: Tree, moves: Moves) -> Index:  # public
    """List the macro moves of a box; return their number.

    marks  the cells that the player reaches now have the mark `reached`
    tree   if there are moves, set to the tree of the floor without the box, with its square as root
    """
    is_open: Flag = False
    side: Index
    cell: Index
    moves.number = moves.visited_cells = 0
    for side in range(4):
        cell = floor.near[box, side]
        if floor.on[cell] == 0 and marks.seen[cell] == marks.reached and can_step(game, floor, box, side):
            is_open = True
    if not is_open:
        return 0
    floor.on[box] = 0
    moves.visited_cells = find_blocks(floor, box, tree)
    for cell in range(floor.cells + 1):
        moves._visited[cell] = 0
    head: Index = 0
    tail: Index = 0
    place: Index
    target: Index
    for side in range(4):
        cell = floor.near[box, side]
        if floor.on[cell] == 0 and marks.seen[cell] == marks.reached:
            moves._visited[box] |= 1 << side
            moves._waiting[tail] = box * 4 + side
            tail += 1
    while head < tail:
        place = moves._waiting[head] >> 2
        side = moves._waiting[head] & 3
        head += 1
        if not can_step(game, floor, place, side):
            continue
        target = floor.near[place, side ^ 2] if game.kind == PUSH else floor.near[place, side]
        if moves._visited[target] >> side & 1:
            continue
        player: Index = floor.near[target, side]
        here: Index = edge(tree, target, player)
        other: Index
        for other in range(4):
            cell = floor.near[target, other]
            if floor.on[cell] == 0 and edge(tree, target, cell) == here:
                moves._visited[target] |= 1 << other
                moves._waiting[tail] = target * 4 + other
                tail += 1
        moves.targets[moves.number] = target
        moves.players[moves.number] = player
        moves.number += 1
    floor.on[box] = 1
    return moves.number
