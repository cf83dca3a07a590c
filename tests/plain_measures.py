"""The measures of levels of Sokoban by their definitions and the plain rules alone, and random levels."""

import itertools
import random
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, RULES, ahead
from puzzlemc.screens.sokoban import Cell, Level, State, parse

MOST_SOLUTIONS = 5_000  # shortest solutions that are listed one by one


class Position(NamedTuple):
    """The boxes, and all cells to which the player can walk."""

    boxes: frozenset[Cell]
    region: frozenset[Cell]


class Push(NamedTuple):
    """A push: the cell of the box before it, the direction, and the position after it."""

    cell: Cell
    direction: str
    after: Position


class TooManySolutions(Exception):
    """There are more shortest solutions than are listed."""


def position_of(level: Level, state: State) -> Position:
    """The position without the cell of the player."""
    region, waiting = {state.player}, [state]
    for at in waiting:
        for step in RULES.steps(level, at):
            if step.name.islower() and step.position.player not in region:
                region.add(step.position.player)
                waiting.append(step.position)
    return Position(state.boxes, frozenset(region))


def pushes(level: Level, position: Position) -> Iterator[Push]:
    """The pushes that are possible in a position."""
    for player in position.region:
        for step in RULES.steps(level, State(player, position.boxes)):
            if step.name.isupper():
                cell = ahead(player, DIRECTIONS[step.name.lower()])
                yield Push(cell, step.name.lower(), position_of(level, step.position))


class Plain:
    """All positions of a level, and its measures by their definitions."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.start = position_of(level, level.start)
        self.pushes: dict[Position, list[Push]] = {}
        waiting = deque([self.start])
        while waiting:
            at = waiting.popleft()
            if at not in self.pushes:
                self.pushes[at] = list(pushes(level, at))
                waiting.extend(push.after for push in self.pushes[at])

    def solved(self, position: Position) -> bool:
        return self.level.goals <= position.boxes

    @cached_property
    def left(self) -> Mapping[Position, int]:
        """The least number of pushes to a solved position, by position; lost ones are absent."""
        before: dict[Position, list[Position]] = {}
        for at, found in self.pushes.items():
            for push in found:
                before.setdefault(push.after, []).append(at)
        left = {position: 0 for position in self.pushes if self.solved(position)}
        waiting = deque(left)
        while waiting:
            at = waiting.popleft()
            for earlier in before.get(at, []):
                if earlier not in left:
                    left[earlier] = left[at] + 1
                    waiting.append(earlier)
        return left

    @cached_property
    def solutions(self) -> list[list[Push]]:
        """All solutions with the fewest pushes, one by one. Raises TooManySolutions."""
        if self.start not in self.left:
            return []
        found: list[list[Push]] = [[]]
        for left in range(self.left[self.start] - 1, -1, -1):
            found = [
                [*some, push]
                for some in found
                for push in self.pushes[some[-1].after if some else self.start]
                if self.left.get(push.after) == left
            ]
            if len(found) > MOST_SOLUTIONS:
                raise TooManySolutions
        return found

    def boxes_of(self, solution: list[Push]) -> list[int]:
        """The number of the box of each push."""
        where = {cell: number for number, cell in enumerate(sorted(self.start.boxes))}
        found = []
        for push in solution:
            number = where.pop(push.cell)
            where[ahead(push.cell, DIRECTIONS[push.direction])] = number
            found.append(number)
        return found

    def measures(self) -> dict[str, int | float | None]:
        """The measures; None where there are none. Raises TooManySolutions."""
        lost_share = 1 - len(self.left) / len(self.pushes)
        found: dict[str, int | float | None] = {"lost_share": round(lost_share, 4)}
        if self.solutions:
            boxes = [self.boxes_of(solution) for solution in self.solutions]
            found["boxes_pushed"] = min(len(set(each)) for each in boxes)
            found["box_changes"] = min(
                sum(one != other for one, other in itertools.pairwise(each)) for each in boxes
            )
            found["solution_sets"] = len(
                {
                    frozenset(Counter((push.cell, push.direction) for push in solution).items())
                    for solution in self.solutions
                }
            )
            found["solution_orders"] = len(self.solutions)
        return found


def random_level(seed: int) -> Level:
    """A small room with inner walls, one to three boxes, and as many goals or fewer; two thirds are solvable."""
    rng = random.Random(seed)
    while True:
        height, width = rng.randint(3, 4), rng.randint(4, 5)
        cells = [(row, column) for row in range(1, height + 1) for column in range(1, width + 1)]
        free = set(cells) - set(rng.sample(cells, rng.randint(0, len(cells) // 6)))
        boxes = rng.randint(1, 3)
        if len(free) < 3 * boxes + 1:
            continue
        boxed = rng.sample(sorted(free), boxes)
        player = rng.choice(sorted(free - set(boxed)))
        goals = rng.sample(sorted(free), boxes)
        if seed % 3:
            goals = sorted(_after_pushes(free, boxed, player, rng))
        goals = goals[: rng.choice([boxes, boxes, max(1, boxes - 1)])]
        (level,) = parse(_text(free, goals, boxed, player), "random")
        if isinstance(level, Level) and level.start.boxes and level.goals <= level.cells:
            return level


def _text(free: Collection[Cell], goals: Collection[Cell], boxes: Collection[Cell], player: Cell) -> str:
    """A board with walls around."""
    height, width = max(row for row, _ in free), max(column for _, column in free)
    signs = {cell: " .$*@+"[(cell in goals) + 2 * (cell in boxes) + 4 * (cell == player)] for cell in free}
    rows = ["".join(signs.get((row, column), "#") for column in range(width + 2)) for row in range(height + 2)]
    return "\n".join(rows)


def _after_pushes(
    free: Collection[Cell], boxes: Collection[Cell], player: Cell, rng: random.Random
) -> frozenset[Cell]:
    """Where the boxes are after random pushes."""
    (level,) = parse(_text(free, boxes, [], player), "random")
    if not isinstance(level, Level):
        return frozenset(boxes)
    position = position_of(level, State(player, frozenset(boxes) & level.cells))
    for _ in range(rng.randint(6, 30)):
        found = sorted(pushes(level, position), key=lambda push: (push.cell, push.direction))
        if not found:
            break
        position = rng.choice(found).after
    return position.boxes
