"""Small levels of Sokoban, drawn or random, prepared for compiled search."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.board.numbered import NumberedLevel, numbered
from puzzlemc.mc.astar.problem import Problem, Side, prepare
from puzzlemc.mc.astar.search import search
from puzzlemc.mc.astar.sides import Goal, Progress
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import cost_of
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.layout import PackedStates
from puzzlemc.mc.search.state_table import ENDED, PAUSED
from puzzlemc.screens.sokoban import Level, State, parse

RULES = puzzle("sokoban")

# Two rooms: boxes must pass one door, those for the far goals first.
ROOMS = """\
###########
#    #    #
# $ $  ...#
# $  #  ..#
# $ $#    #
#  @ #    #
###########
"""
HALL = """\
##########
#   #    #
# $    $ #
# .# @#. #
#  $  $  #
# . #  . #
##########
"""
TURNED = {
    "half a turn": lambda row, column, height, width: (height - 1 - row, width - 1 - column),
    "mirrored": lambda row, column, height, width: (row, width - 1 - column),
}


def level_of(*lines: str) -> Level:
    (level,) = parse("\n".join(lines), "drawn")
    assert isinstance(level, Level)
    return level


def crowd() -> Level:
    """A level that takes minutes."""
    empty, boxes, goals = "#" + " " * 19 + "#", "# " + "$ " * 9 + "#", "# " + ". " * 9 + "#"
    return level_of("#" * 21, "#@" + empty[2:], *[boxes, empty] * 5, *[goals, empty] * 5, "#" * 21)


def numbered_room(*lines: str) -> NumberedLevel:
    return numbered(level_of(*lines))


def rooms(count: int) -> Iterator[Level]:
    """Rooms of odd shapes with two or three boxes and as many goals."""
    rng = random.Random(count)
    while count:
        cells = [[rng.choice("    #") for _ in range(5)] for _ in range(4)]
        free = [(r, c) for r in range(4) for c in range(5) if cells[r][c] == " "]
        boxes = rng.choice((2, 3))
        if len(free) < 2 * boxes + 1:
            continue
        for what, (r, c) in zip("@" + "$." * boxes, rng.sample(free, 2 * boxes + 1), strict=True):
            cells[r][c] = what
        (level,) = parse("\n".join(["#" * 7, *(f"#{''.join(row)}#" for row in cells), "#" * 7]), "random")
        if not isinstance(level, Level) or len(level.start.boxes) < boxes or len(level.goals) < boxes:
            continue
        if level.goals <= set(level.floor):
            count -= 1
            yield level


def open_rooms(count: int) -> Iterator[Level]:
    """Rooms with hardly any walls, and three or four boxes away from the border: most have a solution."""
    rng = random.Random(count)
    while count:
        boxes = rng.choice((3, 4))
        cells = [[rng.choice("           #") for _ in range(6)] for _ in range(5)]
        inner = [(r, c) for r in range(1, 4) for c in range(1, 5) if cells[r][c] == " "]
        if len(inner) < boxes:
            continue
        for r, c in rng.sample(inner, boxes):
            cells[r][c] = "$"
        free = [(r, c) for r in range(5) for c in range(6) if cells[r][c] == " "]
        for what, (r, c) in zip("@" + "." * boxes, rng.sample(free, boxes + 1), strict=True):
            cells[r][c] = what
        (level,) = parse("\n".join(["#" * 8, *(f"#{''.join(row)}#" for row in cells), "#" * 8]), "random")
        if isinstance(level, Level) and len(level.start.boxes) == len(level.goals) == boxes:
            count -= 1
            yield level


def prepared(level: Level, metric: str) -> tuple[Model, Problem]:
    model = RULES.encodings["compact"](level).model
    prices = [cost_of(action, metric) for action in model.actions]
    return model, prepare(model, prices, Budget(), patterns=2)


def row_of(model: Model, problem: Problem, position: State) -> PackedStates:
    assert model.hints.location is not None
    player = model.hints.location.literals(position.player)
    boxes = [b for b, cell in model.hints.objects.items() if cell in position.boxes]
    held = frozenset([b for b, value in player.items() if value] + boxes)
    return problem.layout.from_integers([problem.layout.integer(held)])


def symmetric_rooms(count: int) -> Iterator[Level]:
    """Rooms that a half turn or a reflection maps to themselves, with two or four boxes."""
    rng = random.Random(count)
    while count:
        height, width = rng.choice(((5, 5), (5, 6), (5, 7)))
        turn = TURNED[rng.choice(sorted(TURNED))]
        cells = [[rng.choice("      #") for _ in range(width)] for _ in range(height)]
        middle = height // 2, width // 2
        for row in range(height):
            for column in range(width):
                to = turn(row, column, height, width)
                cells[to[0]][to[1]] = cells[row][column]
        pairs = [
            ((row, column), turn(row, column, height, width))
            for row in range(height)
            for column in range(width)
            if cells[row][column] == " " and turn(row, column, height, width) > (row, column)
        ]
        boxes = rng.choice((1, 2))
        inner = [pair for pair in pairs if 0 < pair[0][0] < height - 1 and 0 < pair[0][1] < width - 1]
        if len(inner) < boxes or len(pairs) < 2 * boxes:
            continue
        pushed = rng.sample(inner, boxes)
        wanted = rng.sample([pair for pair in pairs if pair not in pushed], boxes)
        for what, pair in zip("$" * boxes + "." * boxes, pushed + wanted, strict=True):
            for row, column in pair:
                cells[row][column] = what
        cells[middle[0]][middle[1]] = "@"
        wall = "#" * (width + 2)
        (level,) = parse("\n".join([wall, *(f"#{''.join(row)}#" for row in cells), wall]), "random")
        if (
            not isinstance(level, Level)
            or len(level.start.boxes) < 2 * boxes
            or not level.goals <= set(level.floor)
        ):
            continue
        count -= 1
        yield level


def all_rows(side: Side) -> Any:
    """The packed states that the side reaches, expanded in the order of their costs; no goal ends the search."""
    none = np.zeros((0, side.tables.masks.shape[2]), np.uint64)
    status, progress = PAUSED, Progress(1)
    while status != ENDED:
        side.grow()
        status = search(side, Goal(none, none), progress, 1000, False)
    return np.asarray(side.space.rows)[: side.space.used]
