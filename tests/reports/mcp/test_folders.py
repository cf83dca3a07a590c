"""Which files a call may read."""

import os
import re
from pathlib import Path

import pytest
from command import ONE_PUSH, write

from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.mcp.folders import Folders
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import only_below, read_bytes


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Two folders whose names begin alike, and a link from one to the other."""
    for name in ("levels", "levels2"):
        (tmp_path / name / "deep").mkdir(parents=True)
        write(tmp_path / name / "deep" / f"{name}.xsb", ONE_PUSH)
    (tmp_path / "levels" / "link.xsb").symlink_to(tmp_path / "levels2" / "deep" / "levels2.xsb")
    (tmp_path / "levels" / "inner.xsb").symlink_to(tmp_path / "levels" / "deep" / "levels.xsb")
    return tmp_path


def test_names_are_paths_from_a_folder_and_stay_below_it(place: Path) -> None:
    folders = Folders.of([str(place / "levels")])
    file = str((place / "levels" / "deep" / "levels.xsb").resolve())
    for name in ("deep/levels.xsb", "./deep/../deep/levels.xsb", file, "inner.xsb"):
        assert folders.file(name) == file
    assert folders.shown(file) == "deep/levels.xsb"
    for name in ("../levels2/deep/levels2.xsb", "link.xsb", str(place / "levels2/deep/levels2.xsb"), "../levels2"):
        with pytest.raises(ModelError, match="which is outside of"):
            folders.file(name)
    with pytest.raises(ModelError, match=r"found no file ~/x below .*; list_levels lists those"):
        folders.file("~/x")


def test_the_second_folder_is_looked_at_where_the_first_has_no_such_file(place: Path) -> None:
    folders = Folders.of([str(place / "levels"), str(place / "levels2")])
    assert folders.file("deep/levels2.xsb") == folders.file("link.xsb")
    with pytest.raises(ModelError, match=re.escape(f"{place / 'levels'} and {place / 'levels2'}")):
        folders.file("nothing.xsb")


@pytest.mark.parametrize("name", ["a\0b", "\ud800.xsb"])
def test_a_name_that_no_file_has(place: Path, name: str) -> None:
    with pytest.raises(ModelError, match="which no file can be called"):
        Folders.of([str(place)]).file(name)


def test_without_folders_no_file_is_read() -> None:
    with pytest.raises(ModelError, match="this server was given no folders, expected text"):
        Folders().file("/etc/passwd")


def test_reading_stays_below_folders_while_it_must(place: Path) -> None:
    inside, link = place / "levels" / "inner.xsb", place / "levels" / "link.xsb"
    with only_below([str((place / "levels").resolve())]):
        assert read_bytes(inside, 1000, "a level") == ONE_PUSH.encode()
        for outside in (link, place / "levels2" / "deep" / "levels2.xsb", place / "levels" / ".." / "levels2"):
            with pytest.raises(LevelError, match="it is outside of the folders that may be read"):
                read_bytes(outside, 1000, "a level")
    assert read_bytes(link, 1000, "a level") == ONE_PUSH.encode()


@pytest.mark.parametrize("linked", ["deep", "deep/levels.xsb"])
def test_a_link_that_comes_after_the_look_at_the_path_is_not_followed(
    place: Path, linked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, root = place / "levels" / "deep" / "levels.xsb", str((place / "levels").resolve())
    write(place / "levels2" / "deep" / "levels.xsb", ONE_PUSH)
    real = os.path.realpath

    def found(path: str) -> str:
        """The path, after which another program puts a link to a place outside."""
        before = real(path)
        (place / "levels" / linked).rename(place / "levels" / "old")
        (place / "levels" / linked).symlink_to(place / "levels2" / linked)
        return before

    with only_below([root]):
        assert read_bytes(file, 1000, "a level") == ONE_PUSH.encode()
        monkeypatch.setattr(os.path, "realpath", found)
        with pytest.raises(LevelError, match="cannot be read"):
            read_bytes(file, 1000, "a level")
    assert os.path.islink(place / "levels" / linked)
