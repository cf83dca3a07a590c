"""Walks through the workbench in headless Chromium as a designer would: `python tools/workbench_walk.py`.

It draws a level from nothing, sees why it cannot be solved, mends it, plays it, loses it, goes back, solves it,
shares it and saves it; then the same by keyboard alone; then it breaks a rule of a PuzzleScript game and mends it;
then it plays levels of that game, watches a solution, and comes back to the same level by its address.
Each step that was seen on the page is printed.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.server import in_thread

ROOT = Path(__file__).parents[1]
SHAFT = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")
ANY = "#####\n#@$.#\n#####\n"
PASTE = """text => {
  const data = new DataTransfer()
  data.setData("text", text)
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }))
}"""


def main() -> None:
    """All walks."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, walk in (("pointer", by_pointer), ("keys", by_keys), ("game", game), ("levels", levels)):
            path = Path(folder, f"{name}.xsb")
            path.write_text(ANY, encoding="utf-8")
            with in_thread(load(str(path)) if walk in {by_pointer, by_keys} else ()) as address:
                page = browser.new_page(viewport={"width": 1100, "height": 760})
                page.goto(address)
                print(f"-- {name}")
                walk(page, path)
                page.close()
        browser.close()


def by_pointer(page: Any, path: Path) -> None:
    """With a mouse."""
    seen(page, "the level of the file", "1 push")
    blank(page, lambda what: page.locator(what).click())

    def paint(brush: str, row: int, column: int, button: str = "left") -> None:
        page.locator(f".brush[data-sign='{brush}']").click()
        box = page.locator("#stage svg").bounding_box()
        cell = box["width"] / page.locator("#stage svg").evaluate("svg => svg.viewBox.baseVal.width")
        page.mouse.click(box["x"] + (column + 0.5) * cell, box["y"] + (row + 0.5) * cell, button=button)

    for brush, row, column in (("@", 2, 2), (".", 2, 4), ("$", 1, 1)):
        paint(brush, row, column)
    seen(page, "unsolvable, with the reason", "corner")
    page.locator("rect.ring").wait_for()
    print("   a ring around the box")
    paint("$", 1, 1, "right")
    paint("$", 2, 3)
    seen(page, "mended", "the least")
    page.locator("#play-mode").click()
    play(page, page.keyboard.press, lambda what: page.locator(what).click())
    page.locator("#draw-mode").click()
    finish(page, path, lambda: page.locator("#save").click())


def by_keys(page: Any, path: Path) -> None:
    """With the keyboard alone: Tab goes to everything."""

    def enter(what: str) -> None:
        for _ in range(80):
            if page.evaluate("what => Boolean(document.activeElement?.closest(what))", what):
                page.keyboard.press("Enter")
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {what}")

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    seen(page, "the level of the file", "1 push")
    blank(page, enter)
    for _ in range(80):
        if page.evaluate("document.activeElement?.closest('#stage svg') !== null"):
            break
        press("Tab")
    press(*["ArrowLeft"] * 8, *["ArrowUp"] * 8)
    press("ArrowDown", "ArrowRight", "b", " ")  # a box in the corner
    press("ArrowDown", "ArrowRight", "p", " ", "ArrowRight", "ArrowRight", "g", " ")
    seen(page, "unsolvable, with the reason", "corner")
    page.locator("rect.ring").wait_for()
    print("   a ring around the box")
    press("ArrowLeft", "b", " ", "ArrowUp", "ArrowLeft", "ArrowLeft", "Backspace")
    seen(page, "mended", "the least")
    press("Control+Enter")
    play(page, page.keyboard.press, enter)
    press("Control+Enter")
    finish(page, path, lambda: press("Control+s"))


def blank(page: Any, click: Callable[[str], None]) -> None:
    """An empty room of six rows and eight columns."""
    click("#tools summary")
    for edge in ("bottom", "right"):
        for _ in range(3):
            click(f"button[aria-label='{edge}: one more']")
    click("button[title^='Clear the board, and put walls']")
    seen(page, "an empty room", "found no player")


def play(page: Any, press: Callable[[str], None], click: Callable[[str], None]) -> None:
    """Lose, go back, ask for a hint, and let it be solved."""
    seen(page, "play", "1 push to go")
    for _ in range(3):
        press("ArrowRight")
    seen(page, "lost", "Lost since move 3")
    press("h")
    seen(page, "no hint", "No hint")
    click("button[title^='Take back all moves from']")
    seen(page, "gone back", "1 push to go")
    press("h")
    seen(page, "hint", "then push left")
    page.locator("#stage .hint-to").wait_for()
    print("   the box of the hint, and its next square, on the board")
    press("s")
    seen(page, "solved", "Solved")
    press("Control+z")
    seen(page, "taken back", "1 push to go")


