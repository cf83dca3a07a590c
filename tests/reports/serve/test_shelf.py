"""Files of a collection that the page changes: levels are titled, moved, removed, and nothing is lost."""

import shutil
from pathlib import Path

import pytest
from places import ROOT
from starlette.testclient import TestClient

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.serve.app import application
from puzzlemc.reports.serve.shelf import Shelf
from puzzlemc.screens.base.errors import LevelError

HERE = {"origin": "http://127.0.0.1:8000", "host": "127.0.0.1:8000"}
ONE = "#####\n#@$.#\n#####"
TWO = "######\n#@$ .#\n######"
THREE = "#######\n#@$  .#\n#######"
FIRST = f"{ONE}\nTitle: one"
THIRD = f"; a note\n; of two lines\n{THREE}\nTitle: three\nAuthor: Bob"
SECOND = f"{TWO}\nTitle: two"
HEAD = "Title: All of them\nAuthor: Ada\n\n"
FILE = f"{HEAD}{FIRST}\n\n{SECOND}\n\n{THIRD}\n\n"
UNTITLED = FILE.replace(SECOND, TWO)
SHIPPED = sorted(
    each
    for each in (ROOT / "screens" / "levels").glob("*/*")
    if each.suffix != ".tsv" and each.suffix != ".pddl"  # their domains are in other files
)


def shelf(path: Path) -> Shelf:
    return Shelf(load([str(path)]))


def titles(found: Shelf) -> list[str]:
    return [each["title"] for each in found.listed()]


def written(tmp_path: Path, text: str = FILE) -> Path:
    path = tmp_path / "a.xsb"
    path.write_bytes(text.encode())
    return path


def save(found: Shelf, number: int, text: str) -> None:
    found.save(number, text, found.level(number)["was"])


def test_the_lines_of_a_level_are_its_rows_and_what_is_said_about_it(tmp_path: Path) -> None:
    found = shelf(written(tmp_path))
    assert [found.level(number)["text"] for number in range(3)] == [FIRST, SECOND, THIRD]


@pytest.mark.parametrize("text", [f"{TWO}\nTitle: two", f"Title: two\n{TWO}"])
def test_a_level_is_given_a_title(tmp_path: Path, text: str) -> None:
    found = shelf(path := written(tmp_path, UNTITLED))
    save(found, 1, text)
    assert path.read_text() == UNTITLED.replace(TWO, text)
    assert titles(found) == ["one", "two", "three"] == titles(shelf(path))
    save(found, 1, TWO)
    assert path.read_text() == UNTITLED


def test_a_title_above_the_first_level_does_not_become_that_of_the_file(tmp_path: Path) -> None:
    found = shelf(path := written(tmp_path, f"{ONE}\n\n{TWO}\n"))
    save(found, 0, f"Title: mine\n{ONE}")
    assert titles(found) == ["mine", ""] == titles(shelf(path))
    assert [each.part and each.part.about.title for each in load([str(path)])] == ["", ""]


def test_levels_change_places_with_all_that_is_said_about_them(tmp_path: Path) -> None:
    found = shelf(path := written(tmp_path))
    found.move(2, -1, found.level(2)["was"])
    assert titles(found) == ["one", "three", "two"] == titles(shelf(path))
    assert path.read_text() == f"{HEAD}{FIRST}\n\n{THIRD}\n\n{SECOND}\n\n"
    found.move(0, 1, found.level(0)["was"])
    assert titles(found) == ["three", "one", "two"] == titles(shelf(path))
    for number, by in ((0, -1), (2, 1)):
        with pytest.raises(LevelError, match="found no level there"):
            found.move(number, by, found.level(number)["was"])


def test_a_change_after_which_others_would_be_read_otherwise_is_refused(tmp_path: Path) -> None:
    """Without a title of the last level, this reader takes the first lines for the title of the first level."""
    found = shelf(path := written(tmp_path, UNTITLED))
    for change in (found.move, lambda number, by, was: found.remove(number + by, found.level(number + by)["was"])):
        with pytest.raises(LevelError, match="other levels would be read otherwise"):
            change(1, 1, found.level(1)["was"])
    assert path.read_text() == UNTITLED
    assert not (tmp_path / "a.xsb.bak").exists()


def test_a_level_is_removed_with_all_that_is_said_about_it(tmp_path: Path) -> None:
    before = FILE.removeprefix(HEAD)
    found = shelf(path := written(tmp_path, before))
    found.remove(0, found.level(0)["was"])
    assert path.read_text() == before.removeprefix(f"{FIRST}\n\n")
    assert [each["id"] for each in found.listed()] == [f"{path}#1", f"{path}#2"]
    save(found, 1, f"{THIRD}\n; more")
    assert path.read_text().count("; more") == 1
    found.remove(1, found.level(1)["was"])
    with pytest.raises(LevelError, match="found that no level would be left"):
        found.remove(0, found.level(0)["was"])


