"""Strategies that hold a game for a number of own turns of the other side."""

from collections.abc import Callable, Hashable, Sequence

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.games.strategy import Node, Strategy
from puzzlemc.mc.rules.plain import Game


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
