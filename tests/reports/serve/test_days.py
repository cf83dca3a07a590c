"""Whole days of people who work with the page, in Chromium and in Firefox; and a short one in Firefox.

The whole days take twelve seconds of processor time each. Other tests look at each of their parts, in Chromium.
"""

from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from workbench import becomes, drag, paint, says, served, shown

HEADER = "; Cellar, by Ada\r\n; kept as it is: \t{odd}  \r\n\r\n"
LAST = "#####\r\n#@$.#\r\n#####\r\nTitle: Two\r\nComment: the last\r\n\r\n"
ROWS = ["########", "#      #", "# @$ . #", "#      #", "########"]
FIRST = "\r\n".join([*ROWS, "Title: One", "A line that no reader knows", "", "", ""])


@pytest.fixture(params=["browser", "firefox"])
def any_browser(request: pytest.FixtureRequest) -> Any:
    """Each browser that is installed."""
    return request.getfixturevalue(request.param)


def rows(page: Any) -> list[str]:
    """The rows of the level on the page."""
    text: str = page.locator("#source").input_value()
    return [line for line in text.split("\n") if line.startswith(("#", " "))]


def test_firefox_draws_undoes_saves_and_plays(firefox: Any, tmp_path: Path) -> None:
    path = tmp_path / "cellar.xsb"
    path.write_bytes(LAST.encode())
    with served(path) as address, shown(firefox, address) as page:
        says(page, "1 push")
        page.keyboard.press("f")
        paint(page, 0, 2)
        becomes(page, lambda: rows(page)[0], "## ##")
        page.keyboard.press("Control+z")
        becomes(page, lambda: rows(page)[0], "#####")
        page.locator("#about-level summary").click()
        page.locator("#level-title").fill("One push")
        page.keyboard.press("Enter")
        becomes(page, lambda: page.locator("#levels .item .name").first.inner_text(), "One push")
        page.keyboard.press("Control+s")
        page.locator("#toast", has_text="Saved to cellar.xsb").wait_for()
        assert path.read_bytes() == LAST.replace("Two", "One push").encode()
        page.keyboard.press("Control+Enter")
        says(page, "1 push to go")
        page.keyboard.press("s")
        says(page, "Solved")


@pytest.mark.slow
def test_a_designer_makes_three_levels_of_a_collection(any_browser: Any, tmp_path: Path) -> None:
    """Opened, drawn by copies, titled, put in order, played, saved byte for byte, and shared."""
    path = tmp_path / "cellar äöü.xsb"
    path.write_bytes((HEADER + FIRST + LAST).encode())
    with served(path) as address, shown(any_browser, address) as page:
        press, names = page.keyboard.press, page.locator("#levels .item .name")
        says(page, "2 pushes")
        becomes(page, names.all_inner_texts, ["One", "Two"])
        # A copy of the whole board goes to three new levels.
        press("Control+a")
        press("Control+c")
        for number, (brush, row, column, cost) in enumerate(((".", 1, 5, 3), ("#", 1, 4, 2), (" ", 3, 3, 2))):
            press("Alt+Enter")
            becomes(page, names.count, 3 + number)
            press("Control+a")
            press("Control+v")
            becomes(page, lambda: rows(page), ROWS)
            press("Escape")
            press("Alt+p")
            if brush == ".":  # the goal goes elsewhere
                press("f")
                paint(page, 2, 5)
                press("g")
                paint(page, row, column)
            elif brush == "#":
                press("w")
                paint(page, row, column)
            else:  # both goal and box go: the part with them is selected and moved
                page.locator(".tool[data-tool=select]").click()
                drag(page, (2, 3), (2, 5))
                drag(page, (2, 4), (row, 4))
                press("Escape")
            says(page, f"{cost} pushes")
            page.locator("#about-level summary").click()
            page.locator("#level-title").fill(f"Variant {number + 1}")
            press("Enter")
            page.locator("#about-level summary").click()
            becomes(page, lambda: names.nth(1 + number).inner_text(), f"Variant {number + 1}")  # noqa: B023
        press("Alt+Shift+PageUp")
        becomes(page, names.all_inner_texts, ["One", "Variant 1", "Variant 3", "Variant 2", "Two"])
        assert path.read_bytes() == (HEADER + FIRST + LAST).encode()  # nothing is written before
        press("Control+s")
        page.locator("#toast", has_text="Saved to cellar äöü.xsb").wait_for()
        text = path.read_bytes().decode()
        assert text.startswith(HEADER + FIRST.rstrip())
        assert text.endswith(LAST)
        assert text.replace("\r\n", "").count("\n") == 0
        assert (tmp_path / "cellar äöü.xsb.bak").read_bytes() == (HEADER + FIRST + LAST).encode()
        # Played to its end, and the next one after it.
        press("Alt+PageDown")
        page.locator("#file-name", has_text="#4").wait_for()
        press("Control+Enter")
        says(page, "2 pushes to go")
        press("s")
        says(page, "Solved")
        press("Control+Enter")
        # Undo leads back to the collection of before, and Save to its bytes.

        def undone() -> bool:
            press("Control+z")
            disabled: bool = page.locator("#undo").is_disabled()
            return disabled

        becomes(page, undone, True)
        becomes(page, names.all_inner_texts, ["One", "Two"])
        press("Control+s")
        page.locator("#unsaved").wait_for(state="hidden")
        assert path.read_bytes() == (HEADER + FIRST + LAST).encode()
        page.locator("#levels .item").first.click()
        says(page, "2 pushes")
        with page.expect_download() as started:
            page.locator("#share").click()
        assert started.value.suggested_filename.startswith("one")
        made = page.evaluate("async address => (await fetch(address)).text()", started.value.url)
        (tmp_path / "shared.html").write_text(made, encoding="utf-8")
    with shown(any_browser, (tmp_path / "shared.html").as_uri(), viewport={"width": 390, "height": 780}) as page:
        becomes(page, page.title, "One")
        for key in ("ArrowRight", "ArrowRight"):
            page.keyboard.press(key)
        page.get_by_text("Solved").first.wait_for()


