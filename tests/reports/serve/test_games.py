"""A game on the workbench: its source, its faults, its levels."""

from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from workbench import becomes, paint, paste, says, served, shown

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.batch.expect import Expected

SHIPPED = ROOT / "screens" / "levels" / "puzzlescript"
SHAFT = (SHIPPED / "shaft.txt").read_text(encoding="utf-8")
RULE = "[ > Miner | Soil ] -> [ > Miner | ]"
FAULTY = RULE.replace("Soil", "Soul")


@pytest.mark.slow
def test_a_fault_off_the_screen_is_shown_by_a_click_on_its_place(page: Any) -> None:
    paste(page, SHAFT)
    says(page, "Solvable")
    how = "How to play: Goal: all Plate on Boulder. The arrow keys move the player."
    becomes(page, lambda: page.locator("#how").inner_text(), how)
    page.locator("#editor .cm-content").wait_for()
    assert page.locator("#editor .cm-line", has_text="> Miner |").count() == 0  # it is far below
    page.locator("#editor .cm-content").click()
    page.keyboard.press("Control+z")  # nothing was typed: the text stays
    page.wait_for_timeout(300)
    assert page.locator("#source").input_value().rstrip("\n") == SHAFT.rstrip("\n")
    page.locator("#verdict h2").click()
    paste(page, SHAFT.replace(RULE, FAULTY))
    says(page, "There is a fault")
    assert page.locator("#play-mode").get_attribute("title") == "There is a fault in the text"
    line = 1 + SHAFT.split("\n").index(RULE)
    page.locator("#verdict .goto", has_text=f"Line {line}, column 13").click()
    page.locator("#editor .cm-activeLine", has_text=FAULTY).wait_for()
    page.keyboard.type("Soil")
    for _ in range(4):
        page.keyboard.press("Delete")
    says(page, "Solvable")
    becomes(page, lambda: page.locator("#editor .cm-activeLine").inner_text(), RULE)


@pytest.mark.slow
def test_verdicts_are_kept_as_expected_and_what_differs_is_marked(page: Any, tmp_path: Path) -> None:
    summary = page.locator("#suite")
    paste(page, SHAFT)
    says(page, "3 turns")
    page.get_by_role("button", name="Keep these verdicts as expected").click()
    summary.locator(".good", has_text="8 of 8 as expected").wait_for()
    with page.expect_download() as started:
        summary.get_by_role("button", name="Download").click()
    file = tmp_path / "shaft.jsonl"
    started.value.save_as(file)
    kept = Expected.read(file).levels
    assert [name for name, _ in kept] == [f"game#{number}" for number in range(1, 9)]
    answers = (SHIPPED / "shaft.answers.tsv").read_text().splitlines()[1:]
    found = [(each.verdict, "-" if each.cost is None else str(each.cost)) for each in kept.values()]
    assert found == [tuple(each.split("\t")[2:4]) for each in answers]
    paste(page, SHAFT.replace("#p.b..#", "#p..b.#", 1))
    summary.locator(".soft", has_text="1 level has no expected verdict").wait_for()

    paste(page, SHAFT.replace(RULE, FAULTY))
    says(page, "There is a fault")
    summary.locator(".good").wait_for(state="detached")  # nothing is known of a text with a fault
    rule = next(line for line in SHAFT.split("\n") if line.startswith("horizontal"))
    paste(page, SHAFT.replace(rule, ""))
    page.locator("#levels .item.changed", has_text="unsolvable, expected 3 turns").wait_for()
    page.wait_for_timeout(600)  # the address has the text soon
    page.reload()  # the browser keeps them
    page.locator("#levels .item.changed", has_text="unsolvable, expected 3 turns").wait_for()
    summary.locator(".changes", has_text="of 8 not as expected").wait_for()
    summary.get_by_role("button", name="Forget").click()
    page.locator("#levels .item.changed").first.wait_for(state="detached")


def test_a_level_is_added_to_a_game_drawn_titled_and_saved(browser: Any, tmp_path: Path) -> None:
    """Nothing else in the file changes."""
    path = tmp_path / "shaft.txt"
    path.write_text(SHAFT, encoding="utf-8")
    with served(path) as address, shown(browser, address) as page:
        items = page.locator("#levels .item")
        page.locator("#levels", has_text="40 turns").wait_for()
        steps = page.locator("#undo, #redo")
        becomes(page, lambda: [each.is_disabled() for each in steps.all()], [True, True])
        items.nth(1).click()
        page.locator("#editor .cm-line", has_text="message Dig under it").wait_for()  # the source follows the list
        page.locator("#insert").click()
        becomes(page, items.count, 9)
        becomes(page, lambda: page.locator("#stage use[href='#brush1']").count(), 22)  # its border alone
        becomes(page, lambda: [each.is_disabled() for each in steps.all()], [False, True])
        assert items.nth(2).get_attribute("aria-current") == "true"
        for sign, column in (("p", 1), ("b", 3)):
            page.locator(f".brush[data-sign='{sign}']").click()
            paint(page, 1, column)
        items.nth(2).focus()
        page.keyboard.press("F2")
        page.keyboard.type("Mi")
        page.wait_for_timeout(500)  # the levels of the drawn text are read meanwhile
        page.keyboard.type("ne")
        page.keyboard.press("Enter")
        items.nth(2).locator(".name", has_text="Mine").wait_for()
        page.keyboard.press("Control+s")
        becomes(page, lambda: "message Mine" in path.read_text(encoding="utf-8"), True)
        page.locator("#levels .item.unsaved").first.wait_for(state="detached")
        title = page.locator("#editor .cm-line", has_text="#p.b..#")
        for place in range(3, 9):
            page.locator("#down").click()
            page.locator("#levels .item[aria-current]", has_text="Mine").and_(items.nth(place)).wait_for()
        title.wait_for()  # the source follows a level that is moved, after a reload, too
        page.reload()
        page.locator("#levels .item[aria-current]", has_text="Mine").and_(items.nth(8)).wait_for()
        title.wait_for()
        page.locator("#editor .cm-line", has_text="title Shaft").wait_for(state="detached")
    before, after = SHAFT.split("\n"), path.read_text(encoding="utf-8").split("\n")
    first = after.index("message Mine")
    count = len(after) - len(before)
    assert [*after[:first], *after[first + count :]] == before
    third = SHAFT[: SHAFT.index("message", SHAFT.index("Dig under it"))].count("\n")
    assert first == third
    rows = [each for each in after[first + 1 : first + count] if each]
    assert len({len(each) for each in rows}) == 1
    assert rows.count("#p.b..#") == 1
    titles = [entry.title for entry in load([str(path)])]
    assert titles[1:4] == ["Dig under it", "Mine", titles[3]]
    assert len(titles) == 9
