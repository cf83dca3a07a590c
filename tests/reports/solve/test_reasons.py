"""Reasons why a level has no solution: infeasible parts, judged by searches over the plain rules."""

import json
import random
import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import pytest
from command import CORNERED, as_json, puzzlemc, write
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from places import WRITTEN
from strategies import boards, levels, odd_levels, squares
from terminals import on_terminal

from puzzlemc.encodings.puzzle.explanation import Part, Parts, place_of
from puzzlemc.encodings.puzzle.goal_parts import goal_facts, part_of
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.encodings.sokoban.parts import BOXES, GOALS, spare
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.proofs.sums import SumProof
from puzzlemc.mc.sat.cores import Answer, MinimalCoreSearch
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.reports.certify.certificate import read
from puzzlemc.reports.certify.certify import certify, certify_part
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.reasons import explain
from puzzlemc.reports.solve.result import Result, Search
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.solve.why import Why
from puzzlemc.screens import folding, tetravex
from puzzlemc.screens.base.picture import Box
from puzzlemc.screens.sokoban import Level, State, parse

SOKOBAN, FOLDING, TETRAVEX = (puzzle(name) for name in ("sokoban", "folding", "tetravex"))
Oracle = Callable[[Part], bool]  # is a part feasible?


def level_of(text: str) -> Level:
    (level,) = parse(text, "test")
    assert isinstance(level, Level), level
    return level


# The search for a core


@st.composite
def impossible(draw: st.DrawFn) -> tuple[list[str], list[frozenset[str]]]:
    """Objects, and their infeasible sets."""
    objects = [f"o{number}" for number in range(draw(st.integers(1, 8)))]
    some = st.lists(st.sampled_from(objects), min_size=1, unique=True).map(frozenset)
    return objects, draw(st.lists(some, min_size=1, max_size=5))


