"""The workbench in a browser: draw, see, play, share."""

from typing import Any

import pytest
from places import ROOT
from workbench import becomes, box, paint, paste, says

LEVEL = """\
#######
#  .  #
#  $  #
#  @  #
#     #
#######"""
SHAFT = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")

GAMES = ROOT / "tests" / "chance_games"
FIRST_PADS = "PO#A..#\n..#.#E#\n####..#\nA.....#\n\n"


def test_draw_see_play_and_share_by_the_pointer(page: Any) -> None:
    says(page, "Solvable")
    paste(page, LEVEL)
    says(page, "1 push")
    page.locator(".brush[data-sign='#']").click()
    paint(page, 1, 3)  # a wall on the goal
    says(page, "found no goal")
    page.locator(".brush[data-sign='.']").click()
    paint(page, 1, 1)
    says(page, "was 1 push")
    paint(page, 1, 3, "right")
    page.locator(".brush[data-sign='$']").click()
    paint(page, 1, 5)  # a box in a corner
    paint(page, 2, 3, "right")  # and no other box
    says(page, "corner")
    page.locator("#stage rect.ring").first.wait_for()
    page.locator("#undo").click()
    says(page, "Solvable")
    page.locator("#play-mode").click()
    says(page, "to go")
    paint(page, 4, 3)
    says(page, "0 pushes, 1 move so far")
    page.wait_for_timeout(500)  # until the address has the level
    with page.context.expect_page() as opened:
        page.evaluate("open(location.href)")
    says(opened.value, "Solvable")


