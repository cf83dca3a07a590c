"""Compares every deadlock rule of the search for some solution with the truth, on small random levels.

Of a level all positions are listed, whether they can be reached or not, and from which of them the goal can be
reached by the plain rules. A rule that calls one of these dead is wrong. How many dead positions a rule sees is
told, too.

    python benchmarks/deadlocks.py --levels 20000 --seed 1
"""

import argparse
import random
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from puzzlemc.encodings.sokoban.fess import corrals, floods, freeze, guess, matching, plan
from puzzlemc.encodings.sokoban.fess.boards import Board, board_of
from puzzlemc.encodings.sokoban.fess.moves import PUSH
from puzzlemc.encodings.sokoban.rules import DIRECTIONS, ahead
from puzzlemc.mc.limits import Watch
from puzzlemc.screens.sokoban import Level, parse

Position = tuple[int, frozenset[int]]  # the player's cell and those of the boxes, by number
Rule = Callable[[Position], bool]
RULES = ("squares", "freeze", "matching", "corrals", "patterns")


def random_level(choice: random.Random) -> Level:
    """A level with up to fourteen cells, a room with walls in it or grown cell by cell; as many goals as boxes."""
    while True:
        height, width = choice.randint(2, 5), choice.randint(2, 6)
        cells = [(row, column) for row in range(height) for column in range(width)]
        if choice.random() < 0.5:
            floor = {cell for cell in cells if choice.random() < choice.choice([0.6, 0.8, 1])}
        else:
            floor = {choice.choice(cells)}
            for _ in range(choice.randint(6, 40)):
                cell = ahead(choice.choice(sorted(floor)), choice.choice(list(DIRECTIONS.values())))
                if cell in cells:
                    floor.add(cell)
        if not 5 <= len(floor) <= 14:
            continue
        places = choice.sample(sorted(floor), len(floor))
        boxes = choice.randint(1, 4 if len(floor) < 12 else 3)
        goals = set(choice.sample(sorted(floor), boxes))
        grid = {cell: "." if cell in goals else " " for cell in floor}
        grid[places[0]] = "+" if places[0] in goals else "@"
        for cell in places[1 : 1 + boxes]:
            grid[cell] = "*" if cell in goals else "$"
        rows = [
            "".join(grid.get((row, column), "#") for column in range(-1, width + 1))
            for row in range(-1, height + 1)
        ]
        (level,) = parse("\n".join(rows), "random")
        if isinstance(level, Level) and len(level.goals) == len(level.start.boxes) and level.goals <= level.cells:
            return level


def all_positions(board: Board) -> Iterator[Position]:
    """Every way to put player and boxes on the floor."""
    cells = range(len(board.near) - 1)
    for boxes in combinations(cells, len(board.boxes)):
        held = frozenset(boxes)
        for player in cells:
            if player not in held:
                yield player, held


def alive(board: Board) -> set[Position]:
    """The positions from which the goal can be reached by the plain rules: from the solved ones backward."""
    wall = len(board.near) - 1
    goals = frozenset(board.goals.tolist())
    waiting = [(player, goals) for player in range(wall) if player not in goals]
    found = set(waiting)
    while waiting:
        player, boxes = waiting.pop()
        for d in range(4):
            back = int(board.near[player, (d + 2) % 4])
            if back == wall or back in boxes:
                continue
            before = [(back, boxes)]
            front = int(board.near[player, d])
            if front in boxes:  # it was pushed there from where the player stands
                before.append((back, boxes - {front} | {player}))
            for position in before:
                if position not in found:
                    found.add(position)
                    waiting.append(position)
    return found


def rules_of(board: Board) -> dict[str, Rule]:
    """The rules, each as a test of a position; the last knows the patterns that the one before it has learned."""
    cells = len(board.near) - 1
    codes = guess.random_words(cells)
    never = guess.never(board.near, PUSH, board.goals)
    is_goal = np.zeros(cells + 1, np.uint8)
    is_goal[board.goals] = 1
    stuck = np.zeros(cells + 1, np.uint8)
    stuck[cells] = 1
    learned = corrals.no_corrals(cells)
    seen, queue = np.zeros(cells + 1, np.int32), np.zeros(cells + 1, np.uint16)
    starts = np.zeros(cells + 2, np.uint16)
    flood: Any = floods.flood
    regions: Any = floods.list_regions
    freezing: Any = freeze.is_frozen_off_goals
    dead_corral: Any = corrals.is_dead_corral
    pattern: Any = corrals.is_pattern
    match: Any = matching.cannot_match
    made = plan.plan(board.near, PUSH, board.goals, board.boxes, 0, Watch())
    ways = matching.matching_for(made.reach, len(board.boxes))

    def on_board(boxes: frozenset[int]) -> Any:
        on = np.zeros(cells + 1, np.uint8)
        on[[*boxes, cells]] = 1
        return on

    def by_squares(position: Position) -> bool:
        return any(never[box] for box in position[1])

    def by_freeze(position: Position) -> bool:
        boxes = np.array(sorted(position[1]), np.uint16)
        return bool(freezing(board.near, never, is_goal, boxes, len(boxes), stuck))

    def by_matching(position: Position) -> bool:
        boxes = np.array(sorted(position[1]), np.uint16)
        return bool(match(board.near, never, PUSH, made.order, boxes, len(boxes), stuck, ways)[0])

    def by_corrals(position: Position) -> bool:
        player, boxes = position
        on = on_board(boxes)
        seen[:] = 0
        _, least = flood(board.near, on, player, queue, seen, 1)
        number = regions(board.near, on, queue, starts, seen, 1)
        return bool(dead_corral(board.near, on, never, is_goal, codes, learned, least, queue, starts, number)[0])

    def by_patterns(position: Position) -> bool:
        player, boxes = position
        row = np.zeros(cells // 64 + 1, np.uint64)
        for box in boxes:
            row[box >> 6] |= np.uint64(1 << (box & 63))
        return any(pattern(learned, row, box, player) for box in boxes)

    return dict(zip(RULES, (by_squares, by_freeze, by_matching, by_corrals, by_patterns), strict=True))


def judge(level: Level) -> dict[str, tuple[int, int, int]]:
    """By rule: how many positions it calls dead, how many of these are alive, and how many positions are dead."""
    board = board_of(level)
    assert board is not None
    living, everywhere = alive(board), list(all_positions(board))
    dead = len(everywhere) - len(living)
    told = {}
    for name, rule in rules_of(board).items():
        called = [position for position in everywhere if rule(position)]
        told[name] = (len(called), sum(position in living for position in called), dead)
    return told


def main() -> int:
    """Print a row a rule; 1 if one of them was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    guess.warm_up()
    choice = random.Random(arguments.seed)
    sums = np.zeros((len(RULES), 3), np.int64)
    for _ in range(arguments.levels):
        told = judge(random_level(choice))
        sums += np.array([told[name] for name in RULES])
    print(f"{arguments.levels} levels\n{'rule':10} {'called dead':>12} {'wrong':>6} {'of dead':>12}")
    for name, (called, wrong, dead) in zip(RULES, sums.tolist(), strict=True):
        print(f"{name:10} {called:12} {wrong:6} {dead:12}")
    return int(sums[:, 1].any())


if __name__ == "__main__":
    raise SystemExit(main())