@given(impossible(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_a_core_is_smallest(made: tuple[list[str], list[frozenset[str]]], most: int, any: random.Random) -> None:
    objects, cores = made

    def ask(part: Part, _: Budget) -> Answer:
        inside = [core for core in cores if core <= part]
        if inside:
            return Answer(False, any.choice([part, any.choice(inside)]))
        more = list(part)
        for each in any.sample(objects, any.randint(0, len(objects))):
            if not any_of(cores, frozenset([*more, each])):
                more.append(each)
        return Answer(True, frozenset(more))

    least = min(map(len, cores))
    search = MinimalCoreSearch(objects, ask)
    small = search.small(Budget(), most)
    assert (small is not None) == (least <= most)
    found = search.any_size(Budget()) if small is None else small
    assert found.smallest
    assert found.minimal
    assert len(found.objects) == found.lower_bound == least
    assert frozenset(found.objects) in cores
    assert list(found.objects) == [each for each in objects if each in found.objects]


def any_of(cores: Iterable[frozenset[str]], part: frozenset[str]) -> bool:
    return any(core <= part for core in cores)


@given(impossible())
def test_deletion_gives_a_minimal_core(made: tuple[list[str], list[frozenset[str]]]) -> None:
    objects, cores = made
    asked = 0

    def ask(part: Part, budget: Budget) -> Answer:
        nonlocal asked
        asked += 1
        if asked > len(objects):
            budget.cancel()
        return Answer(not any_of(cores, part), part)

    budget = Budget()
    found = MinimalCoreSearch(objects, ask).any_size(budget)
    kept = frozenset(found.objects)
    assert any_of(cores, kept)
    if found.minimal:
        assert all(not any_of(cores, kept - {each}) for each in kept)
    assert all(len(core) >= found.lower_bound for core in cores)
    assert found.reason in {None, "cancelled"}


def test_a_feasible_part_has_no_core() -> None:
    with pytest.raises(Refuted, match="all objects is feasible"):
        MinimalCoreSearch(["a", "b"], lambda part, _: Answer(True, frozenset("ab"))).any_size(Budget())


# Sokoban


def positions(level: Level, boxes: Iterable[tuple[int, int]]) -> Iterator[State]:
    """All positions that these boxes alone can reach, by the plain rules."""
    alone = replace(level, start=State(level.start.player, frozenset(boxes)))
    seen = {alone.start}
    waiting = [alone.start]
    while waiting:
        position = waiting.pop()
        yield position
        for step in SOKOBAN.rules.steps(alone, position):
            assert isinstance(step.position, State)
            if step.position not in seen:
                seen.add(step.position)
                waiting.append(step.position)


def by_boxes(level: Level) -> Oracle:
    over = len(level.start.boxes) - len(level.goals)

    @cache
    def can(part: Part) -> bool:
        boxes = [place_of(name) for name in part]
        return any(len(state.boxes & level.goals) >= len(boxes) - over for state in positions(level, boxes))

    return can


def by_goals(level: Level) -> Oracle:
    @cache
    def can(part: Part) -> bool:
        goals = {place_of(name) for name in part}
        chosen = combinations(sorted(level.start.boxes), len(goals))
        return any(goals <= state.boxes for boxes in chosen for state in positions(level, boxes))

    return can


def is_solvable(level: Level) -> bool:
    return any(level.goals <= state.boxes for state in positions(level, level.start.boxes))


def confirm(why: Why, can: Oracle, objects: tuple[str, ...]) -> None:
    """Assert the claims on a part: it is infeasible, its subsets are feasible, and no core is smaller."""
    assert why.of == len(objects)
    assert set(why.objects) <= set(objects)
    assert not can(frozenset(why.objects))
    assert why.minimal
    assert why.smallest
    if why.objects:  # else the initial position is inconsistent
        assert all(can(frozenset(part)) for part in combinations(objects, len(why.objects) - 1))
    assert why.checked != why.is_whole
    assert why.words


def agree(parts: Parts, level: object, can: Oracle, some: random.Random) -> None:
    """Assert that a question about a part has the answer of the oracle."""
    objects = parts.objects(level)
    part = frozenset(some.sample(objects, some.randint(0, len(objects))))
    verdict = auto(
        parts.model(level, part), ANY, Budget(Limits(memory=128 << 20)), many=some.random() < 0.5
    ).verdict
    assert isinstance(verdict, Reachable) == can(part)
    if isinstance(verdict, Reachable):
        more = parts.satisfied(level, part, verdict.trace.states[-1])
        assert part <= more <= set(objects)
        assert can(more)


def confirm_sokoban(level: Level) -> None:
    assume(not is_solvable(level))
    why = explain(SOKOBAN, level, Budget())
    if len(level.goals) > len(level.start.boxes):
        assert why is None
        assert SOKOBAN.explanation.obvious(level)
        return
    assert why is not None
    parts, can = (BOXES, by_boxes(level)) if why.kind == "boxes" else (GOALS, by_goals(level))
    confirm(why, can, parts.objects(level))


@given(st.one_of(levels(), odd_levels()))
def test_sokoban_reasons_are_right(level: Level) -> None:
    confirm_sokoban(level)


@pytest.mark.slow
@settings(max_examples=1_500)
@given(st.one_of(levels(), odd_levels()))
def test_more_of_sokoban_reasons_are_right(level: Level) -> None:
    confirm_sokoban(level)


@given(st.one_of(levels(), odd_levels()), st.randoms(use_true_random=False))
def test_parts_of_sokoban_agree_with_the_oracle(level: Level, some: random.Random) -> None:
    assume(len(level.goals) <= len(level.start.boxes))
    agree(BOXES, level, by_boxes(level), some)
    agree(GOALS, level, by_goals(level), some)


@given(st.one_of(levels(), odd_levels()), st.randoms(use_true_random=False))
def test_an_infeasible_part_makes_the_level_unsolvable(level: Level, some: random.Random) -> None:
    assume(is_solvable(level))
    for parts, can in ((BOXES, by_boxes(level)), (GOALS, by_goals(level))):
        objects = parts.objects(level)
        assert can(frozenset(some.sample(objects, some.randint(0, len(objects)))))


# One of the two boxes may stay in place: a box in a corner is no reason.
SPARE = """\
########
#$     #
#  @$. #
#      #
########"""
# Neither of these two boxes reaches the goal, and the third is irrelevant.
CORNERS = """\
########
#$    $#
#  @ . #
# ###  #
########"""


def test_one_spare_box_is_no_reason() -> None:
    level = level_of(SPARE)
    assert spare(level) == 1
    assert by_boxes(level)(frozenset(["2,2"]))
    model = BOXES.model(level, frozenset(["2,2"]))
    assert isinstance(auto(model, ANY, Budget()).verdict, Reachable)


def test_with_a_spare_box_a_reason_has_two_boxes() -> None:
    why = explain(SOKOBAN, level_of(CORNERS), Budget())
    assert why is not None
    assert (why.kind, why.objects) == ("goals", ("3,6",))
    assert why.words == "this goal, in row 3, column 6: no box can ever reach it"
    mine = explain(SOKOBAN, level_of(CORNERS), Budget(), first_kind=True)
    assert mine is not None
    assert (mine.kind, mine.objects) == ("boxes", ("2,2", "2,7"))
    words = BOXES.words(level_of(CORNERS), frozenset(["2,2", "2,7"]), Budget())
    assert words == (
        "these two boxes, in row 2, column 2 and row 2, column 7: one may stay off the goals, "
        "one must reach a goal, and none can"
    )


NOT_REACHED = "#####\n##.##\n#@$##\n## ##\n#####"


@pytest.mark.parametrize(
    ("board", "kind", "objects", "words"),
    [
        (
            CORNERED,
            "boxes",
            ["2,2"],
            "this box, in row 2, column 2, can never leave its corner, and no goal is there",
        ),
        (
            NOT_REACHED,
            "boxes",
            ["3,3"],
            "this box, in row 3, column 3, can never be moved, because the player cannot get beside it to push, "
            "and no goal is there",
        ),
        (
            "#######\n#  $  #\n# @.$.#\n#     #\n#######",
            "boxes",
            ["2,4"],
            "this box, in row 2, column 4, can never leave its row, and can reach no goal there",
        ),
        (
            "#######\n#     #\n# @ .$#\n# $.  #\n#######",
            "boxes",
            ["3,6"],
            "this box, in row 3, column 6, can never leave its column, and can reach no goal there",
        ),
        (
            " #######\n##     ##\n#   @   #\n#. $$  .#\n#########",
            "boxes",
            ["4,4", "4,5"],
            "these two boxes, in row 4, column 4 and row 4, column 5: neither can ever be moved, "
            "and no goal is there",
        ),
        (
            "#########\n#@     .#\n#   $   #\n#  .   $#\n#   .   #\n#      $#\n#       #\n#########",
            "boxes",
            ["4,8", "6,8"],
            "these two boxes, in row 4, column 8 and row 6, column 8: they can reach only one goal, "
            "in row 2, column 8",
        ),
        (
            "#######\n#@ $ .##\n#  $    #\n#   ## .#\n##  ##  #\n##  #####\n######",
            "goals",
            ["4,8"],
            "this goal, in row 4, column 8: no box can ever reach it",
        ),
    ],
)
def test_reasons_are_sentences(board: str, kind: str, objects: list[str], words: str) -> None:
    level = level_of(board)
    assert not is_solvable(level)
    why = explain(SOKOBAN, level, Budget())
    assert why is not None
    assert (why.kind, list(why.objects), why.words) == (kind, objects, words)


def test_a_time_limit_keeps_the_core_so_far() -> None:
    level = level_of(CORNERED)
    why = explain(SOKOBAN, level, Budget(Limits(0.0)))
    assert why is not None
    assert not why.smallest
    assert why.reason == "timeout"
    assert why.is_whole
    assert "not all smaller parts were tried (timeout)" in why.scope


# Folding Blocks


def by_covering(level: folding.Level) -> Oracle:
    """By all positions that folds reach."""
    seen: set[Hashable] = {level.rows}
    waiting = [level.rows]
    while waiting:
        for step in FOLDING.rules.steps(level, waiting.pop()):
            if step.position not in seen:
                seen.add(step.position)
                waiting.append(step.position)  # type: ignore[arg-type]

    @cache
    def can(part: Part) -> bool:
        cells = [place_of(name) for name in part]
        return any(all(rows[r][c] != folding.EMPTY for r, c in cells) for rows in seen)  # type: ignore[index]

    return can


@given(boards())
def test_folding_reasons_are_right(level: folding.Level) -> None:
    (parts,) = FOLDING.explanation.kinds
    can, objects = by_covering(level), parts.objects(level)
    assume(not can(frozenset(objects)))
    why = explain(FOLDING, level, Budget())
    assert why is not None
    confirm(why, can, objects)


@given(boards(), st.randoms(use_true_random=False))
def test_parts_of_folding_agree_with_the_oracle(level: folding.Level, some: random.Random) -> None:
    (parts,) = FOLDING.explanation.kinds
    agree(parts, level, by_covering(level), some)


STAIRS = " 1  0 -1 -1\n 0  0  2 -1\n-1  0  0  0\n-1 -1  0  3\n"


def test_blocks_may_obstruct_each_other() -> None:
    """Blocks can cover each of these cells, and each two of them, but not all together."""
    (level,) = FOLDING.screen.parse(STAIRS, "stairs")
    (parts,) = FOLDING.explanation.kinds
    why = explain(FOLDING, level, Budget())
    assert why is not None
    assert why.objects == ("3,2", "3,4", "4,3")
    assert why.words.endswith(
        "colours 2 and 3 reach them, and a block that covers one obstructs those that cover others"
    )
    confirm(why, by_covering(level), parts.objects(level))


# Tetravex


def fixed(level: tetravex.Level) -> dict[int, int]:
    return {} if level.rules == tetravex.SWAP else {c: t for c, t in enumerate(level.start) if t}


def fits(level: tetravex.Level, board: dict[int, int]) -> bool:
    side = level.side
    for cell, number in board.items():
        tile = level.tiles[number - 1]
        if cell % side < side - 1 and cell + 1 in board and level.tiles[board[cell + 1] - 1].west != tile.east:
            return False
        if cell + side in board and level.tiles[board[cell + side] - 1].north != tile.south:
            return False
    return True


def by_placing(level: tetravex.Level, kind: str) -> Oracle:
    given_tiles = fixed(level)
    tiles = [n for n in range(1, len(level.tiles) + 1) if n not in given_tiles.values()]
    cells = [c for c in range(len(level.tiles)) if c not in given_tiles]

    @cache
    def can(part: Part) -> bool:
        if kind == "cells":
            wanted = [row * level.side + column for row, column in map(place_of, part)]
            chosen = (dict(zip(wanted, some, strict=True)) for some in permutations(tiles, len(wanted)))
        else:
            chosen = (dict(zip(some, map(int, part), strict=True)) for some in permutations(cells, len(part)))
        return any(fits(level, given_tiles | board) for board in chosen)

    return can


@st.composite
def misfits(draw: st.DrawFn) -> tetravex.Level:
    """Four tiles of any colours, which seldom match, for a level of each kind."""
    tiles = draw(st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=4, max_size=4))
    kind = draw(st.sampled_from(["", tetravex.PUT, tetravex.SWAP]))
    start: tetravex.Board = () if not kind else tuple(draw(st.permutations([1, 2, 3, 4])))
    if kind == tetravex.PUT:
        start = tuple(number if draw(st.booleans()) else tetravex.EMPTY for number in start)
    return tetravex.Level("", "", 2, tuple(tetravex.Tile(*tile) for tile in tiles), kind, start)


@given(st.one_of(misfits(), misfits(), squares()))
def test_tetravex_reasons_are_right(level: tetravex.Level) -> None:
    cells, tiles = TETRAVEX.explanation.kinds
    assume(cells.objects(level) and not by_placing(level, "cells")(frozenset(cells.objects(level))))
    why = explain(TETRAVEX, level, Budget())
    assert why is not None
    parts = cells if why.kind == "cells" else tiles
    confirm(why, by_placing(level, why.kind), parts.objects(level))


@given(squares(most=3), st.randoms(use_true_random=False))
def test_parts_of_tetravex_agree_with_the_oracle(level: tetravex.Level, some: random.Random) -> None:
    for parts in TETRAVEX.explanation.kinds:
        agree(parts, level, by_placing(level, parts.kind), some)


# The command line, and certificates


LOST_BOX = "######\n#$ $.#\n#.@  #\n######\nTitle: In the corner\n"


def test_the_table_draws_the_part(tmp_path: Path) -> None:
    done = puzzlemc("check", "--why", write(tmp_path / "lost.xsb", LOST_BOX))
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    assert lines[2:8] == [
        "  why: this box, in row 2, column 2, can never leave its corner, and no goal is there",
        "  1 of 2 boxes; proof checked",
        "    ######",
        "    #$  .#",
        "    #.@  #",
        "    ######",
    ]


def test_a_terminal_highlights_the_part_in_the_level(tmp_path: Path) -> None:
    shown = on_terminal("check", "--why", write(tmp_path / "lost.xsb", LOST_BOX), columns=60)
    assert shown.code == 1
    assert max(map(len, shown.lines)) <= 60
    assert "      #$ $.#" in shown.lines
    row = shown.lines.index("      #$ $.#")
    cells = shown.screen.buffer[row]
    assert (cells[7].data, cells[7].fg, cells[7].bold) == ("$", "red", True)
    assert (cells[9].data, cells[9].bold) == ("$", False)


def test_json_has_the_part(tmp_path: Path) -> None:
    code, (row,) = as_json("check", "--why", write(tmp_path / "lost.xsb", LOST_BOX))
    assert code == 1
    assert row["reason"] == row["why"]["words"]
    assert row["why"] == {
        "kind": "boxes",
        "objects": ["2,2"],
        "of": 2,
        "words": "this box, in row 2, column 2, can never leave its corner, and no goal is there",
        "smallest": True,
        "minimal": True,
        "below": 1,
        "reason": None,
        "checked": True,
        "drawing": "######\n#$  .#\n#.@  #\n######",
    }


def test_a_level_without_enough_boxes_keeps_its_reason(tmp_path: Path) -> None:
    code, (row,) = as_json("check", "--why", write(tmp_path / "few.xsb", "#####\n#@$.#\n#  .#\n#####\n"))
    assert code == 1
    assert row["reason"] == "2 goals but 1 box"
    assert "why" not in row


def test_a_report_has_the_reason(tmp_path: Path) -> None:
    level = write(tmp_path / "lost.xsb", LOST_BOX)
    for suffix in (".html", ".md", ".json"):
        assert puzzlemc("report", level, "-o", tmp_path / f"out{suffix}").returncode == 0
    words = "his box, in row 2, column 2, can never leave its corner, and no goal is there"
    page, notes = ((tmp_path / f"out{suffix}").read_text() for suffix in (".html", ".md"))
    data = json.loads((tmp_path / "out.json").read_text())
    assert f"<p>T{words}.</p>" in page
    assert f"T{words}. 1 of 2 boxes; proof checked." in notes
    assert "######\n#$  .#\n#.@  #\n######" in notes
    assert data["result"]["why"]["objects"] == ["2,2"]
    assert data["mistake"] is None


def test_the_first_mistake_shows_the_box_that_it_has_cornered(tmp_path: Path) -> None:
    board = "#######\n#     #\n#@$   #\n#  $. #\n#   . #\n#######\n"
    level = write(tmp_path / "level.xsb", board)
    for suffix in (".html", ".md", ".json"):
        assert puzzlemc("report", level, "-o", tmp_path / f"out{suffix}").returncode == 0
    mistake = json.loads((tmp_path / "out.json").read_text())["mistake"]
    lost = level_of(mistake["position"])
    why = mistake["why"]
    can, objects = by_boxes(lost), BOXES.objects(lost)
    assert why["kind"] == "boxes"
    assert not can(frozenset(why["objects"]))
    assert all(can(frozenset(part)) for part in combinations(objects, len(why["objects"]) - 1))
    assert f"Why: T{why['words'][1:]}." in (tmp_path / "out.html").read_text()
    assert f"T{why['words'][1:]}." in (tmp_path / "out.md").read_text()


@pytest.mark.parametrize(
    ("name", "level"),
    [("lost.xsb", LOST_BOX), ("torn.fold", " 1 0 -1 0\n 0 0 -1 -1\n"), ("no.tetravex", "Tetravex 2\nPut\n")],
)
def test_the_part_has_a_certificate(tmp_path: Path, name: str, level: str) -> None:
    if name.endswith("tetravex"):
        level = "Tetravex 3\n" + "\n".join(f"{n} {n + 20} {n + 40} {n + 60}" for n in range(9)) + "\n"
    path = write(tmp_path / name, level)
    folder = tmp_path / "proofs"
    code, (row,) = as_json("check", "--why", path, "--certificate", folder)
    assert code == 1
    assert row["checked"]
    part = folder / f"{name}-1.why.cert"
    done = puzzlemc("verify", part, "--level", path)
    assert done.returncode == 0, done.stderr + done.stdout
    objects = " ".join(row["why"]["objects"])
    assert f"proof about a part ({row['why']['kind']} {objects})" in done.stdout
    content = json.loads(part.read_text())
    assert content["version"] == 3
    assert content["part"] == {"kind": row["why"]["kind"], "objects": row["why"]["objects"]}
    other = write(
        tmp_path / f"other-{name}", level.replace("$ $", "$$ ").replace("0 -1 0", "0 0 -1").replace("60", "61")
    )
    if not name.endswith("tetravex"):
        assert puzzlemc("verify", part, "--level", other).returncode == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"part": {"kind": "boxes", "objects": ["2,4"]}}, "refuted"),
        ({"part": {"kind": "boxes", "objects": ["9,9"]}}, "'9,9' are not some of the boxes of the level"),
        ({"part": {"kind": "boxes", "objects": ["2,2", "2,2"]}}, "are not some of the boxes"),
        ({"part": {"kind": "boxes", "objects": []}}, "refuted"),
        ({"part": {"kind": "ghosts", "objects": ["2,2"]}}, "have no parts that are 'ghosts'"),
        ({"verdict": "solvable"}, "an invariant, and the verdict unsolvable"),
        ({"part": {"kind": "boxes"}}, "part.objects: found nothing"),
        ({"part": {"kind": "boxes", "objects": ["2,2"], "more": 1}}, "found a field that is not known"),
        ({"part": None}, "part: found null"),
        ({"version": 1}, "part: found a field that is not known"),
        ({"version": 2}, "proof"),
    ],
)
def test_a_changed_certificate_of_a_part_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    folder = tmp_path / "proofs"
    puzzlemc("check", "--why", write(tmp_path / "lost.xsb", LOST_BOX), "--certificate", folder)
    part = folder / "lost.xsb-1.why.cert"
    part.write_text(json.dumps(json.loads(part.read_text()) | change))
    done = puzzlemc("verify", part)
    assert done.returncode in {2, 4}
    assert message in done.stdout + done.stderr


