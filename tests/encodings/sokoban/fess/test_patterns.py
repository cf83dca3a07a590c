"""Deadlock patterns: longer searches decide more sets of boxes, and a restarted search keeps its patterns."""

import random
from typing import Any

import numpy as np
import pytest

from puzzlemc.encodings.sokoban.fess.deadlocks.groups import MOST, has_dead_group, is_dead_group
from puzzlemc.encodings.sokoban.fess.deadlocks.patterns import (
    ALIVE,
    BLOCK,
    DEAD,
    FEW,
    MANY,
    UNKNOWN,
    Patterns,
    find_out,
    has_pattern,
    is_dead,
    is_pattern,
    learn,
)
from puzzlemc.encodings.sokoban.fess.domain.boards import Board, board_of
from puzzlemc.encodings.sokoban.fess.domain.counters import BURIED, COUNT, EXPANDED, TESTED, WORK
from puzzlemc.encodings.sokoban.fess.domain.moves import PULL, PUSH
from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder as fess
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import (
    Pair,
    Settings,
    dead_squares,
    find_plan,
    patterns_of,
    random_words,
    shared_on,
)
from puzzlemc.encodings.sokoban.fess.search import meetings
from puzzlemc.encodings.sokoban.fess.search.meetings import NUMBERS
from puzzlemc.encodings.sokoban.fess.search.search import NO_ROOM, PAUSED
from puzzlemc.encodings.sokoban.fess.search.sides import NEARBY, nearest_cells
from puzzlemc.mc.limits import GIB, Budget
from puzzlemc.screens.sokoban import Level, parse

# One goal is at the lower wall, and one in a corner.
ONE_BELOW = """\
############
#         .#
#  $ $ $   #
#  .   $   #
#  @    .  #
#.         #
############
"""
# The first box goes to its goal from the left.
CORRIDOR = """\
##########
#@ $ .*  #
##########
"""
ROOMS = """\
###########
#    #    #
# $ $  ...#
# $  #  ..#
# $ $#    #
#  @ #    #
###########
"""


def board_in(text: str) -> Board:
    """The board of a level."""
    (level,) = parse(text, "drawn")
    assert isinstance(level, Level)
    board = board_of(level)
    assert board is not None
    return board


class _Asked:
    """A game on a board, with tests whether boxes are dead."""

    def __init__(self, board: Board, game: int = PUSH) -> None:
        cells = len(board.near) - 1
        targets = board.goals if game == PUSH else board.boxes
        is_target = np.zeros(cells + 1, np.uint8)
        is_target[targets] = 1
        self.codes, self.on = random_words(cells), np.zeros(cells + 1, np.uint8)
        self.on[cells] = 1
        self.game = board.near, dead_squares(board.near, game, targets), game, is_target, self.codes
        self.patterns: Patterns = patterns_of(board, 1 << 10)[game]
        self.nearby = nearest_cells(board.near)
        self.board = board

    def alone(self, boxes: list[int], player: int, most: int) -> int:
        """The result of a search over these boxes."""
        there = np.array(boxes, np.uint16)
        return int(find_out(*self.game, self.patterns, there, len(boxes), player, -1, most)[0])

    def group(self, boxes: list[int], box: int, player: int, most: int, begins: int = 1) -> bool:
        """Is a group around the box dead?"""
        near, *rest = self.game
        self.on[boxes] = 1
        found = is_dead_group(near, self.on, *rest, self.patterns, self.nearby, box, player, begins, most)
        self.on[boxes] = 0
        return bool(found[0])


def _cells(board: Board, *squares: tuple[int, int]) -> list[int]:
    """The numbers of cells given by rows and columns from 0."""
    return [board.cells.index(square) for square in squares]


@pytest.mark.parametrize("game", [PUSH, PULL])
def test_a_longer_search_decides_what_a_short_one_leaves_unknown(deadlocks: Any, game: int) -> None:
    """The cached result of the short search does not answer the longer one, whose result is cached, too."""
    choice, opened = random.Random(4), 0
    for _ in range(150):
        board = board_of(deadlocks.random_level(choice))
        assert board is not None
        if len(board.boxes) > len(board.goals) or len(board.boxes) < 2:
            continue
        asked, plain = _Asked(board, game), _Asked(board, game)
        boxes = (board.boxes if game == PUSH else board.goals).tolist()
        for player in range(len(board.near) - 1):
            if player in boxes:
                continue
            short, long = plain.alone(boxes, player, FEW), plain.alone(boxes, player, MANY)
            assert short in (long, UNKNOWN)
            for box in boxes:
                assert asked.group(boxes, box, player, FEW) <= asked.group(boxes, box, player, MANY)
            assert any(asked.group(boxes, box, player, FEW) for box in boxes) == (long == DEAD)
            opened += short == UNKNOWN and long == DEAD
    assert opened


