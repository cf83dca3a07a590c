"""The tools of the workbench: lines, fills, parts that are moved and pasted, edges that are dragged."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from workbench import LOSSY, Cell, becomes, box, drag, paint, paste, says, served, shown

LEVEL = """\
   ####
####  #
#  $. #
#  @  #
#     #
#######"""
SHAFT = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")
THAW = (ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt").read_text(encoding="utf-8")


@pytest.fixture
def clip(browser: Any, address: str) -> Iterator[Any]:
    """The page, which may read the clipboard."""
    with shown(browser, address, permissions=["clipboard-read", "clipboard-write"]) as page:
        paste(page, LEVEL)
        says(page, "1 push")
        page.evaluate("document.activeElement.blur()")  # keys need no focus
        yield page


def rows(page: Any) -> Any:
    """A function that reads the rows of the level's text."""
    return lambda: page.locator("#source").input_value().split("\n")


def changed(old: str, **lines: str) -> list[str]:
    """The rows of a level, some of them (`r3`) with another text."""
    return [lines.get(f"r{row}", line) for row, line in enumerate(old.split("\n"))]


def test_lines_rectangles_fills_and_mirrored_strokes_are_one_step_of_undo_each(clip: Any) -> None:
    assert clip.locator("#welcome").is_visible()
    strokes = [
        ("Alt+l", "w", (4, 1), (2, 1), changed(LEVEL, r2="## $. #", r3="## @  #", r4="##    #")),
        ("Alt+r", "b", (3, 1), (4, 2), changed(LEVEL, r3="#$$@  #", r4="#$$   #")),
        ("Alt+f", "g", (1, 4), (1, 4), changed(LEVEL, r1="####..#", r2="#..$..#", r3="#..@..#", r4="#.....#")),
    ]
    for tool, brush, start, end, expected in strokes:
        clip.keyboard.press(tool)
        clip.keyboard.press(brush)
        drag(clip, start, end)
        becomes(clip, rows(clip), expected)
        clip.keyboard.press("Control+z")
        becomes(clip, rows(clip), LEVEL.split("\n"))
    clip.locator("#welcome").wait_for(state="hidden")
    clip.keyboard.press("Alt+p")
    clip.keyboard.press("Alt+m")  # left and right
    clip.keyboard.press("w")
    drag(clip, (4, 1), (3, 1))
    becomes(clip, rows(clip), changed(LEVEL, r3="## @ ##", r4="##   ##"))
    clip.locator("line.mirror").wait_for(state="attached")
    clip.locator("#mirror").click()
    clip.locator("#mirror").click()
    clip.locator("#mirror").click()
    clip.locator("line.mirror").wait_for(state="detached")
    # A stroke that begins on a cell that stays as it is does not join the stroke before.
    drag(clip, (4, 1), (4, 2))
    becomes(clip, rows(clip), changed(LEVEL, r3="## @ ##", r4="###  ##"))
    clip.keyboard.press("Control+z")
    becomes(clip, rows(clip), changed(LEVEL, r3="## @ ##", r4="##   ##"))


def test_a_part_is_selected_moved_copied_cut_and_pasted_as_text(clip: Any) -> None:
    clip.locator(".tool[data-tool=select]").click()
    drag(clip, (2, 3), (3, 4))
    clip.locator("rect.selected[x='3'][y='2'][width='2'][height='2']").wait_for()
    drag(clip, (2, 3), (3, 2))
    moved = changed(LEVEL, r2="#     #", r3="# $.  #", r4="# @   #")
    becomes(clip, rows(clip), moved)
    drag(clip, (3, 2), (2, 3))  # what it covered is there again
    becomes(clip, rows(clip), LEVEL.split("\n"))
    clip.keyboard.press("Control+c")
    becomes(clip, lambda: clip.evaluate("navigator.clipboard.readText()"), "$.\n@ ")
    clip.keyboard.press("Control+x")
    becomes(clip, rows(clip), changed(LEVEL, r2="#     #", r3="#     #"))
    drag(clip, (3, 2), (3, 2))
    clip.keyboard.press("Control+v")
    becomes(clip, rows(clip), moved)
    clip.keyboard.press("Control+ArrowUp")
    becomes(clip, rows(clip), changed(LEVEL, r2="# $.  #", r3="# @   #"))
    clip.keyboard.press("Delete")
    becomes(clip, rows(clip), changed(LEVEL, r2="#     #", r3="#     #"))
    clip.keyboard.press("Escape")
    clip.locator("rect.selected").wait_for(state="detached")
    # Rows of another program, with other signs and numbers before repeated ones; the board grows for them.
    drag(clip, (4, 5), (4, 5))
    paste(clip, "2#-|#o@\n###")
    becomes(
        clip, rows(clip), [*changed(LEVEL, r2="#     #", r3="#     #", r4="#    ##", r5="######.@"), "     ###"]
    )
    clip.keyboard.press("Control+a")
    paste(clip, LEVEL)  # in the place of all
    says(clip, "1 push")
    becomes(clip, rows(clip), LEVEL.split("\n"))
    # On another board, a part goes where it was copied.
    drag(clip, (1, 4), (2, 5))
    clip.keyboard.press("Control+c")
    clip.locator("#play-mode").click()
    says(clip, "to go")
    clip.locator("#draw-mode").click()
    clip.locator("rect.selected").wait_for(state="detached")
    clip.keyboard.press("Control+v")
    clip.locator("rect.selected[x='4'][y='1'][width='2'][height='2']").wait_for()
    becomes(clip, rows(clip), LEVEL.split("\n"))
    # A brush that is chosen paints: nothing stays selected, to be moved by the next drag.
    for choose in (lambda: clip.keyboard.press("w"), lambda: clip.locator(".brush[data-sign='#']").click()):
        clip.keyboard.press("Control+a")
        clip.locator("rect.selected").wait_for()
        choose()
        clip.locator("rect.selected").wait_for(state="detached")
        drag(clip, (4, 1), (4, 2))
        becomes(clip, rows(clip), changed(LEVEL, r4="###   #"))
        clip.keyboard.press("Control+z")
        becomes(clip, rows(clip), LEVEL.split("\n"))


@pytest.mark.slow
def test_tools_work_by_keys_alone_and_escape_leaves_them(clip: Any) -> None:
    press = clip.keyboard.press
    for _ in range(4):
        press("ArrowDown")
    press("ArrowRight")
    press("Alt+r")
    press("b")
    for key in (" ", "ArrowRight", "ArrowUp"):
        press(key)
    clip.locator("#at", has_text="2 × 2").wait_for()
    press("Escape")
    becomes(clip, rows(clip), LEVEL.split("\n"))  # nothing is drawn
    for key in (" ", "ArrowRight", "ArrowDown", "ArrowUp", " "):
        press(key)
    becomes(clip, rows(clip), changed(LEVEL, r3="# $$  #"))
    press("Control+z")
    press("Alt+p")
    place = box(clip, "#stage svg")
    clip.mouse.move(place["x"] + place["width"] * 0.2, place["y"] + place["height"] * 0.6)
    clip.mouse.down()
    clip.mouse.move(place["x"] + place["width"] * 0.4, place["y"] + place["height"] * 0.75, steps=3)
    becomes(clip, lambda: rows(clip)() != LEVEL.split("\n"), True)
    press("Escape")  # also out of a stroke
    becomes(clip, rows(clip), LEVEL.split("\n"))
    clip.mouse.up()
    becomes(clip, rows(clip), LEVEL.split("\n"))
    # Undo while a rectangle is dragged takes back that, and nothing before it.
    press("Alt+p")
    drag(clip, (4, 1), (4, 1))
    dotted = changed(LEVEL, r4="#$    #")
    becomes(clip, rows(clip), dotted)
    press("Alt+r")
    for undo in ("Control+z", "Control+y"):
        place = box(clip, "#stage svg")
        clip.mouse.move(place["x"] + place["width"] * 0.4, place["y"] + place["height"] * 0.6)
        clip.mouse.down()
        clip.mouse.move(place["x"] + place["width"] * 0.7, place["y"] + place["height"] * 0.75, steps=3)
        clip.locator("#at", has_text="×").wait_for()
        press(undo)
        clip.mouse.up()
        becomes(clip, rows(clip), dotted)
    press("Control+z")
    becomes(clip, rows(clip), LEVEL.split("\n"))
    press("Alt+a")
    press("Shift+ArrowRight")
    clip.locator("rect.selected[width='2'][height='1']").wait_for()
    press("Escape")
    clip.locator("rect.selected").wait_for(state="detached")
    press("Escape")
    clip.locator(".tool[data-tool=paint][aria-checked=true]").wait_for()
    for menu in ("#file", "#tools details"):
        clip.locator(f"{menu} summary").click()
        press("Escape")
        clip.locator(f"{menu}:not([open])").wait_for()
        clip.locator(f"{menu} summary").click()
        clip.locator("#verdict").click()
        clip.locator(f"{menu}:not([open])").wait_for()


def test_after_a_choice_by_the_pointer_keys_are_for_the_board(page: Any) -> None:
    says(page, "5 pushes")
    puzzle = page.locator("#puzzle")
    puzzle.focus()
    puzzle.dispatch_event("pointerdown")
    puzzle.select_option("folding")
    says(page, "5 moves")
    page.keyboard.press("x")
    page.keyboard.press("Space")
    becomes(page, lambda: page.locator("#source").input_value().split("\n")[0].split(), ["-1", "0", "0", "0"])
    page.locator("#tools button[title^='Paint colour 2']").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")  # not for the button
    becomes(page, lambda: page.locator("#source").input_value().split("\n")[0].split(), ["-1", "2", "0", "0"])


@pytest.mark.slow
def test_edges_are_dragged_and_the_outside_is_no_floor(clip: Any) -> None:
    clip.locator("#stage use[href='#brush-outside']").first.wait_for()
    assert clip.locator("#stage use[href='#brush-outside']").count() == 3
    for side, by, expected in (
        ("right", (2, 0), LEVEL.split("\n")),
        ("left", (-1, 0), [" " + row for row in LEVEL.split("\n")]),
        ("bottom", (0, -2), [" " + row for row in LEVEL.split("\n")[:-2]]),
    ):
        handle, board = box(clip, f".edge-{side}"), box(clip, "#stage svg")
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        cell = board["width"] / float(clip.locator("#stage svg").get_attribute("viewBox").split()[2])
        clip.mouse.move(x, y)
        clip.mouse.down()
        clip.mouse.move(x + by[0] * cell, y + by[1] * cell, steps=3)
        clip.locator(".outline").wait_for()
        clip.mouse.up()
        becomes(clip, rows(clip), expected)
    paste(clip, "lurD 2l")
    clip.locator("#toast", has_text="a solution is pasted in Play").wait_for()
    paste(clip, "no level")
    clip.locator("#toast", has_text="No level was found").wait_for()
    says(clip, "expected a wall")
    clip.locator("#stage use[href='#brush-outside']").first.wait_for()  # beside the walls; the floor is open below


@pytest.mark.slow
def test_the_open_level_stays_in_sight_when_its_list_has_less_room(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "many.xsb"
    path.write_text(f"{LEVEL}\n\n" * 12)
    with served(path) as address, shown(browser, address) as page:
        says(page, "1 push")

        def beyond() -> list[float]:
            """How far the open item with its ring reaches beyond the top and the bottom of the list."""
            item, place = box(page, "#levels [aria-current]"), box(page, "#levels")
            ends = [each["y"] + each["height"] for each in (item, place)]
            return [each for each in (place["y"] - item["y"] + 3, ends[0] + 3 - ends[1]) if each > 0]

        before = box(page, "#levels")
        page.mouse.click(before["x"] + 50, before["y"] + before["height"] - 12)
        page.locator("#levels [aria-current]:not(:first-child)").wait_for()
        becomes(page, beyond, [])
        page.locator(".brush[data-sign='#']").click()
        drag(page, (4, 1), (4, 2))
        path.write_text(f"{LEVEL}\n\n" * 13)
        page.evaluate("dispatchEvent(new Event('focus'))")  # then the page looks at once
        page.locator("#outside", has_text="has changed outside").wait_for()
        assert box(page, "#levels")["height"] < before["height"] - 50
        becomes(page, beyond, [])
        page.set_viewport_size({"width": 390, "height": 780})
        becomes(page, lambda: page.evaluate("document.documentElement.scrollWidth"), 390)
        heights = page.locator("#levels .item").evaluate_all("all => all.map(each => each.offsetHeight)")
        assert max(heights) <= 60  # also those that are not in sight
        becomes(page, beyond, [])


@pytest.mark.slow
def test_the_levels_of_a_game_are_drawn_with_the_same_tools(clip: Any) -> None:
    paste(clip, SHAFT)
    clip.locator("#stage svg[aria-label^='The level: arrow']").wait_for()
    says(clip, "3 turns")
    first = SHAFT.split("\n").index("#######")

    def level() -> list[str]:
        lines: list[str] = clip.locator("#source").input_value().split("\n")[first - 1 : first + 7]
        return lines

    old = SHAFT.split("\n")[first - 1 : first + 7]
    clip.keyboard.press("Alt+r")
    clip.keyboard.press(":")
    drag(clip, (2, 1), (3, 3))
    becomes(clip, level, [*old[:3], "#:::#.#", "#:::#_#", *old[5:]])
    clip.keyboard.press("Control+z")
    becomes(clip, level, old)
    paste(clip, "b:\n.#")  # at the last place
    becomes(clip, level, [*old[:3], "#b:##.#", "#.###_#", *old[5:]])
    clip.keyboard.press("Control+z")
    becomes(clip, level, old)
    clip.keyboard.press("Escape")
    clip.keyboard.press("Alt+a")
    drag(clip, (1, 1), (1, 3))
    drag(clip, (1, 1), (3, 2))
    becomes(clip, level, [*old[:2], "#.....#", old[3], "##" + old[2][1:4] + "_#", *old[5:]])
    says(clip, "2 turns")
    drag(clip, (3, 2), (1, 1))  # what it covered is there again
    becomes(clip, level, old)
    handle = box(clip, ".edge-bottom")
    clip.mouse.move(handle["x"] + 30, handle["y"] + 7)
    clip.mouse.down()
    clip.mouse.move(handle["x"] + 30, handle["y"] + 37, steps=3)
    clip.mouse.up()
    becomes(clip, lambda: level()[6], ".......")
    clip.keyboard.press("Control+a")
    paste(clip, "######\n#pb._#\n######")  # in the place of all its rows
    becomes(clip, level, ["", "######", "#pb._#", "######", "", "message Dig under it", "", "#######"])
    says(clip, "turns")


@pytest.mark.slow
def test_on_a_telephone_parts_are_moved_copied_and_pasted_by_touch(browser: Any, address: str) -> None:
    options = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
    with shown(browser, address, permissions=["clipboard-read", "clipboard-write"], **options) as page:
        paste(page, LEVEL)
        says(page, "1 push")
        tool = page.locator(".tool[data-tool=select] svg")
        tool.evaluate(
            "each => each.dispatchEvent(new PointerEvent('contextmenu', { bubbles: true, pointerType: 'touch' }))"
        )
        page.locator("#toast", has_text="Select a rectangle").wait_for()
        tool.tap()
        touches = page.context.new_cdp_session(page)

        def touch(kind: str, *at: Cell) -> None:
            place = box(page, "#stage svg")
            points = [
                {
                    "x": place["x"] + (x + 0.5) * place["width"] / 7,
                    "y": place["y"] + (y + 0.5) * place["height"] / 6,
                }
                for y, x in at
            ]
            touches.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

        for start, end in (((2, 3), (3, 4)), ((2, 3), (3, 2))):  # selected, then moved
            touch("Start", start)
            touch("Move", end)
            touch("End")
        moved = changed(LEVEL, r2="#     #", r3="# $.  #", r4="# @   #")
        becomes(page, rows(page), moved)
        page.get_by_role("button", name="Copy the selected part").tap()
        touch("Start", (1, 4))
        touch("End")
        page.get_by_role("button", name="Paste").tap()
        becomes(page, rows(page), changed("\n".join(moved), r1="####$.#", r2="#   @ #", r4="#     #"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_signs_of_a_game_are_written_in_the_case_that_its_level_has(clip: Any) -> None:
    """Those that nobody changed stay as they are, also where they are moved."""
    game = THAW.replace("#P.I.L#", "#p.I.L#", 1)
    paste(clip, game)
    clip.locator("#stage svg[aria-label^='The level: arrow']").wait_for()
    at = game.split("\n").index("#p.I.L#") - 1

    def becomes_rows(*rows: str) -> None:
        lines = game.split("\n")
        expected = "\n".join([*lines[:at], *rows, *lines[at + 3 :]])
        becomes(clip, lambda: clip.locator("#source").input_value(), expected)

    clip.locator(".brush[data-sign='P']").click()
    paint(clip, 1, 1)
    becomes_rows("#p....#", "#p.I.L#", "#...s.#")
    clip.keyboard.press("i")
    paint(clip, 1, 1)
    becomes_rows("#I....#", "#p.I.L#", "#...s.#")
    clip.keyboard.press("Alt+a")
    drag(clip, (2, 1), (3, 5))
    drag(clip, (2, 1), (1, 1))
    becomes_rows("#p.I.L#", "#...s.#", "#.....#")
    clip.keyboard.press("Control+z")
    paste(clip, "L\nl")
    becomes_rows("#L....#", "#L.I.L#", "#...s.#")  # at the selected place
    clip.keyboard.press("Control+z")
    clip.locator("#tools summary").click()
    clip.get_by_role("button", name="top: one more").click()
    clip.get_by_role("button", name="bottom: one less").click()
    clip.get_by_role("button", name="bottom: one less").click()
    lines = game.split("\n")
    expected = [*lines[: at - 1], ".......", "#######", "#I....#", "#p.I.L#", *lines[at + 4 :]]
    becomes(clip, lambda: clip.locator("#source").input_value(), "\n".join(expected))


@pytest.mark.slow
def test_after_undo_a_level_of_a_game_is_drawn_on_before_the_server_answers(browser: Any, address: str) -> None:
    with shown(browser, address, LOSSY) as page:
        page.evaluate("window.hears = kind => kind !== 'done'")  # no answer is complete, none is kept
        paste(page, THAW)
        page.locator("#stage svg[aria-label^='The level: arrow']").wait_for()
        row = THAW.split("\n").index("#P.I.L#") - 1

        def becomes_row(expected: str) -> None:
            becomes(page, lambda: page.locator("#source").input_value().split("\n")[row], expected)

        page.evaluate("window.hears = () => false")
        page.locator(".brush[data-sign='P']").click()
        paint(page, 1, 1)
        becomes_row("#P....#")
        page.keyboard.press("Control+z")
        becomes_row("#.....#")
        paint(page, 1, 2)
        becomes_row("#.P...#")
