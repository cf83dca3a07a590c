"""A game on the workbench: its source, its faults, its levels."""

from typing import Any

from places import ROOT
from workbench import becomes, paste, says

THAW = (ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt").read_text(encoding="utf-8")
RULE = "late [ Keeper Skin ] -> [ Keeper Crack ]"
FAULTY = RULE.replace("Skin", "Skim")


def test_a_fault_off_the_screen_is_shown_by_a_click_on_its_place(page: Any) -> None:
    paste(page, THAW)
    says(page, "Solvable")
    page.locator("#editor .cm-content").wait_for()
    assert page.locator("#editor .cm-line", has_text="late [ Keeper").count() == 0  # it is far below
    paste(page, THAW.replace(RULE, FAULTY))
    says(page, "There is a fault")
    assert page.locator("#play-mode").get_attribute("title") == "There is a fault in the text"
    line = 1 + THAW.split("\n").index(RULE)
    page.locator("#verdict .goto", has_text=f"Line {line}, column 15").click()
    page.locator("#editor .cm-activeLine", has_text=FAULTY).wait_for()
    page.keyboard.type("Skin")
    for _ in range(4):
        page.keyboard.press("Delete")
    says(page, "Solvable")
    becomes(page, lambda: page.locator("#editor .cm-activeLine").inner_text(), RULE)