def finish(page: Any, path: Path, save: Callable[[], None]) -> None:
    """The link in a second tab, and the file."""
    seen(page, "drawn again", "1 push")
    page.wait_for_timeout(400)
    with page.context.expect_page() as opened:
        page.evaluate("open(location.href)")
    seen(opened.value, "the link in a second tab", "1 push")
    opened.value.close()
    save()
    page.locator("#toast", has_text=path.name).wait_for()
    print(f"   saved: {path.read_text(encoding='utf-8')!r}")


def game(page: Any, _: Path) -> None:
    """A rule is broken, levels fail, and it is mended."""
    seen(page, "the level of the first visit", "Solvable")
    page.evaluate(PASTE, SHAFT)
    strip(page, "the levels of the game", "40 turns")
    page.evaluate(PASTE, SHAFT.replace("horizontal [ > Miner", "right [ > Miner"))
    page.locator("#suite .changes").wait_for()
    page.locator("#levels", has_text="…").wait_for(state="detached", timeout=60_000)
    print(f"   a rule is broken: {page.locator('#suite .changes').inner_text()}")
    for each in page.locator("#levels .item.changed").all():
        print(f"     {' | '.join(each.inner_text().split(chr(10)))}")
    page.evaluate(PASTE, SHAFT)
    strip(page, "mended", "40 turns")
    seen(page, "its first level", "3 turns")


def levels(page: Any, _: Path) -> None:
    """A fault in a rule, and levels that are played by clicks, a swipe and buttons, and watched."""
    seen(page, "the level of the first visit", "Solvable")
    page.evaluate(PASTE, SHAFT)
    strip(page, "the levels of the game", "40 turns")
    page.locator("#levels .item").nth(1).click()
    seen(page, "the second level", "5 turns")
    page.evaluate(PASTE, SHAFT.replace("[ > Miner | Soil ]", "[ > Miner | Sol ]"))
    seen(page, "a fault in a rule", "Line 97, column 13: found 'sol'")
    page.evaluate(PASTE, SHAFT)
    seen(page, "mended: the same level", "5 turns")
    page.locator("#play-mode").click()
    seen(page, "play", "5 turns to go")
    page.locator("#levels .item").nth(0).click()
    seen(page, "another level, in Play", "3 turns to go")
    before = page.locator(".pad").bounding_box()
    board = page.locator("#stage svg").bounding_box()
    cell = board["width"] / page.locator("#stage svg").evaluate("svg => svg.viewBox.baseVal.width")
    page.mouse.click(board["x"] + 2.5 * cell, board["y"] + 1.5 * cell)
    seen(page, "a click beside the player", "1 turn so far")
    page.mouse.move(board["x"] + 3.2 * cell, board["y"] + 2.5 * cell)
    page.mouse.down()
    page.mouse.move(board["x"] + 3.9 * cell, board["y"] + 2.5 * cell)
    page.mouse.up()
    seen(page, "a swipe", "2 turns so far")
    page.locator(".pad-left").click()
    seen(page, "a button", "3 turns so far")
    assert page.locator(".pad").bounding_box() == before
    page.locator("#draw-mode").click()
    seen(page, "drawn again", "the least")
    strip(page, "the levels are still there", "40 turns")
    page.locator("#levels .item").nth(3).click()
    seen(page, "a level without a solution", "can never hold")
    page.locator("#levels .item").nth(2).click()
    seen(page, "the third level", "12 turns")
    page.get_by_text("Watch the solution").click()
    page.locator(".timeline", has_text="Move 12 of 12").wait_for()
    for name, step in (("A move back", 11), ("To the start", 0), ("A move forward", 1), ("To the end", 12)):
        page.get_by_role("button", name=name).click()
        page.locator(".timeline", has_text=f"Move {step} of 12").wait_for()
    seen(page, "watched, back and forward", "Solved")
    page.wait_for_timeout(400)
    page.reload()
    seen(page, "the page anew", "12 turns")


def strip(page: Any, what: str, words: str) -> None:
    """Wait until the list of levels says something."""
    page.locator("#levels", has_text=words).wait_for(timeout=60_000)
    print(f"   {what}: {words}")


def seen(page: Any, what: str, words: str) -> None:
    """Wait until the verdict says something."""
    place = page.locator("#verdict", has_text=words)
    place.wait_for(timeout=30_000)
    print(f"   {what}: {' · '.join(filter(None, place.inner_text().split(chr(10))))}")


if __name__ == "__main__":
    main()