def test_reasons_atoms_and_reports_use_the_same_coordinates(tmp_path: Path) -> None:
    """The object `2,4` of `--why` is the box of the atom box@(2,4), and reports count from 1, too."""
    lost = write(tmp_path / "lost.xsb", "######\n# @$ #\n# .  #\n######\n")
    _, (row,) = as_json("check", lost, "--why")
    assert row["why"]["objects"] == ["2,4"]
    assert puzzlemc("query", lost, "box@(2,4) & player@(2,3) & !box@(1,3)").returncode == 0
    assert 'label="d(2,3)"' in puzzlemc("export", lost, "--to", "dot", "-o", "-").stdout
    level = write(tmp_path / "room.xsb", "######\n#    #\n# $@.#\n#    #\n######\n")
    made = {}
    for suffix in ("json", "md", "html"):
        assert puzzlemc("report", level, "-o", tmp_path / f"room.{suffix}").returncode == 0
        made[suffix] = (tmp_path / f"room.{suffix}").read_text()
    dead = [[2, 2], [2, 3], [2, 4], [2, 5], [3, 2], [4, 2], [4, 3], [4, 4], [4, 5]]
    assert json.loads(made["json"])["analysis"]["dead_places"]["box"] == dead
    assert " ".join(f"({row},{column})" for row, column in dead) in made["md"]
    assert "row, column, from 1" in made["html"]
    assert '<th scope="row">4, 5 (lost)</th>' in made["html"]
    assert "<title>(4,5): 11 states" in made["html"]


