"""The measures of levels of Sokoban by their definitions and the plain rules alone, and random levels."""

import heapq
import itertools
import random
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, RULES, ahead
from puzzlemc.mc.rules.plain import Transition
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
            found |= self._along()
            found["unnoticed"] = self._unnoticed()
            found["counter_intuitive"] = min(sum(map(self._is_odd, some)) for some in self._with_ends())
            found["decomposition"] = self._fewest_runs()
            found["random_player"] = float(self._random_player())
        return found

    def _before(self, solution: list[Push]) -> list[Position]:
        """The positions before the pushes of a solution."""
        return [self.start, *(push.after for push in solution)][: len(solution)]

    def _along(self) -> dict[str, float]:
        """The means over all solutions of what one meets along them."""
        counts = dict.fromkeys(("forced_moves", "branch_points", "losing_moves"), 0)
        for solution in self.solutions:
            for at in self._before(solution):
                good = sum(push.after in self.left for push in self.pushes[at])
                counts["forced_moves"] += len(self.pushes[at]) == 1
                counts["branch_points"] += good > 1
                counts["losing_moves"] += len(self.pushes[at]) - good
        return {name: round(float(Fraction(count, len(self.solutions))), 4) for name, count in counts.items()}

    def plainly_lost(self, position: Position) -> bool:
        """Is there no push, or are too few boxes left that can still be of use?"""
        if position in self.left:
            return False
        stuck = set(position.boxes)
        while free := {
            box
            for box in stuck
            if any(
                all(ahead(box, DIRECTIONS[side]) in self.level.cells - stuck for side in axis)
                for axis in ("lr", "ud")
            )
        }:
            stuck -= free
        useless = {box for box in position.boxes - self.level.goals if box in stuck or not self.distances.get(box)}
        return not self.pushes[position] or len(position.boxes - useless) < len(self.level.goals)

    @cached_property
    def distances(self) -> dict[Cell, dict[Cell, int]]:
        """From each cell, the pushes of a lone box to each goal that it can reach, wherever the player is."""
        found = {}
        for cell in self.level.cells:
            pushed, waiting = {cell: 0}, deque([cell])
            while waiting:
                at = waiting.popleft()
                for one, other in ("lr", "rl", "ud", "du"):
                    to, player = ahead(at, DIRECTIONS[one]), ahead(at, DIRECTIONS[other])
                    if {to, player} <= self.level.cells and to not in pushed:
                        pushed[to] = pushed[at] + 1
                        waiting.append(to)
            found[cell] = {goal: pushed[goal] for goal in self.level.goals if goal in pushed}
        return found

    def _unnoticed(self) -> int:
        """How long the latest noticed mistake goes unnoticed."""
        longest = 0
        for at in {at for solution in self.solutions for at in self._before(solution)}:
            for push in self.pushes[at]:
                if push.after not in self.left and not self.plainly_lost(push.after):
                    known, waiting = {push.after: 1}, deque([push.after])
                    while waiting:
                        place = waiting.popleft()
                        for following in self.pushes[place]:
                            if following.after not in known and not self.plainly_lost(following.after):
                                known[following.after] = known[place] + 1
                                waiting.append(following.after)
                    longest = max(longest, *known.values())
        return longest

    def _with_ends(self) -> list[list[tuple[Cell, Cell]]]:
        """The cells of the box before and after each push, of all solutions."""
        return [
            [(push.cell, ahead(push.cell, DIRECTIONS[push.direction])) for push in solution]
            for solution in self.solutions
        ]

    def _is_odd(self, push: tuple[Cell, Cell]) -> bool:
        """Does a push take the box off the goals, or away from all that it could reach?"""
        cell, to = push
        if cell in self.level.goals:
            return to not in self.level.goals
        before, after = self.distances[cell], self.distances[to]
        return bool(before) and all(after.get(goal, 1 << 20) > pushes for goal, pushes in before.items())

    def _fewest_runs(self) -> int:
        """The least number of runs of one box in any solution, by Dijkstra's algorithm."""
        nowhere = (-1, -1)
        queue = [(0, 0, self.start, nowhere)]
        costs = {(self.start, nowhere): 0}
        number = 0
        while queue:
            runs, _, at, last = heapq.heappop(queue)
            if self.solved(at):
                return runs
            for push in self.pushes[at]:
                to = ahead(push.cell, DIRECTIONS[push.direction])
                key = push.after, to  # the box that was pushed last, by its cell
                cost = runs + (last != push.cell)
                if cost < costs.get(key, 1 << 20):
                    costs[key] = cost
                    number += 1
                    heapq.heappush(queue, (cost, number, push.after, to))
        raise AssertionError("a level with a solution has one in some number of runs")

    def _random_player(self) -> Fraction:
        """The expected number of pushes of the random player, from linear equations with exact fractions."""
        if self.solved(self.start):
            return Fraction(0)
        places: dict[Position, int] = {}
        waiting = [self.start]
        ways: list[dict[Position, Fraction]] = []
        for at in waiting:
            if at in places:
                continue
            places[at] = len(ways)
            going = [push.after for push in self.pushes[at] if not self.plainly_lost(push.after)]
            weights = {
                to: Fraction(1 + (at in self.left and self.left.get(to) == self.left[at] - 1)) for to in going
            }
            stays = Fraction(1) if at in self.left else Fraction(9, 10) if going else Fraction(0)
            total = sum(weights.values())
            ways.append({to: stays * weight / total for to, weight in weights.items()})
            waiting += [to for to in going if not self.solved(to)]
        size = len(ways)
        rows = []
        for place, way in enumerate(ways):  # E[at] = goes on + sum of E[to] + (1 - goes on) * E[start]
            goes_on = sum(way.values(), Fraction(0))
            row = [Fraction(0)] * size + [goes_on]
            row[place] += 1
            row[0] -= 1 - goes_on
            for to, chance in way.items():
                if not self.solved(to):
                    row[places[to]] -= chance
            rows.append(row)
        return _solved(rows)[0]


