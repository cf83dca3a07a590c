"""Boards of other games, which keys and suffixes name: they are refused, and no other level is."""

import pytest

from puzzlemc.screens import sokoban
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part

ROOM = "######\n#@ $.#\n######"
REFUSED = [
    "Game: Trioban",
    "game=Hexoban",
    "  Variant : Octoban",
    "Game: Sokoban+",
    "Game: Multiban",
    "Goalorder: 2 1",
]
KEPT = [
    "Game: Sokoban",
    "Variant=classic",
    "Game: Sokoban (Standard)",
    "Game: 12",
    "Gamer: Ann",
    "; Game: Hexoban",
]


def kinds(text: str, source: str = "a.sok") -> list[type]:
    return [type(each) for each in sokoban.cut(text, source)]


@pytest.mark.parametrize("key", REFUSED)
def test_a_level_of_another_game_is_refused_by_name(key: str) -> None:
    (error,) = sokoban.cut(f"Triangles\n\n{ROOM}\nTitle: Triangles\n{key}\n", "a.sok")
    assert isinstance(error, LevelError)
    name = key.partition(":")[0] if "order" in key else key.replace("=", ":").partition(":")[2].strip()
    assert name in error.message
    assert error.message.endswith("expected Sokoban") or "order" in key
    assert (error.line, error.column) == (7, 1 + len(key) - len(key.lstrip()))


@pytest.mark.parametrize("key", KEPT)
def test_other_keys_change_nothing(key: str) -> None:
    assert kinds(f"{key}\n\n{ROOM}\n{key}\n\n{ROOM}") == [Part, Part]


@pytest.mark.parametrize("between", ["", "\n"])
def test_a_game_above_all_boards_is_that_of_all_boards_without_a_key(between: str) -> None:
    text = f"Game: Hexoban\n{between}{ROOM}\n\n{ROOM}\nGame: Sokoban\n\n{ROOM}\n"
    assert kinds(text) == [LevelError, Part, LevelError]
    assert kinds(f"Boxorder: 1 2\n{between}{ROOM}\n\n{ROOM}\n") == [LevelError, Part]


def test_a_key_belongs_to_the_board_that_it_touches_and_else_to_both() -> None:
    for key in REFUSED:
        assert kinds(f"{ROOM}\n{key}\n\n{ROOM}\n") == [LevelError, Part]
        assert kinds(f"{ROOM}\n\n{key}\n{ROOM}\n") == [Part, LevelError]
        assert kinds(f"{ROOM}\n\n{key}\n\n{ROOM}\n") == [LevelError, LevelError]
        assert kinds(f"{ROOM}\n\n{ROOM}\n\n{key}\n") == [Part, LevelError]


def test_keys_in_comments_are_ignored() -> None:
    assert kinds(f"{ROOM}\nComment:\nGame: Hexoban\nComment-End:\n") == [Part]


@pytest.mark.parametrize("name", ["a.hsb", "a.tsb", "a.HSB.gz"])
def test_files_of_other_games_are_refused_by_their_suffix(name: str) -> None:
    assert kinds(ROOM, name) == [LevelError]


def _xml(root: str = "", level: str = "", above: str = "", inside: str = "") -> str:
    rows = "".join(f"<L>{row}</L>" for row in ROOM.split("\n"))
    levels = f"<Level Id='1'{level}>{inside}{rows}</Level><Level Id='2'>{rows}</Level>"
    return f"<SokobanLevels{root}>{above}<LevelCollection>{levels}</LevelCollection></SokobanLevels>"


def test_attributes_and_elements_of_xml_name_a_game() -> None:
    both, first = [LevelError, LevelError], [LevelError, Part]
    assert kinds(_xml(root=" Game='Trioban'"), "a.slc") == both
    assert kinds(_xml(above="<Variant>Hexoban</Variant>"), "a.slc") == both
    assert kinds(_xml(level=" Variant='Hexoban'"), "a.slc") == first
    assert kinds(_xml(inside="<Goalorder>2 1</Goalorder>"), "a.slc") == first
    assert kinds(_xml(root=" Game='Sokoban'", inside="<Game>sokoban</Game>"), "a.slc") == [Part, Part]
    (error, _) = sokoban.cut(_xml(level=" Variant='Hexoban'"), "a.slc")
    assert isinstance(error, LevelError)
    assert str(error).startswith("a.slc:1:33: found the game 'Hexoban', expected Sokoban")
