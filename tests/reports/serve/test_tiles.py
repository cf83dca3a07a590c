"""Tiles with numbers on the workbench: drawn, put and swapped."""

from typing import Any

import pytest
from workbench import becomes, box, paint, paste, says, shown

TWO = "Tetravex 2\n0 0 0 2\n2 1 1 2\n0 0 1 1\n2 2 2 1"


def holds(page: Any, *expected: str, rows: slice = slice(None)) -> None:
    """Wait until these rows of the level's text are as expected."""
    becomes(page, lambda: page.locator("#source").input_value().split("\n")[rows], list(expected))


def test_numbers_are_painted_on_the_sides_of_tiles(page: Any) -> None:
    paste(page, TWO)
    says(page, "It has a solution: 4 tiles to place.")
    page.locator("#source").wait_for(state="hidden")
    page.locator(".brush[aria-label='Number 7']").click()
    page.locator(".side[data-tile='1'][data-side='east']").click()
    says(page, "Unsolvable")
    holds(page, "2 1 7 2", rows=slice(2, 3))
    page.locator("rect.ring").first.wait_for()
    page.keyboard.press("Control+z")
    says(page, "4 tiles to place")
    page.locator("#verdict").click()  # keys need no click on the tiles
    for key in ("ArrowUp", "s", "5"):
        page.keyboard.press(key)
    page.locator(".side[data-tile='0'][data-side='south'] text", has_text="5").wait_for()
    holds(page, "0 5 0 2", rows=slice(1, 2))
    page.locator("#tools .number").fill("12")
    page.locator(".side[data-tile='3'][data-side='west']").click()
    page.locator(".side[data-tile='3'][data-side='west'] text", has_text="12").wait_for()
    holds(page, " 2  2  2 12", rows=slice(4, 5))


@pytest.mark.slow
def test_a_board_grows_a_tile_goes_and_tiles_are_dragged_to_an_initial_board(page: Any) -> None:
    paste(page, TWO)
    says(page, "4 tiles to place")
    page.locator("button[aria-label='Larger board']").click()
    page.locator(".side[data-tile='8']").first.wait_for()
    holds(page, "Tetravex 3", rows=slice(1))
    becomes(page, lambda: page.locator("#source").input_value().count("\n"), 9)
    page.locator("#stage svg").focus()
    page.keyboard.press("Delete")
    says(page, "found 8 tiles for a board of 3 rows, expected 9")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    says(page, "4 tiles to place")
    page.locator("#tools select").select_option("put")
    says(page, "4 moves")
    tile, cell = (box(page, each) for each in (".side[data-tile='0'][data-side='west']", "rect.place"))
    page.mouse.move(tile["x"] + 5, tile["y"] + tile["height"] / 2)
    page.mouse.down()
    page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    page.mouse.up()
    says(page, "Unsolvable")  # the tile belongs into another corner
    holds(page, "Put", "1 0", "0 0", rows=slice(-3, None))
    page.locator("#tools select").select_option("swap")
    says(page, "moves")
    holds(page, "Swap", "1 2", "3 4", rows=slice(-3, None))


def test_every_level_of_a_text_is_listed_and_drawn_in_its_place(page: Any) -> None:
    paste(page, f"Title: one\n{TWO}\n\nTitle: two\nTetravex 1\n1 2 3 4\n")
    page.locator("#levels .item", has_text="two").click()
    page.locator(".side[data-tile='0'][data-side='south'] text", has_text="2").wait_for()
    page.locator(".brush[aria-label='Number 9']").click()
    page.locator(".side[data-tile='0'][data-side='south']").click()
    page.locator(".side[data-tile='0'][data-side='south'] text", has_text="9").wait_for()
    holds(page, "Title: two", "Tetravex 1", "1 9 3 4")


def test_a_tile_is_tapped_and_then_its_place_and_a_refusal_says_which_sides_differ(page: Any) -> None:
    paste(page, TWO)
    says(page, "4 tiles to place")
    page.locator("#play-mode").click()
    says(page, "4 moves to go")
    paint(page, 0, 3)
    page.locator("rect.picked").first.wait_for()
    says(page, "Now tap its place")
    paint(page, 0, 0)
    says(page, "Lost since move 1")
    paint(page, 1, 3)
    paint(page, 0, 1)
    says(page, "This tile does not fit on 1,2: its west side is 2, and the east side of the tile on 1,1 is 0")
    page.keyboard.press("z")
    says(page, "4 moves to go")


def test_tiles_are_put_and_swapped_by_keys(page: Any) -> None:
    paste(page, TWO)
    says(page, "4 tiles to place")
    page.keyboard.press("Control+Enter")
    says(page, "4 moves to go")
    for key in ("t", "Enter"):
        page.keyboard.press(key)
    says(page, "1 move so far")
    page.locator("#draw-mode").click()
    paste(page, f"{TWO}\nSwap\n3 1\n2 4")
    says(page, "1 move · the least")  # the level before is solvable, too
    page.keyboard.press("Control+Enter")
    says(page, "to go")
    for key in ("Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    says(page, "1 move so far")


def test_swapped_tiles_are_tapped_on_a_telephone(browser: Any, address: str) -> None:
    with shown(browser, address, viewport={"width": 390, "height": 800}, has_touch=True) as page:
        says(page, "Solvable")
        paste(page, f"{TWO}\nSwap\n1 2\n3 4")
        says(page, "moves")
        page.locator("#play-mode").click()
        says(page, "to go")
        board = box(page, "#stage svg")
        for column in (0.25, 0.75):
            page.touchscreen.tap(board["x"] + column * board["width"], board["y"] + 0.25 * board["height"])
        says(page, "1 move so far")
