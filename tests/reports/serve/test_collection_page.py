"""A collection on the page: levels are changed in the list, and no text is lost, whatever happens to its file."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from command import start_server
from workbench import becomes, paint, says, served, shown

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.address import Address, listen
from puzzlemc.reports.serve.server import server

ONE = "#####\n#@$.#\n#####"
TWO = "######\n#@$ .#\n######"
FILE = f"Title: All\nAuthor: Ada\n\n{ONE}\nTitle: one\n\n{TWO}\nTitle: two\n\n{ONE}\nTitle: three\n"
HOLED = FILE.replace("#####\n#@$.#\n#####\nTitle: one", " ####\n#@$.#\n#####\nTitle: one")

WATCH = """
new MutationObserver(() => {
  if (document.querySelectorAll("#levels .item").length === 1000) window.listed ??= performance.now()
}).observe(document, { childList: true, subtree: true })
"""

SLOW = """
const ask = window.fetch
window.fetch = async (what, ...more) => {
  if (what === "edit") await new Promise(done => setTimeout(done, 250))
  return ask(what, ...more)
}
"""


def names(page: Any) -> list[str]:
    found: list[str] = page.locator("#levels .item .name").all_inner_texts()
    return found


def hole(page: Any) -> None:
    """Make the upper left cell of the open level floor."""
    page.locator(".brush[data-sign=' ']").click()
    paint(page, 0, 0)
    page.locator("#unsaved").wait_for()


def says_so(page: Any, words: str) -> None:
    page.locator("#toast", has_text=words).wait_for()


@contextmanager
def again_at(port: int, *levels: Path) -> Iterator[str]:
    """The address of a server at a port, or at any if it is 0."""
    start_server()
    with listen("127.0.0.1", port) as listening:
        address = Address(listening, "127.0.0.1")
        running = server(address, load([str(each) for each in levels]))
        thread = Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not running.started:
                time.sleep(0.01)
            yield address.page
        finally:
            running.should_exit = True
            thread.join()


def test_changes_of_the_list_and_strokes_are_undone_in_one_order(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(FILE)
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")
        hole(page)
        page.keyboard.press("Alt+Shift+Enter")
        becomes(page, lambda: names(page), ["one", "one", "two", "three"])
        page.locator("#file-name", has_text="some.xsb#2").wait_for()
        page.locator("#levels .item").nth(2).click()
        says(page, "2 pushes")
        page.locator("#levels .item").nth(2).press("F2")
        page.locator(".rename").fill("zwei")
        page.locator(".rename").press("Enter")
        becomes(page, lambda: names(page), ["one", "one", "zwei", "three"])
        page.locator("#about-level summary").click()
        page.locator("#level-comment").fill("to be\nmended")
        page.locator("#level-header").fill("Title: Others\nAuthor: Eve")
        page.locator("#level-header").blur()
        becomes(page, lambda: page.locator("#level-author").input_value(), "Eve")
        page.locator("#about-level summary").click()
        page.locator("#levels .item").nth(3).drag_to(
            page.locator("#levels .item").nth(0), target_position={"x": 5, "y": 5}
        )
        becomes(page, lambda: names(page), ["three", "one", "one", "zwei"])
        page.locator("#levels .item").nth(1).click(modifiers=["Control"])
        page.locator("#levels .item").nth(1).press("Delete")
        says_so(page, "2 levels removed")
        becomes(page, lambda: names(page), ["three", "one"])
        page.keyboard.press("Control+s")
        says_so(page, "Saved to some.xsb")
        assert (
            path.read_text() == f"Title: Others\nAuthor: Eve\n\n{ONE}\nTitle: three\n\n {ONE[1:]}\nTitle: one\n\n"
        )
        for expected in (["three", "one", "one", "zwei"], ["one", "one", "zwei", "three"]):
            page.locator("#undo").click()
            becomes(page, lambda: names(page), expected)
        page.locator("#about-level summary").click()
        becomes(page, lambda: page.locator("#level-header").input_value(), "Title: Others\nAuthor: Eve")
        page.locator("#undo").click()
        becomes(page, lambda: page.locator("#level-header").input_value(), "Title: All\nAuthor: Ada")
        page.locator("#undo").click()
        becomes(page, lambda: page.locator("#level-comment").input_value(), "")
        for expected in (["one", "one", "two", "three"], ["one", "two", "three"]):
            page.locator("#undo").click()
            becomes(page, lambda: names(page), expected)
        page.locator("#undo").click()
        page.locator("#undo[disabled]").wait_for()
        becomes(page, lambda: page.locator("#source").input_value().split("\n")[0], "#####")
        page.keyboard.press("Control+s")
        becomes(page, path.read_text, FILE)
        page.locator("#unsaved").wait_for(state="hidden")
        page.locator("#redo").click()
        page.locator("#unsaved").wait_for()
        page.keyboard.press("Control+s")
        becomes(page, path.read_text, HOLED)


def test_a_file_that_has_changed_outside_is_not_written_over(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(FILE)
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")
        theirs = FILE.replace("Title: two", "Title: zwei")
        path.write_text(theirs)  # nothing is changed here: it is taken
        becomes(page, lambda: names(page), ["one", "zwei", "three"])
        says_so(page, "has changed outside")
        page.locator("#undo").click()
        becomes(page, lambda: names(page), ["one", "two", "three"])
        page.keyboard.press("Control+y")
        becomes(page, lambda: names(page), ["one", "zwei", "three"])
        hole(page)
        path.write_text(theirs + "; more\n")
        page.keyboard.press("Control+s")
        page.locator("#outside", has_text="has changed outside: nothing was saved").wait_for()
        page.locator("#outside").evaluate("place => place.blur()")
        page.keyboard.press("Control+s")  # also once more, with the notice there
        page.locator("#outside:focus").wait_for()
        assert path.read_text() == theirs + "; more\n"
        page.locator("#outside button", has_text="Difference").click()
        page.locator("#difference[open]").wait_for()
        lines = page.locator("#difference .less, #difference .more").all_text_contents()
        assert [each.strip() for each in lines] == ["-######", "+ #####", "-; more"]
        page.locator("#difference button", has_text="Take theirs").click()
        page.locator("#outside").wait_for(state="hidden")
        page.locator("#unsaved").wait_for(state="hidden")
        page.locator("#undo").click()
        page.locator("#unsaved").wait_for()
        path.write_text(theirs)
        page.keyboard.press("Control+s")
        page.locator("#outside button", has_text="Keep mine").click()
        mine = theirs.replace(TWO, f" {TWO[1:]}")
        becomes(page, path.read_text, mine)
        page.locator("#unsaved").wait_for(state="hidden")
        path.unlink()
        page.locator("#outside", has_text="is gone").wait_for()
        page.locator("#outside button", has_text="Write it again").click()
        becomes(page, lambda: path.exists() and path.read_text(), mine)


def test_two_tabs_on_one_file_keep_a_draft_each_and_do_not_write_over_each_other(
    browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(FILE)
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")
        other = page.context.new_page()
        other.goto(address)
        says(other, "1 push")
        hole(page)
        other.keyboard.press("Alt+PageDown")
        says(other, "2 pushes")
        hole(other)
        for each, row in ((page, 1), (other, 2)):
            each.reload()
            each.locator(f"#levels .item:nth-child({row}).unsaved").wait_for()
            becomes(each, each.locator("#levels .item.unsaved").count, 1)
        page.keyboard.press("Control+s")
        says_so(page, "Saved to some.xsb")
        other.keyboard.press("Control+s")
        other.locator("#outside", has_text="has changed outside").wait_for()
        assert path.read_text() == HOLED
        other.close()
        page.reload()
        says(page, "1 push")
        page.locator("#outside", has_text="has changed outside").wait_for()  # what the closed tab had is here
        page.locator("#levels .item:nth-child(2).unsaved").wait_for()
        page.locator("#outside button", has_text="Take theirs").click()
        becomes(page, page.locator("#levels .item.unsaved").count, 0)


def test_changes_survive_the_end_of_the_server_and_a_level_with_faults_is_kept(
    browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(FILE)
    context = browser.new_context(viewport={"width": 1000, "height": 700}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(30_000)
    with again_at(0, path) as address:
        page.goto(address)
        says(page, "1 push")
        hole(page)
        page.keyboard.press("Alt+PageDown")
        says(page, "2 pushes")
        page.locator("#text").click()
        page.locator("#source").fill("nothing")
        page.locator("#levels .item:nth-child(2).unsaved").wait_for()
        page.keyboard.press("Control+s")
        says_so(page, "but not level 2")
        becomes(page, path.read_text, HOLED)
        page.keyboard.press("Alt+PageDown")
        page.locator("#file-name", has_text="some.xsb#3").wait_for()
        hole(page)
    page.keyboard.press("Control+s")
    says_so(page, "does not answer")
    port = int(re.findall(r":(\d+)/", address)[0])
    with again_at(port, path) as address:
        page.goto(address)
        says_so(page, "Your changes are restored")
        for row in (2, 3):
            page.locator(f"#levels .item:nth-child({row}).unsaved").wait_for()
        page.locator("#levels .item").nth(1).click()
        page.locator("#file-name", has_text="some.xsb#2").wait_for()
        becomes(page, lambda: page.locator("#source").input_value(), "nothing")
    context.close()


def test_a_text_that_is_typed_comes_into_its_own_level(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(FILE)
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")
        page.locator("#text").click()
        page.locator("#source").fill(f" {ONE[1:]}\nTitle: one")
        page.keyboard.press("Alt+PageDown")  # before the text has come
        page.locator("#levels .item:nth-child(1).unsaved").wait_for()
        says(page, "2 pushes")
        becomes(page, page.locator("#levels .item.unsaved").count, 1)
        page.locator("#source").fill(f" {TWO[1:]}\nTitle: two")
        page.keyboard.press("Control+s")  # also before
        page.locator("#unsaved").wait_for(state="hidden")
        becomes(page, path.read_text, HOLED.replace(TWO, f" {TWO[1:]}"))


@pytest.mark.slow
def test_what_is_said_about_a_level_is_kept_when_another_one_is_chosen_at_once(
    browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "some.xsb"
    path.write_text(FILE)
    with served(path) as address, shown(browser, address, SLOW) as page:
        says(page, "1 push")
        page.locator("#about-level summary").click()
        title, author = page.locator("#level-title"), page.locator("#level-author")
        title.fill("eins")
        title.press("Enter")
        page.keyboard.press("Alt+PageDown")
        page.locator("#file-name", has_text="some.xsb#2").wait_for()
        becomes(page, lambda: names(page), ["eins", "two", "three"])
        becomes(page, title.input_value, "two")
        author.fill("Eve")  # and the focus is in the field
        page.locator("#levels .item").nth(2).click()
        page.locator("#levels .item:nth-child(2).unsaved").wait_for()
        becomes(page, title.input_value, "three")
        page.wait_for_timeout(100)
        assert page.locator("#file-name").inner_text() == "some.xsb#3"
        assert page.locator("#levels .item[aria-current]").inner_text().startswith("three")
        title.fill("drei")  # and saved out of the field
        page.keyboard.press("Control+s")
        says_so(page, "Saved to some.xsb")
        one, two, three = "Title: one", "Title: two", "Title: three"
        becomes(
            page,
            path.read_text,
            FILE.replace(one, "Title: eins").replace(two, f"Author: Eve\n{two}").replace(three, "Title: drei"),
        )
        page.locator("#levels .item").nth(2).press("F2")
        page.locator(".rename").fill("other")
        page.locator(".rename").press("Escape")
        becomes(page, lambda: names(page), ["eins", "two", "drei"])
        page.locator("#levels .item").nth(2).press("F2")
        page.locator(".rename").fill("trois")
        page.locator(".rename").press("Control+s")
        becomes(page, lambda: "Title: trois" in path.read_text(), True)


@pytest.mark.slow
def test_a_thousand_levels_are_listed_at_once_and_those_in_sight_are_judged_first(
    browser: Any, tmp_path: Path
) -> None:
    path = tmp_path / "many.xsb"
    path.write_text("".join(f"{TWO if number % 2 else ONE}\nTitle: level {number}\n\n" for number in range(1000)))
    with served(path) as address, shown(browser, address, WATCH) as page:
        page.locator("#levels .item").nth(999).wait_for(state="attached")
        asked = (
            "performance.getEntriesByType('resource').find(each => each.name.endsWith('documents.json')).startTime"
        )
        took = page.evaluate(f"window.listed - {asked}")
        assert 0 < took < 3000  # with other tests beside
        says(page, "1 push")
        page.locator("#levels").evaluate("list => { list.scrollTop = list.scrollHeight }")
        page.locator("#levels .item").nth(999).locator(".good").wait_for()
        assert page.locator("#levels .item .good").count() < 900
        page.locator("#filter").fill("level 99")
        becomes(page, page.locator("#levels .item:not([hidden])").count, 11)


@pytest.mark.slow
def test_keys_after_a_click_in_the_list_are_for_its_level(browser: Any, tmp_path: Path) -> None:
    """A cell of the board was erased, and a title painted; levels moved where nobody saw it."""
    path = tmp_path / "some.xsb"
    path.write_text(FILE)
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")
        items = page.locator("#levels .item")
        items.nth(1).click()
        says(page, "2 pushes")
        items.nth(1).and_(page.locator(":focus")).wait_for()
        page.keyboard.press("F2")
        page.keyboard.type("of two")
        page.keyboard.press("Enter")
        becomes(page, lambda: names(page), ["one", "of two", "three"])
        items.nth(2).dblclick()
        page.locator(".rename").fill("last")
        page.keyboard.press("Enter")
        becomes(page, lambda: names(page), ["one", "of two", "last"])
        items.nth(1).click()
        says(page, "2 pushes")
        items.nth(1).and_(page.locator(":focus")).wait_for()
        page.keyboard.press("Delete")
        becomes(page, lambda: names(page), ["one", "last"])
        page.keyboard.press("Control+s")
        says_so(page, "Saved")
        assert path.read_text() == FILE.replace(f"{TWO}\nTitle: two\n\n", "").replace("three", "last")
        page.locator("#sort").select_option("cost")
        page.locator("#up[disabled]").wait_for()
        page.locator("#down[disabled]").wait_for()
        page.keyboard.press("Alt+Shift+PageUp")
        page.locator("#sort").select_option("file")
        page.locator("#up:not([disabled])").wait_for()
        items.nth(1).dblclick()
        page.locator(".rename").fill("first")  # after all changes that came before
        page.keyboard.press("Enter")
        becomes(page, lambda: "first" in names(page), True)
        assert names(page) == ["one", "first"]
