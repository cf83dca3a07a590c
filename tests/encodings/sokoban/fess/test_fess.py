"""The plan finder: its plans are solutions, and the positions that it prunes are dead."""

import random
import time
from dataclasses import replace
from itertools import combinations, cycle, pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_rooms import ROOMS, crowd, level_of, numbered_room

from examples import examples
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.encodings.sokoban.board import bitboards, floods
from puzzlemc.encodings.sokoban.board.floor import PULL, PUSH, Floor
from puzzlemc.encodings.sokoban.board.lone_box import NEVER
from puzzlemc.encodings.sokoban.board.numbered import NumberedLevel, numbered
from puzzlemc.encodings.sokoban.fess.domain import blocks, games, moves
from puzzlemc.encodings.sokoban.fess.domain.counters import CELLS, KINDS, OUT_OF_PLAN, REGIONS
from puzzlemc.encodings.sokoban.fess.domain.reach import Reach, fill_reach
from puzzlemc.encodings.sokoban.fess.features import loose
from puzzlemc.encodings.sokoban.fess.features.lanes import FAR
from puzzlemc.encodings.sokoban.fess.features.plan import packing_order, plan
from puzzlemc.encodings.sokoban.fess.portfolio import relays as relays_module
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import (
    SHORT,
    Pair,
    Segment,
    find_plan,
    is_suitable,
    moves_through,
    shared_on,
)
from puzzlemc.encodings.sokoban.fess.portfolio.relays import Leg, Relays
from puzzlemc.encodings.sokoban.fess.search import meetings, seen
from puzzlemc.encodings.sokoban.fess.search.entering import ENDED, MET, NO_ROOM, PAUSED, SOLVED
from puzzlemc.encodings.sokoban.fess.search.meetings import NUMBERS, Tables
from puzzlemc.encodings.sokoban.fess.search.past import Place
from puzzlemc.encodings.sokoban.fess.search.settings import Settings
from puzzlemc.encodings.sokoban.fess.search.sides import Side
from puzzlemc.encodings.sokoban.fess.search.turns import Turns, next_best, next_cell
from puzzlemc.mc.engines.plan_finder import find_plan as guessed
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.errors import LimitReached, Unsuitable
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.verdict import Reachable, Unknown
from puzzlemc.mc.words import view
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")
# The goals are in a dead end; the box there must leave it first.
DEAD_END = """\
#########
#   #   #
# $   $ #
#  @ #  #
######*##
     #.#
     #.#
     ###
"""
# More goals than a word has bits.
CROWD = "\n".join(
    [
        "#" * 16,
        *["#" + " " * 14 + "#", "#" + " $." * 4 + "  #", "#" + " .$" * 4 + "  #"] * 9,
        "#@".ljust(15) + "#",
        "#" * 16,
    ]
)
# A goal is in the door between two halves; each half also has a box and a goal.
HALVES = """\
###########
#    #    #
# $  . .  #
# .  # $  #
# @$ #    #
###########
"""


@pytest.mark.parametrize("text", [ROOMS, DEAD_END])
def test_plans_are_solutions_and_reproducible(text: str) -> None:
    level = level_of(text)
    found = find_plan(level, Budget())
    assert found is not None
    RULES.replay(level, found)
    assert find_plan(level, Budget(Limits(memory=GIB))) == found


