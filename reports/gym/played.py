"""A level as it is played: positions with their legal actions, and what is known of them.

The plain rules make each step. The table of exact distances follows it by the name of the move.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from puzzlemc.encodings.puzzle.display import Cells
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.nearest import nearest
from puzzlemc.mc.rules.plain import Step
from puzzlemc.reports.api.levels import Level, entry_of
from puzzlemc.reports.gym.observations import Observer, Shape
from puzzlemc.reports.gym.table import Table, table

KEPT = 1 << 14  # positions of a level whose steps are kept


@dataclass(frozen=True)
class Shaping:
    """Rewards for distances: what these count, and how an agent discounts rewards."""

    metric: str | None
    discount: float


class Position(NamedTuple):
    """A position of a play.

    legal   the steps by the numbers of their actions; none where the play is over
    solved  is it solved?
    number  in the table of distances; 0 without one
    """

    value: Hashable
    legal: Mapping[int, Step]
    solved: bool
    number: int

    @property
    def over(self) -> bool:
        """Is the position solved, or no action legal?"""
        return not self.legal


@dataclass(frozen=True)
class Game:
    """A level with the actions of its environment."""

    played: Level
    observer: Observer
    actions: tuple[str, ...]
    shaping: Shaping | None
    limits: Limits

    def start(self) -> Position:
        """The first position. Raises LimitReached, ModelError if there are too many positions for distances."""
        return self._position(self.played.start.value, 0)

    def after(self, before: Position, action: int) -> Position:
        """The position after an action, which is the same if it is not legal."""
        step = before.legal.get(action)
        if step is None:
            return before
        return self._position(step.position, self.table.step(before.number, step.name) if self.shaping else 0)

    def reward(self, before: Position, after: Position) -> float:
        """The reward of a step."""
        reward = float(after.solved)
        if self.shaping is not None:
            reward += self._cost(before) - self.shaping.discount * self._cost(after)
        return reward

    def known(self, position: Position) -> dict[str, Any]:
        """The exact distance to a solution, and whether there is none; empty without exact distances."""
        if self.shaping is None:
            return {}
        distance = self.table.distance(position.number)
        return {"distance": distance, "lost": distance == float("inf")}

    def __deepcopy__(self, _: object) -> "Game":
        """The same: nothing of a play is in it, and tables may be large."""
        return self

    def __getstate__(self) -> dict[str, Any]:
        """All but the steps that were met."""
        return {name: value for name, value in vars(self).items() if name != "_steps"}

    @cached_property
    def level(self) -> Any:
        """The level as the rules of its puzzle have it."""
        return entry_of(self.played).level

    @cached_property
    def table(self) -> Table:
        """The distances. Raises LimitReached, ModelError."""
        assert self.shaping is not None
        return table(entry_of(self.played), _metric(self.played, self.shaping.metric), self.limits)

    def _cost(self, position: Position) -> float:
        """The distance; from a lost position, one more than from any other."""
        return min(self.table.distance(position.number), self.table.farthest + 1)

    def _position(self, value: Hashable, number: int) -> Position:
        legal, solved = self._steps(value)
        return Position(value, legal, solved, number)

    @cached_property
    def _steps(self) -> Callable[[Hashable], tuple[dict[int, Step], bool]]:
        """The legal steps of a position by the numbers of their actions, and whether it is solved; kept."""
        rules, level, action = self.played.puzzle.rules, self.level, self.observer.cells.action
        numbers = {name: number for number, name in enumerate(self.actions)}

        @lru_cache(KEPT)
        def steps(value: Hashable) -> tuple[dict[int, Step], bool]:
            if rules.solved(level, value):
                return {}, True
            named = ((numbers.get(action(step.name)), step) for step in rules.steps(level, value))
            return {number: step for number, step in named if number is not None}, False

        return steps


def games(levels: Sequence[Level], shaping: Shaping | None, limits: Limits) -> list[Game]:
    """The levels of an environment, which have the same actions. Raises LevelError, ModelError, LimitReached."""
    metric = None if shaping is None else shaping.metric
    cells = [_cells(level) for level in levels]
    shape = Shape.of(cells)
    names = dict[str, None]()
    for level, each in zip(levels, cells, strict=True):
        chosen = _metric(level, metric)
        if each.actions is None:
            names |= dict.fromkeys(table(entry_of(level), chosen, limits).names)
        else:
            names |= dict.fromkeys(each.actions)
    if not names:
        raise ModelError(f"{levels[0].id}: found a level without moves, expected one that can be played")
    return [
        Game(level, Observer(each, shape), tuple(names), shaping, limits)
        for level, each in zip(levels, cells, strict=True)
    ]


def _cells(level: Level) -> Cells:
    """The cells of a level. Raises LevelError, and ModelError for a level that is no environment."""
    puzzle, built = level.puzzle, level._built
    if puzzle.game is not None:
        raise ModelError(f"{level.id}: {puzzle.name} is a game of two sides, expected a puzzle for one player")
    if puzzle.chance(built) is not None:
        raise ModelError(f"{level.id}: found a level with chance, expected one whose moves have one outcome each")
    found = puzzle.display.cells(built)
    if found is None:
        raise ModelError(f"{level.id}: positions of {puzzle.name} are shown as text, expected things on cells")
    if level.start.solved:
        raise ModelError(f"{level.id}: found a level that is solved at its start, expected one that is not")
    return found


def _metric(level: Level, metric: str | None) -> str:
    """The metric of distances. Raises ModelError for one that the puzzle does not have."""
    known = level.puzzle.metrics
    if metric is not None and metric not in known:
        expected = f"expected one of {', '.join(known)}{nearest(metric, known)}"
        raise ModelError(f"metric: found {metric!r} of {level.puzzle.name}, {expected}")
    return metric or known[0]
