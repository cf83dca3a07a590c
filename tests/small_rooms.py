"""Small levels of Sokoban, drawn or random, prepared for compiled search."""

import random
from collections.abc import Iterator

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.astar.problem import Problem, prepare
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import cost_of
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.layout import PackedStates
from puzzlemc.screens.sokoban import Level, State, parse

RULES = puzzle("sokoban")


def level_of(*lines: str) -> Level:
    (level,) = parse("\n".join(lines), "drawn")
    assert isinstance(level, Level)
    return level


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
