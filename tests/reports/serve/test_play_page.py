"""Play in a browser: a slider walks along the moves; records, solutions as text, the full screen."""

from pathlib import Path
from typing import Any

import pytest
from workbench import becomes, box, paste, says, served, shown

WALK = """\
#######
#  .  #
#  $  #
#     #
#@    #
#######"""

ELSEWHERE = """() => {
  const key = Object.keys(localStorage).find(each => each.startsWith("puzzlemc:record:"))
  const found = { ...JSON.parse(localStorage.getItem(key)), pushes: { cost: 2, moves: [] } }
  localStorage.setItem(key, JSON.stringify(found))
}"""


def moves(page: Any, words: str) -> None:
    """Wait until the line of moves says something."""
    page.locator(".timeline span", has_text=words).wait_for()


def test_moves_are_a_line_to_go_back_and_forward_on(page: Any) -> None:
    paste(page, WALK)
    says(page, "1 push")
    page.get_by_text("Watch the solution").click()
    says(page, "Solved")
    moves(page, "Move 4 of 4")
    becomes(page, lambda: page.locator("#facts").inner_text(), "")  # no help once the level is solved
    page.get_by_role("button", name="A move back").click()
    moves(page, "Move 3 of 4")
    says(page, "1 push to go")
    page.get_by_role("button", name="A move forward").click()
    says(page, "Solved")
    page.get_by_role("button", name="To the start").click()
    moves(page, "Move 0 of 4")
    page.get_by_label("Speed").select_option("1")
    page.get_by_role("button", name="Go on").click()
    moves(page, "Move 1 of 4")
    page.wait_for_timeout(400)
    moves(page, "Move 1 of 4")  # the next one is a second later
    slider = page.get_by_label("Go to a move")
    slider.fill("2")
    moves(page, "Move 2 of 4")
    becomes(page, lambda: slider.get_attribute("aria-valuetext"), "Move 2 of 4")
    slider.focus()
    page.keyboard.press("ArrowRight")  # it moves the slider, not the player
    moves(page, "Move 3 of 4")
    slider.click()  # where the middle is
    moves(page, "Move 2 of 4")
    page.keyboard.press("ArrowLeft")  # the board has the keys again; another way ends there
    moves(page, "Move 3 of 3")
    page.keyboard.press("z")
    moves(page, "Move 2 of 3")
    page.keyboard.press("ArrowLeft")  # the move that was taken back: the line stays
    moves(page, "Move 3 of 3")


@pytest.mark.slow
def test_a_solution_is_copied_judged_and_shown_on_the_board(page: Any) -> None:
    paste(page, WALK)
    says(page, "1 push")
    page.keyboard.press("Control+Enter")
    says(page, "to go")
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    moves(page, "Move 2 of 2")
    page.get_by_role("button", name="Solution…").click()
    area, judged = page.get_by_label("Moves as text"), page.locator("dialog .judged")
    becomes(page, area.input_value, "rr")
    judged.get_by_text("All 2 moves are legal, but the level is not solved after them.").wait_for()
    area.fill("r")
    judged.get_by_text("The move is legal, but the level is not solved after it.").wait_for()
    area.fill("rruuu")
    judged.get_by_text("Wrong: move 5, u, is not legal").wait_for()
    area.fill("2r up")
    judged.get_by_text("All 3 moves are legal").wait_for()
    area.press("Control+z")  # of the field, not of the game
    area.fill("2right 3U d")
    judged.get_by_text("Wrong: move 5, U, is not legal: behind the box").wait_for()
    page.get_by_role("button", name="Show on the board").click()
    moves(page, "Move 4 of 4")
    says(page, "Solved")
    says(page, "The moves before the wrong one: move 5, U")
    page.keyboard.press("z")
    moves(page, "Move 3 of 4")
    paste(page, "rr!")  # opens the dialog
    judged.get_by_text("Line 1, column 3: Found '!', expected l u r d").wait_for()
    area.fill("→" * 99_000)  # more bytes than the server reads
    judged.get_by_text("This is too long").wait_for()
    area.fill("RRUU")
    judged.get_by_text("Right: 1 push, 4 moves.").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog.solution").wait_for(state="detached")
    moves(page, "Move 3 of 4")  # nothing was shown
    page.keyboard.press("y")
    says(page, "Solved")
    assert "Yours" not in page.locator("#verdict").inner_text()
    paste(page, "RRUU")
    page.get_by_label("These moves are mine").check()
    page.get_by_role("button", name="Show on the board").click()
    says(page, "Yours: 1 push, 4 moves. There is none better.")