MARKED = {
    "sokoban": "#####\n#$  #\n#  @#\n# $.#\n#  .#\n#####\n",
    "folding": "1 0\n0 2\n",
    "tetravex": "Tetravex 2\n3 0 1 2\n7 7 8 1\n0 5 4 6\n7 9 2 4\n",
}


@pytest.mark.parametrize("name", MARKED)
def test_the_picture_marks_exactly_the_objects_of_a_part(name: str) -> None:
    (level,) = puzzle(name).screen.parse(MARKED[name], "test")
    kinds = puzzle(name).explanation.parts
    assert kinds is not None
    for parts in kinds():
        chosen = parts.objects(level)[:1]
        for part in (frozenset(chosen), frozenset(parts.objects(level))):
            shown = parts.picture(level, part)
            marks = [each for each in shown.pieces if isinstance(each, Box) and each.colour == "mark"]
            cells = {(int(mark.y + mark.height / 2), int(mark.x + mark.width / 2)) for mark in marks}
            assert len(cells) == len(part), parts.kind
            if "," in chosen[0]:
                assert cells == {place_of(name) for name in part}
            # The marks are on top.
            assert list(shown.pieces[-len(marks) :]) == marks


def test_solve_and_check_give_the_same_reasons(tmp_path: Path) -> None:
    lost = write(tmp_path / "lost.xsb", LOST_BOX)
    checked, solved = (puzzlemc(command, lost, "--why") for command in ("check", "solve"))
    assert (checked.returncode, solved.returncode) == (1, 1)
    why = [[line for line in done.stdout.splitlines() if line.startswith("  ")] for done in (checked, solved)]
    assert why[0] == why[1]
    assert "  why: this box, in row 2, column 2, can never leave its corner, and no goal is there" in why[0]
    assert as_json("solve", lost, "--why")[1][0]["why"]["objects"] == ["2,2"]


