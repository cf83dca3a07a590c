"""How the floor hangs together: the cells that a player reaches, and the blocks that no single cell parts."""

from puzzlemc.mc.jit import kernel


@kernel()
def flood(near, on, start, queue, seen, stamp):  # type: ignore[no-untyped-def]
    """Mark all free cells that hang together with `start` and list them in `queue`: how many, and the least."""
    queue[0] = start
    seen[start] = stamp
    head, tail, least = 0, 1, start
    while head < tail:
        cell = queue[head]
        head += 1
        for d in range(4):
            other = near[cell, d]
            if on[other] == 0 and seen[other] != stamp:
                seen[other] = stamp
                queue[tail] = other
                tail += 1
                if other < least:
                    least = other
    return tail, least


@kernel()
def count_regions(near, on, queue, seen, stamp):  # type: ignore[no-untyped-def]
    """Into how many parts the free cells fall that do not have the stamp; afterwards all have it."""
    number = 0
    for cell in range(len(on) - 1):
        if on[cell] == 0 and seen[cell] != stamp:
            number += 1
            flood(near, on, cell, queue, seen, stamp)
    return number


@kernel()
def find_blocks(near, on, root, found, low, up, turn, order, block):  # type: ignore[no-untyped-def]
    """The blocks of the free cells that hang together with `root` (Hopcroft and Tarjan 1973): how many cells.

    `found` numbers the cells as a search depth first finds them, 0 elsewhere; `block[cell]` is the block of the
    edge by
    which it was found. Any edge is in the block of that of its two cells which was found later.
    """
    found[:] = 0
    found[root] = 1
    low[root] = 1
    turn[root] = 0
    order[0] = root
    count, cell = 1, root
    while True:
        d = turn[cell]
        if d < 4:
            turn[cell] = d + 1
            other = near[cell, d]
            if on[other]:
                continue
            if found[other] == 0:
                up[other] = cell
                order[count] = other
                count += 1
                found[other] = count
                low[other] = count
                turn[other] = 0
                cell = other
            elif found[other] < low[cell]:
                low[cell] = found[other]
        elif cell == root:
            break
        else:
            above = up[cell]
            if low[cell] < low[above]:
                low[above] = low[cell]
            cell = above
    block[root] = 0
    for at in range(1, count):
        cell = order[at]
        above = up[cell]
        block[cell] = at if low[cell] >= found[above] else block[above]
    return count
