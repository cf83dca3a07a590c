"""Levels like the one on the workbench, from a generator or from the cells of the level."""

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from places import ROOT, WRITTEN
from workbench import becomes, paste, says, served, shown

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import add, load, puzzles
from puzzlemc.reports.documents.levels import entry
from puzzlemc.reports.serve.design.another import MOST, NEAR, another
from puzzlemc.reports.serve.offers import without
from puzzlemc.reports.serve.questions import Another
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

FIRST = "########\n#  #   #\n#  $ . #\n## #$# #\n# .  @ #\n#  #   #\n########"
SHAFT = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")
TWO = "Tetravex 2\n0 0 0 2\n2 1 1 2\n0 0 1 1\n2 2 2 1"
# A number is typed, and the dialog closed and opened again, sooner than a search for it begins.
TYPED_AND_CLOSED = """
field => {
  field.value = "1"
  field.dispatchEvent(new Event("input"))
  field.closest("dialog").close()
}
"""


@pytest.fixture
def glide() -> Iterator[Puzzle]:
    """A puzzle that is not installed, known in this process for a while."""
    yield add(str(WRITTEN / "glide.py"))
    puzzles.cache_clear()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, levels are looked for in less time."""
    monkeypatch.setattr("puzzlemc.reports.serve.design.another.SECONDS", 2.5)


def last(puzzle: str, text: str, **wish: Any) -> dict[str, Any]:
    """The last answer to a wish for levels like one."""
    answers: list[dict[str, Any]] = []
    another(Another(1, puzzle, text, **wish), answers.append, Event())
    assert [each["done"] for each in answers] == [*[False] * (len(answers) - 1), True]
    return answers[-1]


def test_levels_of_an_own_puzzle_have_their_cells_in_other_places_and_a_like_cost(glide: Puzzle) -> None:
    text = "@..!\n....\n...#\n"
    answer = last("glide", text, cost=1)
    made = [each["text"] for each in answer["levels"]]
    assert len(set(made)) == len(made) == MOST <= answer["tried"]
    for each in made:
        assert sorted(each.replace("\n", "")) == sorted(text.replace("\n", ""))
        assert each != text.rstrip()
    assert {each["cost"] for each in answer["levels"]} == {1}
    assert (answer["failed"], answer["wish"]["objects"]) == ("", 0)
    assert without(glide) == ""


def test_what_is_asked_for_is_kept(glide: Puzzle) -> None:
    answer = last("sokoban", FIRST, cost=7, unique=True, objects=1, rows=6, columns=7, seed=1)
    size = {"rows": 6, "columns": 7, "square": False}
    assert answer["wish"] == {**size, "objects": 1, "what": "boxes", "changes": 0}
    assert MOST >= len(answer["levels"]) >= 2  # as many as are found in time
    for each in answer["levels"]:
        rows = each["text"].split("\n")
        assert (len(rows), max(map(len, rows)), len(re.findall("[$*]", each["text"]))) == (6, 7, 1)
        solved = solve_entry(entry("sokoban", each["text"]), Options())
        assert solved.cost == each["cost"]
        assert abs(each["cost"] - 7) <= NEAR * 7
        assert each["solutions"] == 1
        assert each["states"] > 0 <= each["lost"] <= 1
    turns = last("sokoban", FIRST, cost=7, changes=2, unique=True)
    assert turns["wish"]["changes"] == 2
    assert turns["levels"]
    for each in turns["levels"]:
        assert (each["changes"] >= 2, each["sets"]) == (True, 1)
    own = last("sokoban", FIRST, cost=5)  # as the level
    assert [own["wish"][name] for name in ("rows", "columns", "objects")] == [7, 8, 2]
    away = [abs(each["cost"] - 5) for each in own["levels"]]
    assert away == sorted(away)  # those that are not near are found late, and come last
    assert away[0] <= 1
    tiles = last("tetravex", TWO, unique=True, rows=3, changes=3)
    assert tiles["wish"]["changes"] is None
    assert {(each["solutions"], each["text"].split("\n")[0]) for each in tiles["levels"]} == {(1, "Tetravex 3")}
    slides = last("glide", "@..!\n....\n...#\n", cost=2, unique=True)
    assert {each["solutions"] for each in slides["levels"]} == {1}
    refused = last("sokoban", FIRST, rows=100)
    assert (refused["levels"], refused["wish"]["rows"]) == ([], 100)  # it can be mended
    assert "expected sides from" in refused["failed"]


@pytest.mark.slow
def test_a_level_of_a_game_stays_in_its_game_and_some_cells_change_places(browser: Any, address: str) -> None:
    answer = last("puzzlescript", SHAFT, level=1, cost=5)
    old = ["#######", "#..b..#", "#p:::h#", "#h:::h#", "#h:._h#", "#######"]
    assert answer["levels"]
    for each in answer["levels"]:
        rows = ["".join(row) for row in each["sheet"]["rows"]]
        assert rows != old
        assert (rows[0], rows[-1], {row[0] + row[-1] for row in rows}) == (old[0], old[-1], {"##"})
        assert sorted("".join(rows)) == sorted("".join(old))
        solved = solve_entry(entry("puzzlescript", SHAFT.replace("\n".join(old), "\n".join(rows)), 1), Options())
        assert solved.cost == each["cost"]
    with shown(browser, address) as page:
        paste(page, SHAFT)
        says(page, "3 turns")
        page.get_by_role("button", name="New like this").click()
        cost = page.locator(".card b").first.inner_text()
        page.locator("#like-stop").click()
        page.locator(".card", has_text=cost).first.click()
        says(page, cost)
        text = page.locator("#source").input_value()
        assert text != SHAFT
        assert len(text) == len(SHAFT)
        page.keyboard.press("Control+z")
        becomes(page, page.locator("#source").input_value, SHAFT)


def test_there_is_a_reason_where_there_is_none() -> None:
    def of(name: str) -> str:
        (entry, *_) = load(str(ROOT / "screens" / "levels" / name))
        return without(entry.puzzle)

    assert "two sides" in of("fabrik")
    assert "best solution" in of("factorio")
    assert "texts" in of("pddl")
    assert {of(name) for name in ("sokoban", "folding", "tetravex", "puzzlescript")} == {""}


def test_one_of_several_levels_is_chosen_and_the_wish_is_kept(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        like, said = (
            page.get_by_role("button", name="New like this"),
            page.locator(".likes p", has_text="choose one"),
        )
        says(page, "5 pushes")
        like.click()
        page.locator("#like-objects").wait_for()
        page.get_by_label("only one solution").check()
        page.get_by_label("boxes").evaluate(TYPED_AND_CLOSED)
        says(page, "5 pushes")
        assert not page.get_by_role("dialog").is_visible()
        like.click()
        said.wait_for()
        assert page.get_by_label("only one solution").is_checked()
        assert page.get_by_label("boxes").input_value() == "1"
        card = page.locator(".card", has_text="one shortest solution").first
        cost = card.locator("b").inner_text()
        card.click()
        says(page, cost)
        assert page.locator("#source").input_value().count("$") == 1
        paste(page, f"{TWO}\nPut\n1 0\n0 0")
        says(page, "Unsolvable")
        like.click()
        page.locator(".card").nth(1).click()
        says(page, "4 moves")

        def rows() -> list[str]:
            lines: list[str] = page.locator("#source").input_value().split("\n")
            return lines[:1] + lines[5:]

        becomes(page, rows, ["Tetravex 2", "Put", "0 0", "0 0"])
        page.keyboard.press("Control+z")
        says(page, "Unsolvable")
        becomes(page, page.locator("#source").input_value, f"{TWO}\nPut\n1 0\n0 0")


def test_the_button_says_why_there_is_none(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        says(page, "Solvable")
        for puzzle, words in (("pddl", "Solvable"), ("fabrik", "Black wins")):
            page.locator("#puzzle").select_option(puzzle)
            says(page, words)  # the tools are those of the puzzle
            page.locator("#tools button[aria-disabled=true]", has_text="New like this").focus()
            page.keyboard.press("Enter")
            page.locator("#toast", has_text="There is none").wait_for()


def test_a_new_level_is_not_written_over_the_one_that_was_open(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "one.xsb"
    path.write_text("#######\n#@ $ .#\n#     #\n#     #\n#######\n", encoding="utf-8")
    with served(path) as where, shown(browser, where, "delete window.showSaveFilePicker") as page:
        says(page, "2 pushes")
        page.locator("#levels [aria-current]").wait_for()
        page.get_by_role("button", name="New like this").click()
        page.locator(".card").first.click()
        page.locator("#levels [aria-current]").wait_for(state="detached")
        page.locator("#toast", has_text="in no file yet").wait_for()
        with page.expect_download():
            page.keyboard.press("Control+s")
    assert path.read_text(encoding="utf-8").startswith("#######\n#@ $ .#")
    assert [each.name for each in tmp_path.iterdir()] == ["one.xsb"]