def test_a_solution_is_pasted_by_keys_once(browser: Any, address: str) -> None:
    """The dialog opens while the keys are pressed: its field does not take the text once more."""
    with shown(browser, address, permissions=["clipboard-read", "clipboard-write"]) as page:
        paste(page, WALK)
        says(page, "1 push")
        page.keyboard.press("Control+Enter")
        says(page, "to go")
        page.evaluate("navigator.clipboard.writeText('rruu')")
        page.keyboard.press("Control+v")
        page.locator("dialog .judged", has_text="Right: 1 push, 4 moves.").wait_for()
        area = page.get_by_label("Moves as text")
        assert area.input_value() == "rruu"
        mine = page.get_by_label("These moves are mine")
        tick, label, button = (
            box(page, each) for each in (mine, ".mine", page.get_by_role("button", name="Show on the board"))
        )
        assert tick["height"] <= 20
        assert abs(tick["y"] + tick["height"] / 2 - label["y"] - label["height"] / 2) < 1
        assert label["y"] + label["height"] + 8 <= button["y"]
        page.get_by_role("button", name="Show on the board").click()
        says(page, "Solved")
        page.get_by_role("button", name="Solution…").click()  # the moves on the board
        page.locator("dialog .judged", has_text="Right").wait_for()
        assert not mine.is_visible()
        page.keyboard.press("Control+v")  # in the field, it is a text like any other
        becomes(page, area.input_value, "rruu")
        mine.wait_for()
        page.keyboard.press("Control+v")
        becomes(page, area.input_value, "rruurruu")


def test_a_move_against_a_bot_is_taken_back_with_its_reply(page: Any) -> None:
    says(page, "Solvable")
    page.locator("#puzzle").select_option("fabrik")
    says(page, "Black wins")
    page.locator("#play-mode").click()
    page.get_by_label("Opponent").select_option("random")
    says(page, "Black to move")
    paste(page, "zz")
    judged = page.locator("dialog .judged", has_text="is not legal: legal moves are")
    first = judged.inner_text().split("legal moves are ")[1].split(",")[0]
    page.get_by_label("Moves as text").fill(first.lower())
    page.locator("dialog .judged", has_text="The move is legal.").wait_for()
    page.get_by_role("button", name="Show on the board").click()
    moves(page, "Move 2 of 2")
    says(page, "Black to move")
    for key, words in (("z", "Move 0 of 2"), ("y", "Move 2 of 2")):
        page.keyboard.press(key)
        moves(page, words)
    page.get_by_label("Go to a move").fill("1")
    moves(page, "Move 1 of 2")  # the bot has played there
    says(page, "White to move")
    page.keyboard.press("z")
    moves(page, "Move 0 of 2")
    page.keyboard.press("s")  # nothing solves a game of two sides
    assert "solution" not in page.locator("#verdict").inner_text()


def press(page: Any, keys: str) -> None:
    """Press arrow keys, by their first letters, each when the one before is played."""
    ways = {"l": "ArrowLeft", "u": "ArrowUp", "r": "ArrowRight", "d": "ArrowDown"}
    before = int(page.locator(".timeline span").inner_text().split()[1])
    for number, key in enumerate(keys, before + 1):
        page.keyboard.press(ways[key])
        moves(page, f"Move {number} of")


