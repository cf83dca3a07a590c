"""Walks through the workbench by mouse, and again by keys alone: `python tools/workbench_walk.py`.

A level is drawn from nothing, is unsolvable, is mended, played, lost and solved, shared and saved; then a rule of
a game is broken and mended. The script prints each step with its seconds, and ends with an error where one fails.
"""

import shutil
import threading
import time
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.listening import Address, listen
from puzzlemc.reports.serve.server import server

ROOT = Path(__file__).parents[1]
GAME = ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt"
RULE = "horizontal [ > Miner"
DRAWN = ["########", "#      #", "#      #", "# @$ . #", "#      #", "#      #", "########"]
BEFORE = "########\n#@ $ . #\n#      #\n#      #\n#      #\n#      #\n########\n"


class Walk:
    """One page, used by mouse or by keys."""

    def __init__(self, page: Any, *, by_keys: bool) -> None:
        self.page = page
        self._by_keys = by_keys
        self._at = (0, 0)

    def use(self, title: str) -> None:
        """Use the button with this title."""
        if not self._by_keys:
            self.page.locator(f"button[title^='{title}'],summary[title^='{title}']").first.click()
            return
        self._tab_to(f"(document.activeElement.title || '').startsWith({title!r})")
        self.page.keyboard.press("Enter")

    def paint(self, brush: str, row: int, column: int) -> None:
        """Paint a cell with the brush of this letter; without a letter, erase it."""
        if self._by_keys:
            self._tab_to("document.activeElement.getAttribute('role') === 'application'")
            if brush:
                self.page.keyboard.press(brush)
            down, right = row - self._at[0], column - self._at[1]
            for _ in range(abs(down)):
                self.page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
            for _ in range(abs(right)):
                self.page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
            self._at = (row, column)
            self.page.keyboard.press(" " if brush else "Backspace")
            return
        if brush:
            self.page.locator(f".brush[title$='({brush.upper()})']").click()
        box = self.page.locator("#stage svg").bounding_box()
        cell = box["width"] / len(DRAWN[0])
        place = box["x"] + (column + 0.5) * cell, box["y"] + (row + 0.5) * cell
        self.page.mouse.click(*place, button="left" if brush else "right")

    def says(self, words: str, where: str = "#verdict") -> None:
        """Wait until the page says this."""
        self.page.locator(where, has_text=words).first.wait_for()

    def go_to_rule(self) -> None:
        """Put the cursor at the beginning of the rule in the editor."""
        if self._by_keys:
            self._tab_to("document.activeElement.id === 'editor'")
            self.page.keyboard.press("Control+Home")
            lines = GAME.read_text(encoding="utf-8").split("\n")
            for _ in range(next(at for at, line in enumerate(lines) if line.startswith(RULE))):
                self.page.keyboard.press("ArrowDown")
            return
        line = self.page.locator(".cm-line", has_text=RULE)
        self.page.locator("#editor").hover()
        for _ in range(100):  # only the lines in sight are in the page
            if line.count():
                break
            self.page.mouse.wheel(0, 120)
            self.page.wait_for_timeout(20)
        line.click()
        self.page.keyboard.press("Home")

    def _tab_to(self, test: str) -> None:
        for _ in range(80):
            if self.page.evaluate(test):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no control that is reached by Tab: {test}")


def walk(walk: Walk, address: str, file: Path) -> None:
    """The steps, each with its seconds."""
    page, began = walk.page, time.monotonic()

    def done(what: str) -> None:
        nonlocal began
        print(f"  {time.monotonic() - began:5.2f} s  {what}", flush=True)
        began = time.monotonic()

    page.goto(address)
    walk.says("Solvable")
    done("the page is there")
    walk.use("Size, shift")
    walk.use("Clear the board, and put walls")
    for brush, row, column in (("p", 3, 2), ("g", 3, 5), ("b", 1, 1)):
        walk.paint(brush, row, column)
    walk.says("corner")
    page.locator("rect.ring").wait_for()
    done("drawn from nothing: unsolvable, with its core")
    walk.paint("", 1, 1)
    walk.paint("b", 3, 3)
    walk.says("2 pushes")
    done("mended: solvable")
    walk.use("Write the level back")
    walk.says("Saved", "#toast")
    assert file.read_text(encoding="utf-8").rstrip().split("\n") == DRAWN
    done("saved to its file")
    walk.use("Play the level")
    walk.says("to go")
    for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    walk.says("Lost since move 4")
    done("played and lost")
    walk.use("Take back all moves from move 4")
    walk.says("Still solvable")
    done("gone back")
    walk.use("The next moves")
    walk.says("Next:")
    done("a hint")
    walk.use("Play a shortest solution")
    walk.says("Solved")
    done("solved")
    walk.use("Copy the address")
    walk.says("copied", "#toast")
    link = page.evaluate("navigator.clipboard.readText()")
    other = page.context.new_page()
    other.goto(link)
    Walk(other, by_keys=False).says("2 pushes")
    other.close()
    done("shared: the link is the level in a second tab")
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = packed.compress(GAME.read_bytes()) + packed.flush()
    page.goto("about:blank")
    page.goto(f"{address}#puzzlescript:{urlsafe_b64encode(text).decode().rstrip('=')}")
    walk.says("40 turns", "#strip")
    done("a game: all its levels are judged")

    walk.go_to_rule()
    page.keyboard.press("Shift+End")
    page.keyboard.press("Delete")
    walk.says("unsolvable, was 3 turns", "#strip")
    walk.says("verdicts changed", "#strip")
    done("a rule is broken: which levels fail")
    page.keyboard.press("Control+z")
    walk.says("3 turns, was unsolvable", "#strip")
    done("mended")


def main() -> None:
    """Serve a collection of one level, and walk twice."""
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for by_keys in (False, True):
            print("by keys" if by_keys else "by mouse")
            file = Path(folder, "level.xsb")
            file.write_text(BEFORE, encoding="utf-8")
            with listen("127.0.0.1", 0) as listening:
                at = Address(listening, "127.0.0.1")
                running = server(at, load(str(file)))
                thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
                thread.start()
                while not running.started:
                    time.sleep(0.01)
                try:
                    context = browser.new_context(viewport={"width": 1300, "height": 760})
                    context.grant_permissions(["clipboard-read", "clipboard-write"])
                    page = context.new_page()
                    page.set_default_timeout(15_000)
                    page.add_init_script("localStorage.setItem('puzzlemc:seen', 'yes')")
                    walk(Walk(page, by_keys=by_keys), at.page, file)
                    context.close()
                finally:
                    running.should_exit = True
                    thread.join()
        browser.close()


if __name__ == "__main__":
    main()
