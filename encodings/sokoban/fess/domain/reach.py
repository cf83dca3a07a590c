"""The targets that a lone box reaches, from all squares at once.

The player walks around the box between moves, as in `moves.py`. A node is a square of the box and a component of
the floor around it, in which the player is. All nodes of a strongly connected component reach the same targets:
their own ones, and those of the components that it leads to, which are complete before it (Tarjan 1972).

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floor import Floor
from puzzlemc.encodings.sokoban.fess.domain.blocks import Tree
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floor import PUSH
    from puzzlemc.encodings.sokoban.fess.domain.blocks import edge, find_blocks
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
    comes     by node: the reachable targets as bits, once it is visited
    _own      by cell: the number of its target, or -1
    _numbers, _lows, _path, _ways, _open, _visited   of the depth-first search; a complete node has the number DONE
    """

    floor: Floor  # readonly
    kind: Index  # readonly
    targets: Ints  # readonly
    exact: Flag  # readonly
    nodes: Shorts  # readonly
    comes: Words2  # readonly
    _own: Shorts
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
        nodes, own = 4 * len(near), np.full(len(near), -1, np.int16)
        own[targets] = np.arange(len(targets))
        self.floor, self.kind, self.targets, self._tree = Floor(near), kind, view(targets), Tree(len(near) - 1)
        self.exact, self._own = exact, view(own)
        self.comes = view(np.zeros((nodes, len(targets) // 64 + 1), np.uint64))
        self.nodes, self._numbers, self._lows, self._open, self._path = (
            view(np.zeros(nodes, np.int16)) for _ in range(5)
        )
        self._ways, self._visited = view(np.zeros(nodes, np.uint8)), 0


def fill_reach(reach: Reach, table: Words3, lane: Index) -> Index:  # public
    """Fill in table[lane, cell]: the free targets that a box on a cell reaches, as bits; return the visited nodes.

    The player may begin on any side of the box.
    """
    cell: Index
    side: Index
    word: Index
    node: Index
    words: Index = reach.comes.shape[1]
    reach._visited = 0
    if reach.exact:
        _find_nodes(reach)
    else:
        _join_sides(reach)
    for cell in range(reach.floor.cells + 1):
        for word in range(words):
            table[lane, cell, word] = 0
        if reach.floor.on[cell]:
            continue
        if reach._own[cell] >= 0:
            table[lane, cell, reach._own[cell] >> 6] = bit(reach._own[cell] & 63)
        for side in range(4):
            node = cell * 4 + side
            if reach.nodes[node] != node:
                continue
            if reach._numbers[node] == 0:
                _search(reach, node)
            for word in range(words):
                table[lane, cell, word] |= reach.comes[node, word]
    return reach._visited


def _join_sides(reach: Reach) -> None:
    """Fill in the nodes for a player who is on any side of the box at any time: a node for each cell."""
    cell: Index
    side: Index
    node: Index
    for cell in range(reach.floor.cells):
        node = -1
        for side in range(4):
            reach._numbers[cell * 4 + side] = 0
            if reach.floor.on[cell] or reach.floor.on[reach.floor.near[cell, side]]:
                reach.nodes[cell * 4 + side] = -1
                continue
            if node < 0:
                node = cell * 4 + side
            reach.nodes[cell * 4 + side] = node


def _find_nodes(reach: Reach) -> None:
    """Fill in the nodes, by the blocks of each component of the floor."""
    root: Index
    at: Index
    cell: Index
    side: Index
    other: Index
    block: Index
    count: Index
    for at in range(reach.nodes.shape[0]):
        reach.nodes[at] = -1
        reach._numbers[at] = 0
    for root in range(reach.floor.cells):
        if reach.floor.on[root] or reach._numbers[root * 4]:
            continue
        count = find_blocks(reach.floor, root, reach._tree)
        for at in range(count):
            cell = reach._tree.order[at]
            reach._numbers[cell * 4] = 1
            for side in range(4):
                if reach.floor.on[reach.floor.near[cell, side]]:
                    continue
                block = edge(reach._tree, cell, reach.floor.near[cell, side])
                other = 0
                # The sides before it that are their own nodes have other blocks.
                while other < side and (
                    reach.nodes[cell * 4 + other] != cell * 4 + other
                    or edge(reach._tree, cell, reach.floor.near[cell, other]) != block
                ):
                    other += 1
                reach.nodes[cell * 4 + side] = cell * 4 + other
    for root in range(reach.floor.cells):
        reach._numbers[root * 4] = 0


def _visit(reach: Reach, node: Index) -> None:
    """Give a node the next number. A free target is reached from its own cell."""
    word: Index
    target: Index = reach._own[node >> 2]
    reach._visited += 1
    reach._numbers[node] = reach._visited
    reach._lows[node] = reach._visited
    for word in range(reach.comes.shape[1]):
        reach.comes[node, word] = 0
    if target >= 0:
        reach.comes[node, target >> 6] = bit(target & 63)


def _search(reach: Reach, root: Index) -> None:
    """Fill in the reachable targets of the nodes to which a root leads."""
    words: Index = reach.comes.shape[1]
    depth: Index = 0
    tail: Index = 1
    side: Index = 0
    word: Index
    node: Index = root
    cell: Index = root >> 2
    stand: Index
    after: Index
    player: Index
    reach._open[0] = root
    _visit(reach, root)
    while True:
        while side < 4:
            if reach.nodes[cell * 4 + side] != node:
                side += 1
                continue
            # The player is on that side. A push needs the cell before the box, a pull the one behind the player.
            stand = reach.floor.near[cell, side]
            after = reach.floor.near[cell, side ^ 2] if reach.kind == PUSH else stand
            player = cell if reach.kind == PUSH else reach.floor.near[stand, side]
            if reach.floor.on[after] or reach.floor.on[player]:
                side += 1
                continue
            after = reach.nodes[after * 4 + side]
            side += 1
            if reach._numbers[after] == 0:
                reach._path[depth] = node
                reach._ways[depth] = side
                depth += 1
                reach._open[tail] = after
                tail += 1
                _visit(reach, after)
                node = after
                cell = node >> 2
                side = 0
            elif reach._numbers[after] == DONE:
                for word in range(words):
                    reach.comes[node, word] |= reach.comes[after, word]
            else:
                reach._lows[node] = min(reach._lows[node], reach._numbers[after])
        if reach._lows[node] == reach._numbers[node]:
            tail = _complete(reach, node, tail)
        if depth == 0:
            break
        depth -= 1
        after = node
        node = reach._path[depth]
        cell = node >> 2
        side = reach._ways[depth]
        reach._lows[node] = min(reach._lows[node], reach._lows[after])
        if reach._numbers[after] == DONE:
            for word in range(words):
                reach.comes[node, word] |= reach.comes[after, word]


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
