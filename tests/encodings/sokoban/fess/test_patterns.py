"""Deadlock patterns: longer searches decide more sets of boxes, and a restarted search keeps its patterns."""

import random
from typing import Any

import numpy as np
import pytest
from small_rooms import ROOMS, level_of, numbered_room

from puzzlemc.encodings.sokoban.board.floor import PULL, PUSH, Floor
from puzzlemc.encodings.sokoban.board.numbered import NumberedLevel, numbered
from puzzlemc.encodings.sokoban.fess.deadlocks.groups import MOST, Groups, has_dead_group, is_dead_group
from puzzlemc.encodings.sokoban.fess.deadlocks.patterns import (
    BLOCK,
    Patterns,
    has_pattern,
    is_pattern,
    learn,
)
from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation import (
    ALIVE,
    DEAD,
    FEW,
    MANY,
    UNKNOWN,
    find_out,
    is_dead,
)
from puzzlemc.encodings.sokoban.fess.domain.games import Boxes, lift, put_down, set_boxes
from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder as fess
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import (
    Pair,
    find_plan,
    patterns_of,
    random_words,
    shared_on,
)
from puzzlemc.encodings.sokoban.fess.search.entering import NO_ROOM, PAUSED
from puzzlemc.encodings.sokoban.fess.search.meetings import NUMBERS
from puzzlemc.encodings.sokoban.fess.search.seen import look_up
from puzzlemc.encodings.sokoban.fess.search.settings import Settings
from puzzlemc.encodings.sokoban.fess.search.sides import NEARBY, nearest_cells
from puzzlemc.mc.limits import GIB, Budget

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


class _Asked:
    """A game on a board, with tests whether boxes are dead."""

    def __init__(self, board: NumberedLevel, game: int = PUSH) -> None:
        self.relaxation = patterns_of(board, random_words(len(board.near) - 1), 1 << 10)[game]
        self.patterns = self.relaxation.patterns
        self.groups, self.floor, self.board = Groups(nearest_cells(board.near)), Floor(board.near), board

    def boxes(self, cells: list[int]) -> Boxes:
        """Boxes on these cells."""
        boxes = Boxes(len(cells), len(self.board.near) - 1)
        set_boxes(boxes, cells)
        return boxes

    def alone(self, boxes: list[int], player: int, most: int) -> int:
        """The result of a search over these boxes."""
        return find_out(self.relaxation, self.boxes(boxes), player, most, False)

    def group(self, boxes: list[int], box: int, player: int, most: int, begins: int = 1) -> bool:
        """Is a group around the box dead?"""
        there, self.groups.begins = self.boxes(boxes), begins
        put_down(self.floor, there)
        found = is_dead_group(self.groups, self.relaxation, self.floor, box, player, most)
        lift(self.floor, there)
        return bool(found)

    def matches(self, boxes: list[int], player: int) -> bool:
        """Does a position contain a pattern?"""
        return bool(has_pattern(self.patterns, self.boxes(boxes), player))


def _cells(board: NumberedLevel, *squares: tuple[int, int]) -> list[int]:
    """The numbers of cells given by rows and columns from 0."""
    return [board.cells.index(square) for square in squares]


@pytest.mark.parametrize("game", [PUSH, PULL])
def test_a_longer_search_decides_what_a_short_one_leaves_unknown(deadlocks: Any, game: int) -> None:
    """The cached result of the short search does not answer the longer one, whose result is cached, too."""
    choice, opened = random.Random(4), 0
    for _ in range(150):
        board = numbered(deadlocks.random_level(choice))
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


def test_patterns_are_minimal() -> None:
    """Two boxes of a dead group suffice for a deadlock."""
    board = numbered_room(ONE_BELOW)
    asked = _Asked(board)
    pair = _cells(board, (5, 6), (5, 9))
    other = _cells(board, (1, 10))
    (player,) = _cells(board, (1, 3))
    boxes = [*pair, *other]
    assert [asked.alone([box], player, MANY) for box in boxes] == [ALIVE] * 3
    for two in ([pair[0], *other], [pair[1], *other]):
        assert asked.alone(two, player, MANY) != DEAD
    assert asked.alone(boxes, player, MANY) == DEAD
    set_boxes(asked.relaxation.boxes, boxes)
    assert is_dead(asked.relaxation, 1 << 40, player, MANY, False) == DEAD
    assert asked.patterns.number == 1
    found = [bool(is_pattern(asked.patterns, asked.boxes(boxes), box, player)) for box in boxes]
    assert found == [True, True, False]
    assert asked.matches(boxes, player)
    assert not asked.matches(boxes[1:], player)


