"""The workbench in a browser: a server in a thread, and its page."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from command import start_server

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.listening import Address, listen
from puzzlemc.reports.serve.server import server


@contextmanager
def served(*levels: Path) -> Iterator[str]:
    """The address of a server of a collection."""
    start_server()
    with listen("127.0.0.1", 0) as listening:
        where = Address(listening, "127.0.0.1")
        running = server(where, load([str(each) for each in levels]) if levels else ())
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            while not running.started:
                time.sleep(0.01)
            yield where.page
        finally:
            running.should_exit = True
            thread.join()


@contextmanager
def shown(browser: Any, address: str, script: str = "", **options: Any) -> Iterator[Any]:
    """The page in a context of its own; every message on its console is an error."""
    options = {"viewport": {"width": 1000, "height": 700}, "reduced_motion": "reduce", **options}
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(30_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.add_init_script(script)
    page.goto(address)
    yield page
    context.close()
    assert said == []


def says(page: Any, words: str) -> None:
    """Wait until the verdict says something."""
    page.locator("#verdict", has_text=words).wait_for()


def paste(page: Any, text: str) -> None:
    """Paste a text into the page, once it hears."""
    page.locator("#verdict > *").first.wait_for()
    page.evaluate(
        "text => { const data = new DataTransfer(); data.setData('text', text);"
        "document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })) }",
        text,
    )


def paint(page: Any, row: int, column: int) -> None:
    """Click on a cell of the picture."""
    svg = page.locator("#stage svg")
    svg.evaluate(
        "(svg, [row, column]) => {"
        "const box = svg.getBoundingClientRect(), cell = box.width / svg.viewBox.baseVal.width;"
        "window.at = [box.left + (column + .5) * cell, box.top + (row + .5) * cell] }",
        [row, column],
    )
    page.mouse.click(*page.evaluate("window.at"))
