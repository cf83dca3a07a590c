"""Patterns of dead boxes: what a short search leaves open a longer one finds out; who begins anew keeps them."""

import random
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.fess import guess as fess
from puzzlemc.encodings.sokoban.fess.boards import Board, board_of
from puzzlemc.encodings.sokoban.fess.groups import MOST, is_dead_group
from puzzlemc.encodings.sokoban.fess.guess import Pair, Settings, Shared, guess, never, patterns_of, random_words
from puzzlemc.encodings.sokoban.fess.meetings import NUMBERS, Meetings
from puzzlemc.encodings.sokoban.fess.moves import PULL, PUSH
from puzzlemc.encodings.sokoban.fess.patterns import (
    ALIVE,
    DEAD,
    FEW,
    MANY,
    UNKNOWN,
    Patterns,
    find_out,
    is_pattern,
)
from puzzlemc.encodings.sokoban.fess.search import NO_ROOM, PAUSED
from puzzlemc.encodings.sokoban.fess.sides import COUNT, NEARBY, TESTED, WORK, nearest_cells, room_for
from puzzlemc.mc.limits import GIB, Watch
from puzzlemc.screens.sokoban import Level, parse

RULES = puzzle("sokoban")
# There is one goal by the wall below.
TWO_FOR_ONE = """\
############
#          #
#  $ $     #
#  .   $   #
#  @    .  #
#.         #
############
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


@pytest.fixture(scope="module")
def deadlocks() -> Iterator[Any]:
    """The benchmark that judges the rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
        yield import_module("deadlocks")


def board_in(text: str) -> Board:
    """The board of a level."""
    (level,) = parse(text, "drawn")
    assert isinstance(level, Level)
    board = board_of(level)
    assert board is not None
    return board


class _Asked:
    """A game on a board, of which it can be asked whether boxes are dead."""

    def __init__(self, board: Board, game: int = PUSH) -> None:
        cells = len(board.near) - 1
        targets = board.goals if game == PUSH else board.boxes
        is_target = np.zeros(cells + 1, np.uint8)
        is_target[targets] = 1
        self.codes, self.on = random_words(cells), np.zeros(cells + 1, np.uint8)
        self.on[cells] = 1
        self.game = board.near, never(board.near, game, targets), game, is_target, self.codes
        self.patterns: Patterns = patterns_of(board, 1 << 10)[game]
        self.nearby = nearest_cells(board.near)
        self.board = board

    def alone(self, boxes: list[int], player: int, most: int) -> int:
        """What a search of these boxes finds out."""
        there = np.array(boxes, np.uint16)
        return int(find_out(*self.game, self.patterns, there, len(boxes), player, -1, most)[0])

    def group(self, boxes: list[int], box: int, player: int, most: int, begins: int = 1) -> bool:
        """Whether some group around a box is dead."""
        near, *rest = self.game
        self.on[boxes] = 1
        found = is_dead_group(near, self.on, *rest, self.patterns, self.nearby, box, player, begins, most)
        self.on[boxes] = 0
        return bool(found[0])


def _cells(board: Board, *squares: tuple[int, int]) -> list[int]:
    """Their numbers, of rows and columns from 0."""
    return [board.cells.index(square) for square in squares]


@pytest.mark.parametrize("game", [PUSH, PULL])
def test_a_longer_search_finds_out_what_a_short_one_leaves_open(deadlocks: Any, game: int) -> None:
    """What is remembered of the short one is no answer to the longer one, and an answer is remembered."""
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


