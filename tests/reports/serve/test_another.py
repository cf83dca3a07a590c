"""Another level like the one on the workbench, from a generator or from the cells of the level."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from places import ROOT, WRITTEN
from workbench import becomes, paste, says, served, shown

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import add, load, puzzles
from puzzlemc.reports.serve.another import another, without
from puzzlemc.reports.serve.questions import Another

TWO = "Tetravex 2\n0 0 0 2\n2 1 1 2\n0 0 1 1\n2 2 2 1"


@pytest.fixture
def glide() -> Iterator[Puzzle]:
    """A puzzle that is not installed, known in this process for a while."""
    yield add(str(WRITTEN / "glide.py"))
    puzzles.cache_clear()


def test_a_level_of_an_own_puzzle_has_its_cells_in_other_places_and_a_like_cost(glide: Puzzle) -> None:
    text = "@..!\n....\n...#\n"
    answers: list[dict[str, Any]] = []
    for seed in range(3):
        another(Another(1, "glide", text, cost=1, seed=seed), answers.append, Event())
    made = [each["text"] for each in answers]
    assert len(set(made)) > 1
    for each in made:
        assert sorted(each.replace("\n", "")) == sorted(text.replace("\n", ""))
        assert each != text.rstrip()
    assert without(glide) == ""


def test_there_is_a_reason_where_there_is_none() -> None:
    def of(name: str) -> str:
        (entry, *_) = load(str(ROOT / "screens" / "levels" / name))
        return without(entry.puzzle)

    assert "two sides" in of("fabrik")
    assert "best solution" in of("factorio")
    assert "texts" in of("puzzlescript")
    assert [of(name) for name in ("sokoban", "folding", "tetravex")] == ["", "", ""]


def test_new_tiles_are_for_the_same_game_and_undo_takes_them_back(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        paste(page, f"{TWO}\nPut\n1 0\n0 0")
        says(page, "Unsolvable")
        page.get_by_role("button", name="New like this").click()
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
        for puzzle, words in (("puzzlescript", "3 turns"), ("fabrik", "Black wins")):
            page.locator("#puzzle").select_option(puzzle)
            says(page, words)  # the tools are those of the puzzle
            page.locator("#tools button[aria-disabled=true]", has_text="New like this").focus()
            page.keyboard.press("Enter")
            page.locator("#toast", has_text="There is none").wait_for()


def test_a_new_level_is_not_written_over_the_one_that_was_open(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "one.xsb"
    path.write_text("#######\n#@ $ .#\n#     #\n#######\n", encoding="utf-8")
    with served(path) as where, shown(browser, where, "delete window.showSaveFilePicker") as page:
        says(page, "2 pushes")
        page.locator("#levels [aria-current]").wait_for()
        page.get_by_role("button", name="New like this").click()
        page.locator("#levels [aria-current]").wait_for(state="detached")
        with page.expect_download():
            page.keyboard.press("Control+s")
    assert path.read_text(encoding="utf-8").startswith("#######\n#@ $ .#")
    assert [each.name for each in tmp_path.iterdir()] == ["one.xsb"]
