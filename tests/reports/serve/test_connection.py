"""The server ends while a page is open, and comes again: at once a page says so, and loses nothing."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from command import start_server
from workbench import becomes, paint, says

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.address import Address, listen
from puzzlemc.reports.serve.server import server

ROOM = "#######\n#  .  #\n#  $  #\n#  @  #\n#     #\n#######"
# The page connects again by itself only as soon as the test wants it, so that the button can be pressed before.
BY_ITSELF = """
const later = window.setTimeout
window.setTimeout = (act, wait) => later(act, act.name === "connect" ? window.patience ?? 1e6 : wait)
"""


@contextmanager
def running(port: int, token: str = "", *levels: Path) -> Iterator[Address]:
    """A server at a port, with a token of before or a new one, and with a collection."""
    with listen("127.0.0.1", port) as listening:
        address = Address(listening, "127.0.0.1")
        if token:
            address.token, address.page = token, address.page.replace(address.token, token)
        made = server(address, load([str(each) for each in levels]) if levels else ())
        thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]})
        thread.start()
        while not made.started:
            time.sleep(0.01)
        try:
            yield address
        finally:
            made.should_exit = True
            thread.join()


def port_of(address: Address) -> int:
    return int(address.page.split(":")[2].partition("/")[0])


def test_the_end_of_the_server_is_said_at_once_and_what_is_drawn_meanwhile_is_not_lost(
    browser: Any, tmp_path: Path
) -> None:
    start_server()
    path = tmp_path / "two.xsb"
    path.write_text(f"{ROOM}\nTitle: One\n\n{ROOM}\nTitle: Two\n")
    context = browser.new_context(viewport={"width": 1000, "height": 700})
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.add_init_script(BY_ITSELF)
    faults = list[str]()
    page.on("pageerror", lambda error: faults.append(error.stack or str(error)))
    banner, connect = page.locator("#connection"), page.get_by_role("button", name="Connect again")
    with running(0, "", path) as address:
        port, token = port_of(address), address.token
        page.goto(address.page)
        says(page, "1 push")
        assert not banner.is_visible()
    page.locator("#connection:not([hidden])").wait_for(timeout=5000)
    assert "The server has ended: your changes are kept here." in banner.inner_text()
    page.locator(".brush[data-sign='#']").click()
    paint(page, 1, 2)
    says(page, "The server has ended.")
    assert page.evaluate("document.title") == "puzzlemc (no server)"
    page.keyboard.press("Control+s")
    page.locator("#toast", has_text="your changes are kept here").wait_for()
    with running(port, token, path):
        connect.click()
        banner.wait_for(state="hidden")
        says(page, "1 push")
        page.locator("#play-mode").click()
        says(page, "1 push to go")
        page.evaluate("window.patience = 100")
    page.locator("#connection:not([hidden])").wait_for(timeout=5000)
    with running(port, token, path):
        banner.wait_for(state="hidden")
    page.locator("#connection:not([hidden])").wait_for(timeout=5000)
    page.locator("#draw-mode").click()
    paint(page, 1, 4)
    says(page, "The server has ended.")
    with running(port, "", path) as other:
        assert other.token != token
        page.locator("#connection", has_text="The server was started again").wait_for()
        opened = context.new_page()
        opened.goto(other.page)
        becomes(
            opened, lambda: opened.locator("#source").input_value(), f"{ROOM}\nTitle: One"
        )  # not another tab's
        opened.close()
        connect.click()
        page.wait_for_url(lambda url: other.token in url)
        becomes(page, lambda: "# #.# #" in page.locator("#source").input_value(), True)
        assert not banner.is_visible()
        page.keyboard.press("Control+s")
        changed = ROOM.replace("#  .  #", "# #.# #")
        becomes(page, path.read_text, f"{changed}\nTitle: One\n\n{ROOM}\nTitle: Two\n")
    context.close()
    assert faults == []
