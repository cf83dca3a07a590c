"""Strategies from the values of positions.

The winner and the number of turns determine the moves of a strategy that wins, or that survives a number of turns
of both sides. A defence survives a number of own turns of the other side.
"""

from collections.abc import Callable, Hashable, Sequence

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.games.model import Value
from puzzlemc.mc.games.strategy import Node, Strategy
from puzzlemc.mc.rules.plain import SIDES, Game, Step

MOST_NODES = 1 << 20  # of a strategy


def strategies_for(rules: Game, level: object, value: Callable[[Hashable], Value]) -> list[Strategy]:
    """The strategies that prove the value of a level: one that wins in time, and one that survives until then.

    `value` returns the value of a position. Raises LimitReached if a strategy has more than MOST_NODES nodes.
    """
    winner, turns = value(rules.start(level))
    if winner is None or turns is None:
        return [strategy_for(rules, level, value, side, None, False) for side in SIDES]
    found = [strategy_for(rules, level, value, winner, turns, True)]
    if turns:
        found.append(strategy_for(rules, level, value, 1 - winner, turns - 1, False))
    return found


def strategy_for(
    rules: Game,
    level: object,
    value: Callable[[Hashable], Value],
    side: int,
    turns: int | None,
    wins: bool,
) -> Strategy:
    """The strategy of a side that wins within `turns` turns, or survives them.

    Raises LimitReached if it has more than MOST_NODES nodes.
    """
    start = (rules.start(level), turns)
    numbers: dict[tuple[Hashable, int | None], int] = {start: 0}
    queue, nodes = [start], list[Node]()

    def behind(step: Step, here: int | None) -> int:
        key = (step.position, value(step.position).turns if wins else None if here is None else here - 1)
        if key not in numbers:
            numbers[key] = len(queue)
            queue.append(key)
            if len(queue) > MOST_NODES:
                raise LimitReached("bound")
        return numbers[key]

    def rank(step: Step) -> tuple[int, int]:
        """The preference of the side, smaller is better: win early, else draw, else lose late."""
        winner, away = value(step.position)
        return (0, away or 0) if winner == side else (1, 0) if winner is None else (2, -(away or 0))

    for position, here in queue:  # the list grows in the loop
        steps = rules.replies(level, position)
        if not steps or (here == 0 and not wins):
            nodes.append(Node(here, None, ()))
        elif rules.turn(level, position) == side:
            step = min(steps, key=rank)
            nodes.append(Node(here, step.name, (behind(step, here),)))
        else:
            nodes.append(Node(here, None, tuple(behind(step, here) for step in steps)))
    return Strategy(side, wins, tuple(nodes))


def defence(
    rules: Game, level: object, side: int, turns: int, loses: Callable[[Hashable, int], bool], most_nodes: int
) -> Strategy:
    """The strategy by which a side does not lose within `turns` own turns of the other side.

    `loses(position, n)`: can the other side force a win within n of its own turns? This must not hold at the
    start for `turns`. Raises LimitReached if the strategy has more than `most_nodes` nodes.
    """
    start = (rules.start(level), turns)
    numbers: dict[tuple[Hashable, int], int] = {start: 0}
    queue, found = [start], list[tuple[bool, str | None, tuple[int, ...]]]()

    def behind(position: Hashable, left: int) -> int:
        if (position, left) not in numbers:
            numbers[position, left] = len(queue)
            queue.append((position, left))
            if len(queue) > most_nodes:
                raise LimitReached("bound")
        return numbers[position, left]

    for position, left in queue:  # the list grows in the loop
        steps = rules.replies(level, position)
        theirs = rules.turn(level, position) != side
        if not steps or (theirs and left == 0):
            found.append((bool(steps), None, ()))
        elif theirs:
            found.append((False, None, tuple(behind(step.position, left - 1) for step in steps)))
        else:
            step = next(step for step in steps if not loses(step.position, left))
            found.append((False, step.name, (behind(step.position, left),)))
    turns_to_end = _turns_to_an_end([ends for ends, _, _ in found], [after for _, _, after in found])
    nodes = (Node(left, name, after) for left, (_, name, after) in zip(turns_to_end, found, strict=True))
    return Strategy(side, False, tuple(nodes))


def _turns_to_an_end(ends: Sequence[bool], after: Sequence[Sequence[int]]) -> list[int | None]:
    """For each node, the least number of turns to a node that ends the strategy; None if none can be reached."""
    before: list[list[int]] = [[] for _ in after]
    for number, each in enumerate(after):
        for other in each:
            before[other].append(number)
    turns: list[int | None] = [0 if end else None for end in ends]
    queue = [number for number, end in enumerate(ends) if end]
    for number in queue:  # the list grows in the loop
        for other in before[number]:
            if turns[other] is None:
                turns[other] = (turns[number] or 0) + 1
                queue.append(other)
    return turns