def test_each_change_is_taken_back_unless_the_file_was_changed_elsewhere(tmp_path: Path) -> None:
    found = shelf(path := written(tmp_path))
    save(found, 1, f"{TWO}\nTitle: zwei")
    found.move(1, 1, found.level(1)["was"])
    found.add(0, f"{ONE}\nTitle: new")
    found.remove(1, found.level(1)["was"])
    assert titles(found) == ["one", "zwei", "new"]
    seen = []
    for _ in range(4):
        found.undo()
        assert titles(found) == titles(shelf(path))
        seen.append(titles(found))
    assert seen == [
        ["one", "three", "zwei", "new"],
        ["one", "three", "zwei"],
        ["one", "zwei", "three"],
        ["one", "two", "three"],
    ]
    assert path.read_text() == FILE == (tmp_path / "a.xsb.bak").read_text()
    with pytest.raises(LevelError, match="no change to take back"):
        found.undo()
    save(found, 1, f"{TWO}\nTitle: zwei")
    path.write_text(path.read_text() + "; elsewhere\n")
    with pytest.raises(LevelError, match="changed elsewhere"):
        found.undo()
    assert path.read_text().endswith("; elsewhere\n")


def test_what_another_page_or_program_has_changed_is_not_written_over(tmp_path: Path) -> None:
    one, path = shelf(path := written(tmp_path)), path
    was = one.level(1)["was"]
    one.save(1, f"{TWO}\nTitle: zwei", was)
    for change in (
        lambda: one.save(1, TWO, was),
        lambda: one.remove(1, was),
        lambda: one.move(1, 1, was),
        lambda: one.save(0, TWO, one.level(2)["was"]),
    ):
        with pytest.raises(LevelError, match="another text in place of the level"):
            change()
    path.write_text(FILE.replace("@$.", "@$ *."))
    with pytest.raises(LevelError, match="another text in place of the level"):
        one.save(0, TWO, one.level(0)["was"])
    assert path.read_text() == FILE.replace("@$.", "@$ *.")


@pytest.mark.parametrize("text", ["", "what is this?", f"{ONE}\n\n{TWO}"])
def test_what_is_not_one_level_is_not_saved_in_its_place(tmp_path: Path, text: str) -> None:
    found = shelf(path := written(tmp_path))
    with pytest.raises(LevelError, match=r"levels in the text, expected one|would be read otherwise"):
        save(found, 1, text)
    assert path.read_text() == FILE


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(("ending", "last"), [("\r\n", "\r\n"), ("\n", "\r\n")])
def test_line_ends_and_a_byte_order_mark_are_kept(tmp_path: Path, mark: str, ending: str, last: str) -> None:
    before = mark + FILE.replace("\n", ending) + f"; the end{last}"
    found = shelf(path := written(tmp_path, before))
    save(found, 0, found.level(0)["text"])
    assert path.read_bytes().decode() == before
    save(found, 0, TWO)
    assert path.read_bytes().decode() == before.replace(FIRST.replace("\n", ending), TWO.replace("\n", ending))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_a_shipped_file_is_the_same_after_a_save_without_changes(tmp_path: Path, path: Path) -> None:
    mine = Path(shutil.copy(path, tmp_path))
    found, before = shelf(mine), mine.read_bytes()
    for number in range(len(found)):
        save(found, number, found.level(number)["text"])
        assert mine.read_bytes() == before
    if found.level(0)["of"]:
        return
    for number in range(len(found)):
        found.move(number, 1 if number == 0 else -1, found.level(number)["was"])
        found.remove(number, found.level(number)["was"])
        found.undo()
        found.undo()
        assert mine.read_bytes() == before


def test_a_game_is_saved_whole_and_its_levels_follow(tmp_path: Path) -> None:
    mine = Path(shutil.copy(ROOT / "screens/levels/puzzlescript/shaft.txt", tmp_path))
    found, text = shelf(mine), mine.read_text()
    assert [found.level(number)["level"] for number in range(len(found))] == list(range(len(found)))
    assert found.level(3)["text"] == text
    save(found, 3, changed := text.replace("title Shaft", "title Mine", 1))
    assert changed != text
    assert mine.read_text() == changed
    save(found, 0, text + "\n(one more)\nmessage Another\n\n" + "\n".join(text.rstrip().split("\n")[-3:]) + "\n")
    assert titles(found) == titles(shelf(mine))
    save(found, 0, changed.replace("RULES", "RULS", 1))  # a game in the making
    count = len(found)
    save(found, count - 1, text)
    assert mine.read_text() == text
    with pytest.raises(LevelError, match="found one text with all levels"):
        found.remove(0, found.level(0)["was"])


def test_a_change_comes_from_the_page_alone(tmp_path: Path) -> None:
    path = written(tmp_path)
    with TestClient(application("secret", entries=load([str(path)]), most=1), base_url=HERE["origin"]) as client:
        level = client.get("/secret/level/1").json()
        body = f'{{"was": "{level["was"]}", "by": 1}}'
        evil = HERE | {"origin": "http://evil.example"}
        for place in ("change/1", "undo"):
            assert client.post(f"/secret/{place}", content=body, headers=evil).status_code == 403
        for bad in ("{", '{"was": "", "by": 2}', '{"was": ""}'):
            assert client.post("/secret/change/1", content=bad, headers=HERE).status_code == 400
        assert client.post("/secret/change/7", content=body, headers=HERE).json()["failed"]
        assert path.read_text() == FILE
        found = client.post("/secret/change/1", content=body, headers=HERE).json()
        assert [each["title"] for each in found["levels"]] == ["one", "three", "two"]
        assert client.post("/secret/undo", headers=HERE).json()["name"] == "a.xsb"
        assert path.read_text() == FILE
