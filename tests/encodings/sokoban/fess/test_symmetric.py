"""Symmetric positions count as one in the plan finder: its symmetries, hashes, and plans through images."""

import random
from collections.abc import Callable, Sequence

import pytest
from small_rooms import level_of, numbered_room, symmetric_rooms

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.board import floods
from puzzlemc.encodings.sokoban.board.floor import PULL, PUSH
from puzzlemc.encodings.sokoban.board.numbered import numbered
from puzzlemc.encodings.sokoban.fess.domain import games
from puzzlemc.encodings.sokoban.fess.domain.blocks import part_at
from puzzlemc.encodings.sokoban.fess.domain.moves import box_moves
from puzzlemc.encodings.sokoban.fess.domain.symmetries import images_of, least_cells
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import (
    PORTFOLIOS,
    SYMMETRIC,
    Pair,
    find_plan,
    portfolios_of,
    shared_on,
)
from puzzlemc.encodings.sokoban.fess.search.images import hash_boxes, hash_flood, hash_move, sum_up
from puzzlemc.encodings.sokoban.fess.search.meetings import Meetings
from puzzlemc.encodings.sokoban.fess.search.past import Place
from puzzlemc.encodings.sokoban.fess.search.sides import Room
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")


def plan_of(level: Level, symmetric: int, report: Callable[[Pair], None] | None = None) -> list[str] | None:
    portfolio = tuple(settings._replace(symmetric=symmetric) for settings in SYMMETRIC)
    return find_plan(level, Budget(Limits(memory=GIB // 4)), None, (portfolio,), report)


def test_the_symmetries_keep_the_goals_and_the_boxes() -> None:
    rows = ("# . . #", "# $@$ #", "#     #", "#     #"), ("# . . #", "# $ $ #", "#@    #", "#     #")
    for lines in rows:
        (image,) = images_of(numbered_room("#######", *lines, "#######"))
        assert image.tolist() == [4, 3, 2, 1, 0, 9, 8, 7, 6, 5, 14, 13, 12, 11, 10, 19, 18, 17, 16, 15, 20]
    for lines in (
        ("#.    #", "#@$ . #", "#   $ #", "#     #"),
        ("#.   .#", "# $ @ #", "#  $  #", "#     #"),
        ("# $@$ #", "#. .  #", "#     #", "#     #"),
    ):
        assert images_of(numbered_room("#######", *lines, "#######")).shape == (0, 21)


def test_a_portfolio_is_for_boards_with_symmetries() -> None:
    assert portfolios_of(numbered_room("######", "#@$. #", "######")) == PORTFOLIOS
    *others, symmetric, last = portfolios_of(numbered_room("#######", "# . . #", "# $@$ #", "#     #", "#######"))
    assert (*others, last) == (*PORTFOLIOS[:2], PORTFOLIOS[3])
    assert symmetric == SYMMETRIC
    assert [settings.symmetric for settings in SYMMETRIC] == [1]


def test_images_have_the_same_hash_and_moves_give_that_of_their_position() -> None:
    choice, moves = random.Random(3), 0
    for level in symmetric_rooms(60):
        board = numbered(level)
        images = images_of(board)
        shared = shared_on(board, GIB // 64, symmetric=True)
        cells, room = len(board.near) - 1, shared.room
        places = choice.sample(range(cells), len(board.boxes))
        player = choice.choice([cell for cell in range(cells) if cell not in places])
        hashed = hash_of(room, places, player)
        for image in images:
            assert hash_of(room, image[places].tolist(), int(image[player])) == hashed
        for kind in (PUSH, PULL):
            moves += _check_moves(room, shared.patterns[kind].game, places, player)
    assert moves > 500


def hash_of(room: Room, places: Sequence[int], player: int) -> int:
    games.set_boxes(room.boxes, places)
    games.put_down(room.floor, room.boxes)
    hash_boxes(room.images, room.boxes)
    floods.new_stamp(room.marks)
    found = hash_flood(room.images, room.marks, floods.flood(room.floor, player, room.marks))
    games.lift(room.floor, room.boxes)
    return found


def _check_moves(room: Room, game: games.Game, places: list[int], player: int) -> int:
    """Compare the hash of each move with that of its position; return their number."""
    total = 0
    for at, box in enumerate(places):
        hash_of(room, places, player)
        games.put_down(room.floor, room.boxes)
        number = box_moves(game, room.floor, box, room.marks, room.tree, room.moves)
        games.lift(room.floor, room.boxes)
        if not number:
            continue
        sum_up(room.images, room.tree)
        ends = [(int(room.moves.targets[move]), int(room.moves.players[move])) for move in range(number)]
        found = [
            hash_move(room.images, room.tree, box, end, part_at(room.tree, end, stand)) for end, stand in ends
        ]
        for (end, stand), hashed in zip(ends, found, strict=True):
            assert hashed == hash_of(room, [*places[:at], end, *places[at + 1 :]], stand)
        total += number
    return total


def test_symmetric_rooms_are_solved_exactly_if_they_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some plans go on from the image of a position."""
    onto, turned, solved, rooms = Meetings._onto, 0, 0, 0

    def counted(self: Meetings, place: Place, path: list[Place]) -> list[Place]:
        nonlocal turned
        found = onto(self, place, path)
        turned += found[0][0] != path[0][0]
        return found

    monkeypatch.setattr(Meetings, "_onto", counted)
    for level in symmetric_rooms(examples(150, 400)):
        rooms += 1
        plan = plan_of(level, 1)
        assert (plan is None) == (plan_of(level, 0) is None)
        if plan is not None:
            solved += 1
            RULES.replay(level, plan)
    assert rooms // 2 < solved < rooms
    assert turned > examples(1, 5)


def test_positions_that_only_share_a_hash_give_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the hash of the meeting were that of another position, too."""
    level = level_of("#########", "#       #", "# $ . $ #", "#  @ .  #", "# . $   #", "#########")
    onto = Meetings._onto

    def collided(self: Meetings, place: Place, path: list[Place]) -> list[Place]:
        return onto(self, (frozenset(), place[1]), [path[0], (frozenset({0, 1, 2}), 3)])

    assert plan_of(level, 0) is not None
    monkeypatch.setattr(Meetings, "_onto", collided)
    assert plan_of(level, 0) is None


def test_images_are_searched_once() -> None:
    totals = {0: 0, 1: 0}
    for symmetric in totals:

        def count(pair: Pair, symmetric: int = symmetric) -> None:
            totals[symmetric] += sum(side.positions.count for side in pair.sides)

        for level in symmetric_rooms(60):
            plan_of(level, symmetric, count)
    assert 0 < totals[1] < 0.85 * totals[0]


def test_the_least_cells_are_those_of_the_regions() -> None:
    board = numbered_room("#######", "#@ $ .#", "#  #  #", "#######")
    cells = {cell: place for place, cell in enumerate(board.cells)}
    boxes = board.boxes.tolist()
    assert least_cells(board, boxes, [cells[1, 2], cells[2, 5]]) == [cells[1, 1], cells[1, 4]]