class PlainSteps(Plain):
    """All positions of a level of any puzzle. A `Push` is a step to another position, without a cell."""

    def __init__(self, rules: Transition, level: Any) -> None:
        self.level, self.rules = level, rules
        self.start = rules.start(level)
        self.pushes = {}
        waiting: deque[Any] = deque([self.start])
        while waiting:
            at = waiting.popleft()
            if at not in self.pushes:
                after = {step.position for step in rules.steps(level, at)} - {at}
                self.pushes[at] = [Push((0, 0), "", position) for position in after]
                waiting.extend(after)

    def solved(self, position: Any) -> bool:
        return self.rules.solved(self.level, position)

    def plainly_lost(self, position: Any) -> bool:
        return position not in self.left and not self.pushes[position]

    def measures(self) -> dict[str, int | float | None]:
        found: dict[str, int | float | None] = {"lost_share": round(1 - len(self.left) / len(self.pushes), 4)}
        if self.solutions:
            found["solution_orders"] = len(self.solutions)
            found |= self._along()
            found["unnoticed"] = self._unnoticed()
            found["random_player"] = float(self._random_player())
        return found


def _solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations, by elimination; the last number of each row is its right side."""
    size = len(rows)
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        factor = rows[column][column]
        rows[column] = [value / factor for value in rows[column]]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column]
                rows[row] = [one - factor * other for one, other in zip(rows[row], rows[column], strict=True)]
    return [row[-1] for row in rows]


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
            goals = sorted(_after_pushes(free, boxed, player))
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


def _after_pushes(free: Collection[Cell], boxes: Collection[Cell], player: Cell) -> frozenset[Cell]:
    """Where the boxes are in a position that takes the most pushes to reach."""
    (level,) = parse(_text(free, boxes, boxes, player), "random")
    if not isinstance(level, Level):
        return frozenset(boxes)
    return list(Plain(level).pushes)[-1].boxes
