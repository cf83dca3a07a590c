"""`suggest`: the command, the function, and what they say, on boards of Folding Blocks."""

import json
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from command import puzzlemc as program
from command import write
from places import ROOT

import puzzlemc
from puzzlemc.encodings.puzzle.design.changes import Change, Edit
from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.reports.api.levels import entry_of
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.suggest import asked, one_by_one
from puzzlemc.reports.suggest.asked import by_kind, smallness
from puzzlemc.reports.suggest.request import Request
from puzzlemc.reports.suggest.suggest import suggest
from puzzlemc.reports.suggest.words import side_by_side
from puzzlemc.screens import folding

CORNERS = "1 0 0\n0 -1 2\n0 0 3\n"  # no single change of a cell makes it solvable, some pairs do
ISLAND = "1 -1 0\n"  # the last cell is cut off


def test_the_command_shows_each_level_before_and_after(tmp_path: Path) -> None:
    done = program("suggest", write(tmp_path / "a.fold", CORNERS), "--count", "1", "--edits", "cells")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1:] == [
        "no single edit makes it solvable; 3 pairs of edits make it solvable",
        "",
        "1. the cell in row 1, column 2 is taken away; the cell in row 3, column 1 is taken away",
        "unsolvable → 3 moves",
        " 1  0  0    1 -1  0",
        "   ^^         ^^",
        " 0 -1  2    0 -1  2",
        " 0  0  3   -1  0  3",
        "^^         ^^",
    ]


def test_json_holds_levels_that_are_solvable(tmp_path: Path) -> None:
    path = write(tmp_path / "a.fold", ISLAND)
    found = json.loads(program("suggest", path, "--json", "--edits", "cells").stdout)
    assert (found["want"], found["verdict"], found["least"], found["reached"]) == (
        "solvable",
        "unsolvable",
        1,
        False,
    )
    assert found["total"] == len(found["suggestions"]) > 0
    for each in found["suggestions"]:
        level = puzzlemc.Level(each["level"], "folding")
        assert puzzlemc.solve(level).cost == each["cost"]
        assert {edit["kind"] for edit in each["edits"]} == {"cells"}


def test_a_solvable_level_needs_no_change(tmp_path: Path) -> None:
    done = program("suggest", write(tmp_path / "a.fold", "1 0\n"))
    assert (done.returncode, done.stdout.splitlines()[1]) == (0, "it is solvable already: 1 move")


def test_exit_codes(tmp_path: Path) -> None:
    """1 is a proof that no allowed change helps; a limit gives 3."""
    path = write(tmp_path / "a.fold", CORNERS)
    none = program("suggest", path, "--most", "1", "--edits", "cells")
    assert (none.returncode, none.stdout.splitlines()[1:]) == (1, ["no single edit makes it solvable"])
    limit = program("suggest", path, "--timeout", "0.001", "--json")
    assert limit.returncode == 3
    assert json.loads(limit.stdout)["reason"] == "timeout" if limit.stdout else "timeout" in limit.stderr


