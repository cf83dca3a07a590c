"""Pages that play by themselves, in Chromium, from a file and without a network."""

from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from command import start_server
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from examples import examples
from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.share.bundle import bundle
from puzzlemc.reports.share.html import in_html
from puzzlemc.reports.share.page import content
from puzzlemc.reports.share.page import page as page_of
from puzzlemc.reports.share.page import solved as solved_for_page
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result, Solution
from puzzlemc.reports.solve.solve import solve_entry

# A push down loses: the box comes to a wall without a goal. The best solution has 2 pushes.
LEVEL = """\
; Two pushes
#######
#     #
# @$ .#
#     #
#######
"""
FACTORIO = """\
Title: A belt
Factorio
in A: iron-plate
out Z: iron-plate
A..Z
"""
NOW = Budget(Limits(seconds=0.0))  # nothing is explored
HOSTILE = (
    "</script><script>document.title = 'x'</script><!--<script>",
    "<img src=x onerror=alert(1)>\u2028\u2029\u202e\u0000&amp;\"'`{{ 7 * 7 }}",
    "</title></textarea>]]><svg onload=alert(1)>\ud800\ufffe",
)


def solved(name: str, text: str) -> tuple[Entry, Result]:
    """The first level of a text, and its result."""
    rules = puzzle(name)
    (level, *_) = rules.screen.parse(text, "levels")
    entry = Entry("levels#1", level.title, rules, level)
    return entry, solve_entry(entry, Options(timeout=20.0))


@pytest.fixture(scope="module")
def two_pushes() -> tuple[Entry, Result]:
    start_server()
    return solved("sokoban", LEVEL)


def opened(page: Any, folder: Path, text: str) -> list[str]:
    """Open a page from a file; the requests that it sends."""
    place = folder / "level.html"
    place.write_text(text, encoding="utf-8")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(place.as_uri())
    return asked


def keys_stay(page: Any) -> Callable[[], bool]:
    """Are the keys where they were, whatever is said above them? Else a second tap is one of another key."""
    first = page.locator("#pad").bounding_box()
    return lambda: bool(page.locator("#pad").bounding_box() == first)


def test_a_level_is_played(page: Any, tmp_path: Path, two_pushes: tuple[Entry, Result]) -> None:
    """To a win, to a lost position and back, with hints and the solution, on a telephone."""
    page.set_viewport_size({"width": 390, "height": 844})
    asked = opened(page, tmp_path, page_of(*two_pushes, Budget()))
    state = page.locator("#state")
    assert page.locator(".verdict").inner_text() == "Solvable in 2 pushes: no solution has fewer pushes."
    assert page.title() == page.locator("h1").inner_text() == "Two pushes"
    assert "2 pushes to go" in state.inner_text()
    stay = keys_stay(page)
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="right").click()
    page.keyboard.press("h")
    assert "Hint: go left, then go down, then push right" in state.inner_text()
    assert stay()
    assert page.locator("#board .hint").count() == page.locator("#board .hint-to").count() == 2
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert "Lost since move 3: go back to move 2" in " ".join(state.inner_text().split())
    assert "1 push, 4 moves so far" in state.inner_text()
    page.keyboard.press("h")
    assert "No hint: from here, no moves lead to the goal." in state.inner_text()
    assert stay()
    page.get_by_role("button", name="go back to move 2").click()
    assert "2 pushes to go" in state.inner_text()
    for undone, then in (("z", 1), ("Control+z", 0), ("y", 1), ("y", 2)):
        page.keyboard.press(undone)
        assert (f"0 pushes, {then} move" in state.inner_text()) is (then > 0)
    page.get_by_role("button", name="Solution").click()
    page.get_by_label("A step forward").click()
    page.keyboard.press("s")
    page.locator("#film", has_text="Step 2 of 2").wait_for()
    assert stay()
    page.get_by_role("button", name="My game").click()
    assert "0 pushes, 2 moves so far" in state.inner_text()
    box = page.locator("#board svg").bounding_box()
    cell = box["width"] / 7
    page.mouse.click(box["x"] + 2.5 * cell, box["y"] + 2.5 * cell)  # the cell beside the box
    assert "0 pushes, 4 moves so far" in state.inner_text()
    page.keyboard.press("ArrowRight")
    for _ in range(2):  # a swipe; what comes after a win is not played
        page.mouse.move(box["x"] + 1.5 * cell, box["y"] + 0.5 * cell)
        page.mouse.down()
        page.mouse.move(box["x"] + 3.5 * cell, box["y"] + 0.6 * cell)
        page.mouse.up()
    assert "Solved in 2 pushes, 6 moves" in state.inner_text()
    assert "No solution is better." in state.inner_text()
    assert stay()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("#said").inner_text() == ""
    assert [each.rpartition("/")[2] for each in asked] == ["level.html"]


