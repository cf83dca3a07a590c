"""Feature space search reaches all positions, each once, and tells their kinds apart."""

import random

import numpy as np
from small_rooms import crowd, level_of

from puzzlemc.encodings.sokoban.board.numbered import NumberedLevel, numbered
from puzzlemc.encodings.sokoban.fess.domain.counters import CELLS, KINDS
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import Pair, Segment, is_suitable, shared_on
from puzzlemc.encodings.sokoban.fess.search.entering import ENDED, PAUSED
from puzzlemc.encodings.sokoban.fess.search.past import Place, past_of
from puzzlemc.encodings.sokoban.fess.search.settings import Settings
from puzzlemc.encodings.sokoban.fess.search.sides import Side
from puzzlemc.mc.limits import GIB, Budget

ONE_SIDE = Settings(loose=1, eager=1, groups=0, ends=0)


def random_board(choice: random.Random, height: int, width: int, boxes: int, goals: int) -> NumberedLevel:
    """A random room, whose boxes all stand where the player may come to."""
    while True:
        rows = [[choice.choice("   #") for _ in range(width)] for _ in range(height)]
        free = [(row, column) for row in range(height) for column in range(width) if rows[row][column] == " "]
        if len(free) < 1 + boxes + goals:
            continue
        for what, (row, column) in zip(
            "@" + "$" * boxes + "." * goals, choice.sample(free, 1 + boxes + goals), strict=True
        ):
            rows[row][column] = what
        wall = "#" * (width + 2)
        level = level_of("\n".join([wall, *(f"#{''.join(row)}#" for row in rows), wall]))
        if is_suitable(level) and len(level.start.boxes) == boxes:
            return numbered(level)


def search_on(board: NumberedLevel, settings: Settings) -> Pair:
    return Pair(board, shared_on(board, GIB // 64), settings, GIB // 64, Budget(), Segment(None))


def region_of(board: NumberedLevel, boxes: frozenset[int], player: int) -> set[int]:
    """The cells that the player reaches; by the plain rules."""
    found, waiting = {player}, [player]
    while waiting:
        for cell in map(int, board.near[waiting.pop()]):
            if cell not in found and cell not in boxes and cell != len(board.near) - 1:
                found.add(cell)
                waiting.append(cell)
    return found


def reachable(board: NumberedLevel) -> set[Place]:
    """All positions that pushes lead to from the start; by the plain rules, push after push."""
    boxes, wall = frozenset(map(int, board.boxes)), len(board.near) - 1
    start = boxes, min(region_of(board, boxes, board.player))
    found, waiting = {start}, [start]
    while waiting:
        boxes, player = waiting.pop()
        region = region_of(board, boxes, player)
        for box in boxes:
            for d in range(4):
                to = int(board.near[box, d])
                if int(board.near[box, (d + 2) % 4]) in region and to != wall and to not in boxes:
                    pushed = boxes - {box} | {to}
                    position = pushed, min(region_of(board, pushed, box))
                    if position not in found:
                        found.add(position)
                        waiting.append(position)
    return found


def test_a_search_without_a_solution_sees_exactly_the_reachable_positions() -> None:
    """With more boxes than goals, no rule calls a position dead: nothing may be left out."""
    choice, ended, positions = random.Random(4), 0, 0
    for _ in range(90):
        board = random_board(choice, 5, 6, 3, 2)
        pair = search_on(board, ONE_SIDE)
        while (status := pair.go_on(100_000)) == PAUSED:
            pass
        if status == ENDED:
            past = past_of(pair.sides[0].positions)
            seen = [past.place(number) for number in range(len(past.players))]
            assert len(seen) == len(set(seen))
            assert set(seen) == reachable(board)
            ended, positions = ended + 1, positions + len(seen)
    assert ended > 40
    assert positions > 1000


def kind(side: Side, number: int) -> int:
    """The kind of a position, counted by sets along its path."""
    past, path = past_of(side.positions), []
    while number >= 0:
        path.append(number)
        number = int(past.parents[number])
    base = path[-1]
    for at in reversed(path):
        if side.cells[at] // (CELLS * KINDS) > side.cells[base] // (CELLS * KINDS):
            base = at
    moved = past.place(base)[0] - past.place(path[0])[0]
    return min(len(moved), KINDS - 1)


def test_the_kind_counts_the_boxes_that_were_moved_since_the_last_progress() -> None:
    choice = random.Random(6)
    boards = [
        random_board(choice, 9, 10, 14, goals) for goals in range(5, 13)
    ]  # more boxes than goals: none is dead
    pairs = [search_on(board, ONE_SIDE._replace(kinds=1)) for board in [*boards, numbered(crowd())]]
    counts, most = np.zeros(KINDS, int), 0
    for pair in pairs:
        (side,) = pair.sides
        while side.positions.count < 1500 and pair.go_on(1000) == PAUSED:
            pass
        for number in range(side.positions.count):
            if number != side.here:  # where a search ends, the position has no cell
                assert side.cells[number] % KINDS == kind(side, number)
                counts[side.cells[number] % KINDS] += 1
                most = max(most, side.cells[number] // (CELLS * KINDS))
    assert (counts > 20).all()
    assert most > 3
