"""The targets that a lone box reaches, from all squares at once.

The player walks around the box between moves, as in `moves.py`. A node is a square of the box and a component of
the floor around it, in which the player is. All nodes of a strongly connected component reach the same targets:
their own ones, and those of the components that it leads to, which are complete before it (Tarjan 1972).

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.fess.domain.blocks import Tree
from puzzlemc.encodings.sokoban.fess.domain.games import Floor
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.fess.domain.blocks import edge, find_blocks
    from puzzlemc.encodings.sokoban.fess.domain.games import PUSH
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Shorts, Words2, Words3, bit

    DONE = -1


class Reach:
    """A board with walls, and the working arrays.

    floor     its boxes are walls
    kind      PUSH or PULL
    targets   their cells
    exact     whether the player walks around the box; otherwise it is on any side at any time
    nodes     by cell · 4 + side: the node, which is cell · 4 + the least side of the box that the player reaches
              from this one; -1 if the side is no free cell
    comes     by node: the reachable targets as bits
    _numbers, _lows, _path, _ways, _open, _visited   of the depth-first search; a complete node has the number DONE
    """

    floor: Floor
    kind: Index
    targets: Ints
    exact: Flag
    nodes: Shorts
    comes: Words2
    _tree: Tree
    _numbers: Shorts
    _lows: Shorts
    _open: Shorts
    _path: Shorts
    _ways: Bytes
    _visited: Index

    def __init__(
        self, near: npt.NDArray[np.int16], kind: int, targets: npt.NDArray[np.int32], exact: bool
    ) -> None:
        """The board without further walls."""
        nodes = 4 * len(near)
        self.floor, self.kind, self.targets, self._tree = Floor(near), kind, view(targets), Tree(len(near) - 1)
        self.exact = exact
        self.comes = view(np.zeros((nodes, len(targets) // 64 + 1), np.uint64))
        self.nodes, self._numbers, self._lows, self._open, self._path = (
            view(np.zeros(nodes, np.int16)) for _ in range(5)
        )
        self._ways, self._visited = view(np.zeros(nodes, np.uint8)), 0


def fill_reach(reach: Reach, table: Words3, lane: Index) -> Index:
    """Fill in table[lane, cell]: the free targets that a box on a cell reaches, as bits; return the visited nodes.

    The player may begin on any side of the box.
    """
    cell: Index
    side: Index
    word: Index
    node: Index
    words: Index = reach.comes.shape[1]
    _find_nodes(reach)
    _begin(reach)
    for cell in range(reach.floor.cells + 1):
        for word in range(words):
            table[lane, cell, word] = 0
    for word in range(reach.targets.shape[0]):
        cell = reach.targets[word]
        if reach.floor.on[cell] == 0:
            table[lane, cell, word >> 6] |= bit(word & 63)
    for cell in range(reach.floor.cells):
        for side in range(4):
            node = cell * 4 + side
            if reach.nodes[node] != node:
                continue
            if reach._numbers[node] == 0:
                _search(reach, node)
            for word in range(words):
                table[lane, cell, word] |= reach.comes[node, word]
    return reach._visited


def _find_nodes(reach: Reach) -> None:
    """Fill in the nodes, by the blocks of each component of the floor."""
    root: Index
    at: Index
    cell: Index
    side: Index
    other: Index
    count: Index
    for at in range(reach.nodes.shape[0]):
        reach.nodes[at] = -1
        reach._numbers[at] = 0
    for root in range(reach.floor.cells):
        if reach.floor.on[root] or reach._numbers[root]:
            continue
        count = find_blocks(reach.floor, root, reach._tree)
        for at in range(count):
            cell = reach._tree.order[at]
            reach._numbers[cell] = 1
            for side in range(4):
                if reach.floor.on[reach.floor.near[cell, side]]:
                    continue
                reach.nodes[cell * 4 + side] = cell * 4 + side
                block: Index = edge(reach._tree, cell, reach.floor.near[cell, side])
                for other in range(side):
                    if reach.nodes[cell * 4 + other] == cell * 4 + other and (
                        not reach.exact or edge(reach._tree, cell, reach.floor.near[cell, other]) == block
                    ):
                        reach.nodes[cell * 4 + side] = cell * 4 + other


def _begin(reach: Reach) -> None:
    """Each free target is reached from its own cell; nothing is visited."""
    node: Index
    word: Index
    at: Index
    side: Index
    reach._visited = 0
    for node in range(reach.nodes.shape[0]):
        reach._numbers[node] = 0
        for word in range(reach.comes.shape[1]):
            reach.comes[node, word] = 0
    for at in range(reach.targets.shape[0]):
        if reach.floor.on[reach.targets[at]] == 0:
            for side in range(4):
                reach.comes[reach.targets[at] * 4 + side, at >> 6] |= bit(at & 63)


def _after(reach: Reach, cell: Index, side: Index) -> Index:
    """The node after a step of the box by a player on that side, which is free; -1 if there is no such step."""
    # A push needs the cell before the box, and a pull needs the one behind the player.
    after: Index = reach.floor.near[cell, side ^ 2] if reach.kind == PUSH else reach.floor.near[cell, side]
    player: Index = cell if reach.kind == PUSH else reach.floor.near[after, side]
    return -1 if reach.floor.on[after] or reach.floor.on[player] else reach.nodes[after * 4 + side]


def _search(reach: Reach, root: Index) -> None:
    """Fill in the reachable targets of the nodes to which a root leads."""
    words: Index = reach.comes.shape[1]
    depth: Index = 1
    tail: Index = 1
    word: Index
    reach._path[0] = root
    reach._ways[0] = 0
    reach._open[0] = root
    reach._visited += 1
    reach._numbers[root] = reach._visited
    reach._lows[root] = reach._visited
    while depth:
        node: Index = reach._path[depth - 1]
        side: Index = reach._ways[depth - 1]
        if side < 4:
            reach._ways[depth - 1] = side + 1
            if reach.nodes[(node | 3) - 3 + side] != node:
                continue
            after: Index = _after(reach, node >> 2, side)
            if after < 0:
                continue
            if reach._numbers[after] == 0:
                reach._visited += 1
                reach._numbers[after] = reach._visited
                reach._lows[after] = reach._visited
                reach._open[tail] = after
                tail += 1
                reach._path[depth] = after
                reach._ways[depth] = 0
                depth += 1
            elif reach._numbers[after] == DONE:
                for word in range(words):
                    reach.comes[node, word] |= reach.comes[after, word]
            else:
                reach._lows[node] = min(reach._lows[node], reach._numbers[after])
            continue
        depth -= 1
        if reach._lows[node] == reach._numbers[node]:
            tail = _complete(reach, node, tail)
        if depth:
            before: Index = reach._path[depth - 1]
            reach._lows[before] = min(reach._lows[before], reach._lows[node])
            if reach._numbers[node] == DONE:
                for word in range(words):
                    reach.comes[before, word] |= reach.comes[node, word]


def _complete(reach: Reach, root: Index, tail: Index) -> Index:
    """Complete the component of `root`, the last of the `tail` open nodes from it on; return its place."""
    word: Index
    at: Index
    first: Index = tail - 1
    while reach._open[first] != root:
        for word in range(reach.comes.shape[1]):
            reach.comes[root, word] |= reach.comes[reach._open[first], word]
        first -= 1
    for at in range(first, tail):
        node: Index = reach._open[at]
        reach._numbers[node] = DONE
        for word in range(reach.comes.shape[1]):
            reach.comes[node, word] = reach.comes[root, word]
    return first