def test_a_pattern_depends_on_the_component_of_the_player() -> None:
    board = numbered_room(CORRIDOR)
    asked = _Asked(board)
    boxes = _cells(board, (1, 3), (1, 6))
    shut, free = _cells(board, (1, 4), (1, 1))
    assert not asked.group(boxes, boxes[0], free, MANY)
    assert asked.group(boxes, boxes[0], shut, MANY)
    assert asked.matches(boxes, shut)
    assert not asked.matches(boxes, free)


def test_exactly_the_patterns_of_a_square_are_found() -> None:
    """More patterns than one block holds, with squares that the combined words do not distinguish."""
    board = numbered_room("\n".join(["#" * 15, "#@$." + " " * 10 + "#", *["#" + " " * 13 + "#"] * 12, "#" * 15]))
    cells, choice = len(board.near) - 1, random.Random(4)
    known, there = Patterns(board.near), Boxes(6, cells)
    sets = {frozenset({100, cell}) for cell in range(2, 2 + BLOCK)}
    sets |= {frozenset({100, *choice.sample(range(2, 99), choice.randint(1, 3))}) for _ in range(2 * BLOCK)}

    def learned(boxes: frozenset[int]) -> None:
        set_boxes(there, sorted(boxes))
        learn(known, there, 0)

    for boxes in sets:
        learned(boxes)
    assert known.number == len(sets)
    assert known.after[known.first[100]] >= 0
    counts = {True: 0, False: 0}
    for _ in range(3000):
        boxes = {100, *choice.sample(range(2, cells), choice.randint(1, 5))}
        set_boxes(there, sorted(boxes))
        found = bool(is_pattern(known, there, 100, 0))
        assert found == any(some <= boxes for some in sets)
        counts[found] += 1
    assert min(counts.values()) > 300
    known.blocks = known.after.shape[0] - 1
    before = known.number, known.blocks, list(known.first), list(known.fill)
    learned(frozenset({120, 121}))
    assert (known.number, known.blocks, list(known.first), list(known.fill)) == before


def test_groups_are_the_nearest_boxes() -> None:
    """A group has MOST boxes, and the requested number of centres is tried."""
    wall, empty = "#" * 40, "#" + " " * 38 + "#"
    board = numbered_room("\n".join([wall, empty, "#@$." + " " * 35 + "#", empty, wall]))
    nearby = nearest_cells(board.near)
    assert nearby.shape == (len(board.near) - 1, NEARBY)
    for cell in range(len(board.near) - 1):
        at, (row, column) = nearby[cell].tolist(), board.cells[cell]
        steps = [abs(r - row) + abs(c - column) for r, c in (board.cells[other] for other in at)]
        assert steps[0] == 0
        assert steps == sorted(steps)
        assert len(set(at)) == NEARBY
    small = numbered_room("#####\n#@$.#\n#####")
    assert nearest_cells(small.near)[0].tolist() == [0, 1, 2, *[3] * (NEARBY - 3)]
    # The dead pair is farther from the box than MOST − 1 other boxes.
    row = _cells(board, *((2, column) for column in range(4, 4 + MOST)))
    dead = _cells(board, (1, 4 + MOST), (2, 4 + MOST))
    (player,) = _cells(board, (3, 1))
    asked = _Asked(board._replace(goals=np.array(sorted([*row, *_cells(board, (2, 2), (2, 3))]), np.int32)))
    assert set(dead) <= set(nearby[row[0]].tolist())
    assert not asked.group([*row, *dead], row[0], player, MANY)
    assert asked.group([*row, *dead], dead[0], player, MANY)


