"""The nodes of a strategy that wins, added from the ends of the game back to its start."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from puzzlemc.mc.games.strategy import Node, Strategy


@dataclass
class Tree:
    """Nodes, each with as many turns as the win takes from there.

    known  by position, as whoever adds nodes calls it, where the winner has the turn
    """

    nodes: list[Node] = field(default_factory=list)
    known: dict[bytes, int] = field(default_factory=dict)

    def end(self) -> int:
        """Add a position in which the game has been won."""
        return self._add(Node(0, None, ()))

    def own(self, move: str, after: int) -> int:
        """Add the winner's move, and the node behind it."""
        return self._add(Node(1 + self._turns(after), move, (after,)))

    def replies(self, after: Mapping[str, int], finishes: Iterable[str] = ()) -> int:
        """Add nodes behind the other's replies, and what finishes against all other replies."""
        wins = tuple(finishes)
        turns = 1 + max((*map(self._turns, after.values()), int(bool(wins))))
        return self._add(Node(turns, None, tuple(after.values()), tuple(after), wins))

    def strategy(self, side: int, root: int) -> Strategy:
        """The strategy of a side that starts with a node, and what of the tree it needs."""
        order, waiting = {root: 0}, [root]
        for number in waiting:  # which grows meanwhile
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
