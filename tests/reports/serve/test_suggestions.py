"""Changes of a level on the workbench: repairs of one without a solution."""

from threading import Event
from typing import Any

import pytest
from workbench import becomes, paste, says, shown

from puzzlemc.reports.documents.levels import entry
from puzzlemc.reports.serve.design.suggestions import changes
from puzzlemc.reports.serve.questions import Suggest
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

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


def test_the_signs_of_a_suggestion_make_its_level() -> None:
    (answer,) = answers("folding", LOST)
    assert (answer["verdict"], answer["metric"], answer["failed"]) == ("unsolvable", "moves", "")
    assert {each["kind"] for each in answer["suggestions"]} == {"blocks", "colours"}
    for each in answer["suggestions"]:
        rows = [row.split() for row in LOST.splitlines()]
        assert each["paint"]
        for row, column, sign in each["paint"]:
            assert rows[row][column] != sign
            assert (row, column) in each["cells"]
            rows[row][column] = sign
        assert rows == each["sheet"]["rows"]
        result = solve_entry(entry("folding", "\n".join(map(" ".join, rows))), Options())
        assert (result.verdict, result.cost) == ("solvable", each["cost"])


def test_a_question_that_cannot_be_answered_says_why_and_one_that_is_not_wanted_says_nothing() -> None:
    (none,) = answers("folding", LOST, "solveable")
    assert "found the wish 'solveable'" in none["failed"]
    (none,) = answers("pddl", "nothing")
    assert none["failed"]
    assert answers("folding", LOST, cancelled=True) == []


def test_a_repair_is_seen_on_the_board_and_made_as_one_step(browser: Any, address: str) -> None:
    with shown(browser, address) as page:
        says(page, "Solvable")
        assert page.locator("#suggest").is_hidden()
        paste(page, LOST)
        says(page, "Unsolvable")
        page.locator("#suggest [role=status]", has_text="5 single edits make it solvable.").wait_for()
        cards, ghosts, text = (
            page.locator("#suggest .card"),
            page.locator("#stage .ghosts"),
            page.locator("#source"),
        )
        assert cards.count() == 5
        assert "5 moves" in cards.first.inner_text()
        assert "The cell in row 3, column 3 starts empty." in cards.first.inner_text()
        assert ghosts.locator("*").count() == 0
        cards.first.hover()
        assert ghosts.locator("use").count() == ghosts.locator(".ghost").count() == 1
        page.mouse.move(0, 0)
        assert ghosts.locator("*").count() == 0
        page.locator("#actions button").last.focus()
        page.keyboard.press("Tab")  # the pictures follow what can be done with the level
        page.keyboard.press("Tab")
        assert ghosts.locator(".ghost").count() == 2
        assert ghosts.locator(".ghost-way").count() == 1
        page.keyboard.press("Enter")
        says(page, "Solvable")
        becomes(page, lambda: text.input_value().split("\n")[1:], ["1 0 0 0", "0 0 2 0"])
        assert ghosts.locator("*").count() == 0
        assert "Undo takes it back" in page.locator("#toast").inner_text()
        becomes(page, lambda: page.locator("#suggest .card").count(), 0)
        page.keyboard.press("Control+z")
        says(page, "Unsolvable")
        becomes(page, text.input_value, LOST)
        becomes(page, cards.count, 5)  # known already
        page.locator("#more summary").click()
        page.locator("#more button", has_text="Ask").click()
        page.locator("#said", has_text="hold").wait_for()
        becomes(page, cards.count, 5)  # a question that ends the one before
        page.keyboard.press("Control+Enter")
        becomes(page, page.locator("#suggest").is_hidden, True)
