"""Puzzles that authors write with `puzzlemc.modelling`, in the workbench: levels are painted, played and saved."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import start_server
from workbench import becomes, paint, says, shown

from puzzlemc.encodings.puzzles import add, load, puzzles
from puzzlemc.reports.documents.edits import Edit, Replace, edit
from puzzlemc.reports.serve.server import in_thread
from puzzlemc.reports.serve.shelf import Shelf

OWN = """
from puzzlemc.modelling import System, {reader}, puzzle

def own(level):
    system = System()
    {body}
    return system

PUZZLE = puzzle("own", own, {levels}, suffix=".own")
"""
ANYTHING = "system.goal = system.flag('done')\n    system.action('go', True, {system.variables[0]: True})"
WALK = """at = system.choice("man", level.cells, level.one("man"))
    for place in level.cells:
        for way, there in level.beside(place).items():
            system.action(way, at == place, {at: there})
    system.goal = at == level.one("exit")"""
GRID = 'grid({".": "ice", "@": "man on ice", "!": "exit on ice", "#": "wall"}, single=("man", "exit"))'
RAGGED = "\ufeff% of all\r\n\r\nTitle: One\r\n% of one\r\n  .\r\n@..!\r\n_\r\n .#\r\n\r\n% of two\r\n@!  \r\n"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Any]:
    """Write a puzzle and its levels; the levels and the puzzle are known in this process for a while."""

    def write(reader: str, levels: str, body: str, text: str) -> tuple[Path, list[Any], str]:
        file, path = tmp_path / "own.py", tmp_path / "a.own"
        file.write_text(OWN.format(reader=reader, levels=levels, body=body))
        path.write_bytes(text.encode())
        origin = add(str(file)).origin
        return path, load(str(path), origin), origin

    yield write
    puzzles.cache_clear()


@pytest.mark.parametrize(
    ("reader", "levels", "text"),
    [
        ("grid", GRID, RAGGED),
        ("numbers", "numbers()", "% all\n\n1 2\t3\n% in\n4 ,5\n\nTitle: T\nAuthor: A\n7\n"),
        ("fields", "fields(a=int, b=[int])", "Title: T\na: 1\n%\nB : 2, 3 \n\n\nb:\na: 4"),
        ("free", "free(str.split)", "\n\nAuthor: A\r\nx y\r\n\r\nz"),
    ],
)
def test_a_level_that_is_saved_without_a_change_keeps_every_byte(
    own: Any, reader: str, levels: str, text: str
) -> None:
    path, entries, _ = own(reader, levels, ANYTHING, text)
    found = Shelf(entries)
    assert [entry.error for entry in entries] == [None, None]
    shown = found.document(0)
    name, was = entries[0].puzzle.name, shown["was"]
    for number, level in enumerate(shown["levels"]):
        made = edit(Edit(name, shown["text"], [Replace(number, level["text"])])).text
        was = found.save(0, made, shown["form"], was)["was"]
        assert path.read_bytes() == text.encode()
    made = edit(Edit(name, shown["text"], [Replace(1, shown["levels"][1]["text"] + "\n% more")])).text
    found.save(0, made, shown["form"], was)
    assert path.read_bytes().decode().count("% more") == 1
    assert [entry.title for entry in load(str(path), entries[0].puzzle.origin)] == [
        entry.title for entry in entries
    ]


def test_a_board_is_painted_saved_and_played(own: Any, browser: Any) -> None:
    start_server()
    path, entries, origin = own("grid", GRID, WALK, RAGGED)
    with in_thread(entries, (origin,)) as address, shown(browser, address) as page:
        says(page, "3 moves")
        assert page.locator(".brush").all_inner_texts() == [
            "ice\nI",
            "M\nman\nM",
            "E\nexit\nE",
            "wall\nW",
            "no cell\nN",
        ]
        source = page.locator("#source")
        page.locator(".brush[data-sign='@']").click()
        paint(page, 1, 2)  # the exit stays, and so do cells without a sign
        becomes(page, source.input_value, "Title: One\n% of one\n  .\n..@!\n_\n .#")
        says(page, "1 move")
        page.locator(".brush[data-sign='!']").click()
        paint(page, 0, 3)
        page.locator(".brush[data-sign=' ']").click()
        paint(page, 3, 1)
        becomes(page, source.input_value, "Title: One\n% of one\n  .!\n..@.\n_\n  #")
        says(page, "2 moves")
        page.get_by_role("button", name="Save", exact=True).click()
        changed = RAGGED.replace("  .\r\n@..!\r\n_\r\n .#", "  .!\r\n..@.\r\n_\r\n  #")
        becomes(page, path.read_bytes, changed.encode())
        page.locator("#play-mode").click()
        says(page, "2 moves to go")
        page.keyboard.press("ArrowRight")
        says(page, "1 move to go")
        paint(page, 0, 3)  # a click where the man would come
        says(page, "Solved")
