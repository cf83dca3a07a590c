"""Strategies of the games of `chance.py`, made of what the searches have found.

A strategy has one node for each position that it may come to, with the number of turns that suits all ways there:
the turns within which FIRST wins from there, or one less, which SECOND survives. None if SECOND survives for ever.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.games.chance import LUCKY, SURELY, Draw, game_of
from puzzlemc.mc.games.strategies import MOST_NODES
from puzzlemc.mc.games.strategy import Node, Strategy
from puzzlemc.mc.games.surely import Choice
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.chance import Chance
from puzzlemc.mc.rules.plain import FIRST, SECOND, Game, Step

# The number of turns of a node, from its position and the least number of steps from the start to it.
Turns = Callable[[Hashable, int], int | None]


def lucky_strategy(rules: Chance, level: Any, moves: Sequence[str], budget: Budget) -> Strategy:
    """The strategy of FIRST that draws and moves as a solution does."""
    game = game_of(LUCKY, rules, budget)
    position, way = game.start(level), dict[Hashable, Step]()
    for move in moves:
        way[position] = step = _step(game, level, position, move)
        position = step.position
    return _strategy(game, level, FIRST, lambda _, depth: len(moves) - depth, way.__getitem__)


def lucky_bound(rules: Chance, level: Any, inputs: int | None, budget: Budget) -> Strategy:
    """The strategy of SECOND that survives, as no solution has fewer inputs; None: as there is no solution."""
    game = game_of(LUCKY, rules, budget)
    turns = None if inputs is None else inputs - 1 + isinstance(game.start(level), Draw)

    def left(_: Hashable, depth: int) -> int | None:
        return None if turns is None else turns - depth

    return _strategy(game, level, SECOND, left, _no_move)


def sure_strategy(rules: Chance, level: Any, choices: Mapping[Hashable, Choice], budget: Budget) -> Strategy:
    """The strategy of FIRST that makes these choices."""
    values = _Values(rules, level, choices, budget)

    def chosen(position: Hashable) -> Step:
        return _step(values.game, level, position, choices[position].name)

    return _strategy(values.game, level, FIRST, lambda position, _: values.turns(position), chosen)


def sure_bound(rules: Chance, level: Any, choices: Mapping[Hashable, Choice], budget: Budget) -> Strategy:
    """The strategy of SECOND that draws what takes longest, or what FIRST cannot be sure to win.

    The choices have the least numbers of turns, and no other position has a choice that surely wins.
    """
    values = _Values(rules, level, choices, budget)

    def turns(position: Hashable, _: int) -> int | None:
        within = values.turns(position)
        return None if within is None else within - 1

    def worst(position: Hashable) -> Step:
        steps = values.game.replies(level, position)
        return max(steps, key=lambda step: _or_for_ever(values.turns(step.position)))

    return _strategy(values.game, level, SECOND, turns, worst)


class _Values:
    """The turns of both sides within which FIRST wins the game `surely` by the best choices."""

    def __init__(self, rules: Chance, level: Any, choices: Mapping[Hashable, Choice], budget: Budget) -> None:
        self.game = game_of(SURELY, rules, budget)
        self._level, self._choices = level, choices
        self._drawn: dict[Draw, int | None] = {}

    def turns(self, position: Hashable) -> int | None:
        """The number of turns from a position; None: no strategy surely wins from there."""
        if isinstance(position, Draw):
            if position not in self._drawn:
                steps = self.game.replies(self._level, position)
                after = [self.turns(step.position) for step in steps]
                known = [each for each in after if each is not None]
                self._drawn[position] = 1 + max(known) if len(known) == len(after) else None
            return self._drawn[position]
        if self.game.winner(self._level, position) == FIRST:
            return 0
        choice = self._choices.get(position)
        return None if choice is None else 2 * choice.turns


def _or_for_ever(turns: int | None) -> float:
    return float("inf") if turns is None else turns


def _step(game: Game, level: Any, position: Hashable, name: str) -> Step:
    step = game.reply(level, position, name)
    assert step is not None, f"{name} is not a legal move"
    return step


def _no_move(_: Hashable) -> Step:
    raise AssertionError("in the game `lucky`, SECOND has no turn")


def _strategy(game: Game, level: Any, side: int, turns: Turns, own: Callable[[Hashable], Step]) -> Strategy:
    """The nodes of a strategy, breadth-first. `own` picks the side's own move in a position.

    Raises LimitReached if there are more than MOST_NODES nodes.
    """
    start = game.start(level)
    depth, numbers, waiting = {start: 0}, {start: 0}, [start]
    nodes = list[Node]()
    for position in waiting:
        here = turns(position, depth[position])
        if game.over(level, position) or (here == 0 and side == SECOND):
            nodes.append(Node(here, None, ()))
            continue
        is_own = game.turn(level, position) == side
        steps = [own(position)] if is_own else game.replies(level, position)
        for step in steps:
            if step.position not in numbers:
                depth[step.position], numbers[step.position] = depth[position] + 1, len(waiting)
                waiting.append(step.position)
        if len(waiting) > MOST_NODES:
            raise LimitReached("bound", f"a strategy of more than {MOST_NODES:,} nodes")
        nodes.append(Node(here, steps[0].name if is_own else None, tuple(numbers[s.position] for s in steps)))
    return Strategy(side, side == FIRST, tuple(nodes))
