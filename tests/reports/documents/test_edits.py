"""Levels of a text are changed, and nothing else in the text is."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from examples import examples
from puzzlemc.reports.documents.edits import (
    Describe,
    Edit,
    Header,
    Insert,
    Move,
    Remove,
    Replace,
    answer,
    edit,
    read,
)
from puzzlemc.reports.documents.levels import meaning
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part

ONE = "#####\n#@$.#\n#####"
TWO = "######\n#@$ .#\n######"
THREE = "#######\n#@$  .#\n#######"
FIRST = f"{ONE}\nTitle: one"
SECOND = f"{TWO}\nTitle: two"
THIRD = f"; a note\n; of two lines\n{THREE}\nTitle: three\nAuthor: Bob"
HEAD = "Title: All of them\nAuthor: Ada\n\n"
FILE = f"{HEAD}{FIRST}\n\n{SECOND}\n\n{THIRD}\n\n"
UNTITLED = FILE.replace(SECOND, TWO)
GAME = (ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt").read_text()
SHIPPED = sorted(
    each
    for each in (ROOT / "screens" / "levels").glob("*/*")
    if each.suffix not in {".tsv", ".pddl"}  # their domains are in other files
)


def changed(text: str, *changes: Any, puzzle: str = "sokoban") -> str:
    return edit(Edit(puzzle, text, list(changes))).text


def listed(text: str, puzzle: str = "sokoban") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer(read(puzzle, text))["levels"]
    return found


def titles(text: str) -> list[str]:
    return [each["title"] for each in listed(text)]


def test_the_lines_of_a_level_are_its_rows_and_what_is_said_about_it() -> None:
    assert [each["text"] for each in listed(FILE)] == [FIRST, SECOND, THIRD]
    assert [each["line"] for each in listed(FILE)] == [4, 9, 14]
    assert answer(read("sokoban", FILE))["header"] == HEAD.strip()


@pytest.mark.parametrize("text", [f"{TWO}\nTitle: two", f"Title: two\n{TWO}"])
def test_a_level_is_given_a_title(text: str) -> None:
    made = changed(UNTITLED, Replace(1, text))
    assert made == UNTITLED.replace(TWO, text)
    assert titles(made) == ["one", "two", "three"]
    assert changed(made, Replace(1, TWO)) == UNTITLED


def test_a_title_above_the_first_level_does_not_become_that_of_the_file() -> None:
    made = changed(f"{ONE}\n\n{TWO}\n", Replace(0, f"Title: mine\n{ONE}"))
    assert titles(made) == ["mine", ""]
    assert [each.about.title for each in read("sokoban", made).parts if not isinstance(each, LevelError)] == [
        "",
        "",
    ]


def test_a_new_level_takes_no_author_of_another_one() -> None:
    text = f"Author: Ada\n\nTitle: one\n{ONE}\n\nTitle: two\n{TWO}\n"
    authors = {each["title"]: each["author"] for each in listed(text)}
    assert authors == {"one": "Ada", "two": ""}
    for new in (f"{THREE}\nTitle: new", f"Title: new\n{THREE}"):
        for at in range(3):
            try:
                found = listed(changed(text, Insert(at, new)))
            except LevelError:
                continue
            assert {each["title"]: each["author"] for each in found if each["title"] != "new"} == authors


def test_levels_change_places_with_all_that_is_said_about_them() -> None:
    made = changed(FILE, Move([2], 1))
    assert made == f"{HEAD}{FIRST}\n\n{THIRD}\n\n{SECOND}\n\n"
    assert changed(made, Move([0, 1], 1)) == f"{HEAD}{SECOND}\n\n{FIRST}\n\n{THIRD}\n\n"
    assert changed(made, Move([1], 2)) == FILE


def test_a_change_after_which_others_would_be_read_otherwise_is_refused() -> None:
    """Without a title of the last level, this reader takes the first lines for the title of the first level."""
    for change in (Move([1], 2), Remove([2]), Remove([5])):
        with pytest.raises(LevelError, match=r"other levels would be read otherwise|found no lines of a level"):
            changed(UNTITLED, change)
    with pytest.raises(LevelError, match="no level would be left"):
        changed(FILE, Remove([0, 1, 2]))


def test_levels_are_removed_with_all_that_is_said_about_them() -> None:
    assert changed(FILE, Remove([0])) == FILE.replace(f"{FIRST}\n\n", "")
    assert changed(FILE, Remove([2, 1])) == f"{HEAD}{FIRST}\n\n"


def test_a_new_level_stands_before_another_or_at_the_end_and_gets_a_title_where_it_needs_one() -> None:
    new = f"{THREE}\nTitle: new"
    assert changed(FILE, Insert(1, new)) == FILE.replace(SECOND, f"{new}\n\n{SECOND}")
    assert changed(FILE, Insert(0, new)) == FILE.replace(FIRST, f"{new}\n\n{FIRST}")
    assert titles(changed(FILE, Insert(9, ONE))) == ["one", "two", "three", "Level 4"]
    assert changed(f"{ONE}\n\n{TWO}\n\n\n", Insert(2, ONE)) == f"{ONE}\n\n{TWO}\n\n{ONE}\n\n\n"
    assert titles(changed(FILE, Insert(1, f"{new}\n\n{FIRST}"))) == ["one", "new", "one", "two", "three"]


@pytest.mark.parametrize("text", ["", "what is this?", f"{ONE}\n\n{TWO}"])
def test_what_is_not_one_level_does_not_come_in_its_place(text: str) -> None:
    with pytest.raises(LevelError, match=r"levels in the text, expected one|would be read otherwise"):
        changed(FILE, Replace(1, text))
    if not text.startswith("#"):
        with pytest.raises(LevelError, match=r"found (an empty text|text but no row)"):
            changed(FILE, Insert(1, text))


def test_a_level_with_faults_is_written_and_a_later_change_of_a_list_is_of_the_text_before() -> None:
    faulty = "#####\n# $.#\n#####"
    made = changed(FILE, Replace(0, f"{faulty}\nTitle: one"), Remove([1]))
    assert made == f"{HEAD}{faulty}\nTitle: one\n\n{THIRD}\n\n"


def test_title_author_and_comment_are_written_where_the_reader_finds_them() -> None:
    made = changed(FILE, Describe(0, title="uno", author="Me", comment="what\nfor"), Describe(2, comment="other"))
    found = listed(made)
    assert [found[0][each] for each in ("title", "author", "comment")] == ["uno", "Me", "what\nfor"]
    assert [found[2][each] for each in ("title", "author", "comment")] == ["three", "Bob", "other"]
    assert made.replace("; other", "; a note\n; of two lines").endswith(f"\n\n{SECOND}\n\n{THIRD}\n\n")
    again = changed(made, Describe(0, author="Ada", comment=""))
    assert [listed(again)[0][each] for each in ("title", "author", "comment")] == ["uno", "Ada", ""]
    with pytest.raises(LevelError, match="found no place for this title"):
        changed(FILE, Describe(2, title=""))
    folding = changed("1 0\n0 0\n\n1 0\n0 0\n", Describe(1, title="zwei", comment="twice"), puzzle="folding")
    assert [each["title"] for each in listed(folding, "folding")] == ["", "zwei"]
    assert listed(folding, "folding")[1]["comment"] == "twice"


def test_the_lines_above_all_levels_are_changed() -> None:
    made = changed(FILE, Header("Title: Others\nAuthor: Eve\n; more"))
    assert made == FILE.replace(HEAD, "Title: Others\nAuthor: Eve\n; more\n\n")
    assert [each["author"] for each in listed(made)] == ["Eve", "Eve", "Bob"]
    assert changed(FILE, Header("")) == FILE.removeprefix(HEAD)
    with pytest.raises(LevelError, match="other levels would be read otherwise"):
        changed(FILE, Header(ONE))


@settings(max_examples=examples(8, 100))
@given(st.data())
def test_levels_of_a_game_are_changed_in_its_text(data: st.DataObject) -> None:
    count = len(before := [each["text"] for each in listed(GAME, "puzzlescript")])
    moved = data.draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=3, unique=True).map(sorted))
    to = data.draw(st.integers(0, count - len(moved)))
    rest = [each for at, each in enumerate(before) if at not in moved]
    expected = [*rest[:to], *(before[at] for at in moved), *rest[to:]]
    made = changed(GAME, Move(moved, to), puzzle="puzzlescript")
    assert [each["text"] for each in listed(made, "puzzlescript")] == expected
    gone = changed(made, Remove([*range(to, to + len(moved))]), puzzle="puzzlescript")
    assert [each["text"] for each in listed(gone, "puzzlescript")] == rest
    new = f"message Mine\n\n{before[0].split(chr(10) * 2)[-1]}"
    added = changed(gone, Insert(to, new), puzzle="puzzlescript")
    assert [each["title"] for each in listed(added, "puzzlescript")][to] == "Mine"
    assert changed(added, Remove([to]), puzzle="puzzlescript") == gone


@pytest.mark.parametrize(
    ("text", "count"),
    [("message New\n\n###\n#P#\n###", 1), ("#P#\n\n#P#", 2), ("message Only words", 0), ("(#P#", 0)],
)
def test_the_text_of_a_level_is_read_with_the_rules_of_its_game(text: str, count: int) -> None:
    found = read("puzzlescript", GAME).alone(text)
    assert sum(isinstance(each, Part) for each in found) == count
    if count == 1:
        assert meaning(found[0])[:2] == ("###\n#P#\n###", "New")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_a_shipped_file_is_the_same_after_changes_and_their_opposites(path: Any) -> None:
    text, puzzle = path.read_text(), path.parent.name
    levels = listed(text, puzzle)
    assert not any(each["error"] for each in levels)
    for at, each in enumerate(levels):
        assert each["text"] is not None
        assert changed(text, Replace(at, each["text"]), puzzle=puzzle) == text
    if len(levels) > 1:
        last = len(levels) - 1
        made = changed(text, Move([0], last), puzzle=puzzle)
        assert changed(made, Move([last], 0), puzzle=puzzle) == text
        assert made != text or levels[0]["text"] == levels[last]["text"]
