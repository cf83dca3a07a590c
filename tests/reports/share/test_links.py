"""Links and pages of the workbench: copied, pasted, opened without its token, downloaded; in Chromium."""

import subprocess
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from command import PROGRAM, puzzlemc
from places import ROOT
from workbench import becomes, paste, says, served, shown

LEVEL = "#####\n#@$.#\n#####"
FOLD = "1 0 2 0"
GAME = ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt"


def link_of(puzzle: str, text: str) -> str:
    """A link as the page makes it, written apart."""
    packer = zlib.compressobj(wbits=-15)
    data = packer.compress(text.encode()) + packer.flush()
    return f"#level={puzzle}:{urlsafe_b64encode(data).decode().rstrip('=')}"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as where:
        yield where


def test_a_level_is_shared(browser: Any, address: str, tmp_path: Path) -> None:
    """By a link that another workbench takes, and as a page that is played offline to a win."""
    with shown(browser, address, permissions=["clipboard-read", "clipboard-write"]) as page:
        paste(page, f"; A small <b>push\n{LEVEL}\n")
        says(page, "1 push")
        page.locator("#link").click()
        page.locator("#toast", has_text="The link is copied").wait_for()
        link = page.evaluate("navigator.clipboard.readText()")
        assert link.startswith("#level=sokoban:")
        assert urlsplit(address).port is not None
        assert str(urlsplit(address).port) not in link
        with page.expect_download() as downloading:
            page.locator("#share").click()
        made = tmp_path / "shared.html"
        downloading.value.save_as(made)
        page.locator("#toast", has_text="it plays in any browser").wait_for()
        # A link is pasted, alone or as the end of an address.
        paste(page, link_of("folding", FOLD))
        becomes(page, lambda: page.locator("#puzzle").input_value(), "folding")
        paste(page, f"http://localhost:1/gone/{link}\n")
        becomes(page, lambda: page.locator("#puzzle").input_value(), "sokoban")
        says(page, "1 push")
        paste(page, "#level=sokoban:AAAA")
        page.locator("#toast", has_text="The link holds no level").wait_for()
        paste(page, link_of("chess", "x"))
        page.locator("#toast", has_text="a level of chess, which is not known here").wait_for()
        assert page.locator("#puzzle").input_value() == "sokoban"
        assert "the level" in page.locator("#copy").get_attribute("title")
        # Of a game, copy and link take all of it, and the page takes the level.
        paste(page, GAME.read_text(encoding="utf-8"))
        becomes(page, lambda: page.locator("#puzzle").input_value(), "puzzlescript")
        for name, takes, toast in (
            ("copy", "the whole game", "The whole game is copied, with all its levels"),
            ("link", "the whole game", "The link is copied: it is the whole game"),
            ("share", "the level alone", ""),
        ):
            assert takes in page.locator(f"#{name}").get_attribute("title")
            if toast:
                page.locator(f"#{name}").click()
                page.locator("#toast", has_text=toast).wait_for()
    context = browser.new_context(offline=True, viewport={"width": 390, "height": 844})
    opened = context.new_page()
    opened.goto(made.as_uri())
    opened.keyboard.press("ArrowRight")
    opened.locator("#state", has_text="Solved in 1 push").wait_for()
    context.close()


def test_an_address_that_has_ended_shows_its_level(browser: Any, address: str) -> None:
    there = urlsplit(address)
    old = f"{there.scheme}://{there.netloc}/an-old-token/{link_of('folding', FOLD)}"
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    answer = page.goto(old)
    assert answer.status == 404
    assert "not the address of a workbench that runs" in page.locator("h1").inner_text()
    becomes(page, lambda: page.locator("textarea").input_value(), FOLD)
    page.get_by_role("button", name="Copy the link").click()
    page.locator("#said", has_text="copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == link_of("folding", FOLD)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.goto(f"{there.scheme}://{there.netloc}/another/#level=folding:AAAA")
    assert page.locator("#level > *").count() == 0
    context.close()


def test_serve_takes_a_link(tmp_path: Path) -> None:
    link = link_of("folding", FOLD)
    program = [*PROGRAM, "serve", link, "--no-browser", "--port", "0"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as running:
        assert running.stdout is not None
        said = running.stdout.readline().strip()
        running.terminate()
    assert said.startswith("http://")
    assert said.endswith(link)
    for wrong in (["#level=folding"], [link, link], ["#level=folding:a b"]):
        done = puzzlemc("serve", *wrong, "--no-browser")
        assert done.returncode == 2
        assert "expected one link as the page copies it" in " ".join(done.stderr.split())
