"""Builds the nodes of a winning strategy, from the end of the game back to its start."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from puzzlemc.mc.games.strategy import Node, Strategy


@dataclass
class Tree:
    """Nodes, each with the number of turns that the win takes from there.

    known  the node of a position in which the winner is to move; the caller chooses the keys
    """

    nodes: list[Node] = field(default_factory=list)
    known: dict[bytes, int] = field(default_factory=dict)

    def end(self) -> int:
        """Add a position in which the game has been won."""
        return self._add(Node(0, None, ()))

    def own(self, move: str, after: int) -> int:
        """Add a node with the winner's move; `after` is the node that it leads to."""
        return self._add(Node(1 + self._turns(after), move, (after,)))

    def replies(self, after: Mapping[str, int], finishes: Iterable[str] = ()) -> int:
        """Add a node with replies of the other side.

        after     by reply: the node that it leads to
        finishes  moves of the winner, one of which wins at once after each reply that is not in `after`
        """
        wins = tuple(finishes)
        turns = 1 + max((*map(self._turns, after.values()), int(bool(wins))))
        return self._add(Node(turns, None, tuple(after.values()), tuple(after), wins))

    def strategy(self, side: int, root: int) -> Strategy:
        """The strategy of a side that starts at a node, with the nodes that it can reach."""
        order, waiting = {root: 0}, [root]
        for number in waiting:  # grows during the loop
            for after in self.nodes[number].after:
                if after not in order:
                    order[after] = len(waiting)
                    waiting.append(after)
        kept = [self.nodes[number] for number in waiting]
        renamed = [
            Node(node.turns, node.move, tuple(order[after] for after in node.after), node.replies, node.finishes)
            for node in kept
        ]
        return Strategy(side, True, tuple(renamed))

    def _add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _turns(self, number: int) -> int:
        return self.nodes[number].turns or 0