def test_random_solvable_levels_are_solved(deadlocks: Any) -> None:
    choice, found, count = random.Random(7), 0, examples(60, 150)
    for _ in range(count):
        level, board, true = deadlocks.known(deadlocks.random_level(choice))
        start = true.number(board.player, sum(1 << box for box in board.boxes.tolist()))
        moves = find_plan(level, Budget(Limits(memory=GIB // 4)))
        assert (moves is not None) == (true.left["pushes"][start] < deadlocks.INFINITE_COST)
        if moves is not None:
            RULES.replay(level, moves)
            found += 1
    assert count // 8 < found < count


def test_macro_moves_are_complete(deadlocks: Any) -> None:
    choice = random.Random(5)
    for _ in range(60):
        board = numbered(deadlocks.random_level(choice))
        wall = len(board.near) - 1
        boxes = frozenset(board.boxes.tolist())
        for box in boxes:
            for game in (PUSH, PULL):
                assert _macro(board, box, game) == _by_steps(board.near, wall, boxes, box, board.player, game)


def _macro(board: NumberedLevel, box: int, kind: int) -> set[tuple[int, int]]:
    """The results of the macro moves of a box: its square, and the least cell that the player reaches."""
    wall = len(board.near) - 1
    is_dead = np.zeros(wall + 1, np.uint8)
    is_dead[wall] = 1
    game = games.Game(board.near, np.zeros((2, wall + 1), np.uint64), is_dead, is_dead, kind)
    floor, marks, tree, found = Floor(board.near), floods.Marks(wall), blocks.Tree(wall), moves.Moves(wall)
    on = np.asarray(floor.on)
    on[board.boxes] = 1
    floods.new_stamp(marks)
    floods.flood(floor, board.player, marks)
    count = moves.box_moves(game, floor, box, marks, tree, found)
    reached = set()
    on[box] = 0
    floods.new_stamp(marks)
    without = floods.count_regions(floor, marks)
    for target, player in zip(list(found.targets)[:count], list(found.players)[:count], strict=True):
        on[target] = 1
        floods.new_stamp(marks)
        size = floods.flood(floor, player, marks)
        reached.add((target, marks.least))
        # The tree gives the same without a flood fill.
        first = blocks.part_at(tree, target, player)
        assert (tree.part_size, tree.part_least) == (size, marks.least)
        for cell in range(wall):
            if not on[cell] and tree.found[cell]:
                inside = blocks.is_in_part(floor, tree, target, first, cell)
                assert inside == (marks.seen[cell] == marks.stamp)
        parts = 1 + floods.count_regions(floor, marks)
        assert blocks.parts_at(tree, target) == parts - without + 1
        on[target] = 0
    assert len(reached) == count
    return reached


@pytest.mark.parametrize("walls", [0.1, 0.3, 0.45])
def test_the_least_cell_after_a_step_agrees_with_a_flood_fill(walls: float) -> None:
    """Boxes are anywhere: they cut the floor, close rooms, or stand on the least cell."""
    choice, steps, floods_saved, parted = random.Random(3), 0, 0, 0
    for _ in range(examples(60, 150)):
        width = choice.randint(4, 12)
        inner = ["".join("#" if choice.random() < walls else " " for _ in range(width)) for _ in range(width)]
        rows = ["#" * (width + 2), *(f"#{row}#" for row in inner), "#" * (width + 2)]
        rows[1] = "#@*" + rows[1][3:]
        board = numbered_room("\n".join(rows))
        near, wall = board.near, len(board.near) - 1
        boxes = choice.sample(range(wall), choice.randint(1, max(1, wall // 4)))
        floor, marks, plain = Floor(near), floods.Marks(wall), floods.Marks(wall)
        bits = bitboards.Bitboard(near)
        lit, least = bitboards.Region(bits), bitboards.Region(bits)
        on = np.asarray(floor.on)
        on[boxes] = 1
        for box in boxes:
            bitboards.toggle(bits, box)
        for player in np.flatnonzero(on == 0).tolist():
            bitboards.fill(bits, player, lit)
            for box, d, game in product(boxes, range(4), (PUSH, PULL)):
                stand = near[box, d ^ 2] if game == PUSH else near[box, d]
                target, after = (near[box, d], box) if game == PUSH else (stand, near[stand, d])
                if not bitboards.is_in(bits, lit, stand) or on[target] or (on[after] and after != box):
                    continue
                on[box], on[target] = 0, 1
                bitboards.toggle(bits, box)
                bitboards.toggle(bits, target)
                floods.new_stamp(plain)
                size = floods.flood(floor, after, plain)
                work = floods.least_after(floor, bits, lit, box, target, after, marks, least)
                on[box], on[target] = 1, 0
                bitboards.toggle(bits, box)
                bitboards.toggle(bits, target)
                assert least.least == plain.least
                steps += 1
                floods_saved += work < size
                parted += least.least != min(lit.least, box)
    assert 0 < parted < steps
    assert 0 < floods_saved < steps


def _by_steps(near, wall, boxes, box, player, game):  # type: ignore[no-untyped-def]
    """The same as `_macro`, step by step."""
    others = boxes - {box}

    def region(here, there):  # type: ignore[no-untyped-def]
        found, waiting = {here}, [here]
        while waiting:
            for cell in map(int, near[waiting.pop()]):
                if cell not in found and cell != there and cell != wall and cell not in others:
                    found.add(cell)
                    waiting.append(cell)
        return frozenset(found)

    begin = (box, region(player, box))
    seen, waiting = {begin}, [begin]
    while waiting:
        there, cells = waiting.pop()
        for d in range(4):
            stand = int(near[there, (d + 2) % 4])
            if stand not in cells:
                continue
            target = int(near[there, d]) if game == PUSH else stand
            end = there if game == PUSH else int(near[stand, (d + 2) % 4])
            if not {target, end} & {wall, *others}:
                after = (target, region(end, target))
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
    return {(there, min(cells)) for there, cells in seen - {begin}}


def test_the_portfolio_replays_plans_and_rejects_wrong_ones() -> None:
    level = level_of(ROOMS)
    encoded = RULES.encodings["compact"](level)
    verdict = guessed(encoded.model, ANY, Budget())
    assert isinstance(verdict, Reachable)
    assert not verdict.optimal
    RULES.replay(level, encoded.moves(verdict.trace))
    right = encoded.model.hints.plan_finder
    assert right is not None
    (found,) = right(ANY, Budget(), None)
    for wrong in ([], list(found)[:-1], encoded.model.actions[:5]):
        model = _with_run(encoded.model, wrong)
        assert isinstance(guessed(model, ANY, Budget()), Unknown)
        assert isinstance(auto(model, ANY, Budget()).verdict, Reachable)
    used = {action.name for action in verdict.trace.actions}
    others = tuple(action for action in encoded.model.actions if action.name not in used)
    assert isinstance(guessed(replace(encoded.model, actions=others), ANY, Budget()), Unknown)
    with pytest.raises(Unsuitable):
        guessed(_with_run(encoded.model, None), ANY, Budget())


def _with_run(model, actions):  # type: ignore[no-untyped-def]
    run = None if actions is None else lambda metric, budget, work: [actions]
    return replace(model, hints=replace(model.hints, plan_finder=run))


def test_the_plan_finder_respects_its_limits_of_time_and_work() -> None:
    level = crowd()
    began = time.perf_counter()
    with pytest.raises(LimitReached):
        find_plan(level, Budget(Limits(seconds=0.3, memory=GIB)))
    assert time.perf_counter() - began < 5
    assert find_plan(level, Budget(Limits(memory=GIB)), 1_000_000) is None


def test_a_search_that_ends_at_its_start_opens_no_position() -> None:
    """A position that ends the search gets no cell of the feature space; new arrays have arbitrary contents."""
    board = numbered_room("######\n#@ * #\n# *  #\n######")
    shared = shared_on(board, GIB // 64)
    pair = Pair(board, shared, Settings(ends=0), GIB // 64, Budget())
    for side in pair.sides:
        np.asarray(side.cells)[:8] = np.arange(8)
    assert pair.go_on() == SOLVED
    assert all((np.asarray(side.heaps.heads) < 0).all() for side in pair.sides)


@pytest.mark.parametrize(("walled", "exact"), [(0, 0), (0, 1), (2, 0), (2, 1)])
@pytest.mark.parametrize("text", [ROOMS, DEAD_END, HALVES, CROWD])
def test_a_child_is_judged_from_its_parent_as_from_scratch(text: str, walled: int, exact: int) -> None:
    """In a loose plan, packed boxes and targets do not count. If they are walls, what they cut off counts as lost.

    They change which targets a box reaches, but not the distances. The cache has room for two sets of packed boxes
    only, so entries are replaced and computed again.
    """
    board = numbered_room(text)
    cells, count, shared = len(board.near) - 1, len(board.boxes), shared_on(board, GIB // 64)
    floor, placed = shared.room.floor, shared.room.boxes
    pair = Pair(board, shared, Settings(loose=1, walled=walled, exact=exact), GIB // 64, Budget())
    choice, packs, losses = random.Random(2), 0, 0
    for at in range(examples(60, 600) if count < 64 else 8):
        made = pair.sides[at % 2].loose
        made.lanes.number = 2
        order = np.asarray(made.order).tolist()
        places = choice.sample(order, choice.randint(0, count - 1))
        places += choice.sample([cell for cell in range(cells) if cell not in places], count - len(places))
        choice.shuffle(places)
        begun, player = choice.choices([cell for cell in range(cells) if cell not in places], k=2)
        games.set_boxes(placed, places)
        games.put_down(floor, placed)
        np.asarray(floor.on)[places[0]] = 0
        loose.judge_rest(made, floor, placed, 0, begun)
        np.asarray(floor.on)[places[0]] = 1
        loose.judge_child(made, floor, placed, places[0], begun, player)
        games.lift(floor, placed)
        packed: set[int] = set()
        for number, target in enumerate(order):
            if target in places and all(
                order[other] in packed for other in np.flatnonzero(_flags(made.need)[number, :number])
            ):
                packed.add(target)
        walls = packed if walled else set()
        here = _together(board, walls, player)
        boxes = [box for box in places if box not in packed]
        targets = [number for number, target in enumerate(order) if target not in packed]
        steps = np.full((len(boxes), len(targets)), FAR)
        comes = [_reached(board, walls, box, at % 2) for box in boxes]
        for column, target in enumerate(targets):
            near = _lone_steps(board, walls, order[target], at % 2)
            far = _lone_steps(board, set(), order[target], at % 2)
            for row, box in enumerate(boxes):
                if box in here and (order[target] in comes[row] if walled and exact else box in near):
                    steps[row, column] = min(far[box], FAR - 1)
        distance = int(steps.min(axis=1).sum() + steps.min(axis=0).sum()) if boxes else 0
        is_astray = _flags(made.bars)[np.ix_(boxes, targets)].any(axis=1) if boxes else np.zeros(0)
        astray = sum(bool(out_of_plan) for box, out_of_plan in zip(boxes, is_astray, strict=True) if box in here)
        lost = max((steps == FAR).all(axis=axis).sum() for axis in (0, 1)) if boxes else 0
        if exact:
            lost = len(targets) - _most_pairs([set(np.flatnonzero(row < FAR).tolist()) for row in steps])
        judged = made.whole.stage, made.whole.distance, made.whole.astray
        assert judged == (max(0, len(packed) - walled * lost), distance, astray)
        packs += 0 < len(packed) < count
        losses += lost > 0
    assert packs
    assert losses


def _flags(rows: Any) -> Any:
    """Rows of bits as flags."""
    return np.unpackbits(np.asarray(rows).view(np.uint8), axis=1, bitorder="little")


def _together(board: NumberedLevel, walls: set[int], player: int) -> set[int]:
    """The component of the floor with the player."""
    found, waiting = {player}, [player]
    while waiting:
        for cell in map(int, board.near[waiting.pop()]):
            if cell < len(board.near) - 1 and cell not in walls and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return found


def _most_pairs(ways: list[set[int]]) -> int:
    """The most boxes with a target of their own; `ways` has the targets that each box reaches."""
    owner: dict[int, int] = {}

    def augment(box: int, seen: set[int]) -> bool:
        for target in ways[box] - seen:
            seen.add(target)
            if target not in owner or augment(owner[target], seen):
                owner[target] = box
                return True
        return False

    return sum(augment(box, set()) for box in range(len(ways)))


def _reached(board: NumberedLevel, walls: set[int], box: int, kind: int) -> set[int]:
    """The squares that a lone box reaches by macro moves, with the player on any side at first."""
    wall = len(board.near) - 1
    is_dead = np.zeros(wall + 1, np.uint8)
    is_dead[wall] = 1
    game = games.Game(board.near, np.zeros((2, wall + 1), np.uint64), is_dead, is_dead, kind)
    floor, marks, tree, found = Floor(board.near), floods.Marks(wall), blocks.Tree(wall), moves.Moves(wall)
    np.asarray(floor.on)[[box, *walls]] = 1
    reached = {box}
    for player in {*map(int, board.near[box])} - {wall, *walls}:
        floods.new_stamp(marks)
        floods.flood(floor, player, marks)
        count = moves.box_moves(game, floor, box, marks, tree, found)
        reached.update(np.asarray(found.targets)[:count].tolist())
    return reached


@pytest.mark.parametrize("game", [PUSH, PULL])
def test_a_lone_box_reaches_targets_where_the_player_gets_around_it(game: int) -> None:
    choice, missed = random.Random(5), 0
    for _ in range(examples(25, 60)):
        board = _crowded(choice)
        cells = len(board.near) - 1
        targets = np.array(choice.sample(range(cells), choice.randint(1, min(4, cells - 1))), np.int32)
        walls = set(choice.sample(range(cells), choice.randint(0, cells // 4)))
        made, table = Reach(board.near, game, targets, True), np.ones((2, cells + 1, 1), np.uint64)
        np.asarray(made.floor.on)[sorted(walls)] = 1
        fill_reach(made, view(table), 1)
        for box in set(range(cells)) - walls:
            sides = {*map(int, board.near[box])} - {cells, *walls}
            ways = (_by_steps(board.near, cells, walls, box, side, game) for side in sides)
            reached = {box, *(cell for way in ways for cell, _ in way)}
            assert int(table[1, box, 0]) == sum(1 << at for at, cell in enumerate(targets) if cell in reached)
            near = [_lone_steps(board, walls, int(cell), game) for cell in targets if cell not in walls]
            missed += any(box in far for far in near) and not int(table[1, box, 0])
        assert not table[1, [*walls, cells]].any()
    assert missed


def _lone_steps(board: NumberedLevel, walls: set[int], target: int, game: int) -> dict[int, int]:
    """The least number of pushes or pulls of a lone box to the target, with the player anywhere."""
    wall = len(board.near) - 1
    far, waiting = {target: 0}, [target]
    for cell in waiting:
        for d in range(4):
            # The box came in direction d; a push has the player behind it, a pull before it.
            before = int(board.near[cell, d ^ 2])
            player = int(board.near[before, d ^ 2] if game == PUSH else board.near[cell, d])
            if not {before, player} & {wall, *walls} and before not in far:
                far[before] = far[cell] + 1
                waiting.append(before)
    return far


def test_a_plan_can_be_played_backward_from_the_full_targets() -> None:
    """Each box is pulled from its target to a source, where it is removed."""
    choice, vanished = random.Random(11), 0
    for _ in range(150):
        board = _crowded(choice)
        for game in (PUSH, PULL):
            targets, sources = (board.goals, board.boxes) if game == PUSH else (board.boxes, board.goals)
            order, ends = packing_order(board.near, game, targets, sources, 0, Budget())
            assert sorted(order.tolist()) == targets.tolist()
            left, players = frozenset(targets.tolist()), None
            for target, end in zip(order[::-1].tolist(), ends[::-1].tolist(), strict=True):
                if end < 0:
                    break  # no path was found, and the rest of the plan is arbitrary
                assert end in sources
                ways = _by_pulls(board, left, target, players, 1 - game)
                assert end in {there for there, _ in ways} | {target}
                left -= {target}
                vanished += 1
                players = {player for there, player in ways if there == end} or players
    assert vanished > 300


def test_bars_are_the_cells_that_cut_all_sources_off() -> None:
    choice, barred = random.Random(12), 0
    for _ in range(40):
        board = _crowded(choice)
        wall = len(board.near) - 1
        for game in (PUSH, PULL):
            targets, sources = (board.goals, board.boxes) if game == PUSH else (board.boxes, board.goals)
            order, source = packing_order(board.near, game, targets, sources, 0, Budget())
            bars = plan(board.near, game, targets, sources, 0, True, Budget()).bars
            for number, target in enumerate(order.tolist()):
                comes = _lone_steps(board, set(), target, game)
                for cell in range(wall):
                    others = {place for place in source.tolist() if place not in (-1, cell)}
                    free = others & _lone_steps(board, {cell}, target, game).keys()
                    is_bar = cell not in comes and bool(others) and not free
                    assert bars[number, cell] == is_bar
                    barred += is_bar
    assert barred > 300


def _crowded(choice: random.Random) -> NumberedLevel:
    """A random level with many boxes and neighbouring goals."""
    while True:
        rows = [[choice.choice("   #") for _ in range(7)] for _ in range(6)]
        free = [(row, column) for row in range(6) for column in range(7) if rows[row][column] == " "]
        near = choice.choice(free)
        free.sort(key=lambda at: abs(at[0] - near[0]) + abs(at[1] - near[1]) + choice.random())
        for row, column in free[:6]:
            rows[row][column] = "."
        player, *boxes = choice.sample(free[6:], 7)
        for row, column in boxes:
            rows[row][column] = "$"
        rows[player[0]][player[1]] = "@"
        text = "\n".join(["#" * 9, *("#" + "".join(row) + "#" for row in rows), "#" * 9])
        level = level_of(text)
        if is_suitable(level):
            return numbered(level)


def _by_pulls(board, boxes, box, players, game):  # type: ignore[no-untyped-def]
    """The reachable squares of a box, with the least cell of the player, from these cells or from anywhere."""
    wall = len(board.near) - 1
    if players is None:
        players = {min(_together(board, set(boxes), cell)) for cell in range(wall) if cell not in boxes}
    return {way for player in players for way in _by_steps(board.near, wall, boxes, box, player, game)}


@pytest.mark.parametrize("text", [ROOMS, DEAD_END, HALVES])
@pytest.mark.parametrize("game", [PUSH, PULL])
def test_targets_of_earlier_stages_of_a_plan_are_walls(text: str, game: int) -> None:
    board = numbered_room(text)
    targets, sources = (board.goals, board.boxes) if game == PUSH else (board.boxes, board.goals)
    made = plan(board.near, game, targets, sources, 0, False, Budget())
    order = made.order.tolist()
    for stage, following in enumerate(order):
        walls = set(order[:stage])
        ways = {target: _lone_steps(board, walls, target, game) for target in order[stage:]}
        for cell in range(len(board.near) - 1):
            nearest = min(far.get(cell, NEVER) for far in ways.values())
            assert made.far[stage, cell] == (0 if cell in walls else nearest)
            assert made.next[stage, cell] == (0 if cell in walls else ways[following].get(cell, NEVER))


def test_exactly_the_seen_positions_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table grows several times."""
    monkeypatch.setattr(meetings, "AT_FIRST", 64)
    choice, tables = random.Random(1), Tables()
    expected: dict[int, int] = {}
    for ref in range(5_000):
        tables.make_room(1, 1)
        hashed = choice.choice([*list(expected)[-3:], choice.getrandbits(64) | 1])
        seen.insert(tables.seen[1], hashed, ref << NUMBERS | 5)
        expected.setdefault(hashed, ref << NUMBERS | 5)
        other = choice.getrandbits(64) | 1
        assert seen.look_up(tables.seen[1], other) == expected.get(other, -1)
    assert all(seen.look_up(tables.seen[1], hashed) == ref for hashed, ref in expected.items())
    assert tables.seen[1].total == len(expected) > 16 * 64
    assert tables.seen[0].total == 0


@pytest.mark.parametrize("other", ["whole", "leg", "ended leg"])
def test_a_leg_meets_other_searches(other: str) -> None:
    """Its pull side never runs, so it can only meet positions of another search."""
    level = level_of(ROOMS)
    board = numbered(level)
    shared = shared_on(board, GIB)
    arrays = (shared, SLOWER, GIB // 64, Budget())
    first = _explored(Pair(board, *arrays, Segment(is_leg=other != "whole")), 60)
    way = max((first.sides[0].way(number) for number in range(first.sides[0].positions.count)), key=len)
    boxes, player = way[-1]
    if other == "ended leg":
        first.end()
    part = board._replace(boxes=np.array(sorted(boxes), np.int32), player=player)
    leg = Pair(part, *arrays, Segment([0], way[:-1], [], True))
    status = PAUSED
    while status == PAUSED:
        leg.waiting = [0]
        status = leg.go_on(1000)
    assert status == MET
    assert [ref >> NUMBERS for ref in leg.met] == [leg.name, first.name]
    places = leg.positions()
    assert places[: len(way)] == way
    _check_macro_moves(board, places)
    RULES.replay(level, moves_through(board, places, Budget()))


def test_ended_legs_are_forgotten_if_they_use_too_much_memory() -> None:
    board = numbered_room(ROOMS)
    shared = shared_on(board, 1 << 14)
    totals = []
    for _ in range(8):
        leg = _explored(Pair(board, shared, Settings(loose=1), GIB // 64, Budget(), Segment(is_leg=True)), 10)
        leg.end()
        totals.append(shared.meetings.legs.seen[0].total)
    assert 0 in totals
    assert max(totals) > 10


def test_legs_have_different_ends() -> None:
    rows = ["#@        #", *["#         #", "# $ $ $ $ #", "#         #", "# . . . . #"] * 2, "#         #"]
    board = numbered_room("\n".join(["#" * 11, *rows, "#" * 11]))
    pair, legs = _search(board), []
    while pair.sides[0].positions.count < 2000 and pair.go_on(10_000) == PAUSED:
        pass
    relays = Relays(lambda part, *_: legs.append(part) or _search(part))  # type: ignore[func-returns-value]
    for _ in range(12):
        relays.add(pair)
    for _ in range(200):
        if relays.go_on() == MET:
            relays._now = None  # every leg would end here; the position that is met is in no cell
    starts = {frozenset(leg.boxes.tolist()) for leg in legs} - {frozenset(board.boxes.tolist())}
    goals = {frozenset(leg.goals.tolist()) for leg in legs} - {frozenset(board.goals.tolist())}
    assert len(starts) > 2
    assert len(goals) > 2
    for ends in (starts, goals):
        assert all(len(one - other) > 1 for one, other in combinations(ends, 2))


def test_the_plan_finder_returns_no_plan_for_unsupported_levels() -> None:
    more_goals = level_of("#######\n#@$ ..#\n#######\n")
    assert find_plan(more_goals, Budget()) is None
    spare = level_of("#######\n#@$ .$#\n#     #\n#######\n")
    found = find_plan(spare, Budget())
    assert found is not None
    RULES.replay(spare, found)


def test_the_sides_of_an_easy_level_take_short_turns() -> None:
    """Neither side does all the work before the other one begins."""
    pairs: list[Pair] = []
    assert find_plan(level_of(ROOMS), Budget(), report=pairs.append)
    (pair,) = pairs
    work = [side.counters.work for side in pair.sides]
    assert min(work) > SHORT // 2
    assert max(work) < 4 * SHORT


@pytest.mark.corpus
def test_the_plan_finder_solves_real_levels(corpus: Path) -> None:
    for entry in load([str(corpus / "sokoban" / "sasquatch3.xsb")])[:5]:
        assert isinstance(entry.level, Level)
        found = find_plan(entry.level, Budget(Limits(memory=GIB)), 1 << 26)
        assert found is not None or not entry.id.endswith(("#1", "#5"))
        if found is not None:
            RULES.replay(entry.level, found)


SLOWER = Settings(loose=1, eager=1, groups=0)  # otherwise small levels are solved too soon


def _search(board: NumberedLevel, players: list[int] | None = None, *ways: list[Place]) -> Pair:
    shared = shared_on(board, GIB // 64)
    return Pair(board, shared, SLOWER, GIB // 64, Budget(), Segment(players, *ways))


def test_an_eager_search_takes_the_best_cells_more_often() -> None:
    """Every second expansion is from the best cells: half of these from the best one, a quarter from the next…"""
    last, part = 3, OUT_OF_PLAN + 1
    best, second, third = 3 * CELLS + 5 * part, 3 * CELLS + 1 * part + 1, 2 * CELLS + 2 * part
    heads, eager, fair = np.full((last + 1) * CELLS, -1, np.int32), Turns(True, 1), Turns(False, 1)
    heads[[best, second, third]] = 7
    taken = [next_cell(eager, view(heads)) for _ in range(32)]
    chosen = [best, second, best, third, best, second, best, None]  # there is no fourth cell
    turns = cycle([third, second, best])  # the order in which the cells lie, also if none is chosen
    expected: list[int] = []
    for cell in chosen * 2:
        expected += [cell or next(turns), next(turns)]
    assert taken == expected
    assert [next_cell(fair, view(heads)) for _ in range(7)] == [third, second, best, third, second, best, third]
    heads[:] = -1
    assert next_cell(eager, view(heads)) == next_cell(fair, view(heads)) == -1


def test_the_best_cell_has_most_targets_minus_boxes_out_of_plan_then_fewest_regions() -> None:
    choice, last = random.Random(3), 7
    every = [
        (*at, stage) for stage in range(last + 1) for at in product(range(REGIONS + 1), range(OUT_OF_PLAN + 1))
    ]
    for many in (1, 2, 9, 60, len(every)):
        waiting = choice.sample(every, many)
        heads = np.full((last + 1) * CELLS, -1, np.int32)
        ranked = sorted(waiting, key=lambda at: (at[1] - at[2], at[0], at[1]))
        cells = [stage * CELLS + parts * (OUT_OF_PLAN + 1) + astray for parts, astray, stage in ranked]
        heads[cells] = 0
        assert [next_best(view(heads), skipped, 1, 0) for skipped in range(many + 1)] == [*cells, -1]
        divided = np.full(len(heads) * KINDS, -1, np.int32)
        divided[[KINDS * cell + kind for cell in cells for kind in (1, 6)]] = 0
        for shift, kinds in ((0, (1, 6)), (1, (1, 6)), (2, (6, 1)), (7, (1, 6)), (14, (6, 1))):
            taken = [next_best(view(divided), skipped, KINDS, shift) for skipped in range(2 * many + 1)]
            assert taken == [*(KINDS * cell + kind for cell in cells for kind in kinds), -1]


def test_legs_of_relays_make_a_solution() -> None:
    level = level_of(ROOMS)
    board = numbered(level)
    legs: list[tuple[list[int], list[int]]] = []

    def leg(part: NumberedLevel, players: list[int] | None, *ways: list[Place]) -> Pair:
        legs.append((part.boxes.tolist(), part.goals.tolist()))
        return _search(part, players, *ways)

    first = _search(board)
    while not all(side.positions.count > 40 for side in first.sides):
        assert first.go_on(1000) == PAUSED
    relays = Relays(leg)
    relays.add(first)
    while (status := relays.go_on()) == PAUSED:
        assert relays.has_legs()
    assert status == MET
    assert relays.work
    RULES.replay(level, moves_through(board, relays.positions(), Budget()))
    start, goal = board.boxes.tolist(), board.goals.tolist()
    # Each leg has kept one end, and leads to a position of the other side.
    assert all((boxes == start) != (goals == goal) for boxes, goals in legs[:2])


class _Cut:
    """A search that ends after a few turns."""

    def __init__(self, pair: Pair, status: int = ENDED) -> None:
        self.board, self._pair, self._status = pair.board, pair, status

    @property
    def sides(self) -> list[Side]:
        return self._pair.sides

    @property
    def work(self) -> int:
        return self._pair.work

    def go_on(self) -> int:
        while self._pair.go_on(1000) == PAUSED and not all(side.positions.count > 12 for side in self.sides):
            pass
        return self._status

    def end(self) -> None:
        self._pair.end()

    def positions(self) -> list[Place]:
        return self._pair.positions()


@pytest.mark.parametrize("forerunners", [2, 9, 30])
def test_a_plan_contains_the_paths_of_all_predecessors_of_a_leg(
    forerunners: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relays_module, "APART", 1)
    level = level_of(ROOMS)
    board = numbered(level)
    first = _explored(_search(board))
    ends: list[tuple[NumberedLevel, list[int] | None]] = []

    def leg(part: NumberedLevel, players: list[int] | None, *ways: list[Place]) -> Pair | _Cut:
        ends.append((part, players))
        is_between = {*part.boxes} != {*board.boxes} and {*part.goals} != {*board.goals}
        pair = _search(part, players, *ways)
        return pair if is_between and len(ends) > forerunners else _Cut(pair)

    relays = Relays(leg)
    relays.add(first)
    while (status := relays.go_on()) == PAUSED:
        pass
    assert status == MET
    places = relays.positions()
    assert places[0][0] == frozenset(board.boxes.tolist())
    assert places[-1][0] == frozenset(board.goals.tolist())
    RULES.replay(level, moves_through(board, places, Budget()))
    # The leg is in the middle, and each step is one macro move.
    last, players = ends[-1]
    start, goal = (frozenset(some.tolist()) for some in (last.boxes, last.goals))
    assert players is not None
    assert 0 < places.index((start, last.player)) < places.index((goal, players[0])) < len(places) - 1
    _check_macro_moves(board, places)


def test_paths_after_a_leg_are_joined_up_to_the_goal() -> None:
    """The path of a leg comes before those of its predecessors."""
    level = level_of(ROOMS)
    board = numbered(level)
    side = _explored(_search(board)).sides[1]
    way = max((side.way(number) for number in range(side.positions.count)), key=len)
    boxes, player = way[-1]
    part, players = board._replace(goals=np.array(sorted(boxes), np.int32)), [player]
    forerunner = Leg(0, 0, part, players, before=[], after=way[-2::-1], left=0)
    seen = {tuple(board.goals), tuple(part.goals)}

    def leg(part: NumberedLevel, players: list[int] | None, *ways: list[Place]) -> Pair | _Cut:
        pair = _search(part, players, *ways)
        return _Cut(pair, NO_ROOM) if tuple(part.goals) in seen else pair

    relays = Relays(leg)
    relays.add(_explored(_search(part, players)), forerunner)
    while (status := relays.go_on()) == PAUSED:
        pass
    assert status == MET
    assert len(way) > 1
    places = relays.positions()
    assert places[1 - len(way) :] == way[-2::-1]
    assert places[-len(way)] == way[-1]
    _check_macro_moves(board, places)
    RULES.replay(level, moves_through(board, places, Budget()))


def _explored(pair: Pair, positions: int = 12) -> Pair:
    """The search after some positions on both sides."""
    while not all(side.positions.count > positions for side in pair.sides):
        assert pair.go_on(1000) == PAUSED
    return pair


def _check_macro_moves(board: NumberedLevel, places: list[Place]) -> None:
    """Assert that each step moves one box to a square that it can reach."""
    for (boxes, player), (after, reached) in pairwise(places):
        here = board._replace(boxes=np.array(sorted(boxes), np.int32), player=player)
        moved = [(box, to) for box in boxes - after for to in after - boxes] or [(box, box) for box in boxes]
        assert any((to, reached) in _macro(here, box, PUSH) for box, to in moved)


def test_a_leg_ends_with_the_player_at_its_cell() -> None:
    """All boxes are at their final squares from the start, but the player is on the wrong side of them."""
    board = numbered_room("########\n#@ *   #\n#  *   #\n#  *   #\n########")
    number = {cell: place for place, cell in enumerate(board.cells)}
    assert _search(board, [number[1, 6]]).go_on() == PAUSED
    assert _search(board, [number[2, 2]]).go_on() == MET