def test_a_page_without_all_positions_knows_its_solution(
    page: Any, tmp_path: Path, two_pushes: tuple[Entry, Result]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, tmp_path, page_of(*two_pushes, Budget(Limits(seconds=0.0))))
    state, stay = page.locator("#state"), keys_stay(page)
    page.keyboard.press("ArrowRight")
    assert "1 push to go" in state.inner_text()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert "Off the known solution" in state.inner_text()
    page.keyboard.press("h")
    assert "No hint is known for this position." in state.inner_text()
    assert stay()
    page.get_by_role("button", name="go back to move 1").click()
    assert "1 push to go" in state.inner_text()
    assert "Hints follow the solution that is known" in page.locator("section").inner_text()


def test_a_level_without_rules_for_pages_is_shown(page: Any, tmp_path: Path) -> None:
    entry, result = solved("factorio", FACTORIO)
    opened(page, tmp_path, page_of(entry, result, Budget()))
    assert "This page shows the level and its solution." in page.locator("section").inner_text()
    page.get_by_role("button", name="Solution").click()
    page.get_by_label("A step forward").click()
    page.locator("#film", has_text="Step 1 of").wait_for()
    assert page.locator("#pad button, #moves button").count() == 0


def test_games_and_own_puzzles_are_played(page: Any, tmp_path: Path) -> None:
    """A PuzzleScript game by its table of positions; a system by keys, drags and taps."""
    (entry,) = load([str(ROOT / "screens/levels/puzzlescript/thaw.txt") + "#1"])
    opened(page, tmp_path, page_of(entry, solve_entry(entry, Options()), Budget()))
    state = page.locator("#state")
    page.locator("#state", has_text="2 turns to go").wait_for()  # the table is unpacked
    assert page.locator(".by").inner_text() == "of the game Thaw by puzzlemc"
    how = page.locator("section").inner_text()
    assert "Goal: no Frozen (Skin, Crack or Ice), and no Seed. The arrow keys move the player." in how
    page.get_by_role("button", name="right").click()
    page.keyboard.press("h")
    assert "Hint: right" in state.inner_text()
    page.keyboard.press("ArrowRight")
    assert "Solved in 2 turns" in state.inner_text()
    rules = puzzle(str(ROOT / "examples" / "pegs.py"))
    level = rules.screen.parse(rules.levels, "levels")[0]
    entry = Entry("levels#1", level.title, rules, level)
    asked = opened(page, tmp_path, page_of(entry, solve_entry(entry, Options()), Budget()))
    page.locator("#state", has_text="5 jumps to go").wait_for()
    box = page.locator("#board svg").bounding_box()
    cell = box["width"] / 5
    page.mouse.move(box["x"] + 2.5 * cell, box["y"] + 1.5 * cell)
    page.mouse.down()
    page.mouse.move(box["x"] + 4.5 * cell, box["y"] + 1.5 * cell)
    page.mouse.up()  # the peg of the middle jumps to the right
    for done in range(1, 5):
        assert f"{5 - done} jump" in state.inner_text()
        page.keyboard.press("h")
        page.get_by_role("button", name=state.inner_text().rpartition("Hint: ")[2].strip()).click()
    assert "Solved in 5 jumps" in state.inner_text()
    assert len(asked) == 1


def test_the_search_and_all_positions_agree() -> None:
    """What a limit has left unknown is decided by all positions, and a contradiction is an error."""
    entry, unknown = _unknown()
    found = content(entry, unknown, Budget()).data["verdict"]
    assert (found["verdict"], found["cost"], found["optimal"]) == ("solvable", 2, True)
    for trace, pushes, optimal in ((["R", "R"], 1, False), (["R", "R"], 3, True), (None, 0, False)):
        solution = None if trace is None else Solution(trace, pushes, optimal, {"pushes": pushes, "moves": 2})
        wrong = replace(unknown, verdict="solvable" if trace else "unsolvable", metrics=entry.puzzle.metrics)
        with pytest.raises(Refuted, match="the list of all positions cost 2"):
            content(entry, replace(wrong, solution=solution), Budget())


