"""What is not saved is kept by the browser until it is, whichever tab shows it."""

from pathlib import Path
from typing import Any

import pytest
from command import CORNERED, ONE_PUSH
from workbench import becomes, paint, says, served, shown

KEPT = """() => Object.entries(localStorage).filter(([key]) => key.startsWith("puzzlemc:draft:"))
  .map(([, text]) => JSON.parse(text).about.puzzle).sort()"""


@pytest.mark.slow
def test_new_collections_of_a_tab_that_is_closed_are_in_the_next_ones(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        for puzzle, words in (("sokoban", "5 pushes"), ("folding", "5 moves")):
            page.locator("#puzzle").select_option(puzzle)
            says(page, words)
            page.keyboard.press("Alt+Shift+Enter")
            becomes(page, lambda: len(page.evaluate(KEPT)), 1 + (puzzle == "folding"))
        page.close()
        for _ in range(2):  # the drafts of a tab that is closed are this tab's from now on
            other = page.context.new_page()
            for _ in range(2):
                other.goto(address)
                becomes(other, other.locator("#levels .item").count, 4)
                assert other.evaluate(KEPT) == ["folding", "sokoban"]
            other.close()


def test_a_draft_is_that_of_a_tab_as_long_as_it_is_open_and_stays_if_it_cannot_be_read(
    browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(f"{ONE_PUSH}\n")
    second = tmp_path / "second.xsb"
    second.write_text(f"{CORNERED}\n")
    with served(path, second) as address, shown(browser, address) as page:
        says(page, "1 push")
        other = page.context.new_page()
        other.goto(address)
        other.locator("#levels .item").last.click()
        says(other, "Unsolvable")
        other.locator(".brush[data-sign=' ']").click()
        paint(other, 0, 0)
        becomes(other, lambda: other.evaluate(KEPT), ["sokoban"])
        # One of a puzzle that is not known to this server.
        other.evaluate("""() => {
            const [, text] = Object.entries(localStorage).find(([key]) => key.startsWith("puzzlemc:draft:"))
            const draft = { ...JSON.parse(text), name: "", about: { name: "", puzzle: "other", number: -1 } }
            localStorage.setItem("puzzlemc:draft:ended:new 1", JSON.stringify(draft))
        }""")
        page.locator("#levels .item").last.click()
        says(page, "Unsolvable")
        assert page.locator("#levels .item.unsaved").count() == 0
        other.close()
        page.reload()
        page.locator("#levels .item.unsaved").wait_for()
        becomes(page, lambda: page.evaluate(KEPT), ["other", "sokoban"])
