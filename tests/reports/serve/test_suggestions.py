"""Changes of a level on the workbench: repairs of one without a solution, and what makes another one better."""

from threading import Event
from typing import Any

import pytest
from places import ROOT
from workbench import LOSSY, becomes, box, paint, paste, says, shown

from puzzlemc.encodings.puzzles import add, puzzles
from puzzlemc.reports.documents.levels import entry
from puzzlemc.reports.serve.answers import start_picture
from puzzlemc.reports.serve.design.suggestions import around, changes
from puzzlemc.reports.serve.offers import wishes
from puzzlemc.reports.serve.questions import Suggest
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.suggest.request import WISHES

FIRST = "########\n#  #   #\n#  $ . #\n## #$# #\n# .  @ #\n#  #   #\n########"
SHAFT = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")
LOST = "0 0 2 0\n0 0 0 0\n1 0 2 0"


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, nothing is loaded yet: a moment is too short."""
    monkeypatch.setattr("puzzlemc.reports.serve.design.suggestions.QUICK_SECONDS", 30.0)


def answers(puzzle: str, text: str, want: str = "solvable", cancelled: bool = False) -> list[dict[str, Any]]:
    """What the page hears when it asks for changes of a level."""
    heard: list[dict[str, Any]] = []
    wanted = Event()
    if cancelled:
        wanted.set()
    changes(Suggest(1, puzzle, text, want, quick=True), heard.append, wanted)
    return heard


def painted(rows: list[list[str]], change: dict[str, Any]) -> list[list[str]]:
    """The rows after a change."""
    made = [[*row] for row in rows]
    assert change["paint"]
    for row, column, sign in change["paint"]:
        assert made[row][column] != sign
        assert (row, column) in change["cells"]
        made[row][column] = sign
    return made


def test_the_signs_of_a_suggestion_make_its_level() -> None:
    (answer,) = answers("folding", LOST)
    assert (answer["verdict"], answer["metric"], answer["failed"]) == ("unsolvable", "moves", "")
    assert {each["kind"] for each in answer["suggestions"]} == {"blocks", "colours"}
    for each in answer["suggestions"]:
        rows = painted([row.split() for row in LOST.splitlines()], each)
        assert rows == each["sheet"]["rows"]
        result = solve_entry(entry("folding", "\n".join(map(" ".join, rows))), Options())
        assert (result.verdict, result.cost) == ("solvable", each["cost"])


def test_a_level_of_a_game_is_changed_in_its_text() -> None:
    old, bad = "#p.b..#\n#####.#", "#pb#..#\n#####.#"
    assert old in SHAFT
    text = SHAFT.replace(old, bad)
    board = "#######\n" + bad + text.partition("#######\n" + bad)[2].partition("\n\n")[0]
    (answer,) = answers("puzzlescript", text)
    assert answer["suggestions"]
    for each in answer["suggestions"]:
        rows = painted([[*row] for row in board.split("\n")], each)
        assert rows == each["sheet"]["rows"]
        whole = text.replace(board, "\n".join(map("".join, rows)))
        assert solve_entry(entry("puzzlescript", whole), Options()).cost == each["cost"]


def test_tiles_are_changed_in_their_level() -> None:
    (answer,) = answers("tetravex", "Tetravex 2\n0 0 0 2\n2 1 1 2\n0 0 1 1\n2 2 2 5\nPut\n1 0\n0 0")
    assert answer["suggestions"]
    for each in answer["suggestions"]:
        tiles = each["tiles"]
        rows = [*tiles["tiles"], [tiles["game"]], tiles["board"][:2], tiles["board"][2:]]
        text = "\n".join(["Tetravex 2", *(" ".join(map(str, row)) for row in rows)])
        assert solve_entry(entry("tetravex", text), Options()).cost == each["cost"] == 3
        assert not each["arranged"]
    (answer,) = answers("tetravex", "Tetravex 2\n0 0 0 0\n0 0 0 0\n0 0 0 1\n1 0 0 0", "unique")
    assert {(each["arranged"], each["after"]["solutions"]) for each in answer["suggestions"]} == {(True, 1)}


def test_of_a_large_level_the_part_around_the_change_is_seen() -> None:
    rows = ["#" * 30, *["#" + " " * 28 + "#"] * 18, "#" * 30]
    whole = start_picture(entry("sokoban", "\n".join([rows[0], "#@  $   ." + " " * 20 + "#", *rows[2:]])))
    assert around(whole, []) == {**whole, "left": 0, "top": 0}
    part = around(whole, [(3, 10), (4, 12)])
    assert [part[name] for name in ("left", "top", "width", "height")] == [6, 0, 11, 9]
    assert 0 < len(part["board"]) < len(whole["board"]) / 3
    assert [each for each in part["pieces"] if each not in whole["pieces"]] == []
    assert around(start_picture(entry("sokoban", FIRST)), [(1, 1)])["width"] == 8


def test_the_best_changes_come_edit_by_edit() -> None:
    one, two = answers("sokoban", "######\n#@$. #\n#    #\n#    #\n######", "longer")
    assert [(each["goes_on"], each["most"]) for each in (one, two)] == [(True, 1), (False, 2)]
    best = [max(answer["suggestions"], key=lambda each: each["cost"]) for answer in (one, two)]
    assert best[0]["before"]["pushes"] == 1 < best[0]["cost"] < best[1]["cost"] == best[1]["after"]["pushes"]


def test_wishes_are_those_that_a_puzzle_can_answer() -> None:
    def of(name: str) -> set[str]:
        return set(wishes(puzzles()[name]))

    assert of("sokoban") == set(WISHES)
    assert of("puzzlescript") == {"solvable", "longer", "shorter"}
    assert of("folding") == of("tetravex") == {"solvable", "longer", "shorter", "unique"}
    assert of("fabrik") == of("pddl") == set()
    assert wishes(add(str(ROOT / "examples" / "noughts.py"))) == []  # a game of two sides
    puzzles.cache_clear()


def test_a_level_that_is_written_in_one_line_is_replaced() -> None:
    (answer,) = answers("sokoban", "7#|#@-$-.#|#$4-#|#4-.#|7#")
    for each in answer["suggestions"]:
        assert each["paint"] is None
        rows = "\n".join("".join(row) for row in each["sheet"]["rows"])
        assert solve_entry(entry("sokoban", rows), Options()).cost == each["cost"]


def test_a_question_that_cannot_be_answered_says_why_and_one_that_is_not_wanted_says_nothing() -> None:
    (none,) = answers("folding", LOST, "solveable")
    assert "found the wish 'solveable'" in none["failed"]
    (none,) = answers("sokoban", FIRST, "intended=lll")
    assert none["failed"] == "found 3 moves, after which the level is not solved, expected a solution"
    (none,) = answers("sokoban", FIRST, "through=1,1")
    assert none["failed"] == "found row 1, column 1, expected a cell of the floor"
    (none,) = answers("pddl", "nothing")
    assert none["failed"]
    assert answers("folding", LOST, cancelled=True) == []


def test_a_repair_is_seen_on_the_board_and_made_as_one_step(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        says(page, "Solvable")
        words = page.locator("#suggest [role=status]")
        assert page.locator("#facts dt:has-text('changes of box') + dd").inner_text() == "1"
        page.locator("[data-wish=unique]").click()
        becomes(page, words.inner_text, "It has one shortest set of pushes already.")
        words.evaluate("each => { window.first = each }")
        page.locator("[data-wish=lean]").click()
        becomes(page, page.locator("#stage .spare").count, 14)
        assert page.locator(".legend").all_inner_texts() == [
            "Not needed: each picture shows what can go together."
        ]
        assert words.evaluate("each => each === window.first")  # screen readers hear it
        assert page.evaluate("document.activeElement.dataset.wish") == "lean"
        assert page.locator("[data-wish][aria-pressed=true]").inner_text() == "lean"
        page.locator("[data-wish=lean]").click()
        becomes(page, page.locator("#stage .spare").count, 0)
        page.locator("[data-wish=through]").click()
        for unread in ("", "x", "4"):
            page.locator("[data-asked=through]").fill(unread)
            page.keyboard.press("Enter")
            expected = "Expected a row and a column from 1, such as 3, 4, or a click on the cell."
            becomes(page, words.inner_text, expected)
        page.locator("[data-asked=through]").fill("row 4, column 3")
        page.keyboard.press("Enter")
        becomes(page, words.inner_text, "Every solution passes row 4, column 3 already.")
        level = page.locator("#source").input_value()
        page.locator("[data-wish=through]").click()
        page.locator("[data-wish=through]").click()
        paint(page, 2, 3)
        becomes(page, words.inner_text, "Every solution passes row 3, column 4 already.")
        assert page.locator("#source").input_value() == level  # nothing was painted
        paint(page, 1, 1)  # the next click is a stroke again
        becomes(page, lambda: page.locator("#source").input_value() == level, False)
        page.keyboard.press("Control+z")
        becomes(page, page.locator("#source").input_value, level)
        becomes(page, page.locator("[data-wish=only]").count, 1)
        page.locator("[data-wish=only]").click()
        page.locator("[data-asked=only]").fill(" ")
        page.keyboard.press("Enter")
        becomes(page, words.inner_text, "Expected a solution: letters, words or arrows.")
        page.locator("[data-asked=only]").fill("llluuRRDuurrdddlLL")
        page.keyboard.press("Enter")
        becomes(
            page,
            words.inner_text,
            "Every solution of at most 5 pushes has your pushes, in whatever order, already.",
        )
        paste(page, LOST)
        says(page, "Unsolvable")
        becomes(page, words.inner_text, "5 single edits make it solvable.")
        cards, ghosts, text = (
            page.locator("#suggest .card"),
            page.locator("#stage .ghosts"),
            page.locator("#source"),
        )
        assert cards.count() == 5
        page.locator("#suggest select").select_option("colours")
        becomes(page, words.inner_text, "1 single edit makes it solvable.")
        page.locator("#suggest select").select_option("")
        becomes(page, cards.count, 5)
        assert "5 moves" in cards.first.inner_text()
        assert "The cell in row 3, column 3 starts empty." in cards.first.inner_text()
        page.mouse.move(0, 0)
        assert ghosts.locator("*").count() == 0
        cards.first.hover()
        assert ghosts.locator("use").count() == ghosts.locator(".ghost").count() == 1
        page.mouse.move(0, 0)
        assert ghosts.locator("*").count() == 0
        page.locator("#suggest select").focus()
        page.keyboard.press("Tab")  # the pictures follow
        page.keyboard.press("Tab")
        assert ghosts.locator(".ghost").count() == 2
        assert ghosts.locator(".ghost-way").count() == 1
        page.keyboard.press("Enter")
        says(page, "Solvable")
        becomes(page, lambda: text.input_value().split("\n")[1:], ["1 0 0 0", "0 0 2 0"])
        assert ghosts.locator("*").count() == 0
        assert "Undo takes it back" in page.locator("#toast").inner_text()
        becomes(page, page.locator("[data-wish]").all_inner_texts, ["unique", "longer", "shorter"])
        page.keyboard.press("Control+z")
        says(page, "Unsolvable")
        becomes(page, text.input_value, LOST)
        becomes(page, cards.count, 5)  # known already
        page.locator("#more summary").click()
        page.locator("#more button", has_text="Ask").click()
        page.locator("#said", has_text="hold").wait_for()
        becomes(page, cards.count, 5)  # a question that ends the one before
        page.keyboard.press("Control+Enter")
        page.locator("#suggest").wait_for(state="hidden")


def test_nothing_is_drawn_of_a_level_whose_successor_has_no_answer_yet(browser: Any, address: str) -> None:
    """The repairs of an unsolvable level are late, and drawn a while after its verdict: it may be gone by then."""
    with shown(browser, address, LOSSY) as page:
        says(page, "Solvable")
        panel = page.locator("#suggest")
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.evaluate("window.hears = kind => kind === 'verdict'")
        paste(page, LOST)
        says(page, "Unsolvable")
        page.clock.run_for(200)
        page.evaluate("window.hears = () => false")
        other = FIRST.replace("$", " ", 1).replace(".", " ", 1)
        paste(page, other)
        becomes(page, page.locator("#source").input_value, other)
        page.clock.run_for(140)  # an error of the page is one of the clock, too
        assert "Unsolvable" in page.locator("#verdict").inner_text()
        assert panel.evaluate("each => each.inert")  # what is seen of the level before cannot be used
        page.clock.run_for(1000)
        says(page, "Searching")
        assert not panel.evaluate("each => each.inert")
        assert panel.locator(".head").count() == 0


@pytest.mark.slow
def test_on_a_telephone_a_first_tap_shows_a_change_and_a_second_one_makes_it(browser: Any, address: str) -> None:
    with shown(browser, address, viewport={"width": 390, "height": 844}, has_touch=True) as page:
        says(page, "Solvable")
        said = page.locator("#toast")
        page.locator("#facts .term", has_text="mistakes unnoticed").tap()
        becomes(page, lambda: said.get_attribute("class"), "shown")
        assert box(page, said)["width"] > 330
        paste(page, "#####\n#@  #\n# $ #\n#  .#\n#####")
        says(page, "2 pushes")
        page.locator("[data-wish=unique]").tap()
        page.locator("#suggest .card", has_text="2 → 1 sets of pushes").first.wait_for()
        paste(page, LOST)
        says(page, "Unsolvable")
        card, ghosts = page.locator("#suggest .card").first, page.locator("#stage .ghosts .ghost")
        becomes(page, page.locator("#suggest .card").count, 5)
        card.tap()
        becomes(page, said.inner_text, "The next tap makes this change.")
        assert ghosts.count() == 1
        assert page.locator("#source").input_value() == LOST
        card.tap()
        says(page, "Solvable")
        assert ghosts.count() == 0
        becomes(page, lambda: page.locator("#facts .term").count() > 3, True)
        term = page.locator("#facts .term").last
        term.tap()
        meaning = term.get_attribute("title")
        becomes(page, said.inner_text, meaning)
        page.locator("#verdict h2").first.tap()
        becomes(page, lambda: said.get_attribute("class"), "")