def _row(board: Board, boxes: list[int]) -> Any:
    row = np.zeros(len(board.near) // 64 + 1, np.uint64)
    for box in boxes:
        row[box >> 6] |= np.uint64(1 << (box & 63))
    return row


def test_patterns_are_minimal() -> None:
    """Two boxes of a dead group suffice for a deadlock."""
    board = board_in(ONE_BELOW)
    asked = _Asked(board)
    pair = _cells(board, (5, 6), (5, 9))
    other = _cells(board, (1, 10))
    (player,) = _cells(board, (1, 3))
    boxes = [*pair, *other]
    assert [asked.alone([box], player, MANY) for box in boxes] == [ALIVE] * 3
    for two in ([pair[0], *other], [pair[1], *other]):
        assert asked.alone(two, player, MANY) != DEAD
    assert asked.alone(boxes, player, MANY) == DEAD
    asked.patterns.boxes[0, :3] = boxes
    key = np.uint64(1 << 40)
    assert is_dead(*asked.game, asked.patterns, 3, key, player, -1, MANY)[0] == DEAD
    assert asked.patterns.used[0] == 1
    found = [bool(is_pattern(asked.patterns, _row(board, boxes), box, player)) for box in boxes]
    assert found == [True, True, False]
    assert has_pattern(asked.patterns, _row(board, boxes), np.array(boxes), 3, player)
    assert not has_pattern(asked.patterns, _row(board, boxes[1:]), np.array(boxes[1:]), 2, player)


def test_a_pattern_depends_on_the_component_of_the_player() -> None:
    board = board_in(CORRIDOR)
    asked = _Asked(board)
    boxes = _cells(board, (1, 3), (1, 6))
    shut, free = _cells(board, (1, 4), (1, 1))
    assert not asked.group(boxes, boxes[0], free, MANY)
    assert asked.group(boxes, boxes[0], shut, MANY)
    row = _row(board, boxes)
    assert has_pattern(asked.patterns, row, np.array(boxes), 2, shut)
    assert not has_pattern(asked.patterns, row, np.array(boxes), 2, free)


def test_exactly_the_patterns_of_a_square_are_found() -> None:
    """More patterns than one block holds, with squares that the combined words do not distinguish."""
    board = board_in("\n".join(["#" * 15, "#@$." + " " * 10 + "#", *["#" + " " * 13 + "#"] * 12, "#" * 15]))
    cells, choice = len(board.near) - 1, random.Random(4)
    known, _ = patterns_of(board, 1 << 10)
    sets = {frozenset({100, cell}) for cell in range(2, 2 + BLOCK)}
    sets |= {frozenset({100, *choice.sample(range(2, 99), choice.randint(1, 3))}) for _ in range(2 * BLOCK)}

    def learned(boxes: frozenset[int]) -> None:
        learn(board.near, known, np.array(sorted(boxes), np.uint16), len(boxes), 0)

    for boxes in sets:
        learned(boxes)
    assert known.used[0] == len(sets)
    assert known.after[known.first[100]] >= 0
    counts = {True: 0, False: 0}
    for _ in range(3000):
        boxes = {100, *choice.sample(range(2, cells), choice.randint(1, 5))}
        row = np.zeros(known.rows.shape[1], np.uint64)
        for box in boxes:
            row[box >> 6] |= np.uint64(1) << np.uint64(box & 63)
        found = is_pattern(known, row, 100, 0)
        assert found == any(some <= boxes for some in sets)
        counts[found] += 1
    assert min(counts.values()) > 300
    known.used[1] = len(known.after) - 1
    before = [known.used.copy(), known.first.copy(), known.fill.copy()]
    learned(frozenset({120, 121}))
    assert all(
        (array == now).all() for array, now in zip(before, (known.used, known.first, known.fill), strict=True)
    )


def test_groups_are_the_nearest_boxes() -> None:
    """A group has MOST boxes, and the requested number of centres is tried."""
    wall, empty = "#" * 40, "#" + " " * 38 + "#"
    board = board_in("\n".join([wall, empty, "#@$." + " " * 35 + "#", empty, wall]))
    nearby = nearest_cells(board.near)
    assert nearby.shape == (len(board.near) - 1, NEARBY)
    for cell in range(len(board.near) - 1):
        at, (row, column) = nearby[cell].tolist(), board.cells[cell]
        steps = [abs(r - row) + abs(c - column) for r, c in (board.cells[other] for other in at)]
        assert steps[0] == 0
        assert steps == sorted(steps)
        assert len(set(at)) == NEARBY
    small = board_in("#####\n#@$.#\n#####")
    assert nearest_cells(small.near)[0].tolist() == [0, 1, 2, *[3] * (NEARBY - 3)]
    # The dead pair is farther from the box than MOST − 1 other boxes.
    row = _cells(board, *((2, column) for column in range(4, 4 + MOST)))
    dead = _cells(board, (1, 4 + MOST), (2, 4 + MOST))
    (player,) = _cells(board, (3, 1))
    asked = _Asked(board._replace(goals=np.array(sorted([*row, *_cells(board, (2, 2), (2, 3))]), np.int32)))
    assert set(dead) <= set(nearby[row[0]].tolist())
    assert not asked.group([*row, *dead], row[0], player, MANY)
    assert asked.group([*row, *dead], dead[0], player, MANY)


def _pair(board: Board, memory: int) -> Pair:
    return Pair(board, shared_on(board, GIB // 64), Settings(loose=1, eager=1, order=3), memory, Budget())


def test_a_search_tests_groups_around_the_last_moved_box_and_one_more() -> None:
    board = board_in(ONE_BELOW)
    pair = _pair(board, GIB // 64)
    assert pair.go_on(1) == PAUSED
    side, known = pair.sides[PUSH], pair.shared.patterns[PUSH]
    boxes = _cells(board, (5, 6), (5, 9), (2, 4))
    (player,) = _cells(board, (1, 3))
    count = int(side.counters[COUNT])
    for number, some in ((count, boxes), (count + 1, [boxes[0], boxes[1], boxes[2] + 1])):
        side.bits[number] = _row(board, some)
        side.players[number] = player
    side.parents[count], side.parents[count + 1] = -1, count

    def asked(number: int, some: list[int]) -> bool:
        room = pair.shared.room
        room.boxes[: len(some)] = some
        room.on[some] = 1
        found, work = has_dead_group(side, room, known, number, len(some))
        room.on[some] = 0
        assert work >= 0
        return bool(found)

    side.counters[[EXPANDED, BURIED, TESTED, WORK]] = 0, 0, 1, 0
    assert not asked(count, boxes)  # a long search exceeds the share
    side.counters[[TESTED, WORK]] = 0, 1 << 40
    # The first box has moved to the second position and is in no dead group; the next box in turn is in one.
    last = [boxes[2] + 1, boxes[0], boxes[1]]
    assert not asked(count + 1, last)
    side.counters[EXPANDED] = 1
    assert asked(count + 1, last)
    assert known.used[0] == 1
    assert side.counters[TESTED] > 0
    known.used[0], known.first[:], known.known[:] = 0, -1, 0
    assert asked(count, boxes)


def test_a_search_without_room_restarts_and_keeps_its_patterns() -> None:
    board = board_in(ROOMS)
    pair = _pair(board, 1)
    other = Pair(board, pair.shared, Settings(), GIB // 64, Budget())
    assert other.go_on(1) == PAUSED
    known = pair.shared.patterns
    while (status := pair.go_on(1)) == PAUSED:
        pass
    assert status == NO_ROOM
    work, tested = (sum(int(side.counters[at]) for side in pair.sides) for at in (WORK, TESTED))
    seen = [int(table.total[0]) for table in pair.tables.seen]
    learned = [int(each.used[0]) for each in known]
    pair.begin_anew()
    pair.tables.gather({pair.name: pair, other.name: other})
    # After both searches are restarted, each knows the patterns of the other, and nothing else.
    assert [int(table.total[0]) for table in pair.tables.seen] == [
        int(side.counters[COUNT]) for side in other.sides
    ]
    assert all(before > int(table.total[0]) for before, table in zip(seen, pair.tables.seen, strict=True))
    for table, side in zip(pair.tables.seen, other.sides, strict=True):
        for number in range(int(side.counters[COUNT])):
            assert int(meetings.look_up(table, side.hashes[number])) == other.name << NUMBERS | number
    assert [int(side.counters[COUNT]) for side in pair.sides] == [0, 0]
    assert [sum(int(side.counters[at]) for side in pair.sides) for at in (WORK, TESTED)] == [work, tested]
    assert pair.settings[Settings._fields.index("order")] == 0
    assert pair.times == 2
    assert pair.shared.patterns is known
    assert [int(each.used[0]) for each in known] == learned
    assert pair.go_on(1) == PAUSED
    assert all(side.counters[COUNT] for side in pair.sides)


def test_the_number_of_restarts_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search without a result ends, and others continue."""
    (level,) = parse(ROOMS, "drawn")
    assert isinstance(level, Level)
    begun: list[int] = []
    anew = Pair.begin_anew

    def counted(pair: Pair) -> None:
        begun.append(pair.name)
        anew(pair)

    monkeypatch.setattr(Pair, "begin_anew", counted)
    monkeypatch.setattr(fess.sides, "bytes_per_position", lambda cells: GIB)
    found = find_plan(level, Budget(), None, (Settings(), Settings(loose=1)), relayed=False, in_parts=False)
    assert len(begun) == 2 * (fess.TIMES - 1)
    assert set(map(begun.count, begun)) == {fess.TIMES - 1}
    assert found is None
    begun.clear()
    find_plan(level, Budget(), None, (Settings(ends=0),), relayed=False, in_parts=False)
    assert len(begun) == fess.ORDERS - 1
