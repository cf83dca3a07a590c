"""Strategies out of values: who wins from each position and in how many turns says what to do there."""

from collections.abc import Callable, Hashable

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.games.model import Value
from puzzlemc.mc.games.strategy import Node, Strategy
from puzzlemc.mc.rules.plain import SIDES, Game, Step


def strategies_for(
    rules: Game, level: object, value: Callable[[Hashable], Value], *, most_nodes: int = 1 << 20
) -> list[Strategy]:
    """The two strategies that show what a level is worth: that of a win, and that none is quicker.

    `value` gives the value of a position. Raises LimitReached where a strategy has more than `most_nodes` nodes.
    """
    winner, turns = value(rules.start(level))
    if winner is None or turns is None:
        return [strategy_for(rules, level, value, side, None, False, most_nodes) for side in SIDES]
    found = [strategy_for(rules, level, value, winner, turns, True, most_nodes)]
    if turns:
        found.append(strategy_for(rules, level, value, 1 - winner, turns - 1, False, most_nodes))
    return found


def strategy_for(
    rules: Game,
    level: object,
    value: Callable[[Hashable], Value],
    side: int,
    turns: int | None,
    wins: bool,
    most_nodes: int,
) -> Strategy:
    """The strategy that the values give a side: to win within `turns` turns, or to survive them.

    Raises LimitReached where it has more than `most_nodes` nodes.
    """
    start = (rules.start(level), turns)
    numbers: dict[tuple[Hashable, int | None], int] = {start: 0}
    waiting, nodes = [start], list[Node]()

    def behind(step: Step, here: int | None) -> int:
        key = (step.position, value(step.position).turns if wins else None if here is None else here - 1)
        if key not in numbers:
            numbers[key] = len(waiting)
            waiting.append(key)
            if len(waiting) > most_nodes:
                raise LimitReached("bound")
        return numbers[key]

    def rank(step: Step) -> tuple[int, int]:
        """The less the better: win soon, else do not lose, else lose late."""
        winner, away = value(step.position)
        return (0, away or 0) if winner == side else (1, 0) if winner is None else (2, -(away or 0))

    for position, here in waiting:  # which grows meanwhile
        steps = rules.replies(level, position)
        if not steps or (here == 0 and not wins):
            nodes.append(Node(here, None, ()))
        elif rules.turn(level, position) == side:
            step = min(steps, key=rank)
            nodes.append(Node(here, step.name, (behind(step, here),)))
        else:
            nodes.append(Node(here, None, tuple(behind(step, here) for step in steps)))
    return Strategy(side, wins, tuple(nodes))
