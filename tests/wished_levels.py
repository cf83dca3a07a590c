"""Small levels of Sokoban, their cheapest solutions by a plain search, and suggestions for them."""

import random
from collections import deque
from collections.abc import Iterator
from functools import cache

from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.encodings.sokoban.domain.rules import RULES
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.suggest.request import Request
from puzzlemc.reports.suggest.suggest import suggest
from puzzlemc.reports.suggest.suggestion import Suggestions
from puzzlemc.screens import sokoban
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.sokoban import Cell, Level

SIDE = 5
NOTHING: frozenset[Cell] = frozenset()


def level_of(text: str) -> Level:
    (level,) = sokoban.parse(text, "test")
    assert isinstance(level, Level)
    return level


def small_levels(seed: int, count: int, boxes: int = 1) -> Iterator[Level]:
    """Random solvable levels, at least two pushes from a solution; some have a box to spare."""
    chance = random.Random(seed)
    while count:
        inner = [(row, column) for row in range(1, SIDE) for column in range(1, SIDE)]
        signs = dict.fromkeys(inner, " ") | dict.fromkeys(chance.sample(inner, 3), "#")
        free = [cell for cell in inner if signs[cell] == " "]
        pieces = "@" + "$" * boxes + "." * chance.choice([boxes, max(1, boxes - 1)])
        signs |= zip(chance.sample(free, len(pieces)), pieces, strict=True)
        rows = ["".join(signs.get((row, column), "#") for column in range(SIDE + 1)) for row in range(SIDE + 1)]
        (level,) = sokoban.parse("\n".join(rows), "test")
        if isinstance(level, LevelError) or len(level.start.boxes) != boxes or level.goals - level.cells:
            continue
        found = plain_solution(level, NOTHING)
        if found is not None and sum(move.isupper() for move in found) >= 2:
            count -= 1
            yield level


@cache
def plain_solution(level: Level, avoided: frozenset[Cell]) -> str | None:
    """A solution with the fewest pushes, by the plain rules, in which nothing is ever on an avoided cell."""
    start = RULES.start(level)
    ways = {start: ""}
    waiting = deque([(0, start)])
    while waiting:
        cost, position = waiting.popleft()
        way = ways[position]
        if sum(move.isupper() for move in way) < cost:
            continue
        if RULES.solved(level, position):
            return way
        for step in RULES.steps(level, position):
            after = step.position
            if avoided & {after.player, *after.boxes}:
                continue
            pushes = cost + step.costs["pushes"]
            if after not in ways or sum(move.isupper() for move in ways[after]) > pushes:
                ways[after] = way + step.name
                (waiting.append if step.costs["pushes"] else waiting.appendleft)((pushes, after))
    return None


def pushes(solution: str | None) -> float:
    return float("inf") if solution is None else sum(move.isupper() for move in solution)


def free_cells(level: Level) -> list[Cell]:
    """The floor without boxes, goals and player."""
    return sorted(level.cells - level.goals - level.start.boxes - {level.start.player})


def asked(level: Level, want: str, most: int = 2, **more: object) -> Suggestions:
    """All suggestions for a level."""
    entry = Entry("level", "", puzzle("sokoban"), level)
    return suggest(entry, Request(want, most=most, count=500, **more), Options(timeout=60))  # type: ignore[arg-type]
