"""Play in a browser: a slider walks along the moves; records, solutions as text, the full screen."""

from typing import Any

from workbench import becomes, paste, says

WALK = """\
#######
#  .  #
#  $  #
#     #
#@    #
#######"""


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
    area.fill("RRUU")
    judged.get_by_text("Right: 1 push, 4 moves.").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog.solution").wait_for(state="detached")
    moves(page, "Move 3 of 4")  # nothing was shown
    page.keyboard.press("y")
    says(page, "Solved")