@pytest.mark.slow
def test_an_author_mends_a_rule_and_adds_a_level(any_browser: Any, tmp_path: Path) -> None:
    """The game is opened, a rule broken and mended, a level added; the file is saved, and opened again."""
    path = tmp_path / "shaft.txt"
    source = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")
    path.write_text(source, encoding="utf-8")
    rule = next(line for line in source.split("\n") if line.startswith("horizontal ["))
    with served(path) as address, shown(any_browser, address) as page:
        items = page.locator("#levels .item")
        page.locator("#levels", has_text="40 turns").wait_for()
        line = page.locator("#editor .cm-line", has_text=rule).first

        def in_sight() -> bool:  # the editor draws no other lines
            page.locator("#editor .cm-scroller").evaluate("place => place.scrollBy(0, 200)")
            return bool(line.count())

        becomes(page, in_sight, True)
        line.click()
        page.keyboard.press("End")
        page.keyboard.type(" Soul")
        says(page, "There is a fault")
        assert items.count() == 8  # the levels stay
        for _ in " Soul":
            page.keyboard.press("Backspace")
        says(page, "Solvable")
        page.keyboard.press("Home")
        for _ in "horizontal":  # now a miner falls sideways no more
            page.keyboard.press("Delete")
        page.keyboard.type("right")
        page.locator("#suite", has_text="verdicts changed").wait_for()
        while (before := page.locator("#source").input_value()) != source:
            page.keyboard.press("Control+z")
            becomes(page, lambda: page.locator("#source").input_value() != before, True)
        page.locator("#unsaved").wait_for(state="hidden")
        page.locator("#suite .changes").wait_for(state="detached")
        items.first.click()
        page.locator("#duplicate").click()
        becomes(page, items.count, 9)
        page.keyboard.press("Control+s")
        page.locator("#toast", has_text="Saved to shaft.txt").wait_for()
        page.reload()
        becomes(page, items.count, 9)
        items.nth(8).locator(".is", has_text="turns").wait_for()
    after = path.read_text(encoding="utf-8")
    first = source[source.index("message Down it goes") : source.index("message Dig under it")]
    assert after == source.replace(first, first + first)
    assert (tmp_path / "shaft.txt.bak").read_text(encoding="utf-8") == source


def test_a_level_that_is_chosen_before_the_first_one_is_there_is_shown(browser: Any) -> None:
    eager = """new MutationObserver((changes, observer) => {
      const [, second] = document.querySelectorAll("#levels .item")
      if (!second) return
      observer.disconnect()
      queueMicrotask(() => second.click())
    }).observe(document, { childList: true, subtree: true })"""
    levels = ROOT / "screens" / "levels" / "sokoban" / "first_steps.xsb"
    with served(levels) as address, shown(browser, address, eager) as page:
        page.locator("#file-name", has_text="first_steps.xsb#2").wait_for()
        page.locator("#levels .item:nth-child(2)[aria-current=true]").wait_for()
        says(page, "2 pushes")
