"""Connectivity of the floor: floods, connected components, and biconnected components (blocks)."""

from typing import NamedTuple

import numpy as np

from puzzlemc.encodings.sokoban.fess.domain.boards import Numbers
from puzzlemc.mc.jit import cached, kernel

FULL = 65535


@kernel()
def flood(near, on, start, queue, seen, stamp):  # type: ignore[no-untyped-def]
    """Mark all free cells connected to `start` and list them in `queue`; return their number and the least one."""
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


@kernel(inline="always")
def _joined(group, links):  # type: ignore[no-untyped-def]
    """The directions connected to a group of directions; link d connects direction d and the next one."""
    for d in range(12):
        pair = 1 << (d & 3) | 1 << (d + 1 & 3)
        if links >> (d & 3) & 1 and group & pair:
            group |= pair
    return group


@kernel()
def _end_of(near, on, one, other, queue, seen, stamp, other_stamp):  # type: ignore[no-untyped-def]
    """Flood from two cells in turns, until the floods meet (0), or the first (1) or the second (2) ends.

    Returns that number, the least cell of the flood that ended, and the number of cells that both visited.
    """
    last = len(queue) - 1
    seen[one], seen[other] = stamp, other_stamp
    queue[0], queue[last] = one, other
    head, tail, least = 0, 1, one
    back, end, other_least = last, last - 1, other
    while True:
        if head == tail:
            return 1, np.int64(least), head + last - back
        cell = queue[head]
        head += 1
        for d in range(4):
            beside = near[cell, d]
            if on[beside] == 0 and seen[beside] != stamp:
                if seen[beside] == other_stamp:
                    return 0, np.int64(least), head + last - back
                seen[beside] = stamp
                queue[tail] = beside
                tail += 1
                least = min(least, beside)
        if back == end:
            return 2, np.int64(other_least), head + last - back
        cell = queue[back]
        back -= 1
        for d in range(4):
            beside = near[cell, d]
            if on[beside] == 0 and seen[beside] != other_stamp:
                if seen[beside] == stamp:
                    return 0, np.int64(least), head + last - back
                seen[beside] = other_stamp
                queue[end] = beside
                end -= 1
                other_least = min(other_least, beside)


@kernel()
def least_after(near, on, lit, lit_stamp, least, box, target, player, queue, seen, stamp):  # type: ignore[no-untyped-def]
    """The least cell that the player reaches after a step of a box, and the number of visited cells.

    The box stood next to the player's component and is on `target` now. That component has the stamp `lit_stamp`
    in `lit` and the least cell `least`; `player` stands next to `target`. `stamp` and the next two are new marks.

    Usually the component only loses `target` and gains the square of the box: this holds if no free neighbour of
    that square is in another component, and the neighbours of `target` are connected around it. If they fall into
    two groups, two alternating floods soon show whether these are connected.
    """
    changed = target == least
    for d in range(4):
        cell = near[box, d]
        changed = changed or (on[cell] == 0 and lit[cell] != lit_stamp)
    work = 8
    if not changed:
        result = min(np.int64(least), np.int64(box))
        if lit[target] != lit_stamp:
            return result, work
        free = links = here = 0
        for d in range(4):
            cell = near[target, d]
            across = d + 1 & 3
            if on[cell] == 0:
                free |= 1 << d
                if cell == player:
                    here = 1 << d
                if on[near[target, across]] == 0 and on[near[cell, across]] == 0:
                    links |= 1 << d
        others = free & ~_joined(here, links)
        if others == 0:
            return result, work
        first = 0
        while others >> first & 1 == 0:
            first += 1
        if others & ~_joined(1 << first, links) == 0:
            ended, low, done = _end_of(near, on, player, near[target, first], queue, seen, stamp, stamp + 1)
            work += done
            if ended == 1:
                return low, work
            if ended == 0 or low != result:
                return result, work
    size, low = flood(near, on, player, queue, seen, stamp + 2)
    return np.int64(low), work + size


@cached()
def count_steps(near, start, steps, queue):  # type: ignore[no-untyped-def]
    """Fill in the steps of a player from `start` to each connected cell; return the number of these cells."""
    queue[0] = start
    steps[start] = 0
    head, tail, wall = 0, 1, len(near) - 1
    while head < tail:
        cell = queue[head]
        head += 1
        for d in range(4):
            other = near[cell, d]
            if other != wall and steps[other] > steps[cell] + 1:
                steps[other] = steps[cell] + 1
                queue[tail] = other
                tail += 1
    return tail


@kernel()
def count_regions(near, on, queue, seen, stamp):  # type: ignore[no-untyped-def]
    """The number of components of the free cells without the stamp; afterwards all have it."""
    number = 0
    for cell in range(len(on) - 1):
        if on[cell] == 0 and seen[cell] != stamp:
            number += 1
            flood(near, on, cell, queue, seen, stamp)
    return number


@kernel()
def list_regions(near, on, cells, starts, seen, stamp):  # type: ignore[no-untyped-def]
    """List the free cells without the stamp, component by component; return the number of components.

    Component k is cells[starts[k] : starts[k + 1]] and gets the stamp + 1 + k; these are new marks, too.
    """
    number = tail = 0
    for cell in range(len(on) - 1):
        if on[cell] == 0 and seen[cell] < stamp:
            starts[number] = tail
            number += 1
            size, _ = flood(near, on, cell, cells[tail:], seen, stamp + number)
            tail += size
    starts[number] = tail
    return number