def test_reasons_of_own_puzzles_are_facts_of_the_goal() -> None:
    own = WRITTEN
    (pair,) = load([f"{own / 'lights.txt'}#4"], str(own / "own_puzzle.py"))
    why = explain(pair.puzzle, pair.level, Budget())
    assert why is not None
    assert why.objects == ("not lamp[0]", "not lamp[1]")
    assert why.smallest
    (entry,) = load([f"{own / 'boards.sliding'}#Fourteen and fifteen"], str(own / "sliding.py"))
    swapped = entry.puzzle.screen.parse("1 2 3\n5 4 0", "")[0]
    why = explain(entry.puzzle, swapped, Budget())
    assert why is not None
    assert (len(why.objects), why.of, why.minimal, why.checked) == (4, 6, True, True)
    assert "modulo 2 in every reachable state" in why.words
    assert isinstance(why.proof, SumProof)
    assert set(why.start) <= {f"at[{number},{cell}]" for cell, number in enumerate((1, 2, 3, 5, 4, 0))}
    model = entry.puzzle.encode_faithfully(swapped).model
    for fact in why.objects:
        fewer = part_of(model, goal_facts(model), frozenset(why.objects) - {fact})
        assert isinstance(auto(fewer, ANY, Budget()).verdict, Reachable)


