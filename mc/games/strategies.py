"""Strategies from the values of positions: the winner and the number of turns of both sides determine a move."""

from collections.abc import Callable, Hashable

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