def test_tiles_are_put_in_any_order_if_that_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level that asks for an arrangement is played in any order; else in the order of its solution."""
    entry, arranged = solved("tetravex", "Tetravex 2\n0 0 0 2\n2 1 1 2\n0 0 1 1\n2 2 2 1\n")
    options = Options(timeout=20.0)
    put, result = solved_for_page(entry, options)
    assert put.level.rules == "put"
    assert result.verdict == arranged.verdict == "solvable"
    assert all("@" in move for move in result.trace or ())
    unknown = replace(arranged, verdict="unknown", solution=None)
    real = solve_entry
    monkeypatch.setattr(
        "puzzlemc.reports.share.page.solve_entry",
        lambda each, *given, **named: unknown if each.level.rules else real(each, *given, **named),
    )
    level, result = solved_for_page(entry, options)
    assert level is entry
    assert result.trace == arranged.trace


def test_no_text_of_a_level_is_markup(page: Any, tmp_path: Path, two_pushes: tuple[Entry, Result]) -> None:
    entry, result = two_pushes
    for title in HOSTILE:
        level = replace(entry.level, title=title, author=title)
        asked = opened(page, tmp_path, page_of(Entry(entry.id, title, entry.puzzle, level), result, Budget()))
        page.keyboard.press("ArrowRight")
        assert "1 move so far" in page.locator("#state").inner_text()
        assert page.locator("script").count() == 2
        assert page.locator("h1 *, header img, header svg").count() == 0
        assert len(asked) == 1


class Tags(HTMLParser):
    """The tags of a page, and the text of its data."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Any] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, sorted(name for name, _ in attributes if name != "class")))


@settings(max_examples=examples(25, 300))
@given(st.text(st.characters() | st.sampled_from("<>&\"'/\\!-\u2028\u202e\0"), max_size=30), st.text(max_size=10))
def test_the_elements_of_a_page_do_not_depend_on_texts(title: str, author: str) -> None:
    entry, result = _unknown()
    level = replace(entry.level, title=title, author=f"x{author}")
    plain = replace(entry.level, title="x", author="x")
    hostile = page_of(Entry("", title or "x", entry.puzzle, level), result, NOW)
    assert Tags(hostile).found == Tags(page_of(Entry("", "x", entry.puzzle, plain), result, NOW)).found
    assert hostile.count("</script") == 2


def _unknown() -> tuple[Entry, Result]:
    rules = puzzle("sokoban")
    (level,) = rules.screen.parse(LEVEL, "levels")
    return Entry("levels#1", level.title, rules, level), Result("levels#1", verdict="unknown", metric="pushes")


def test_data_of_a_page_are_plain_json() -> None:
    import json

    data = {"title": "".join(HOSTILE)}
    text = in_html(data)
    assert text.isascii()
    assert not set("<>&\n\0") & set(text)
    assert json.loads(text) == data
    entry, result = _unknown()
    found = content(entry, result, NOW).data
    assert json.loads(in_html(found)) == found | {"rules": json.loads(json.dumps(found["rules"]))}


def test_a_bundle_has_the_modules_that_an_entry_needs() -> None:
    modules = {
        "a": 'import { one, two } from "./b.js"\nexport const sum = one + two()\n',
        "b": "export const one = 1\nexport function two() { return 2 }\n",
        "c": "export const unused = 1\n",
    }
    made = bundle(modules, "a")
    assert made.index("module_b") < made.index("module_a")
    assert "unused" not in made
    assert "return { one, two }" in made
    assert "const { one, two } = module_b" in made
    for wrong in ("export default 1\n", 'import * as a from "./a.js"\n', "const x = '</script>'\n"):
        with pytest.raises(ValueError, match=r"d\.js: found"):
            bundle({"d": wrong}, "d")
    with pytest.raises(ValueError, match="imports itself"):
        bundle({"e": 'import { a } from "./e.js"\n'}, "e")
