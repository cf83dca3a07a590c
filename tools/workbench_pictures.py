"""Makes the pictures of `docs/workbench.md`, and of a page that plays, with headless Chromium."""

import shutil
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.reports.serve.server import in_thread
from puzzlemc.reports.share.page import made

ROOT = Path(__file__).parents[1]
COLLECTION = ROOT / "screens" / "levels" / "sokoban" / "first_steps.xsb"
NARROW = (4, 2)  # a cell of the level "Take turns" without which it has no solution
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
    """Serve the page, and photograph it in some states, into a folder."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with in_thread(load([str(COLLECTION)])) as address:
            collection(browser, address, pictures)
        with in_thread() as address:
            draw(browser, address, pictures)
        browser.close()


def collection(browser: Any, address: str, pictures: Path) -> None:
    """A level of a collection that a stroke has made unsolvable."""
    page = browser.new_page(viewport={"width": 1200, "height": 680})
    page.goto(address)
    page.locator("#understood").click()
    page.locator("#levels .item", has_text="Take turns").click()
    settle(page, "6 pushes")
    page.locator(".brush[data-sign='#']").click()
    place = page.locator("#stage svg").bounding_box()
    row, column = NARROW
    cell = place["width"] / float(page.locator("#stage svg").get_attribute("viewBox").split()[2])
    page.mouse.click(place["x"] + (column + 0.5) * cell, place["y"] + (row + 0.5) * cell)
    settle(page, "was 6 pushes")
    page.locator("#levels .item:nth-child(12) .good").wait_for()
    page.locator("#suggest .card").first.wait_for()
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)
    photograph(page, pictures / "workbench.png")


def draw(browser: Any, address: str, pictures: Path) -> None:
    """The pictures: levels, changes of them, a game whose rules have changed, a walk, a telephone."""
    page = browser.new_page(viewport={"width": 1100, "height": 640})
    page.goto(address)
    page.locator("#understood").click()
    page.evaluate(PASTE, UNSOLVABLE)
    settle(page, "corner")
    page.locator("#suggest .card").first.wait_for()
    photograph(page, pictures / "workbench_draw.png")
    page.locator("#suggest .card").nth(1).hover()
    photograph(page, pictures / "workbench_repair.png")
    game = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")
    page.evaluate(PASTE, game)
    page.locator("#levels", has_text="40 turns").wait_for()
    page.evaluate(PASTE, game.replace("horizontal [ > Miner", "right [ > Miner"))
    page.locator("#suite .changes").wait_for()
    page.locator("#levels", has_text="…").wait_for(state="detached", timeout=60_000)
    photograph(page, pictures / "workbench_game.png")
    page = browser.new_page(viewport={"width": 1100, "height": 640})
    page.goto(address)
    page.locator("#understood").click()
    settle(page, "pushes")
    page.evaluate(PASTE, SOLVABLE)
    settle(page, "4 pushes")
    page.locator("[data-wish=lean]").click()
    page.locator("#suggest .card").nth(1).hover()
    page.locator(".difficulty").wait_for()
    photograph(page, pictures / "workbench_lean.png")
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