def test_draw_play_lose_go_back_and_solve_by_keys_only(page: Any) -> None:
    says(page, "Solvable")
    paste(page, LEVEL)
    says(page, "1 push")
    page.locator("#stage svg").focus()
    for key in ("ArrowDown", "ArrowRight", "w", " "):
        page.keyboard.press(key)
    page.keyboard.press("Control+z")
    says(page, "1 push")
    page.keyboard.press("Control+Enter")
    says(page, "1 push to go")
    for key in ("ArrowLeft", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    says(page, "2 pushes to go")
    page.keyboard.press("ArrowDown")
    says(page, "Lost since move 6")
    says(page, "can never leave its row")
    page.locator("#stage .ring[x='3.06'][y='4.06']").wait_for()
    page.keyboard.press("s")
    says(page, "from here, no moves lead to the goal")
    page.get_by_text("Go back to move 5").focus()
    page.keyboard.press("Enter")
    says(page, "2 pushes to go")
    page.locator("#stage .ring").wait_for(state="detached")
    page.locator("#stage svg").focus()
    page.keyboard.press("h")
    says(page, "Hint")
    page.keyboard.press("s")
    says(page, "Solved")


def test_a_changed_rule_of_a_game_says_which_verdicts_changed(page: Any) -> None:
    says(page, "Solvable")
    rule = next(line for line in SHAFT.split("\n") if line.startswith("horizontal"))
    paste(page, SHAFT)
    says(page, "3 turns")
    page.locator("#levels", has_text="40 turns").wait_for()
    paste(page, SHAFT.replace(rule, ""))
    says(page, "was 3 turns")
    page.locator("#levels", has_text="unsolvable, was 3 turns").wait_for()
    page.locator("#suite .changes", has_text="verdicts changed").wait_for()
    paste(page, SHAFT.replace(rule, rule + "\n[ Nobody ] -> []"))
    says(page, "Nobody")
    page.locator("#levels .stale").first.wait_for()  # its verdicts are those of the text before
    page.locator("#suite .changes").wait_for(state="detached")
    paste(page, SHAFT)
    says(page, "3 turns")
    page.locator("#levels .stale").first.wait_for(state="detached")


@pytest.mark.slow
def test_a_square_board_stays_square_under_its_heading(page: Any) -> None:
    says(page, "Solvable")
    page.locator("#puzzle").select_option("fabrik")
    says(page, "Black wins")
    page.locator("#tools summary").click()
    page.locator("button[aria-label='bottom: one more']").click()
    says(page, "Black wins")
    becomes(page, lambda: page.locator("#source").input_value().split("\n")[0], "Fabrik 8 4 black")
    page.locator("#stage svg[viewBox='0 0 8 8']").wait_for()


@pytest.mark.slow
def test_facts_of_a_planning_task_are_a_list(page: Any) -> None:
    says(page, "Solvable")
    page.locator("#puzzle").select_option("pddl")
    page.locator("#stage .lines", has_text="as at the start").wait_for()
    page.locator("#play-mode").click()
    page.get_by_role("button", name="sail(island,north)").click()
    page.locator("#stage .lines", has_text="moored(north)").wait_for()


@pytest.mark.slow
def test_the_moves_of_a_counterexample_are_shown_on_the_board(page: Any) -> None:
    says(page, "Solvable")
    paste(page, LEVEL)
    says(page, "1 push")
    page.locator("#more summary").click()
    page.locator("#play-mode").click()
    page.keyboard.press("ArrowLeft")  # the moves of the answer are from the start, not from here
    says(page, "1 push to go")
    page.locator("#more input[type=text]").fill("AG EF solved")
    page.keyboard.press("Enter")
    page.locator("#said button").click()
    says(page, "Lost since move")
    page.locator("#stage svg[viewBox='0 0 7 6']").wait_for()
    becomes(page, lambda: page.locator("#stage svg rect").count() > 20, True)


@pytest.mark.slow
def test_a_level_of_a_game_is_painted_by_keys(page: Any) -> None:
    paste(page, SHAFT)
    page.locator("#stage svg[aria-label^='The level: arrow']").wait_for()
    signs = [each.get_attribute("data-sign") for each in page.locator(".brush").all()]
    page.locator("#stage svg").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    addresses = []
    for sign in (signs[0], signs[1]):
        page.keyboard.press(sign)
        page.keyboard.press(" ")
        page.locator(f".brush[data-sign='{sign}'][aria-checked=true]").wait_for()
        page.wait_for_timeout(500)
        if addresses:
            page.wait_for_url(lambda url: not url.endswith(addresses[0]))
        addresses.append(page.evaluate("location.hash"))
    assert addresses[0] != addresses[1]
    # The next key goes on there.
    becomes(page, lambda: page.evaluate("document.activeElement.closest('#stage svg') !== null"), True)


def test_a_board_without_a_player_names_it_and_a_new_board_forgets_the_verdict(page: Any) -> None:
    says(page, "Solvable")
    page.locator("#tools summary").click()
    page.locator("button[title^='Clear the board, and put walls']").click()
    says(page, "found no player, expected one player (@) or player on a goal (+)")
    paste(page, LEVEL)
    says(page, "1 push")
    page.locator(".legend").wait_for()
    page.locator("#verdict .change").wait_for(state="detached")


def chosen(page: Any, title: str) -> None:
    """Wait until this level of a game is the chosen one."""
    page.locator("#levels [aria-current=true]", has_text=title).wait_for()


def test_the_levels_of_a_game_stay_while_one_is_played(page: Any) -> None:
    paste(page, SHAFT)
    page.locator("#levels", has_text="40 turns").wait_for()
    page.locator("#levels .item").nth(2).click()
    says(page, "12 turns")
    page.locator("#play-mode").click()
    says(page, "12 turns to go")
    page.locator("#levels .item").nth(1).click()
    says(page, "5 turns to go")
    page.locator("#play-mode[aria-pressed=true]").wait_for()
    page.locator("#draw-mode").click()
    says(page, "the least")
    chosen(page, "Dig under it")


def test_a_link_and_a_reload_keep_the_chosen_level_and_so_does_a_fault_that_is_mended(page: Any) -> None:
    paste(page, SHAFT)
    page.locator("#levels", has_text="40 turns").wait_for()
    page.locator("#levels .item").nth(1).click()
    says(page, "5 turns")
    page.locator("#verdict .change").wait_for(state="detached")  # the verdict before is of another level
    page.wait_for_url(lambda url: url.endswith(":2"))
    with page.context.expect_page() as opened:
        page.evaluate("open(location.href)")
    chosen(opened.value, "Dig under it")
    page.goto(page.url.partition("#")[0])
    chosen(page, "Dig under it")
    says(page, "5 turns")
    broken = SHAFT.replace("[ > Miner | Soil ]", "[ > Miner | Sol ]")
    paste(page, broken)
    says(page, f"Line {1 + broken[: broken.index('Sol ]')].count(chr(10))}, column 13: found 'sol'")
    paste(page, SHAFT)
    says(page, "5 turns")
    chosen(page, "Dig under it")


def test_a_verdict_is_compared_with_one_on_the_same_game_only(page: Any) -> None:
    paste(page, SHAFT)
    page.locator("#levels", has_text="40 turns").wait_for()
    paste(page, (ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt").read_text(encoding="utf-8"))
    says(page, "2 turns")
    page.locator("#verdict .change").wait_for(state="detached")
    page.locator("#levels", has_text="…").wait_for(state="detached")
    page.locator("#levels .changed").first.wait_for(state="detached")


def test_moves_are_taken_back_and_played_again_by_the_keys_of_editors(page: Any) -> None:
    paste(page, LEVEL)
    says(page, "1 push")
    page.keyboard.press("Control+Enter")
    for key, words in (
        ("ArrowUp", "in 1 push"),
        ("Control+z", "0 pushes, 0 moves so far"),
        ("Control+y", "in 1 push"),
        ("Control+z", "0 pushes, 0 moves so far"),
        ("Control+Shift+z", "in 1 push"),
    ):
        page.keyboard.press(key)
        says(page, words)


def test_a_drag_shows_what_goes_where_and_a_wall_is_refused(page: Any) -> None:
    paste(page, LEVEL)
    says(page, "1 push")
    page.locator("#play-mode").click()
    says(page, "to go")
    board = box(page, "#stage svg")
    cell = board["width"] / 7

    def at(row: int, column: int) -> tuple[float, float]:
        return board["x"] + (column + 0.5) * cell, board["y"] + (row + 0.5) * cell

    page.mouse.move(*at(2, 3))
    page.mouse.down()
    page.mouse.move(*at(0, 3))
    ring = box(page, "#stage .hint-to")
    assert abs(ring["x"] + ring["width"] / 2 - at(0, 3)[0]) < 2
    page.mouse.up()
    says(page, "No pushes of this box alone bring it there")
    page.locator("#stage .hint-to").wait_for(state="detached")
    says(page, "0 moves so far")


def test_what_is_no_level_yet_cannot_be_played(page: Any) -> None:
    paste(page, LEVEL.replace(".", " "))
    says(page, "found no goal")
    page.locator("#play-mode:disabled").wait_for()
    page.keyboard.press("Control+Enter")
    page.locator("#draw-mode[aria-pressed=true]").wait_for()
    paste(page, LEVEL)
    says(page, "1 push")
    page.locator("#play-mode").click()
    says(page, "to go")


def test_several_pasted_levels_are_listed(page: Any) -> None:
    paste(page, f"{LEVEL}\n\n{LEVEL}\n")
    page.locator("#levels .item", has_text="Level 2").wait_for()
    says(page, "1 push")


def test_a_game_is_played_by_clicks_and_by_buttons_that_keep_their_places(page: Any) -> None:
    paste(page, SHAFT)
    says(page, "3 turns")
    page.locator("#play-mode").click()
    says(page, "3 turns to go")
    places = [box(page, f".pad-{key}") for key in ("up", "left", "down", "right")]
    page.locator(".pad-left:disabled").wait_for()
    board = box(page, "#stage svg")
    cell = board["width"] / 7
    page.mouse.click(board["x"] + 2.5 * cell, board["y"] + 1.5 * cell)
    says(page, "1 turn so far")
    page.mouse.move(board["x"] + 3.1 * cell, board["y"] + 2.5 * cell)  # a swipe within a cell
    page.mouse.down()
    page.mouse.move(board["x"] + 3.8 * cell, board["y"] + 2.4 * cell)
    page.mouse.up()
    says(page, "2 turns so far")
    page.locator(".pad-left").click()
    says(page, "3 turns so far")
    assert [box(page, f".pad-{key}") for key in ("up", "left", "down", "right")] == places


def test_moves_that_are_not_legal_any_more_keep_their_places(page: Any) -> None:
    page.locator("#puzzle").select_option("folding")
    says(page, "5 moves")
    page.locator("#play-mode").click()
    says(page, "5 moves to go")
    page.locator("#stage .picked[x='0.08'][y='0.08']").wait_for()  # the block that the arrow keys fold
    page.keyboard.press(" ")
    becomes(page, lambda: page.locator("#stage .picked").count(), 2)
    up = page.get_by_role("button", name="fold 2 up")
    before = box(page, up)
    for _ in range(2):
        up.click()
    page.locator(".legal button:disabled", has_text="fold 2 up").wait_for()
    says(page, "to go")
    assert box(page, up) == before


def test_a_hint_is_said_in_words_and_shown_on_the_board_and_a_lost_position_has_a_way_back(page: Any) -> None:
    paste(page, LEVEL)
    says(page, "1 push")
    page.keyboard.press("Control+Enter")
    says(page, "1 push to go")
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("h")
    says(page, "Hint: go right 2 times, then push up.")
    becomes(page, lambda: page.locator("#stage .hint-way").count(), 2)
    for name, y in (("hint", "2.06"), ("hint-to", "1.06")):
        page.locator(f"#stage .{name}[y='{y}']").wait_for()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    says(page, "Lost since move 8")
    page.locator("#stage .hint").wait_for(state="detached")
    page.keyboard.press("h")
    says(page, "No hint: from here, no moves lead to the goal.")
    page.get_by_role("button", name="Go back to move 7").click()
    says(page, "to go")


def test_hints_of_a_level_with_chance_win_whatever_is_drawn(page: Any) -> None:
    says(page, "Solvable")
    paste(page, (GAMES / "goose.txt").read_text(encoding="utf-8").replace("NPG\n\n", ""))
    says(page, "2 turns")
    says(page, "Chance decides: this is won if what the moves name is drawn.")
    page.keyboard.press("Control+Enter")
    says(page, "at most 5 turns to go, whatever is drawn")
    page.keyboard.press("h")
    says(page, "Hint: go down, whatever comes.")
    assert page.locator("#stage .hint, #stage .hint-to").count() == 0  # what is drawn is not known
    page.get_by_role("button", name="Solve").click()
    says(page, "Solved")


def test_hints_without_a_strategy_are_luck(page: Any) -> None:
    says(page, "Solvable")
    paste(page, (GAMES / "pads.txt").read_text(encoding="utf-8").replace(FIRST_PADS, ""))
    says(page, "3 turns")
    page.keyboard.press("Control+Enter")
    says(page, "3 turns to go, with luck")
    page.keyboard.press("h")
    says(page, "Hint: go right, outcome 2, with luck.")


def test_the_reason_of_a_game_has_no_backticks(page: Any) -> None:
    paste(page, SHAFT)
    page.locator("#levels", has_text="40 turns").wait_for()
    page.locator("#levels .item").nth(3).click()
    says(page, "can never hold")
    page.locator("#verdict code", has_text="all plate on boulder").wait_for()
    becomes(page, lambda: "`" in page.locator("#verdict").inner_text(), False)


def test_verdicts_on_the_other_levels_of_a_game_come_in_while_one_is_played(page: Any) -> None:
    paste(page, SHAFT)
    says(page, "3 turns")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("ArrowRight")
    says(page, "1 turn so far")
    page.locator("#levels", has_text="40 turns").wait_for()
    page.locator("#draw-mode").click()
    says(page, "the least")
    paste(page, (ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt").read_text(encoding="utf-8"))
    says(page, "2 turns")
    page.keyboard.press("Control+Enter")
    page.locator("#levels", has_text="By lantern light").wait_for()
    page.locator("#levels", has_text="Down it goes").wait_for(state="detached")


def test_a_game_with_a_fault_says_where_it_is_when_it_is_played(page: Any) -> None:
    paste(page, SHAFT)
    says(page, "3 turns")
    paste(page, SHAFT.replace("[ > Miner | Soil ]", "[ > Miner | Sol ]"))
    says(page, "found 'sol'")
    page.keyboard.press("Control+Enter")
    says(page, "column 13: found 'sol'")


def test_the_chosen_level_of_a_game_is_in_view(page: Any) -> None:
    paste(page, SHAFT)
    page.locator("#levels", has_text="40 turns").wait_for()
    page.locator("#levels .item").nth(7).click()
    says(page, "40 turns")
    page.wait_for_url(lambda url: url.endswith(":8"))
    page.reload()
    says(page, "40 turns")
    for _ in range(2):
        chosen(page, "The bridge")
        page.locator("#levels", has_text="…").wait_for(state="detached")
        levels, item = (box(page, f"#levels{each}") for each in ("", " [aria-current=true]"))
        assert levels["y"] <= item["y"] <= item["y"] + item["height"] <= levels["y"] + levels["height"] + 1
        page.locator("#play-mode").click()
        says(page, "to go")
