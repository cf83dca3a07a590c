"""Strategies of games as evidence, and their check by the plain rules alone, without any search.

A *strategy* of a side is a graph of nodes; each node represents one position. If the side is to move, the node has
its move and one successor. If the other side is to move, the node has a successor for every reply. A strategy
proves one of two claims:

wins      the side wins within the `turns` of the first node. Every node has a number of turns, and its successors
          have smaller numbers; so every play ends, and it must end with a win
survives  the other side does not win within `turns`. The successors of a node have at least its number minus one;
          a node with 0 needs no successors. None means for ever, and then the successors have None, too

A win in exactly n turns needs two strategies: the winner wins within n, and the loser survives n - 1. A draw needs
two strategies that survive for ever.

These numbers count the turns of both sides. Sides need not alternate, so a win in the fewest turns may take more
*own turns* of the winner than another win. The number of own turns is counted along the plays of the checked
strategies: no play of the winner's has more, and every play of the loser's has at least this number before it can
end.

If the other side has thousands of replies and most of them lose at once, a node lists only the other replies, and
*finishes*: against every reply that is not listed, the first of these moves that is legal must win at once.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from typing import NamedTuple

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.rules.plain import SIDES, Game, Step

SIDE_NAMES = ("first", "second")


@dataclass(frozen=True)
class Node:
    """The node of one position: its number of turns, the side's own move, and its successors `after`.

    With an own move there is one successor; otherwise one for every reply, sorted by the names of the replies.

    replies   the replies that have a successor, in the order of `after`; None if all have one
    finishes  moves against all other replies: the first one that is legal must win at once
    """

    turns: int | None
    move: str | None
    after: tuple[int, ...]
    replies: tuple[str, ...] | None = None
    finishes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Strategy:
    """A strategy of a side, which wins or else survives. The first node is the start of the level."""

    side: int
    wins: bool
    nodes: tuple[Node, ...]

    @property
    def turns(self) -> int | None:
        """The number of turns within which the side wins, or does not lose."""
        return self.nodes[0].turns

    @property
    def own_turns(self) -> int:
        """The largest number of own turns of the side in a checked strategy that wins."""
        return self.own_turns_from[0]

    @cached_property
    def own_turns_from(self) -> list[int]:
        """For each node of a checked strategy that wins, the largest number of own turns from there."""
        most = [0] * len(self.nodes)
        for number in sorted(range(len(self.nodes)), key=lambda number: self.nodes[number].turns or 0):
            node = self.nodes[number]
            behind = max((most[after] for after in node.after), default=0)
            most[number] = max(behind + (node.move is not None), int(bool(node.finishes)))
        return most

    def __str__(self) -> str:
        turns = "for ever" if self.turns is None else f"within {self.turns} turns"
        return f"{SIDE_NAMES[self.side]} {'wins' if self.wins else 'survives'} {turns}"


@dataclass(frozen=True)
class GameProof:
    """The evidence of who wins a level, or that it is a draw: strategies, which `prove` checks together."""

    strategies: tuple[Strategy, ...]


class Proved(NamedTuple):
    """What strategies prove about a level: the winner (None for a draw), and a win within `turns` turns.

    exact      no win within fewer turns exists
    own_turns  the winner wins within this number of its own turns; None for a draw
    own_bound  no strategy of the winner wins within fewer own turns than this
    """

    winner: int | None
    turns: int | None
    exact: bool
    own_turns: int | None
    own_bound: int

    @property
    def fewest_own_turns(self) -> bool:
        """Is it proved that no strategy wins within fewer own turns of the winner?"""
        return self.own_turns == self.own_bound


def prove(rules: Game, level: object, strategies: Iterable[Strategy]) -> Proved:
    """Check the strategies; return what they prove. Raises Refuted if one is wrong, or no value is proved."""
    wins, survives = dict[int, Strategy](), dict[int, Strategy]()
    held_out: dict[int, int] = {}  # by the side that wins: the number of own turns that it needs at least
    for strategy in strategies:
        known = wins if strategy.wins else survives
        if strategy.side in known:
            raise Refuted(f"two strategies of the same kind for {SIDE_NAMES[strategy.side]}")
        positions = check(rules, level, strategy)
        known[strategy.side] = strategy
        if not strategy.wins:
            held_out[1 - strategy.side] = _held_out(rules, level, strategy, positions)
    for side, strategy in wins.items():
        turns = strategy.turns
        defence = survives.get(1 - side)
        exact = turns == 0 or (defence is not None and turns is not None and defence.turns == turns - 1)
        start = rules.start(level)
        has_to_move = not rules.over(level, start) and rules.turn(level, start) == side
        own_bound = max(int(has_to_move), held_out.get(side, 0))
        return Proved(side, turns, exact, strategy.own_turns, own_bound)
    if len(survives) == 2 and all(strategy.turns is None for strategy in survives.values()):
        return Proved(None, None, True, None, 0)
    raise Refuted("the strategies do not decide who wins")


def _held_out(rules: Game, level: object, strategy: Strategy, positions: Sequence[Hashable]) -> int:
    """The number of own turns that the other side needs at least against a checked strategy that survives.

    It is 0 if the strategy never ends: then it proves that the other side does not win at all. Otherwise it is the
    least number of turns of the other side on a play to a node at which the strategy ends, with one more turn if
    the other side is to move there.
    """
    found: int | None = None
    waiting, done = [(0, 0)], set[int]()
    while waiting:
        taken, number = heappop(waiting)
        if number in done or (found is not None and taken >= found):
            continue
        done.add(number)
        node, position = strategy.nodes[number], positions[number]
        if node.turns == 0 and rules.over(level, position):
            continue  # the other side has not won there
        taken += rules.turn(level, position) != strategy.side
        if node.turns == 0:
            found = taken if found is None else min(found, taken)
        for after in node.after:
            heappush(waiting, (taken, after))
    return found or 0


def check(rules: Game, level: object, strategy: Strategy) -> list[Hashable]:
    """Check a strategy against every reply; return the positions of its nodes.

    Raises Refuted with the first node that is wrong.
    """
    if strategy.side not in SIDES or not strategy.nodes:
        raise Refuted("there is no strategy of a side")
    if strategy.turns is not None and strategy.turns < 0:
        raise Refuted(f"{strategy.turns} turns")
    position: list[Hashable] = [None] * len(strategy.nodes)
    met = [False] * len(strategy.nodes)
    position[0], met[0] = rules.start(level), True
    worklist = [0]
    while worklist:
        number = worklist.pop()
        node = strategy.nodes[number]
        for after, step in _behind(rules, level, strategy, number, position[number]):
            if not 0 <= after < len(strategy.nodes):
                raise Refuted(f"node {number}: there is no node {after}")
            _check_turns(strategy, number, node.turns, after, strategy.nodes[after].turns)
            if not met[after]:
                position[after], met[after] = step.position, True
                worklist.append(after)
            elif position[after] != step.position:
                raise Refuted(f"node {number}: {step.name} does not lead to the position of node {after}")
    if not all(met):
        raise Refuted(f"node {met.index(False)}: no play leads there")
    return position


def _behind(
    rules: Game, level: object, strategy: Strategy, number: int, position: Hashable
) -> list[tuple[int, Step]]:
    """The successors of a node, with the steps that lead there. Raises Refuted if the node itself is wrong."""
    node = strategy.nodes[number]
    if node.turns is None and strategy.wins:
        raise Refuted(f"node {number}: a win without a number of turns")
    over = rules.over(level, position)
    if over:
        winner = rules.result(level, position)
        if winner == 1 - strategy.side or (strategy.wins and winner is None):
            raise Refuted(f"node {number}: the game has ended, and {SIDE_NAMES[strategy.side]} has not won")
    if over or (node.turns == 0 and not strategy.wins):
        if node.move is not None or node.after or node.replies is not None or node.finishes:
            raise Refuted(f"node {number}: nothing can be behind it")
        return []
    if rules.turn(level, position) == strategy.side:
        taken = None if node.move is None else rules.reply(level, position, node.move)
        if taken is None:
            raise Refuted(f"node {number}: {node.move} is not a legal move")
        if len(node.after) != 1 or node.replies is not None or node.finishes:
            raise Refuted(f"node {number}: {len(node.after)} nodes behind one move")
        return [(node.after[0], taken)]
    if node.move is not None:
        raise Refuted(f"node {number}: {node.move} where the other side has the turn")
    steps = rules.replies(level, position)
    if node.replies is not None:
        return list(_behind_some(rules, level, strategy, number, steps))
    if node.finishes:
        raise Refuted(f"node {number}: finishes against no reply")
    if len(node.after) != len(steps):
        raise Refuted(f"node {number}: {len(node.after)} nodes behind {len(steps)} replies")
    return list(zip(node.after, steps, strict=True))


def _behind_some(
    rules: Game, level: object, strategy: Strategy, number: int, steps: list[Step]
) -> Iterator[tuple[int, Step]]:
    """The nodes behind a node that lists some replies; all other replies must lose at once."""
    node = strategy.nodes[number]
    names = node.replies or ()
    successor = dict(zip(names, node.after, strict=False))
    if not len(names) == len(node.after) == len(successor):
        raise Refuted(f"node {number}: {len(node.after)} nodes behind {len(names)} replies")
    if unknown := successor.keys() - {step.name for step in steps}:
        raise Refuted(f"node {number}: {min(unknown)} is not a legal move")
    for step in steps:
        if step.name in successor:
            yield successor[step.name], step
        elif strategy.wins and (node.turns or 0) < 2:
            raise Refuted(f"node {number}: {node.turns} turns, but {step.name} and a move that wins are two")
        elif not any(_wins(rules, level, step.position, move, strategy.side) for move in node.finishes):
            raise Refuted(f"node {number}: nothing is said that wins against {step.name}")


def _wins(rules: Game, level: object, position: Hashable, move: str, side: int) -> bool:
    """Is the side to move, and does this move win at once?"""
    if rules.turn(level, position) != side or (step := rules.reply(level, position, move)) is None:
        return False
    return rules.over(level, step.position) and rules.result(level, step.position) == side


def main_line(rules: Game, level: object, strategy: Strategy) -> list[str]:
    """A play of a checked strategy that wins, with as many own turns of the winner as the other side can force.

    Between replies that force the same number, the other side takes one with most turns of both sides.
    """
    own_turns = strategy.own_turns_from
    position, number, moves = rules.start(level), 0, list[str]()
    while True:
        node = strategy.nodes[number]
        steps = {step.name: step.position for step in rules.replies(level, position)}
        if not steps:
            return moves
        listed = (node.move,) if node.move is not None else sorted(steps) if node.replies is None else node.replies
        left = [(own_turns[after], strategy.nodes[after].turns or 0) for after in node.after]
        if (
            node.move is None
            and node.replies is not None
            and len(listed) < len(steps)
            and max(left, default=(0, 0))[0] < 1
        ):
            reply = min(steps.keys() - set(listed))
            finishes = (m for m in node.finishes if _wins(rules, level, steps[reply], m, strategy.side))
            return [*moves, reply, next(finishes)]
        place = max(range(len(left)), key=lambda place: left[place])
        moves.append(listed[place])
        position, number = steps[listed[place]], node.after[place]


def drawn_line(rules: Game, level: object, *strategies: Strategy) -> list[str]:
    """The play of checked strategies of both sides that survive for ever: to its end, or to a position again."""
    position, moves, seen = rules.start(level), list[str](), set[Hashable]()
    numbers = [0] * len(strategies)
    while position not in seen:
        seen.add(position)
        steps = rules.replies(level, position)
        if not steps:
            break
        nodes = [strategy.nodes[number] for strategy, number in zip(strategies, numbers, strict=True)]
        move = next(node.move for node in nodes if node.move is not None)
        place = [step.name for step in steps].index(move)
        numbers = [node.after[0 if node.move is not None else place] for node in nodes]
        moves.append(move)
        position = steps[place].position
    return moves


def _check_turns(strategy: Strategy, number: int, here: int | None, after: int, there: int | None) -> None:
    if strategy.wins:
        right = here is not None and there is not None and 0 <= there < here
    else:
        right = there is None or (here is not None and there >= here - 1 and there >= 0)
    if not right:
        raise Refuted(f"node {number}: {here} turns, but {there} at node {after} behind it")
