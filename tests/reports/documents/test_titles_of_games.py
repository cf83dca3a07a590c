"""The title of a level of a game is the last message above it."""

from typing import Any

import pytest
from places import ROOT

from puzzlemc.reports.documents.edits import Describe, Edit, answer, edit, read
from puzzlemc.screens.base.errors import LevelError

THAW = (ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt").read_text()
TITLED = "(easy)\nmessage Well done!\nmessage Thin ice\n"
GAME = THAW.replace("message Thin ice\n", TITLED)


def described(text: str, at: int, **said: Any) -> str:
    return edit(Edit("puzzlescript", text, [Describe(at, **said)])).text


def titles(text: str) -> list[str]:
    return [each["title"] for each in answer(read("puzzlescript", text))["levels"]]


def test_the_last_message_of_a_level_is_changed_and_all_other_lines_stay() -> None:
    other = described(GAME, 1, title="Thick ice")
    assert other == GAME.replace("message Thin ice", "message Thick ice")
    assert titles(other) == ["By lantern light", "Thick ice", *titles(THAW)[2:]]
    assert described(other, 1, title="Thin ice") == GAME


def test_a_level_loses_its_title_and_gets_one() -> None:
    bare = described(THAW, 1, title="")
    assert "message Thin ice" not in bare
    assert titles(bare) == ["By lantern light", "", *titles(THAW)[2:]]
    assert described(bare, 1, title="Thin ice") == THAW
    with pytest.raises(LevelError, match="no place for this title"):  # the message before it would be its title
        described(GAME, 1, title="")


def test_a_level_of_a_game_has_the_author_of_the_game() -> None:
    with pytest.raises(LevelError, match="no place for this author"):
        described(THAW, 1, author="Ada")
    with pytest.raises(LevelError, match="no place for this title"):
        described(THAW, 1, title="two\n####")
