"""Single edits of boards with a legend."""

from typing import Any

import pytest

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.changes import Allowed, Change
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.textbook import breadth_first
from puzzlemc.modelling import All, System, grid, numbers, puzzle
from puzzlemc.reports.suggest.one_by_one import repairs
from puzzlemc.screens.modelling import Level


def walk(level: Any) -> System:
    """Pick up all flags. Floor behind you falls."""
    if len(level.find("wall")) > 3:
        raise ValueError("found more than three walls")
    s = System()
    man = s.choice("man", level.cells, level.one("man"))
    gone = s.flags("gone", {place: level.has(place, "wall") or place == level.one("man") for place in level.cells})
    for place in level.cells:
        for way, there in level.beside(place).items():
            s.action(way, (man == place) & ~gone[there], {man: there, gone[there]: True})
    s.goal = All(gone[place] for place in level.find("flag"))
    return s


LEGEND = {".": "floor", "#": "wall", "@": "man on floor", "!": "flag on floor", "?": "flag on floor"}
WALK = puzzle("walk", walk, grid(LEGEND, single="man"))
HOLLOW = puzzle("hollow", walk, grid({" ": "floor", "#": "wall", "@": "man on floor", "!": "flag on floor"}))


def level(of: Puzzle, text: str) -> Level:
    """The level of a text."""
    (found,) = of.screen.parse(text, "board")
    assert isinstance(found, Level)
    return found


def made(of: Puzzle, text: str, *kinds: str, keep: frozenset[tuple[int, int]] = frozenset()) -> list[Change]:
    """The edits of these kinds."""
    assert of.changes is not None
    changes = of.changes()
    return list(changes.edits(level(of, text), Allowed(frozenset(kinds or changes.kinds), keep)))


def text(change: Change) -> str:
    """The rows of a changed level."""
    found: str = change.level.text
    return found


def test_swaps_and_signs_by_the_legend() -> None:
    found = made(WALK, "@.#?", "swaps")
    assert [(text(change), change.edits[0].words) for change in found] == [
        (".@#?", "man in row 1, column 1 and floor in row 1, column 2 change places"),
        ("@#.?", "floor in row 1, column 2 and wall in row 1, column 3 change places"),
        ("@.!#", "wall in row 1, column 3 and flag in row 1, column 4 change places"),
        ("#.@?", "man in row 1, column 1 and wall in row 1, column 3 change places"),
        ("@!#.", "floor in row 1, column 2 and flag in row 1, column 4 change places"),
        ("!.#@", "man in row 1, column 1 and flag in row 1, column 4 change places"),
    ]
    # There is one man, so he stays; a flag of the other sign is no change.
    assert [text(change) for change in made(WALK, "@.#?", "signs")] == [
        *("@##?", "@!#?", "@..?", "@.!?"),
    ]
    assert [text(change) for change in made(WALK, "@.#?", keep=frozenset([(0, 0), (0, 1)]))] == [
        *("@.!#", "@..?", "@.!?"),
    ]


def test_a_level_that_is_solved_at_its_start_is_left_out() -> None:
    assert [text(change) for change in made(WALK, "@#!", "signs")] == ["@.!", "@!!"]  # without a flag, all is done


def test_what_the_author_refuses_is_no_edit() -> None:
    assert "@###!" in [text(change) for change in made(WALK, "@##.!", "signs")]
    assert "@####" not in [text(change) for change in made(WALK, "@###!", "signs")]


@pytest.mark.parametrize("rows", ["@.!", "Title: Gap\n@ !\n.", "@.\n_\n.!", "@  .\n!"])
def test_each_changed_level_is_read_as_it_is_written(rows: str) -> None:
    found = made(WALK, rows)
    assert found
    for change in found:
        assert WALK.screen.parse(WALK.screen.draw(change.level), "again") == [change.level]
        assert change.level.data.cells == level(WALK, rows).data.cells


def test_a_board_keeps_its_width_where_blanks_are_cells() -> None:
    found = made(HOLLOW, "@  #\n!", "swaps", "signs")
    assert "@# #\n!" in [text(change) for change in found]
    assert all(change.level.data.columns == 4 for change in found)
    assert "wall in row 1, column 4 becomes floor" not in [change.edits[0].words for change in found]
    assert "wall in row 1, column 4 becomes flag" in [change.edits[0].words for change in found]
    for change in found:
        assert HOLLOW.screen.parse(HOLLOW.screen.draw(change.level), "again") == [change.level]


def test_repairs_are_all_edits_after_which_plain_rules_find_a_solution() -> None:
    one = level(WALK, "@!#!\n!.#.")
    assert breadth_first(WALK.rules, one, Budget()).moves is None
    assert WALK.changes is not None
    allowed = Allowed(frozenset(WALK.changes().kinds), most=1)
    found = repairs(Entry("#1", "", WALK, one), allowed, Budget())
    expected = {
        text(change)
        for change in WALK.changes().edits(one, allowed)
        if breadth_first(WALK.rules, change.level, Budget()).moves is not None
    }
    assert {text(change) for change in found.changes} == expected
    assert expected
    assert found.complete


def test_levels_without_a_board_have_no_edits() -> None:
    def count(level: Any) -> System:
        s = System()
        s.goal = s.number("n", 0, level[0][0]) == level[0][0]
        return s

    assert puzzle("count", count, numbers()).changes is None
