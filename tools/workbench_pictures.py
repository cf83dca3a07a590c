"""Makes the pictures of `docs/workbench.md`, and of a page that plays, with headless Chromium."""

import shutil
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.reports.serve.server import in_thread
from puzzlemc.reports.share.page import made

ROOT = Path(__file__).parents[1]
UNSOLVABLE = """\
#########
#   #   #
# $   . #
#   #$  #
## ###  #
#   @ . #
#########"""
SOLVABLE = """\
########
#   #  #
#  $ . #
# # $  #
#  @ . #
########"""
PASTE = """text => {
  const data = new DataTransfer()
  data.setData("text", text)
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }))
}"""


def make(pictures: Path) -> None:
    """Serve the page, and photograph it in four states, into a folder."""
    with in_thread() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        draw(browser, address, pictures)
        browser.close()


def draw(browser: Any, address: str, pictures: Path) -> None:
    """The pictures: an unsolvable level, a game whose rules have changed, a walk, a telephone."""
    page = browser.new_page(viewport={"width": 1100, "height": 640})
    page.goto(address)
    page.locator("#understood").click()
    page.evaluate(PASTE, UNSOLVABLE)
    settle(page, "corner")
    photograph(page, pictures / "workbench_draw.png")
    game = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")
    page.evaluate(PASTE, game)
    page.locator("#levels", has_text="40 turns").wait_for()
    page.evaluate(PASTE, game.replace("horizontal [ > Miner", "right [ > Miner"))
    page.locator("#suite .changes").wait_for()
    page.locator("#levels", has_text="…").wait_for(state="detached", timeout=60_000)
    photograph(page, pictures / "workbench_game.png")
    page.locator("#puzzle").select_option("sokoban")
    settle(page, "Unsolvable")
    page.evaluate(PASTE, SOLVABLE)
    settle(page, "pushes")
    page.locator("#play-mode").click()
    page.keyboard.press("e")
    page.locator(".ways button").first.wait_for()
    for key in ("ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    page.locator(".ways .bad").first.wait_for()
    photograph(page, pictures / "workbench_explore.png")
    phone = browser.new_page(viewport={"width": 390, "height": 700}, color_scheme="dark")
    phone.goto(address)
    phone.locator("#understood").click()
    settle(phone, "pushes")
    phone.locator("#play-mode").click()
    settle(phone, "to go")
    for key in ("ArrowLeft", "ArrowUp", "ArrowUp"):
        phone.keyboard.press(key)
    phone.locator("#stage .ring").first.wait_for()
    settle(phone, "Lost")
    photograph(phone, pictures / "workbench_play.png")
    with TemporaryDirectory() as folder:
        place = Path(folder, "level.html")
        rules = puzzle("sokoban")
        level = rules.screen.parse(f"; Two crates\n{SOLVABLE}", "levels")[0]
        place.write_text(made(Entry("levels#1", level.title, rules, level), "pushes", None, 1.0), encoding="utf-8")
        phone.goto(place.as_uri())
        for key in ("ArrowUp", "ArrowLeft", "ArrowUp", "ArrowUp"):
            phone.keyboard.press(key)
        phone.locator("#state", has_text="Lost since").wait_for()
        photograph(phone, pictures / "page_lost.png")


def photograph(page: Any, to: Path) -> None:
    """A picture of the page with few colours, which is small."""
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(96, dither=Image.Dither.NONE).save(to, optimize=True)


def settle(page: Any, words: str) -> None:
    """Wait until the verdict says something, and for the rest of the page."""
    page.locator("#verdict", has_text=words).wait_for()
    page.wait_for_timeout(500)
