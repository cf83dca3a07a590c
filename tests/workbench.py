"""The workbench in a browser: a server in a thread, and its page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from command import start_server

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.server import in_thread

T = TypeVar("T")
# What Firefox says of the socket of a page that is loaded again, and the editor on a machine that is busy.
HARMLESS = ("was interrupted while the page was loading", "Measure loop restarted")
# A script for a page: answers do not come unless it `hears` their kind.
LOSSY = """
window.hears = () => true
window.WebSocket = class extends WebSocket {
  set onmessage(hear) { super.onmessage = event => { if (window.hears(JSON.parse(event.data).kind)) hear(event) } }
}
"""
Cell = tuple[float, float]  # row and column


@contextmanager
def served(*levels: Path) -> Iterator[str]:
    """The address of a server of a collection."""
    start_server()
    with in_thread(load([str(each) for each in levels]) if levels else ()) as address:
        yield address


@contextmanager
def shown(browser: Any, address: str, script: str = "", **options: Any) -> Iterator[Any]:
    """The page in a context of its own; every message on its console is an error."""
    emulated = {"reduced_motion": "reduce"}
    if browser.browser_type.name == "firefox":  # it cannot pretend that its reader has set anything
        emulated = dict.fromkeys(("color_scheme", "contrast", "forced_colors", "reduced_motion"), "null")
    options = {"viewport": {"width": 1000, "height": 700}, **emulated, **options}
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(30_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(error.stack or str(error)))
    page.add_init_script(script)
    try:
        page.goto(address)
        yield page
    finally:  # the page of a test that fails would go on to draw beside all later ones
        context.close()
    assert not (heard := [each for each in said if not any(words in each for words in HARMLESS)]), heard


def says(page: Any, words: str) -> None:
    """Wait until the verdict says something."""
    page.locator("#verdict", has_text=words).wait_for()


def becomes(page: Any, read: Callable[[], T], expected: T) -> None:
    """Wait until something that is read from the page is as expected: the page may still be drawing."""
    for _ in range(200):
        if read() == expected:
            return
        page.wait_for_timeout(100)
    assert read() == expected


def box(page: Any, what: Any) -> dict[str, float]:
    """The place of an element (a locator or a selector) on the page, once it has one and keeps it for a while."""
    element = page.locator(what).first if isinstance(what, str) else what
    before = None
    for _ in range(200):
        found: dict[str, float] | None = element.bounding_box()
        if found is not None and found == before:
            return found
        before = found
        page.wait_for_timeout(50)
    raise AssertionError(f"{what} has no place on the page, or does not keep it")


def paste(page: Any, text: str) -> None:
    """Paste a text into the page, once it hears."""
    page.locator("#verdict > *").first.wait_for()
    page.evaluate(
        "text => { const data = new DataTransfer(); data.setData('text', text);"
        "document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })) }",
        text,
    )


def paint(page: Any, row: int, column: int, button: str = "left") -> None:
    """Click on a cell of the picture."""
    svg = page.locator("#stage svg")
    place = box(page, svg)
    cell = place["width"] / float(svg.get_attribute("viewBox").split()[2])
    page.mouse.click(place["x"] + (column + 0.5) * cell, place["y"] + (row + 0.5) * cell, button=button)


def drag(page: Any, start: Cell, end: Cell, button: str = "left") -> None:
    """Drag the pointer from a cell of the picture to another one."""
    svg = page.locator("#stage svg")
    place = box(page, svg)
    size = place["width"] / float(svg.get_attribute("viewBox").split()[2])
    (x, y), (across, down) = (
        (place["x"] + (column + 0.5) * size, place["y"] + (row + 0.5) * size) for row, column in (start, end)
    )
    page.mouse.move(x, y)
    page.mouse.down(button=button)
    page.mouse.move(across, down, steps=3)
    page.mouse.up(button=button)
