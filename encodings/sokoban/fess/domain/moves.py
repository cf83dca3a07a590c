"""Macro moves: one box goes to any square that it can reach while the other boxes stand still.

The search runs over the squares of the box and the sides of the player. The player can walk from one side of the
box to another exactly if both edges out of the square are in one block (biconnected component) of the floor
without that box.
"""

from puzzlemc.encodings.sokoban.fess.domain.floods import FULL, edge, find_blocks
from puzzlemc.mc.jit import kernel

PUSH, PULL = 0, 1


@kernel()
def can_step(near, on, dead_squares, game, box, side):  # type: ignore[no-untyped-def]
    """Can a player who stands on this side of the box move it?"""
    if game == 0:
        target = near[box, side ^ 2]
        return on[target] == 0 and dead_squares[target] == 0
    target = near[box, side]
    return dead_squares[target] == 0 and on[near[target, side]] == 0


@kernel()
def box_moves(near, on, full, dead_squares, game, box, seen, stamp, tree, visited, waiting, targets, players):  # type: ignore[no-untyped-def]
    """List the macro moves of a box; return their number and the number of visited cells.

    targets, players  the square of the box after a move, and a cell of the player: one move for each component of
                      the floor in which the player can be then
    seen              has the stamp on the cells that the player reaches now
    dead_squares      by cell: may no box stand there?
    tree              if there are moves, set to the tree of the floor without the box, with its square as root
    """
    is_open = False
    for side in range(4):
        cell = near[box, side]
        if on[cell] == 0 and seen[cell] == stamp and can_step(near, on, dead_squares, game, box, side):
            is_open = True
    if not is_open:
        return 0, 0
    on[box] = full[box] = 0
    count = find_blocks(near, full, box, tree)
    for cell in range(len(visited)):
        visited[cell] = 0
    first = head = tail = 0
    for side in range(4):
        cell = near[box, side]
        if on[cell] == 0 and seen[cell] == stamp:
            visited[box] |= 1 << side
            waiting[tail] = box * 4 + side
            tail += 1
    while head < tail:
        place = waiting[head] >> 2
        side = waiting[head] & 3
        head += 1
        if not can_step(near, on, dead_squares, game, place, side):
            continue
        target = near[place, side ^ 2] if game == 0 else near[place, side]
        if visited[target] >> side & 1:
            continue
        player = near[target, side]
        here = edge(tree, target, player)
        for other in range(4):
            cell = near[target, other]
            if on[cell] == 0 and edge(tree, target, cell) == here:
                visited[target] |= 1 << other
                waiting[tail] = target * 4 + other
                tail += 1
        targets[first] = target
        players[first] = player
        first += 1
    on[box] = 1
    full[box] = FULL
    return first, count
