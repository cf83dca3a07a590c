"""Does a strategy win whatever is drawn? The least fixed point of 1 + the worst outcome, minimum over inputs.

A solved position is worth 0 inputs. An input that may fail, or whose outcomes are too many to list, is worth
nothing. The value of a level is the worst one of its first positions. All positions in reach are found first; then
values spread backwards from solved ones, in the order of the values.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from puzzlemc.mc.errors import LIMITS
from puzzlemc.mc.games.lucky import Found, known_turns
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.chance import Chance


class Choice(NamedTuple):
    """The input of a strategy in a position, and within how many inputs it wins from there."""

    name: str
    turns: int


@dataclass
class Sure(Found):
    """What the search finds; `strategy` has a choice for each unsolved position from which it finds a sure win."""

    strategy: Mapping[Hashable, Choice] = field(default_factory=dict)


@dataclass(eq=False)
class _Way:
    """An input in a position: the positions that may be drawn, and how many of them have no value yet."""

    source: Hashable
    name: str
    after: frozenset[Hashable]
    left: int


def surely(rules: Chance, level: Any, budget: Budget) -> Sure:
    """Find a strategy that wins within the fewest inputs, whatever is drawn. Its `moves` are its longest play."""
    found = Sure()
    try:
        ways, solved = _explored(rules, level, budget, found)
    except LIMITS as limit:
        found.stopped(limit)
        return found
    found.strategy = choices = _choices(ways, solved)
    roots = [position for position in rules.first(level) if position not in solved]
    may_hang = rules.hangs(level)
    if may_hang or any(position not in choices for position in roots):
        found.reason = "bound" if found.words and not may_hang else None
        return found
    found.turns = max((choices[position].turns for position in roots), default=0)
    found.bound = 0 if found.words else found.turns
    found.moves = longest_play(rules, level, choices)
    return found


def _explored(
    rules: Chance, level: Any, budget: Budget, found: Sure
) -> tuple[dict[Hashable, list[_Way]], dict[Hashable, None]]:
    """The ways that lead to each position in reach, and the solved ones."""
    ways: dict[Hashable, list[_Way]] = {position: [] for position in rules.first(level)}
    solved, waiting = dict[Hashable, None](), list(ways)
    for position in waiting:
        found.states = len(waiting)
        if rules.solved(level, position):
            solved[position] = None
            continue
        for name, turn in known_turns(rules, level, position, budget, found):
            after = dict.fromkeys(step.position for step in turn.steps)
            way = _Way(position, name, frozenset(after), len(after))
            for each in after:
                if each not in ways:
                    ways[each] = []
                    waiting.append(each)
                if not turn.fails:
                    ways[each].append(way)
    return ways, solved


def _choices(ways: Mapping[Hashable, list[_Way]], solved: Mapping[Hashable, None]) -> dict[Hashable, Choice]:
    """The best choice in each position from which a strategy wins whatever is drawn."""
    choices: dict[Hashable, Choice] = {}
    waiting = [(position, 0) for position in solved]
    for position, turns in waiting:
        for way in ways[position]:
            way.left -= 1
            if way.left == 0 and way.source not in choices:
                choices[way.source] = Choice(way.name, turns + 1)
                waiting.append((way.source, turns + 1))
    return choices


def longest_play(rules: Chance, level: Any, strategy: Mapping[Hashable, Choice]) -> list[str]:
    """The names of the steps of a longest play of a strategy: chance draws what takes longest."""
    position = max(rules.first(level), key=lambda each: _turns(strategy, each))
    begin = rules.begin(level, position)
    names = [] if begin is None else [begin]
    while position in strategy:
        steps = rules.turn(level, position, strategy[position].name).steps
        worst = max(steps, key=lambda step: _turns(strategy, step.position))
        names.append(worst.name)
        position = worst.position
    return names


def _turns(strategy: Mapping[Hashable, Choice], position: Hashable) -> int:
    return strategy[position].turns if position in strategy else 0
