"""What the workbench shows where: places of cells, a board that stays where it is, and narrow pages."""

from typing import Any

import pytest
from places import ROOT
from workbench import becomes, box, paint, paste, says, shown

SHAFT = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")
NARROW = {"viewport": {"width": 390, "height": 800}}


def test_the_place_of_the_pointer_and_of_the_cursor_is_named_as_in_messages(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        says(page, "Solvable")
        paint(page, 2, 4)
        page.locator("#at", has_text="row 3, column 5").wait_for()
        page.keyboard.press("ArrowDown")
        page.locator("#at", has_text="row 4, column 5").wait_for()
        page.locator(".numbers").wait_for(state="hidden")
        page.locator("#numbers").click()
        page.locator(".numbers text", has_text="8").wait_for()
        page.reload()
        page.locator(".numbers text", has_text="8").wait_for()
        page.locator("#puzzle").select_option("fabrik")
        says(page, "Black wins")
        paint(page, 2, 3)
        page.locator("#at", has_text="D3").wait_for()


def test_a_hole_in_a_board_is_a_dot_and_its_brush_a_cross(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        says(page, "Solvable")
        page.locator("#puzzle").select_option("folding")
        says(page, "5 moves")
        becomes(page, lambda: page.locator(".brush[data-sign='-1'] polygon").count(), 2)
        page.locator(".brush[data-sign='-1']").click()
        paint(page, 1, 3)
        page.locator("#stage use[href='#brush-outside'][x='3'][y='1']").wait_for()


@pytest.mark.slow
def test_the_board_stays_where_it_is_when_a_verdict_has_changed(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        paste(page, SHAFT)
        page.locator("#levels", has_text="40 turns").wait_for()
        before = [round(each) for each in box(page, "#stage svg").values()]
        page.locator(".brush[data-sign='#']").click()
        paint(page, 1, 5)
        page.locator("#suite .changes").wait_for()
        assert [round(each) for each in box(page, "#stage svg").values()] == before


def test_the_warnings_of_lint_and_of_the_reader_are_under_the_verdict(browser: Any, address: str) -> None:
    idle = "[ > Miner | Soil ] -> [ > Miner | Soil ]"
    faulty = SHAFT.replace("[ > Miner | Soil ]", f"{idle}\n[ > Miner | Soil ]", 1)
    lines = faulty.split("\n")
    row = lines.index("#######") + 1
    lines[row] += "#"
    with shown(browser, address) as page:
        paste(page, "\n".join(lines))
        page.locator("#lint summary", has_text="2 warnings").click()
        words = f"Line {1 + lines.index(idle)}, column 1: Rule changes nothing, and has no command."
        assert page.locator("#lint li").first.inner_text() == words
        words = f"Line {row + 1}, column 1: Found a row of 8 characters, expected 7 as in the first row."
        assert page.locator("#lint li").nth(1).inner_text() == words
        paste(page, SHAFT)
        page.locator("#lint").wait_for(state="hidden")
        paste(page, "######\n#@$.$#\n######")
        page.locator("#verdict p", has_text="2 boxes and 1 goal: solved when every goal holds a box.").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", ["puzzlescript", "sokoban", "pddl"])
def test_a_narrow_page_shows_the_verdict_and_the_choice_of_light_without_scrolling(
    browser: Any, address: str, puzzle: str
) -> None:
    with shown(browser, address, **NARROW) as page:
        says(page, "Solvable")
        page.locator("#puzzle").select_option(puzzle)
        says(page, {"puzzlescript": "3 turns", "sokoban": "5 pushes", "pddl": "a cost of 24"}[puzzle])
        head = box(page, "#verdict h2")
        assert head["y"] + head["height"] <= 800
        assert page.evaluate("scrollY") == 0
        look, puzzles = box(page, "#look"), box(page, "#puzzle")
        assert abs(look["y"] - puzzles["y"]) < 10  # in the same line
        assert look["x"] + look["width"] <= 390
        if puzzle != "sokoban":
            assert box(page, "#editor")["y"] > head["y"]
