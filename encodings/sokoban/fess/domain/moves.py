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
    """Can the box be moved by a player on that side, who is there?"""
    if game == 0:
        target = near[box, side ^ 2]
        return on[target] == 0 and dead_squares[target] == 0
    target = near[box, side]
    return dead_squares[target] == 0 and on[near[target, side]] == 0


@kernel()
def box_moves(near, on, full, dead_squares, game, box, seen, stamp, tree, visited, waiting, targets, players):  # type: ignore[no-untyped-def]
    """List the macro moves of a box: how many, and the cells looked at.

    targets, players  where the box comes to stand, and a cell where the player then is: one for each of the parts
                      of the floor in which the player can be then
    seen              has the stamp where the player is now
    never             where no box may stand
    tree              afterwards that of the floor without the box, from where that is, if there are moves
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