def _pair(board: NumberedLevel, memory: int) -> Pair:
    return Pair(board, shared_on(board, GIB // 64), Settings(loose=1, eager=1, order=3), memory, Budget())


def test_a_search_tests_groups_around_the_last_moved_box_and_one_more() -> None:
    board = numbered_room(ONE_BELOW)
    pair = _pair(board, GIB // 64)
    assert pair.go_on(1) == PAUSED
    side, relaxation, room = pair.sides[PUSH], pair.shared.patterns[PUSH], pair.shared.room
    boxes = _cells(board, (5, 6), (5, 9), (2, 4))
    (player,) = _cells(board, (1, 3))
    count, found = side.positions.count, side.positions
    for number, some in ((count, boxes), (count + 1, [boxes[0], boxes[1], boxes[2] + 1])):
        set_boxes(room.boxes, some)
        np.asarray(found.bits)[number] = room.boxes.row
        found.players[number] = player
    found.parents[count], found.parents[count + 1] = -1, count

    def asked(number: int, some: list[int]) -> bool:
        there = Boxes(len(some), len(board.near) - 1)
        set_boxes(there, some)
        put_down(room.floor, there)
        before = relaxation.work
        dead = has_dead_group(room.groups, relaxation, room.floor, there, found, number, side.counters)
        lift(room.floor, there)
        assert relaxation.work >= before
        return bool(dead)

    counters, known = side.counters, relaxation.patterns
    counters.expanded, counters.buried, counters.tested, counters.work = 0, 0, 1, 0
    assert not asked(count, boxes)  # a long search exceeds the share
    counters.tested, counters.work = 0, 1 << 40
    # The first box has moved to the second position and is in no dead group; the next box in turn is in one.
    last = [boxes[2] + 1, boxes[0], boxes[1]]
    assert not asked(count + 1, last)
    counters.expanded = 1
    assert asked(count + 1, last)
    assert known.number == 1
    assert counters.tested > 0
    known.number = 0
    np.asarray(known.first)[:], np.asarray(relaxation.known)[:] = -1, 0
    assert asked(count, boxes)


def test_a_search_without_room_restarts_and_keeps_its_patterns() -> None:
    board = numbered_room(ROOMS)
    pair = _pair(board, 1)
    other = Pair(board, pair.shared, Settings(), GIB // 64, Budget())
    assert other.go_on(1) == PAUSED
    known = pair.shared.patterns
    while (status := pair.go_on(1)) == PAUSED:
        pass
    assert status == NO_ROOM
    work, tested = pair.work, sum(side.counters.tested for side in pair.sides)
    seen = [table.total for table in pair.tables.seen]
    learned = [each.patterns.number for each in known]
    pair.begin_anew()
    pair.tables.gather({pair.name: pair, other.name: other})
    # After both searches are restarted, each knows the patterns of the other, and nothing else.
    assert [table.total for table in pair.tables.seen] == [side.positions.count for side in other.sides]
    assert all(before > table.total for before, table in zip(seen, pair.tables.seen, strict=True))
    for table, side in zip(pair.tables.seen, other.sides, strict=True):
        for number in range(side.positions.count):
            assert look_up(table, side.positions.hashes[number]) == other.name << NUMBERS | number
    assert [side.positions.count for side in pair.sides] == [0, 0]
    assert (pair.work, sum(side.counters.tested for side in pair.sides)) == (work, tested)
    assert pair.settings.order == 0
    assert pair.times == 2
    assert pair.shared.patterns is known
    assert [each.patterns.number for each in known] == learned
    assert pair.go_on(1) == PAUSED
    assert all(side.positions.count for side in pair.sides)


def test_the_number_of_restarts_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search without a result ends, and others continue."""
    level = level_of(ROOMS)
    begun: list[int] = []
    anew = Pair.begin_anew

    def counted(pair: Pair) -> None:
        begun.append(pair.name)
        anew(pair)

    monkeypatch.setattr(Pair, "begin_anew", counted)
    monkeypatch.setattr(fess.sides, "bytes_per_position", lambda cells: GIB)
    found = find_plan(level, Budget(), None, ((Settings(), Settings(loose=1)),), relayed=False)
    assert len(begun) == 2 * (fess.TIMES - 1)
    assert set(map(begun.count, begun)) == {fess.TIMES - 1}
    assert found is None
    begun.clear()
    find_plan(level, Budget(), None, ((Settings(ends=0),),), relayed=False)
    assert len(begun) == fess.ORDERS - 1