@pytest.mark.parametrize(("edits", "code"), [("cells", 0), ("blocks", 3)])
def test_of_an_undecided_level_no_number_of_edits_is_the_least(
    edits: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its changes are decided, but it may be solvable without any."""
    level = puzzlemc.Level(ISLAND, "folding")

    def undecided(entry: Entry, *others: Any, **more: Any) -> Result:
        result = solve_entry(entry, *others, **more)
        return replace(result, verdict="unknown", reason="timeout") if result.verdict == "unsolvable" else result

    monkeypatch.setattr(asked, "solve_entry", undecided)
    found = suggest(entry_of(level), Request(edits=(edits,), most=1), Options())
    assert (found.least, found.exit_code, found.reason) == (0, code, "timeout")
    assert bool(found.found) == (code == 0)
    assert not any(each.best for each in found.found)
    assert "it is not known whether the level is solvable as it is" in found.words[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--want", "solved"), "found the wish 'solved', expected one of solvable, "),
        (("--want", "intended=none.txt"), "intended: there is no file none.txt, expected a solution or the name"),
        (("--edits", "walls"), "edits: found 'walls', expected some of cells, blocks, colours"),
        (("--keep", "0,1"), "keep: found '0,1', expected a row and a column from 1"),
        (("--keep", "4,1"), "keep: found row 4, column 1, but the level has 3 rows and 3 columns"),
        (("--keep", "1,4"), "keep: found row 1, column 4, but the level has 3 rows and 3 columns"),
        (("--most", "0"), "found '0', expected a whole number, 1 to 10"),
    ],
)
def test_wrong_options_are_bad_usage(tmp_path: Path, options: tuple[str, str], message: str) -> None:
    done = program("suggest", write(tmp_path / "a.fold", CORNERS), *options)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_a_puzzle_without_edits_is_bad_usage() -> None:
    done = program("suggest", f"{ROOT / 'screens' / 'levels' / 'fabrik' / 'boards.fabrik'}#1")
    assert done.returncode == 2
    assert "no edits of levels of fabrik are known, expected a level of " in " ".join(done.stderr.split())


CORNER = "#####\n#$  #\n# .@#\n#####\n"


def board(text: str) -> list[str]:
    """The lines of a level without its names."""
    return [line for line in text.splitlines() if line and ":" not in line]


@pytest.mark.parametrize(
    ("text", "puzzle", "suffix"),
    [(CORNER, "sokoban", ".xsb"), (CORNER, "sokoban", ".slc"), (ISLAND, "folding", ".fold")],
)
def test_suggested_levels_are_written_with_what_was_changed_as_titles(
    text: str, puzzle: str, suffix: str, tmp_path: Path
) -> None:
    path, written = write(tmp_path / "a.txt", "Title: Old\nAuthor: Ann\n" + text), tmp_path / f"b{suffix}"
    done = program("suggest", path, "--puzzle", puzzle, "--count", "2", "--json", "-o", str(written))
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)["suggestions"]
    levels = puzzlemc.load(written)
    assert len(levels) == len(found) == 2
    for number, (level, each) in enumerate(zip(levels, found, strict=True), 1):
        assert level.title == f"{number}: " + "; ".join(edit["words"] for edit in each["edits"])
        assert puzzlemc.solve(level).cost == each["cost"]
        assert board(level.text) == board(each["level"])


def test_levels_on_standard_output_stand_there_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", CORNER)
    written = tmp_path / "b.xsb"
    said = program("suggest", path, "-o", str(written)).stdout.splitlines()[1]
    done = program("suggest", path, "-o", "-")
    assert (done.returncode, done.stdout, done.stderr) == (0, written.read_text(), said + "\n")


def test_where_levels_cannot_be_written_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", CORNER)
    for options, message in (
        (("-o", path), "is also read"),
        (("-o", str(tmp_path / "b.doc")), "found '.doc' as the format of levels of sokoban, expected one of .xsb"),
        (("-o", "-", "--json"), "found '-', expected a file with --json"),
    ):
        done = program("suggest", path, *options)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in " ".join(done.stderr.split())
    written = tmp_path / "c.xsb"
    done = program("suggest", path, "--most", "1", "--edits", "player", "-o", str(written))
    assert (done.returncode, written.exists()) == (1, False)
    assert done.stderr == f"{written}: not written, for there is no suggestion\n"


def test_cells_to_keep_stay(tmp_path: Path) -> None:
    level = puzzlemc.Level(CORNERS, "folding")
    free = puzzlemc.suggest(level, edits=["cells"])
    assert free.found[0].words.startswith("the cell in row 1, column 2 is taken away")
    kept = puzzlemc.suggest(level, edits=["cells"], keep=[(1, 2)])
    assert not any("row 1, column 2" in each.words for each in kept.found)
    assert free.least == kept.least == 2


def test_a_suggestion_in_python_has_a_level_and_its_result() -> None:
    found = puzzlemc.suggest(puzzlemc.Level(ISLAND, "folding"))
    first = found.found[0]
    assert (first.result.verdict, first.best) == ("solvable", True)
    assert puzzlemc.solve(first.level).cost == first.result.cost
    assert str(found).splitlines()[0] == "text#1: unsolvable"
    assert found.to_dict()["suggestions"][0]["level"] == first.level.text
    with pytest.raises(puzzlemc.ModelError, match="keep: found"):
        puzzlemc.suggest(first.level, keep=[(0, 1)])
    with pytest.raises(puzzlemc.ModelError, match="expected several of them, such as"):
        puzzlemc.suggest(first.level, edits="cells")


def test_the_best_of_each_kind_comes_first() -> None:
    def change(kind: str, *cells: tuple[int, int], border: int = 0) -> Change:
        return Change(None, (Edit(kind, "", cells, border=border),))

    far, near = change("boxes", (0, 0), (0, 5)), change("boxes", (0, 0), (0, 1))
    wall, next_wall = change("walls", (3, 3)), change("walls", (4, 4))
    assert by_kind([far, near, wall, next_wall], smallness) == [wall, near, next_wall, far]
    outer = change("boxes", (0, 0), (0, 1), border=1)
    assert by_kind([outer, far, near], smallness) == [near, far, outer]  # edits of the border come last


def test_of_repairs_those_come_last_that_put_a_box_on_a_goal() -> None:
    level = puzzlemc.Level("########\n#$     #\n#  . @ #\n#      #\n########", "sokoban")
    boxes = puzzlemc.suggest(level, edits=["boxes"], most=1, count=50).found
    placed = ["*" in each.level.text for each in boxes]
    assert placed == [*[False] * (len(boxes) - 1), True]
    assert boxes[0].words == "the box in row 2, column 2 goes to row 3, column 3"


def test_repairs_that_leave_nothing_to_do_come_last() -> None:
    level = puzzlemc.Level("#######\n#$.   #\n#  @  #\n#$.   #\n#######", "sokoban")
    found = puzzlemc.suggest(level, edits=["boxes"], most=2, count=500).found
    solved = [each.result.cost == 0 for each in found]
    assert solved == sorted(solved)
    assert {*solved} == {True, False}


def test_a_level_and_its_change_are_compared_by_the_least_cost_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "level.xsb", "######\n#@$ .#\n#    #\n######\n")
    shown = program("suggest", path, "--want", "lean", "--count", "1").stdout.splitlines()
    assert "2 pushes → 2 pushes" in shown


def test_tiles_that_wait_beside_the_board_are_drawn() -> None:
    two = puzzlemc.Level("Title: Two\nTetravex 2\n0 2 1 3\n2 1 0 0\n1 2 1 2\n2 0 2 1\nPut\n0 1\n0 0", "tetravex")
    shown = str(puzzlemc.suggest(two, edits=["tiles"], count=1)).splitlines()
    assert "(north, south, east, west), not" in shown[3]
    assert shown[5] == "Tetravex 2   Tetravex 2"
    assert sum(set(line) == {" ", "^"} for line in shown) == 1


def test_changed_places_are_marked_under_both_drawings() -> None:
    assert side_by_side("#.#\n# #", "#.#\n#$#").splitlines() == ["#.#   #.#", "# #   #$#", " ^     ^"]
    assert side_by_side("#", "##\n#").splitlines() == ["#    ##", " ^    ^", "     #", "^    ^"]


def test_all_pairs_are_no_total_while_single_edits_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    known = one_by_one.repairs
    monkeypatch.setattr(one_by_one, "repairs", lambda *given: replace(known(*given), least=1, reason="memory"))
    (level,) = folding.parse(CORNERS, "test")
    found = suggest(Entry("board", "", puzzle("folding"), level), Request(edits=("cells",)), Options())
    assert (len(found.found), found.least, found.total) == (3, 1, None)
    assert not any(each.best for each in found.found)
    assert found.words == ("3 pairs of edits make it solvable, the fewest edits found; at least 1 must be made",)


def test_an_engine_that_solves_a_level_ends_when_the_answer_is_cancelled() -> None:
    (level,) = folding.parse(CORNERS, "test")
    entry, cancelled = Entry("level", "", puzzle("folding"), level), Event()
    cancelled.set()
    found = suggest(entry, Request(), Options(), cancelled)
    assert (found.result.verdict, found.result.reason, found.exit_code) == ("unknown", "cancelled", 3)