def test_a_pattern_is_as_small_as_can_be_and_holds_where_the_player_is() -> None:
    board = board_in(TWO_FOR_ONE)
    asked = _Asked(board)
    pair = _cells(board, (5, 6), (5, 9))
    (other,) = _cells(board, (3, 7))
    (player,) = _cells(board, (1, 3))
    boxes = [*pair, other]
    assert [asked.alone([box], player, MANY) for box in boxes] == [ALIVE] * 3
    assert asked.group(boxes, pair[1], player, MANY)
    assert asked.patterns.used[0] == 1
    row = np.zeros(len(board.near) // 64 + 1, np.uint64)
    for box in boxes:
        row[box >> 6] |= np.uint64(1 << (box & 63))
    assert [bool(is_pattern(asked.patterns, row, box, player)) for box in boxes] == [True, True, False]


def test_groups_are_the_boxes_nearest_to_one() -> None:
    """As many as MOST, and of those next to the box as many as are asked for."""
    board = board_in(
        "#" * 40 + "\n#" + " " * 38 + "#\n#@$" + "." + " " * 34 + " #\n#" + " " * 38 + "#\n" + "#" * 40
    )
    nearby = nearest_cells(board.near)
    assert nearby.shape == (len(board.near) - 1, NEARBY)
    for cell in range(len(board.near) - 1):
        at, (row, column) = nearby[cell].tolist(), board.cells[cell]
        steps = [abs(r - row) + abs(c - column) for r, c in (board.cells[other] for other in at)]
        assert steps[0] == 0
        assert steps == sorted(steps)
        assert len(set(at)) == NEARBY
    small = nearest_cells(board_in(TWO_FOR_ONE).near)
    assert sorted(set(small[0].tolist())) == list(range(len(small) + 1))[: len(set(small[0].tolist()))]
    # The dead pair is far from the box; between them are as many others as a group has.
    row = _cells(board, *((2, column) for column in range(4, 4 + 2 * MOST, 2)))
    dead = _cells(board, (1, 38), (2, 38))
    (player,) = _cells(board, (3, 1))
    asked = _Asked(board._replace(goals=np.array(sorted([*row, *_cells(board, (2, 2), (2, 3))]), np.int32)))
    assert not asked.group([*row, *dead], row[0], player, MANY)
    assert asked.group([*row, *dead], dead[0], player, MANY)


def _pair(board: Board, memory: int) -> Pair:
    shared = Shared(
        random_words(len(board.near) - 1),
        room_for(board.near, len(board.boxes)),
        patterns_of(board),
        Meetings(GIB // 64),
    )
    return Pair(board, shared, Settings(loose=1, eager=1, order=3), memory, Watch())


def test_a_search_without_room_begins_anew_and_keeps_what_it_has_learned() -> None:
    board = board_in(ROOMS)
    pair, other = _pair(board, 1), _pair(board, GIB // 64)
    other.tables = pair.tables
    other.name = pair.name + 1
    while (status := pair.go_on(1)) == PAUSED:
        pass
    assert status == NO_ROOM
    work, tested = (sum(int(side.scalars[at]) for side in pair.sides) for at in (WORK, TESTED))
    pair.tables.make_room(PUSH, 1)
    fess.meetings.tell(pair.tables.seen[PUSH], np.uint64(77), other.name << NUMBERS)
    assert pair.tables.seen[PUSH].total[0] > 1
    pair.begin_anew()
    assert pair.tables.seen[PUSH].total[0] == 1  # the other's
    assert pair.tables.seen[PULL].total[0] == 0
    assert int(fess.meetings.look_up(pair.tables.seen[PUSH], np.uint64(77))) == other.name << NUMBERS
    assert [int(side.scalars[COUNT]) for side in pair.sides] == [0, 0]
    assert [sum(int(side.scalars[at]) for side in pair.sides) for at in (WORK, TESTED)] == [work, tested]
    assert pair.settings[fess.Settings._fields.index("order")] == 0
    assert pair.times == 2
    assert pair.go_on(1) == PAUSED
    assert all(side.scalars[COUNT] for side in pair.sides)


def test_a_search_begins_anew_so_many_times_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it finds nothing, it ends, and others have their turn."""
    (level,) = parse(ROOMS, "drawn")
    assert isinstance(level, Level)
    begun: list[int] = []
    anew = Pair.begin_anew

    def counted(pair: Pair) -> None:
        begun.append(pair.name)
        anew(pair)

    monkeypatch.setattr(Pair, "begin_anew", counted)
    monkeypatch.setattr(fess.sides, "bytes_per_position", lambda cells: GIB)
    found = guess(level, Watch(), None, (Settings(), Settings(loose=1)), relayed=False, in_parts=False)
    assert len(begun) == 2 * (fess.TIMES - 1)
    assert set(map(begun.count, begun)) == {fess.TIMES - 1}
    assert found is None
