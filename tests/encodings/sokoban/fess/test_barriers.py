"""Barriers: every solution can begin with a push of the barrier that is found."""

import random
from typing import Any

import numpy as np
import pytest
from small_rooms import level_of, numbered_room

from puzzlemc.encodings.sokoban.board import floods
from puzzlemc.encodings.sokoban.board.floor import PUSH, Floor
from puzzlemc.encodings.sokoban.board.numbered import NumberedLevel, numbered
from puzzlemc.encodings.sokoban.fess.domain import games
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import find_plan, game_on, is_suitable, random_words
from puzzlemc.encodings.sokoban.fess.search.barriers import Barriers, find_barrier
from puzzlemc.encodings.sokoban.fess.search.settings import Settings
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.sokoban import Level, parse

# The box in the door can only be pushed into the other room.
ROOMS = """\
###########
#    #    #
#  $ #    #
# $@ $  . #
#  $ # .  #
#  . #  . #
###########
"""


def crowded(deadlocks: Any, choice: random.Random) -> NumberedLevel:
    """A random board of 12 to 16 cells with five boxes, of which one may be at home."""
    while True:
        floor = sorted(choice.choice([deadlocks._room, deadlocks._grown, deadlocks._rooms])(choice))
        if not 12 <= len(floor) <= deadlocks.MOST_CELLS:
            continue
        goals, (player, *boxes) = set(choice.sample(floor, 5)), choice.sample(floor, 6)
        grid = {cell: "." if cell in goals else " " for cell in floor}
        grid |= {cell: "*" if cell in goals else "$" for cell in boxes}
        grid[player] = "+" if player in goals else "@"
        text = "\n".join(
            "".join(grid.get((row, column), "#") for column in range(-20, 30)) for row in range(-20, 30)
        )
        (level,) = parse(text, "random")
        if isinstance(level, Level) and is_suitable(level) and len(level.start.boxes) > 3:
            return numbered(level)


@pytest.mark.parametrize("count", [50, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_shortest_solution_begins_with_a_push_of_the_barrier(deadlocks: Any, count: int) -> None:
    choice, omitted, of = random.Random(count), 0, 0
    for _ in range(count):
        board = crowded(deadlocks, choice)
        true = deadlocks.truth(board.near, board.boxes, board.goals, board.player)
        game = game_on(board, PUSH, random_words(len(board.near) - 1))
        tally = deadlocks.judge_barriers(board, true, game)
        assert not tally.wrong, board
        omitted, of = omitted + tally.called, of + tally.judged
    assert omitted > of / 50


def test_a_search_leaves_out_pushes_of_other_boxes() -> None:
    board = numbered_room(ROOMS)
    game = game_on(board, PUSH, random_words(len(board.near) - 1))
    floor, marks = Floor(board.near), floods.Marks(len(board.near) - 1)
    boxes = games.Boxes(len(board.boxes), len(board.near) - 1)
    games.set_boxes(boxes, board.boxes.tolist())
    games.put_down(floor, boxes)
    floods.new_stamp(marks)
    floods.flood(floor, board.player, marks)
    barriers = Barriers(board.near)
    assert find_barrier(barriers, game, floor, boxes, marks, board.player) == 1
    door = next(number for number, cell in enumerate(board.cells) if cell == (3, 5))
    assert [box for box in board.boxes.tolist() if np.asarray(barriers.best)[box]] == [door]

    level = level_of(ROOMS)
    positions: list[int] = []
    for some in (0, 1):
        settings = ((Settings(ends=0, barriers=some),),)
        plan = find_plan(
            level,
            Budget(),
            portfolios=settings,
            report=lambda pair: positions.append(pair.sides[0].positions.count),
        )
        assert plan is not None
    without, reduced = positions
    assert reduced < without
