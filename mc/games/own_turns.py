"""The least number of own turns in which a side can force a win, for all positions of a game.

A turn of the winner costs 1, one of the loser 0. So the positions are won in layers: layer n has those from which
a turn of the winner leads into layer n - 1, and those from which every turn of the loser leads into the layers up
to n. Within a layer, the order of the search is that of the turns of the loser. Time is linear in the edges.

Where sides alternate, the fewest own turns follow from the fewest turns, which compiled code finds. Elsewhere, a
win in more turns may take fewer own turns.
"""

from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.games.explicit import NOBODY, Arena, Sides
from puzzlemc.mc.games.model import Value
from puzzlemc.mc.games.strategies import defence, strategy_for
from puzzlemc.mc.games.strategy import GameProof, Strategy
from puzzlemc.mc.graph.state_graph import Edges, Indices
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import Game

LOOK = 4096  # positions between two checks of the limits
MOST_NODES_OF_DEFENCE = 20_000


class Worth(NamedTuple):
    """The value of a position: who can force a win, None for a draw, and its least number of own turns.

    rank  the place in the order in which wins were found, by own turns; each win leads to earlier ones
    """

    winner: int | None
    turns: int
    rank: int


DRAWN = Worth(None, 0, 0)


@dataclass(frozen=True)
class Values:
    """The values of all positions by number; the winner is NOBODY for a draw."""

    winner: Sides
    turns: Indices
    rank: Indices

    def at(self, number: int) -> Worth:
        """The value of a position."""
        winner = int(self.winner[number])
        return DRAWN if winner == NOBODY else Worth(winner, int(self.turns[number]), int(self.rank[number]))


def fewest_own_turns(arena: Arena, budget: Budget) -> Values:
    """The values of all positions. Raises LimitReached."""
    if (np.repeat(arena.turn, np.diff(arena.first)) != arena.turn[arena.other]).all():
        solved = arena.solve()
        return Values(solved.winner, (solved.turns + (solved.winner == arena.turn)) // 2, solved.turns)
    back = Edges(arena.first, arena.other, np.zeros_like(arena.other)).turned()
    start, before = back.first.tolist(), back.other.tolist()
    turn, left = arena.turn.tolist(), np.diff(arena.first).tolist()
    winner, own = arena.won.tolist(), [0] * len(arena)
    layer = [position for position, side in enumerate(winner) if side != NOBODY]
    rank, found, turns = [0] * len(arena), 0, 0
    while layer:
        later = []
        for position in layer:  # the list grows in the loop
            rank[position] = found = found + 1
            won = winner[position]
            if found % LOOK == 0:
                budget.check()
            for other in before[start[position] : start[position + 1]]:
                if winner[other] != NOBODY:
                    continue
                if turn[other] == won:
                    winner[other], own[other] = won, turns + 1
                    later.append(other)
                else:
                    left[other] -= 1
                    if not left[other]:
                        winner[other], own[other] = won, turns
                        layer.append(other)
        layer, turns = later, turns + 1
    return Values(np.array(winner, np.int8), np.array(own, np.int32), np.array(rank, np.int32))


@dataclass(frozen=True)
class SolvedRules:
    """The value of every reachable position of a level under the plain rules.

    number  of a position; raises LookupError for one that is not reachable
    """

    number: Callable[[Hashable], int]
    values: Values

    def __contains__(self, position: Hashable) -> bool:
        try:
            self.number(position)
        except LookupError:
            return False
        return True

    def value(self, position: Hashable) -> Worth:
        """The value of a reachable position. Raises LookupError for other positions."""
        return self.values.at(self.number(position))

    def best(self, rules: Game, level: object, position: Hashable) -> list[str]:
        """The best moves of the side to move: the win in fewest own turns, else a draw, else the longest loss."""
        side = rules.turn(level, position)
        ranked = [(_preference(self.value(s.position), side), s.name) for s in rules.replies(level, position)]
        best = min(each for each, _ in ranked)
        return [name for each, name in ranked if each == best]

    def proof(self, rules: Game, level: object) -> GameProof:
        """The strategies that prove the value of the start.

        Of a win, that of the winner comes first. The other one shows that no win takes fewer own turns; it is left
        out if it is large. A draw has one of each side, first that of the side that is not to move. Raises
        LimitReached if a strategy has too many nodes.
        """
        start = rules.start(level)
        winner, turns, _ = self.value(start)

        def by_rank(position: Hashable) -> Value:
            """The value of a position, with its rank in the place of the turns."""
            return Value(*self.value(position)[::2])

        if winner is None:
            mover = rules.turn(level, start)
            sides = (1 - mover, mover)
            return GameProof(tuple(strategy_for(rules, level, by_rank, side, None, False) for side in sides))
        found = [_counted(strategy_for(rules, level, by_rank, winner, by_rank(start).turns, True))]
        if turns:

            def loses(position: Hashable, within: int) -> bool:
                there = self.value(position)
                return there.winner == winner and there.turns <= within

            with suppress(LimitReached):
                found.append(defence(rules, level, 1 - winner, turns - 1, loses, MOST_NODES_OF_DEFENCE))
        return GameProof(tuple(found))


def _counted(strategy: Strategy) -> Strategy:
    """A strategy that wins, whose numbers of turns are those of the longest plays, not ranks."""
    turns = [0] * len(strategy.nodes)
    for number in sorted(range(len(turns)), key=lambda number: strategy.nodes[number].turns or 0):
        turns[number] = max((turns[after] + 1 for after in strategy.nodes[number].after), default=0)
    nodes = zip(turns, strategy.nodes, strict=True)
    return replace(strategy, nodes=tuple(replace(node, turns=most) for most, node in nodes))


def _preference(after: Worth, side: int) -> tuple[int, int]:
    """Least for the best move of a side: win early, else draw, else lose late."""
    if after.winner is None:
        return 1, 0
    return (0, after.turns) if after.winner == side else (2, -after.turns)