class Tree(NamedTuple):
    """The depth-first search tree of the free cells connected to a root; all arrays but `order` are by cell.

    found  its number, from 1 on; 0 for other free cells, FULL for boxes and the wall
    order  the cells by number less 1: those below a cell follow it, `size` of them with it
    up     the cell before it, and `turn`, the next direction in which to look
    low    the least number of a neighbour of those below it
    size   the number of cells in its subtree, and `least`, the least of them
    block  of the edge by which it was found; of any edge it is that of its cell which was found later. A block
           is numbered as the first of its cells but the highest
    parts  the number of child subtrees that a box on it cuts off, and `cut`, the number of their cells
    rest   the least cell below it that is not cut off, FULL for none
    """

    found: Numbers
    order: Numbers
    up: Numbers
    turn: Numbers
    low: Numbers
    size: Numbers
    least: Numbers
    block: Numbers
    parts: Numbers
    cut: Numbers
    rest: Numbers


def tree_for(cells: int) -> Tree:
    """Arrays for a board with this number of cells."""
    return Tree(*(np.zeros(cells + 1, np.uint16) for _ in Tree._fields))


@kernel()
def find_blocks(near, full, root, tree):  # type: ignore[no-untyped-def]
    """Fill in the tree (Hopcroft and Tarjan 1973); return its size. `full` is FULL for boxes and walls."""
    found, order, up, turn, low = tree.found, tree.order, tree.up, tree.turn, tree.low
    size, least, block = tree.size, tree.least, tree.block
    parts, cut, rest = tree.parts, tree.cut, tree.rest
    for cell in range(len(full)):
        found[cell] = full[cell]
    found[root] = 1
    order[0] = root
    count, cell, d, lowest = 1, root, 0, 1
    while True:
        while d < 4:
            other = near[cell, d]
            d += 1
            number = found[other]
            if number == 0:
                low[cell] = lowest
                turn[cell] = d
                up[other] = cell
                order[count] = other
                count += 1
                found[other] = count
                cell, d, lowest = other, 0, count
            elif number < lowest:
                lowest = number
        low[cell] = lowest
        if cell == root:
            break
        cell = up[cell]
        d, lowest = turn[cell], low[cell]
    for at in range(count):
        cell = order[at]
        size[cell], least[cell], rest[cell] = 1, cell, FULL
        parts[cell] = cut[cell] = 0
    for at in range(count - 1, 0, -1):
        cell = order[at]
        above = up[cell]
        size[above] += size[cell]
        least[above] = min(least[above], least[cell])
        if low[cell] >= found[above]:
            parts[above] += 1
            cut[above] += size[cell]
        else:
            low[above] = min(low[above], low[cell])
            rest[above] = min(rest[above], least[cell])
    block[root] = 0
    for at in range(1, count):
        cell = order[at]
        above = up[cell]
        block[cell] = at if low[cell] >= found[above] else block[above]
    return count


@kernel(inline="always")
def edge(tree, cell, other):  # type: ignore[no-untyped-def]
    """The block of the edge between two cells of the tree."""
    return tree.block[cell] if tree.found[cell] > tree.found[other] else tree.block[other]


@kernel(inline="always")
def parts_at(tree, root, cell):  # type: ignore[no-untyped-def]
    """The number of components that a box on that cell leaves of the tree."""
    return np.int64(tree.parts[cell]) + (1 if cell != root else 0)


@kernel()
def part_at(tree, root, cell, player):  # type: ignore[no-untyped-def]
    """The component of a player next to a box on `cell`: its first cell, its size, and its least cell.

    The first cell is the child of `cell` whose subtree is the component, or the root.
    """
    found, order = tree.found, tree.order
    first = order[edge(tree, cell, player)]
    if tree.up[first] == cell:
        return np.int64(first), np.int64(tree.size[first]), np.int64(tree.least[first])
    count = np.int64(tree.size[root])
    least = np.int64(tree.least[root])
    low = np.int64(found[cell])
    high = low + tree.size[cell]
    if low <= found[least] < high and least != tree.rest[cell]:
        least = np.int64(tree.rest[cell])
        for at in range(low - 1):
            least = min(least, np.int64(order[at]))
        for at in range(high - 1, count):
            least = min(least, np.int64(order[at]))
    return np.int64(root), count - 1 - tree.cut[cell], least


@kernel()
def is_in_part(near, tree, root, cell, first, other):  # type: ignore[no-untyped-def]
    """Is another cell of the tree in the component with that first cell, while a box stands on `cell`?"""
    found = tree.found
    number = found[other]
    if first != root:
        return found[first] <= number < found[first] + tree.size[first]
    if other == cell:
        return False
    for d in range(4):
        below = near[cell, d]
        if (
            found[cell] < found[below] <= number < found[below] + tree.size[below]
            and found[below] != FULL
            and tree.up[below] == cell
        ):
            return tree.low[below] < found[cell]
    return True
