"""Measures the workbench in headless Chromium, as its user feels it.

    python benchmarks/workbench.py start [--runs 10]
    python benchmarks/workbench.py edits ../shared/levels/sokoban/microban1.xsb
    python benchmarks/workbench.py edits ../shared/levels/sokoban/boxoban_medium_100.xsb

`start` starts `puzzlemc serve` while the browser runs. The times are from the start of the process until it has
printed the address, the page has its board, and the first verdict is there.

`edits` opens levels of a file, and paints one square of each with the mouse. The times are from the press of the
button to the verdict on the page. Edits after which there is no level are not counted.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import sync_playwright

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.server import in_thread

PROGRAM = [sys.executable, "-m", "puzzlemc"]
# In the page: the times at which the board and each verdict appear, in milliseconds since 1970.
WATCH = """() => {
  const seen = window.seen = { board: 0, verdict: 0, pressed: 0 }
  for (const name of ["pointerdown", "paste"]) addEventListener(name, event => {
    seen.pressed = performance.timeOrigin + event.timeStamp
    seen.verdict = 0
  }, { capture: true })
  const look = changes => {
    const now = performance.timeOrigin + performance.now()
    if (!seen.board && document.querySelector("#stage svg use, #stage svg rect")) seen.board = now
    const head = document.querySelector("#verdict h2")?.textContent ?? "Searching"
    const said = changes.some(({ target }) => target.id === "verdict")  // not what it said before
    if (said && !seen.verdict && !head.startsWith("Searching")) seen.verdict = now
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
}"""
MOST_EDITS = 3  # for each one that leaves a level
PASTE = """text => {
  const data = new DataTransfer()
  data.setData("text", text)
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }))
}"""


def main() -> None:
    """One of the two measurements."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["start", "edits"])
    parser.add_argument("levels", nargs="?", type=Path)
    parser.add_argument("--runs", type=int, default=0, metavar="N", help="starts, or edits (10, or 50)")
    chosen = parser.parse_args()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        try:
            if chosen.what == "start":
                starts(browser, chosen.runs or 10)
            else:
                edits(browser, chosen.levels, chosen.runs or 50)
        finally:
            browser.close()


def starts(browser: Any, runs: int) -> None:
    """Start the program again and again."""
    found: list[tuple[float, float, float]] = []
    for _ in range(runs):
        page = browser.new_page(viewport={"width": 1100, "height": 760}, bypass_csp=True)
        page.add_init_script(f"({WATCH})()")
        began = time.time()
        process = subprocess.Popen(
            [*PROGRAM, "serve", "--no-browser", "--port", "0"], stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            printed = time.time()
            page.goto(address, wait_until="commit")
            page.wait_for_function("window.seen?.verdict", polling=50)
            seen = page.evaluate("window.seen")
        finally:
            process.terminate()
            process.wait()
            page.close()
        times = printed - began, seen["board"] / 1000 - began, seen["verdict"] / 1000 - began
        found.append(times)
        print("  ".join(f"{each:.2f}" for each in times), flush=True)
    for name, values in zip(("address", "board", "verdict"), zip(*found, strict=True), strict=True):
        say(name, values)


def edits(browser: Any, path: Path, runs: int) -> None:
    """Edit levels of a file, one after another, each once."""
    page = browser.new_page(viewport={"width": 1100, "height": 760}, bypass_csp=True)
    page.add_init_script(f"({WATCH})()")
    levels = [each.text or "" for each in load(str(path))]
    random = Random(1)
    found: list[float] = []
    with in_thread() as address:
        page.goto(address)
        page.wait_for_function("window.seen?.verdict")
        for number in range(MOST_EDITS * runs):
            if len(found) == runs:
                break
            page.evaluate(PASTE, levels[number % len(levels)])
            page.wait_for_function("window.seen.verdict", timeout=90_000)
            head, took = edit(page, random)
            if head in {"Solvable", "Unsolvable", "Not decided"}:
                found.append(took)
                print(f"{head} {took:.0f} ms", flush=True)
    page.close()
    say("from the edit to the verdict, ms", found)


def edit(page: Any, random: Random) -> tuple[str, float]:
    """Paint a wall on a random square, or floor on a wall; returns the verdict and the milliseconds until it."""
    svg = page.locator("#stage svg")
    columns, rows = svg.evaluate("svg => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]")
    row, column = random.randrange(1, rows - 1), random.randrange(1, columns - 1)
    walls = "#brush1"  # the cells with the sign of the second brush
    is_wall = svg.locator(f"use[x='{column}'][y='{row}']").get_attribute("href") == walls
    page.locator(f".brush[data-sign='{' ' if is_wall else '#'}']").click()
    box = svg.bounding_box()
    page.mouse.click(
        box["x"] + (column + 0.5) * box["width"] / columns, box["y"] + (row + 0.5) * box["height"] / rows
    )
    page.wait_for_function("window.seen.verdict", timeout=90_000)
    seen = page.evaluate("window.seen")
    return page.locator("#verdict h2").inner_text(), seen["verdict"] - seen["pressed"]


def say(name: str, values: Sequence[float]) -> None:
    """The middle and the extremes of some values."""
    ordered = sorted(values)
    print(
        f"{name}: {len(ordered)} values, least {ordered[0]:.2f}, median {statistics.median(ordered):.2f}, "
        f"90 % {ordered[int(0.9 * (len(ordered) - 1))]:.2f}, most {ordered[-1]:.2f}"
    )


if __name__ == "__main__":
    main()