def test_a_part_of_a_goal_that_is_no_cube_has_its_conjuncts() -> None:
    variables = tuple(boolean(name) for name in "abc")
    a, b, c = (variable.bits[0] for variable in variables)
    goal = (a | b) & ~c
    start = {a: False, b: False, c: True}
    model = Model(variables, start, (Action("a", {}, {a: True}, {}),), goal, {"c is off": ~c})
    facts = goal_facts(model)
    assert len(facts) == 2
    assert "c is off" in facts
    assert isinstance(auto(part_of(model, facts, frozenset(facts)), ANY, Budget()).verdict, Unreachable)
    assert isinstance(
        auto(part_of(model, facts, frozenset(facts) - {"c is off"}), ANY, Budget()).verdict, Reachable
    )
    assert isinstance(auto(part_of(model, facts, frozenset({"c is off"})), ANY, Budget()).verdict, Unreachable)


@pytest.mark.parametrize("why", [True, False])
def test_a_level_whose_proof_takes_long_has_the_proof_of_a_part(
    why: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("puzzlemc.reports.certify.certify.FIRST_SECONDS", 0.0)
    (entry,) = load([str(write(tmp_path / "lost.xsb", LOST_BOX))])
    options = Options(why=why, prove=True)
    unsaid = Result(
        entry.id, entry.title, "sokoban", "unsolvable", "pushes", search=Search("auto", None, "compact")
    )
    result = certify(entry, options, unsaid, tmp_path / "lost.cert")
    assert (result.verdict, result.checked, result.note) == ("unsolvable", True, "")
    assert (result.why is not None) == why
    assert read(tmp_path / "lost.cert").part == ("boxes", ("2,2",))
    assert verify(tmp_path / "lost.cert", [entry]).status == "valid"


def test_certificates_of_goal_parts(tmp_path: Path) -> None:
    board = write(tmp_path / "board.sliding", "1 2 3\n5 4 0\n")
    (entry,) = load([str(board)], str(WRITTEN / "sliding.py"))
    options = Options(ANY, why=True)
    result = solve_entry(entry, options)
    assert result.why is not None
    shown = result.why.as_json()
    assert (shown["kind"], shown["of"], shown["checked"]) == ("facts of the goal", 6, True)
    assert shown["start"]
    path = tmp_path / "board.cert"
    assert certify_part(entry, options, result, path).verdict == "unsolvable"
    (path,) = tmp_path.glob("*.why.cert")
    done = verify(path, [entry])
    assert (done.status, done.by) == ("valid", "sums")
    changed = path.read_text().replace(result.why.objects[0], "at[9,9]")
    assert verify(write(tmp_path / "other.why.cert", changed), [entry]).status == "refuted"
    fewer = path.read_text().replace(f'"{result.why.objects[0]}", ', "")
    assert fewer != path.read_text()
    assert verify(write(tmp_path / "fewer.why.cert", fewer), [entry]).status == "refuted"


def test_statistics_of_engines_have_words_and_units(tmp_path: Path) -> None:
    done = puzzlemc("check", write(tmp_path / "lost.xsb", LOST_BOX), "--verbose", "--engine", "forward")
    (line,) = done.stderr.splitlines()
    words = (
        r"unsolvable by forward \(compact, zdd\): \d+ states?, \d+ layers?, \d+ diagram nodes; "
        r"\d+\.\d\d s of processor time, \d+\.\d\d s of wall clock, \d+ MB at most"
    )
    assert re.fullmatch(rf".*lost\.xsb#1: {words}", line), line
