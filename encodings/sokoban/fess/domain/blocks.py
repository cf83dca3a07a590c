"""Blocks (biconnected components) of the floor: the components that a box leaves. Compiled: see `mc/words.py`."""

import cython
import numpy as np

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import Floor
    from puzzlemc.mc.words import Flag, Index, Shorts

    FULL = 32767  # more than any number of a cell


class Tree:
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
    root, count  the root, and the number of cells of the tree
    part_size, part_least  the result of `part_at`
    """

    found: Shorts  # readonly
    order: Shorts  # readonly
    up: Shorts  # readonly
    turn: Shorts  # readonly
    low: Shorts  # readonly
    size: Shorts  # readonly
    least: Shorts  # readonly
    block: Shorts  # readonly
    parts: Shorts  # readonly
    cut: Shorts  # readonly
    rest: Shorts  # readonly
    root: Index  # readonly
    count: Index  # readonly
    part_size: Index  # readonly
    part_least: Index  # readonly

    def __init__(self, cells: int) -> None:
        """Arrays for a board with this number of cells."""
        arrays = np.zeros((11, cells + 1), np.int16)
        self.found, self.order, self.up, self.turn, self.low = (view(array) for array in arrays[:5])
        self.size, self.least, self.block = (view(array) for array in arrays[5:8])
        self.parts, self.cut, self.rest = (view(array) for array in arrays[8:])
        self.root = self.count = self.part_size = self.part_least = 0


def find_blocks(floor: Floor, root: Index, tree: Tree) -> Index:  # public
    """Fill in the tree (Hopcroft and Tarjan 1973); return its size. The root is a free cell."""
    _search(floor, root, tree)
    count: Index = tree.count
    at: Index
    cell: Index
    above: Index
    for at in range(count):
        cell = tree.order[at]
        tree.size[cell] = 1
        tree.least[cell] = cell
        tree.rest[cell] = FULL
        tree.parts[cell] = 0
        tree.cut[cell] = 0
    for at in range(count - 1, 0, -1):
        cell = tree.order[at]
        above = tree.up[cell]
        tree.size[above] += tree.size[cell]
        tree.least[above] = min(tree.least[above], tree.least[cell])
        if tree.low[cell] >= tree.found[above]:
            tree.parts[above] += 1
            tree.cut[above] += tree.size[cell]
        else:
            tree.low[above] = min(tree.low[above], tree.low[cell])
            tree.rest[above] = min(tree.rest[above], tree.least[cell])
    tree.block[root] = 0
    for at in range(1, count):
        cell = tree.order[at]
        above = tree.up[cell]
        tree.block[cell] = at if tree.low[cell] >= tree.found[above] else tree.block[above]
    return count


def _search(floor: Floor, root: Index, tree: Tree) -> None:
    """Depth-first search: fill in `found`, `order`, `up` and, for each cell alone, `low`."""
    count: Index = 1
    cell: Index
    other: Index
    number: Index
    d: Index = 0
    lowest: Index = 1
    for cell in range(floor.cells + 1):
        tree.found[cell] = FULL if floor.on[cell] else 0
    cell = root
    tree.found[root] = 1
    tree.order[0] = root
    while True:
        while d < 4:
            other = floor.near[cell, d]
            d += 1
            number = tree.found[other]
            if number == 0:
                tree.low[cell] = lowest
                tree.turn[cell] = d
                tree.up[other] = cell
                tree.order[count] = other
                count += 1
                tree.found[other] = count
                cell = other
                d = 0
                lowest = count
            else:
                lowest = min(lowest, number)
        tree.low[cell] = lowest
        if cell == root:
            break
        cell = tree.up[cell]
        d = tree.turn[cell]
        lowest = tree.low[cell]
    tree.root = root
    tree.count = count


def edge(tree: Tree, cell: Index, other: Index) -> Index:  # public
    """The block of the edge between two cells of the tree."""
    return tree.block[cell] if tree.found[cell] > tree.found[other] else tree.block[other]


def parts_at(tree: Tree, cell: Index) -> Index:  # public
    """The number of components that a box on that cell leaves of the tree."""
    return tree.parts[cell] + (1 if cell != tree.root else 0)


def part_at(tree: Tree, cell: Index, player: Index) -> Index:  # public
    """The first cell of the component of a player next to a box on `cell`; `part_size` and `part_least` are set.

    The first cell is the child of `cell` whose subtree is the component, or the root.
    """
    first: Index = tree.order[edge(tree, cell, player)]
    if tree.up[first] == cell:
        tree.part_size = tree.size[first]
        tree.part_least = tree.least[first]
        return first
    least: Index = tree.least[tree.root]
    low: Index = tree.found[cell]
    high: Index = low + tree.size[cell]
    at: Index
    if low <= tree.found[least] < high and least != tree.rest[cell]:
        least = tree.rest[cell]
        for at in range(low - 1):
            least = min(least, tree.order[at])
        for at in range(high - 1, tree.count):
            least = min(least, tree.order[at])
    tree.part_size = tree.count - 1 - tree.cut[cell]
    tree.part_least = least
    return tree.root


def is_in_part(floor: Floor, tree: Tree, cell: Index, first: Index, other: Index) -> Flag:  # public
    """Is another cell of the tree in the component with that first cell, while a box stands on `cell`?"""
    number: Index = tree.found[other]
    if first != tree.root:
        return tree.found[first] <= number < tree.found[first] + tree.size[first]
    if other == cell:
        return False
    d: Index
    below: Index
    for d in range(4):
        below = floor.near[cell, d]
        if (
            tree.found[cell] < tree.found[below] <= number < tree.found[below] + tree.size[below]
            and tree.found[below] != FULL
            and tree.up[below] == cell
        ):
            return tree.low[below] < tree.found[cell]
    return True
