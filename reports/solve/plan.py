"""What a strategy against chance does, for people and programs: an input for each position that it may come to."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from puzzlemc.mc.games.chance import SURELY, Draw, game_of
from puzzlemc.mc.games.strategy import Strategy
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.chance import Chance
from puzzlemc.reports.output.words import counted

MOST_LISTED = 10_000  # positions
MOST_SHOWN = 20  # positions, to people
START = "start"  # the name of the first position if none is drawn

# What may be drawn, each with the number of the position that follows; None: it is won.
After = tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class Choice:
    """The input of a strategy in a position.

    drawing  the position as text
    turns    the strategy wins within this number of turns from there
    after    what may be drawn
    """

    position: Hashable
    drawing: str
    name: str
    turns: int
    after: After


@dataclass(frozen=True)
class Plan:
    """A checked strategy: what may be drawn at first, and the choices, whose numbers begin with 0."""

    first: After
    choices: tuple[Choice, ...]

    def as_json(self) -> dict[str, object]:
        """The form for programs."""
        positions = [
            {"drawing": each.drawing, "input": each.name, "turns": each.turns, "after": dict(each.after)}
            for each in self.choices
        ]
        return {"first": dict(self.first), "positions": positions}

    def lines(self) -> Iterator[str]:
        """The form for people, with numbers from 1."""
        if len(self.first) > 1:
            yield _in_words(self.first)
        for number, each in enumerate(self.choices[:MOST_SHOWN], start=1):
            yield f"{number}: {each.name} ({counted(each.turns, 'turns')}): {_in_words(each.after)}"
        if len(self.choices) > MOST_SHOWN:
            yield f"… and {len(self.choices) - MOST_SHOWN:,} more, which --json lists"


def _in_words(after: After) -> str:
    return ", ".join(f"{name} → {'won' if number is None else number + 1}" for name, number in after)


def plan_of(
    rules: Chance,
    level: Any,
    strategy: Strategy,
    positions: Sequence[Hashable],
    draw: Callable[[Any, Any], str],
    budget: Budget,
) -> Plan | None:
    """The plan of a strategy of the game `surely`, whose nodes have these positions; None if it is too long."""
    own = [number for number, node in enumerate(strategy.nodes) if node.move is not None]
    if len(own) > MOST_LISTED:
        return None
    numbers = {number: place for place, number in enumerate(own)}
    game = game_of(SURELY, rules, budget)

    def after(number: int) -> After:
        steps = game.replies(level, positions[number])
        behind = zip(steps, strategy.nodes[number].after, strict=True)
        return tuple((step.name, numbers.get(node)) for step, node in behind)

    choices = [
        Choice(
            positions[number],
            draw(level, positions[number]),
            strategy.nodes[number].move or "",
            ((strategy.nodes[number].turns or 0) + 1) // 2,
            after(strategy.nodes[number].after[0]),
        )
        for number in own
    ]
    first = after(0) if isinstance(positions[0], Draw) else ((START, numbers.get(0)),)
    return Plan(first, tuple(choices))