def test_records_are_kept_and_the_next_level_follows_a_win(browser: Any, tmp_path: Path) -> None:
    other = WALK.replace(" .", ". ")
    (tmp_path / "two.xsb").write_text(f"{WALK}\nTitle: Walk\n\n{other}\nTitle: Aside\n")
    with served(tmp_path / "two.xsb") as address, shown(browser, address) as page:
        says(page, "1 push")
        page.get_by_role("button", name="Watch the solution").click()
        says(page, "Solved")
        assert "Yours" not in page.locator("#verdict").inner_text()  # the page has found it
        page.keyboard.press("r")
        moves(page, "Move 0 of")
        press(page, "uurrdrruldlu")
        says(page, "in 3 pushes, 12 moves")
        says(page, "Yours: 3 pushes, 12 moves. Best: 1 push.")
        page.locator("#levels [aria-current]", has_text="1 push · yours 3").wait_for()
        page.evaluate(ELSEWHERE)  # another page writes a better one
        page.keyboard.press("z")
        moves(page, "Move 11 of")
        press(page, "u")
        says(page, "Yours: 2 pushes, 12 moves. Best: 1 push.")
        page.keyboard.press("r")
        moves(page, "Move 0 of")
        press(page, "rruu")  # moves that were shown before, but made by hand
        says(page, "A new record: it was 2 pushes, 12 moves.")
        says(page, "Yours: 1 push, 4 moves. There is none better.")
        page.keyboard.press("n")
        page.locator("#levels [aria-current]", has_text="Aside").wait_for()
        says(page, "to go")
        assert "Yours" not in page.locator("#verdict").inner_text()
        page.keyboard.press("s")
        says(page, "Solved")
        becomes(page, page.locator("#verdict .onward").inner_text, "Replay")  # it is the last level
        assert "Yours" not in page.locator("#verdict").inner_text()
        page.reload()
        page.locator("#levels .item", has_text="1 push · ✓").wait_for()
        page.locator("#levels .item", has_text="Walk").click()
        says(page, "1 push")
        page.locator("#play-mode").click()
        says(page, "Yours: 1 push, 4 moves. There is none better.")
        page.keyboard.press("s")
        says(page, "Solved")
        page.get_by_role("button", name="Replay my record").click()
        moves(page, "Move 3 of 4")
        says(page, "Solved")


@pytest.mark.slow
def test_a_level_fills_a_telephone_with_the_verdict_above_it(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "two.xsb").write_text(f"{WALK}\n\n{WALK.replace(' .', '. ')}\n")
    phone = {"viewport": {"width": 390, "height": 700}, "has_touch": True}
    with served(tmp_path / "two.xsb") as address, shown(browser, address, **phone) as page:
        says(page, "1 push")
        page.locator("#play-mode").click()
        says(page, "1 push to go")

        def above() -> bool:
            verdict, board = box(page, "#verdict"), box(page, "#stage svg")
            return verdict["y"] + verdict["height"] <= board["y"]

        assert above()
        page.get_by_role("button", name="Full screen").click()
        page.locator("header").wait_for(state="hidden")
        for _ in range(2):  # the next level is shown so, too
            assert page.locator("header").is_hidden()
            assert above()
            places = [box(page, each) for each in ("#verdict", "#stage svg", ".timeline", ".pad", "#tools")]
            assert all(each["x"] >= 0 and each["x"] + each["width"] <= 390 for each in places)
            assert all(each["y"] >= 0 and each["y"] + each["height"] <= 700 for each in places)
            assert places[1]["width"] > 300
            page.locator(".pad-right").tap()
            says(page, "1 move so far")
            page.keyboard.press("s")
            says(page, "Solved")
            if page.get_by_role("button", name="Next level").count():
                page.get_by_role("button", name="Next level").tap()
                says(page, "pushes to go")
        page.keyboard.press("Escape")
        page.locator("header").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.locator("#draw-mode").click()
        says(page, "the least")
        page.locator("body.playing, body.full").wait_for(state="detached")
